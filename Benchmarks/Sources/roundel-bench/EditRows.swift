internal import Glibc

/// From an edit to the remote: at rest, in a large folder, and while the worker looks through it.
enum EditRows {
    static func small(_ options: Options) throws -> [Row] {
        let pair = try Pair(options, files: 1000)
        defer { withExtendedLifetime(pair) {} }
        let times = try (0..<(options.isQuick ? 20 : 100)).map { number in
            rest(milliseconds: 200 + UInt32(number * 37 % 300))
            return try pair.edit(number)
        }
        return [row("edit → on the remote, 1,000 files, p95", times)]
    }

    static func large(_ options: Options) throws -> [Row] {
        let count = options.isQuick ? 10_000 : 200_000
        let pair = try Pair(options, files: count)
        defer { withExtendedLifetime(pair) {} }
        let files = count == 200_000 ? "200,000" : "10,000"
        let idle = try (0..<(options.isQuick ? 5 : 40)).map { number in
            rest(milliseconds: 200 + UInt32(number * 37 % 300))
            return try pair.edit(number)
        }
        // The edit comes at once, before the watcher stands: the first scan finds it.
        let starting = try (0..<(options.isQuick ? 2 : 10)).map { number in
            try pair.restartWorker()
            return try pair.edit(1000 + number)
        }
        return [
            row("the same with \(files) files", idle, as: "edit → on the remote, \(files) files"),
            row(
                "the same at the moment in which the worker starts: its first scan finds it", starting, target: nil,
                as: "edit → on the remote, when the worker starts with \(files) files"),
        ]
    }

    /// - Parameters:
    ///   - target: In seconds; nil if there is none.
    ///   - figure: What is compared with other runs, where the row's own name says too little.
    private static func row(
        _ what: String, _ times: [Double], target: Double? = 0.5, as figure: String? = nil
    ) -> Row {
        let slow = quantile(times, 0.95)
        return Row(
            what, target: target.map { "at most \($0) s" } ?? "",
            measured: "\(Format.seconds(slow)), p50 \(Format.seconds(median(times)))",
            how: "\(times.count) edits, one after the other", isMet: target.map { slow <= $0 * 1e9 },
            figures: [Figure(times, named: figure)])
    }

    /// A synced folder and its remote.
    private final class Pair {
        private let session: Session
        private let source: String
        private let remote: String
        private var worker: Child

        init(_ options: Options, files: Int) throws {
            session = try Session(options)
            source = try session.directory.directory("source")
            remote = try session.directory.directory("remote")
            try WorkerRows.makeTree(source, files: files, large: 0)
            try session.startService()
            worker = try session.startWorker()
            _ = try Folder(try session.host(), source, remote)
            rest(milliseconds: 1000)
        }

        func restartWorker() throws {
            worker.end()
            worker = try session.startWorker()
        }

        /// Writes a file anew and waits until the remote has it; the time that this took, in nanoseconds.
        func edit(_ number: Int) throws -> Double {
            let name = "/d\(number % 100)/f\(number / 100)"
            let bytes = Array("edit \(number) \(now())\n".utf8)
            try Files.write(bytes, to: source + name)
            let start = now()
            guard wait(seconds: 60, step: 1000, until: { Files.bytes(remote + name) == bytes }) else {
                throw Failure("an edit did not arrive in 60 s")
            }
            return Double(now() - start)
        }
    }
}

internal import CPeers
internal import Glibc

/// The sync worker with a directory as the remote.
enum WorkerRows {
    static func trees(_ options: Options) throws -> [Row] {
        let session = try Session(options)
        let source = try session.directory.directory("source")
        try makeTree(source, files: options.isQuick ? 1000 : 10_000, large: options.isQuick ? 1 : 5)
        let expected = try Files.count(in: source)
        try session.startService()
        let worker = try session.startWorker()
        let host = try session.host()
        var (firsts, firstPeers, seconds, secondPeers) = ([Double](), [Double](), [Double](), [Double]())
        for round in 0..<options.rounds {
            let copy = try session.directory.directory("copy-\(round)")
            firstPeers.append(
                try Child.time(["sh", "-c", "rsync -a \"$1/\" \"$2\" && sync -f \"$2\"", "peer", source, copy]))
            let remote = try session.directory.directory("remote-\(round)")
            let folder = try Folder(host, source, remote)
            firsts.append(folder.elapsed)
            guard try Files.count(in: remote) >= expected else { throw Failure("the worker has not copied everything") }
            for _ in 0..<3 {
                secondPeers.append(try Child.time(["rsync", "-a", source + "/", copy]))
                seconds.append(try folder.sync())
            }
            if round + 1 < options.rounds { try folder.remove() }
            Files.removeTree(copy)
            if round + 1 < options.rounds { Files.removeTree(remote) }
        }
        rest(milliseconds: 1000)
        let memory = ProcessFacts(identifier: worker.identifier).memory
        return rows(options, firsts, firstPeers, seconds, secondPeers, memory)
    }

    private static func rows(
        _ options: Options, _ firsts: [Double], _ firstPeers: [Double], _ seconds: [Double], _ secondPeers: [Double],
        _ memory: Double
    ) -> [Row] {
        let first = median(zip(firsts, firstPeers).map { $0 / $1 })
        let second = median(zip(seconds, secondPeers).map { $0 / $1 })
        let tree = options.isQuick ? "1,000 small files + 100 MiB" : "10,000 small files + 5 × 100 MiB"
        return [
            Row(
                "worker, \(tree), to a directory, durable", target: "at most 1.25 × `rsync -a` and `sync -f`",
                measured: "\(Format.seconds(median(firsts))), rsync \(Format.seconds(median(firstPeers))): "
                    + "\(Format.ratio(first)) ×", isMet: first <= 1.25),
            Row(
                "worker, nothing changed, same tree, worker running", target: "at most 1.5 × `rsync -a`",
                measured: "\(Format.milliseconds(median(seconds))), rsync "
                    + "\(Format.milliseconds(median(secondPeers))): \(Format.ratio(second)) ×", isMet: second <= 1.5),
            Row(
                "worker memory (PSS) at \(options.isQuick ? "1,000" : "10,000") files", target: "at most 64 MiB",
                measured: Format.mebibytes(memory), isMet: memory <= 64 * 1024),
        ]
    }

    /// Small files of 1 to 4 KiB in 100 directories, and large ones of 100 MiB.
    private static func makeTree(_ path: String, files: Int, large: Int) throws {
        var generator = SystemRandomNumberGenerator()
        for directory in 0..<100 {
            mkdir("\(path)/d\(directory)", 0o700)
            for file in 0..<(files / 100) {
                let size = Int.random(in: 1024...4096, using: &generator)
                let bytes = (0..<(size / 8)).flatMap { _ in
                    withUnsafeBytes(of: generator.next()) { Array($0) }
                }
                try Files.write(bytes, to: "\(path)/d\(directory)/f\(file)")
            }
        }
        for number in 0..<large {
            _ = try Child.output(["dd", "if=/dev/urandom", "of=\(path)/large-\(number)", "bs=1M", "count=100"])
        }
    }

    static func edits(_ options: Options) throws -> [Row] {
        let session = try Session(options)
        let source = try session.directory.directory("source")
        let remote = try session.directory.directory("remote")
        try makeTree(source, files: 1000, large: 0)
        try session.startService()
        let worker = try session.startWorker()
        defer { withExtendedLifetime(worker) {} }
        _ = try Folder(try session.host(), source, remote)
        rest(milliseconds: 1000)
        let times = try (0..<(options.isQuick ? 20 : 100)).map { number in
            rest(milliseconds: 200 + UInt32(number * 37 % 300))
            let name = "/d\(number % 100)/f\(number / 100)"
            let bytes = Array("edit \(number) \(now())\n".utf8)
            try Files.write(bytes, to: source + name)
            let start = now()
            guard wait(seconds: 30, step: 1000, until: { Files.bytes(remote + name) == bytes }) else {
                throw Failure("an edit did not arrive in 30 s")
            }
            return Double(now() - start)
        }
        let slow = quantile(times, 0.95)
        return [
            Row(
                "edit → on the remote, p95", target: "at most 0.5 s",
                measured: "\(Format.seconds(slow)), p50 \(Format.seconds(median(times)))", isMet: slow <= 0.5e9)
        ]
    }
}

/// A synced folder; made with its first synchronisation.
private struct Folder {
    private let host: Host
    private let id: String
    /// How long it took from AddFolder until everything was at the remote, in nanoseconds.
    let elapsed: Double

    init(_ host: Host, _ source: String, _ remote: String) throws {
        self.host = host
        var buffer = [CChar](repeating: 0, count: 256)
        let start = now()
        try host.check(peers_add_folder(host.bus, "file://" + source, remote, &buffer, buffer.count))
        try host.check(peers_sync(host.bus, buffer))
        elapsed = Double(now() - start)
        id = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func sync() throws -> Double {
        let start = now()
        try host.check(peers_sync(host.bus, id))
        return Double(now() - start)
    }

    func remove() throws { try host.check(peers_remove_folder(host.bus, id)) }
}

internal import Glibc

/// What the worker takes for files to and from a server on a line with a delay and losses, beside curl.
enum LineRows {
    private enum Client: Hashable {
        case worker
        case curl(BenchServer.Version)

        static let all: [Client] = [.worker] + BenchServer.Version.allCases.map { .curl($0) }

        var name: String {
            switch self {
            case .worker: "worker"
            case .curl(.one): "curl-1"
            case .curl(.two): "curl-2"
            }
        }
    }

    /// What is moved, and whereto.
    private enum Part: String, CaseIterable {
        case smallUp, smallDown, largeUp, largeDown

        var isSmall: Bool { self == .smallUp || self == .smallDown }
        var isUp: Bool { self == .smallUp || self == .largeUp }

        /// Whether curl is measured with it. In version 2 Apache takes 64 KiB of a file in each round trip: nobody uploads
        /// a large one so who can do without.
        func suits(_ version: BenchServer.Version) -> Bool { self != .largeUp || version == .one }
    }

    /// What rounds took, in nanoseconds.
    private typealias Times = [Client: [Part: [Double]]]

    private static let shapes = [
        Line.Shape(roundTrip: 30, loss: 0), Line.Shape(roundTrip: 100, loss: 0), Line.Shape(roundTrip: 30, loss: 1),
    ]
    private static let largeSize = 16 << 20
    /// Of what curl reaches.
    private static let target = 0.7

    static func measure(_ options: Options) throws -> [Row] {
        try shapes.flatMap { shape in
            let line = try Line(shape)
            let truth = Row(
                "the line with \(shape.text)", target: "", measured: try line.measured(),
                how: "2000 echoes of ICMP, one each ms; \(Line.Shape.rate) Mbit/s each way; TCP's congestion control: "
                    + (try line.congestionControl()))
            report("  \(truth.what): \(truth.measured)")
            return [truth] + partly(line, options)
        }
    }

    /// The rows of one line; where they cannot be measured, those of the others are all the same.
    private static func partly(_ line: Line, _ options: Options) -> [Row] {
        do {
            return try rows(line, options)
        } catch {
            return [Row("Apache, \(line.shape.text)", target: "", measured: "could not be measured: \(error)", how: "")]
        }
    }

    private static func rows(_ line: Line, _ options: Options) throws -> [Row] {
        let rounds = options.isQuick ? 1 : 4
        let session = try Session(options)
        let source = try SourceFiles(session.directory, files: options.isQuick ? 60 : 100, large: largeSize)
        let server = try BenchServer(.apache, at: line)
        try session.startService()
        try session.startKeyring()
        _ = try session.startWorker(at: line)
        let login = ["login", "--password", "--authority", server.authority, server.login(server.address())]
        try session.roundel(login, typed: BenchServer.password + "\n")
        let mover = Mover(server, session, source)
        let added = try mover.add()
        var times = Times()
        for round in 0..<rounds {
            for number in Client.all.indices {
                let client = Client.all[(number + round) % Client.all.count]
                for part in Part.allCases {
                    if let took = try mover.move(part, by: client, round) {
                        times[client, default: [:]][part, default: []].append(took)
                    }
                }
            }
        }
        let spoken = try server.versions(besides: "curl").joined(separator: " and ")
        let place = "Apache, \(line.shape.text)"
        return Part.allCases.flatMap { part in
            BenchServer.Version.allCases.filter(part.suits).map { version in
                row(part, place, version, spoken, source.count, times)
            }
        } + [
            Row(
                "worker, to add an empty folder on \(place)", target: "", measured: Format.seconds(added),
                how: "`roundel add --wait`, once", figures: [Figure([added])])
        ]
    }

    private static func row(
        _ part: Part, _ place: String, _ version: BenchServer.Version, _ spoken: String, _ count: Int, _ times: Times
    ) -> Row {
        let (own, raw) = (times[.worker]?[part] ?? [], times[.curl(version)]?[part] ?? [])
        let shares = zip(own, raw).map { $1 / $0 }
        let what = part.isSmall ? "\(count) files of 4 KiB" : "one file of \(largeSize >> 20) MiB"
        let peer = "curl over \(version.rawValue)" + (part.isSmall ? " on \(Curl.connections) connections" : "")
        let name = "worker, \(what) \(part.isUp ? "to" : "from") \(place)"
        return Row(
            name, target: "at least \(target) × the rate of \(peer)",
            measured: "\(Format.spread(own, Format.seconds)), curl \(Format.spread(raw, Format.seconds)): "
                + Format.ratios(shares),
            how: "to the end of `roundel sync --wait`, in \(spoken); by turns, `sync` before, rounds: \(own.count)",
            isMet: median(shares) >= target,
            figures: [Figure(own, beside: raw, named: "\(name), beside curl over \(version.rawValue)")])
    }

    // MARK: One client, once

    /// Has clients move files.
    private struct Mover {
        private let server: BenchServer
        private let session: Session
        private let source: SourceFiles

        init(_ server: BenchServer, _ session: Session, _ source: SourceFiles) {
            (self.server, self.session, self.source) = (server, session, source)
        }

        /// The synced folder, and its collection.
        private static let folder = "synced"
        private var folder: String { session.directory.path + "/" + Self.folder }

        /// How long it took to add a folder with nothing in it, in nanoseconds.
        func add() throws -> Double {
            try server.makeDirectory(Self.folder)
            let folder = try session.directory.directory(Self.folder)
            let address = server.login(server.address(Self.folder))
            return try time { try session.roundel(["add", folder, address, "--wait"]) }
        }

        /// How long it took; nil of what is not measured.
        func move(_ part: Part, by client: Client, _ round: Int) throws -> Double? {
            let name = "\(client.name)-\(part.rawValue)-\(round)"
            switch client {
            case .worker: return try part.isUp ? bringUp(part, name) : bringDown(part, name)
            case .curl(let version):
                guard part.suits(version) else { return nil }
                let curl = Curl(
                    server: server, version: version, settings: session.directory.path + "/settings-" + name)
                return try part.isUp ? upload(part, name, curl) : download(part, name, curl)
            }
        }

        // MARK: The worker

        /// The small files with their directory, or the large one.
        private func files(_ part: Part) -> String { part.isSmall ? source.small : source.large }

        private func bringUp(_ part: Part, _ name: String) throws -> Double {
            let copy = try source.copy(files(part), to: session.directory.path + "/" + name)
            let took = try time {
                guard rename(copy, folder + "/" + name) == 0 else { throw Failure("cannot move \(copy)") }
                try session.roundel(["sync", folder, "--wait"])
            }
            try check(part, name, try server.count(in: Self.folder + "/" + name))
            return took
        }

        /// As another device has uploaded it.
        private func bringDown(_ part: Part, _ name: String) throws -> Double {
            try server.put(files(part), at: Self.folder + "/" + name)
            let took = try time { try session.roundel(["sync", folder, "--wait"]) }
            try check(part, name, try Files.count(in: folder + "/" + name))
            return took
        }

        // MARK: curl

        private func upload(_ part: Part, _ name: String, _ curl: Curl) throws -> Double {
            try server.makeDirectory(name)
            let command = try curl.upload(files(part), to: server.address(name))
            let took = try time { _ = try Child.output(command) }
            try check(part, name, try server.count(in: name))
            return took
        }

        private func download(_ part: Part, _ name: String, _ curl: Curl) throws -> Double {
            let files = files(part)
            try server.put(files, at: name)
            let target = try session.directory.directory(name)
            let command = try curl.download(Files.names(in: files), from: server.address(name), into: target)
            let took = try time { _ = try Child.output(command) }
            try check(part, name, try Files.count(in: target))
            return took
        }

        private func time(_ action: () throws -> Void) throws -> Double {
            Glibc.sync()
            let start = now()
            try action()
            return Double(now() - start)
        }

        private func check(_ part: Part, _ name: String, _ found: Int) throws {
            let expected = part.isSmall ? source.count : 1
            guard found == expected else { throw Failure("\(name): \(found) of \(expected) files came") }
        }
    }
}

internal import Glibc

/// What the worker takes to bring files to WebDAV servers, beside others that do the same.
enum ServerRows {
    /// Those who bring files there.
    private enum Client: CaseIterable {
        case worker, curl, rclone, nextcloud
    }

    /// What rounds took, in nanoseconds.
    private typealias Times = [Client: [Double]]

    private static let largeSize = 64 << 20
    private static let rounds = 4

    static func measure(_ options: Options) throws -> [Row] {
        try BenchServer.Kind.allCases.flatMap { try rows($0, options) }
    }

    private static func rows(_ kind: BenchServer.Kind, _ options: Options) throws -> [Row] {
        let session = try Session(options)
        let source = try SourceFiles(
            session.directory, files: options.isQuick ? 60 : 300, large: largeSize)
        let server = try BenchServer(kind)
        try session.startService()
        try session.startKeyring()
        _ = try session.startWorker()
        try session.roundel(
            ["login", "--password", server.login(server.address())], typed: BenchServer.password + "\n")
        var (added, small, large) = ([Double](), Times(), Times())
        let clients = Client.allCases.filter { $0 != .nextcloud || kind == .nextcloud && isInstalled("nextcloudcmd") }
        for round in 0..<rounds {
            // Each comes first, and after each other, as often as the rounds let it.
            for number in clients.indices {
                let client = clients[(number + round) % clients.count]
                let run = Run(client, server, session, source, round)
                let took = try run.measure()
                if let time = took.added { added.append(time) }
                small[client, default: []].append(took.small)
                large[client, default: []].append(took.large)
            }
        }
        return [
            row("worker, \(source.count) new files of 4 KiB to \(kind.rawValue)", kind, small, isSmall: true),
            row("the same, one file of 64 MiB", kind, large, isSmall: false),
            Row(
                "the same, to add an empty folder", target: "", measured: Format.spread(added, Format.seconds),
                how: "`roundel add --wait`, which tries the server out, \(rounds) times",
                figures: [Figure(added, named: "to add an empty folder on \(kind.rawValue)")]),
        ]
    }

    private static func isInstalled(_ program: String) -> Bool { (try? Child.output(["which", program])) != nil }

    private static func row(_ what: String, _ kind: BenchServer.Kind, _ times: Times, isSmall: Bool) -> Row {
        let (own, raw) = (times[.worker] ?? [], times[.curl] ?? [])
        let shares = zip(own, raw).map { $1 / $0 }
        var measured =
            "\(Format.spread(own, Format.seconds)), curl \(Format.spread(raw, Format.seconds)): \(Format.ratios(shares))"
        for (client, name) in [(Client.rclone, "rclone sync"), (.nextcloud, "nextcloudcmd")] {
            if let other = times[client] { measured += "; \(name) \(Format.spread(other, Format.seconds))" }
        }
        let target = kind.isConditional ? 0.6 : 0.3
        let peer = isSmall ? "raw PUTs on \(Curl.connections) connections" : "a raw PUT"
        return Row(
            what,
            target: "at least \(target) × the rate of \(peer)",
            measured: measured,
            how: isSmall
                ? "from the moment in which they are in the folder to the end of `roundel sync --wait`; each by turns, "
                    + "`sync` before, \(rounds) rounds" : "likewise, \(rounds) rounds",
            isMet: median(shares) >= target,
            figures: [Figure(own, beside: raw, named: isSmall ? nil : "one file of 64 MiB to \(kind.rawValue)")])
    }

    // MARK: One client, once

    /// One client brings everything to two directories of its own.
    private struct Run {
        let client: Client
        let server: BenchServer
        let session: Session
        let source: SourceFiles
        let place: String

        init(_ client: Client, _ server: BenchServer, _ session: Session, _ source: SourceFiles, _ round: Int) {
            (self.client, self.server, self.session, self.source) = (client, server, session, source)
            place = "\(client)-\(round)"
        }

        /// How long the small files took, and the large one; of the worker, also how long before it was ready for them.
        func measure() throws -> (added: Double?, small: Double, large: Double) {
            if client == .worker {
                let times = try worker()
                try check(place, source.count + 1)
                return times
            }
            let (first, second) = (place + "-small", place + "-large")
            let times = (Double?.none, try peer(source.small, first), try peer(source.large, second))
            try check(first, source.count)
            try check(second, 1)
            return times
        }

        private func check(_ name: String, _ expected: Int) throws {
            let found = try server.count(in: name)
            guard found == expected else { throw Failure("\(client) brought \(found) of \(expected) files") }
        }

        private func worker() throws -> (Double?, Double, Double) {
            try server.makeDirectory(place)
            let (small, large) = (try copy(source.small, "small"), try copy(source.large, "large"))
            let folder = try session.directory.directory(place)
            let added = try time(["add", folder, server.login(server.address(place)), "--wait"])
            let first = try time(["sync", folder, "--wait"], after: (small, folder + "/small"))
            let second = try time(["sync", folder, "--wait"], after: (large + "/big", folder + "/big"))
            try session.roundel(["remove", folder])
            return (added, first, second)
        }

        /// How long something takes once it has been moved to where it belongs, in nanoseconds.
        private func time(_ arguments: [String], after move: (from: String, to: String)? = nil) throws -> Double {
            Glibc.sync()
            let start = now()
            if let move, rename(move.from, move.to) != 0 { throw Failure("cannot move \(move.from)") }
            try session.roundel(arguments)
            return Double(now() - start)
        }

        private func peer(_ source: String, _ name: String) throws -> Double {
            try server.makeDirectory(name)
            // Its own client keeps a database among the files.
            let source = client == .nextcloud ? try copy(source, name) : source
            let command = try command(source, name)
            Glibc.sync()
            return try Child.time(command, environment: environment)
        }

        private func command(_ source: String, _ name: String) throws -> [String] {
            switch client {
            case .curl:
                let curl = Curl(server: server, settings: session.directory.path + "/curl-\(name)")
                return try curl.upload(source, to: server.address(name))
            case .rclone: return ["rclone", "sync", "--transfers", "\(Curl.connections)", source, "bench:" + name]
            case .nextcloud:
                return [
                    "nextcloudcmd", "--silent", "--non-interactive", "--path", "/" + name, "--user", BenchServer.user,
                    "--password", BenchServer.password, source, server.origin,
                ]
            case .worker: throw Failure("the worker is no peer")
            }
        }

        private var environment: [String: String] {
            let home = session.directory.path
            return [
                "HOME": home, "XDG_CONFIG_HOME": home + "/peers", "RCLONE_CONFIG": home + "/none",
                "RCLONE_CONFIG_BENCH_TYPE": "webdav", "RCLONE_CONFIG_BENCH_URL": server.address(),
                "RCLONE_CONFIG_BENCH_VENDOR": server.kind == .nextcloud ? "nextcloud" : "other",
                "RCLONE_CONFIG_BENCH_USER": BenchServer.user,
                // What `rclone obscure` makes of the password.
                "RCLONE_CONFIG_BENCH_PASS": "7ExPcNNIWp2ma5jwsdb3-Y5Wnha34Q",
            ]
        }

        private func copy(_ files: String, _ name: String) throws -> String {
            try source.copy(files, to: session.directory.path + "/\(place)-\(name)")
        }
    }
}

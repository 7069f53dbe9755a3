internal import CPeers
internal import Glibc

/// A folder on a mount that never answers, next to one that does: beside a session without such a mount.
enum SilentMountRow {
    static func measure(_ options: Options) throws -> [Row] {
        let (plain, beside) = (try Session(options), try Session(options))
        let quiet = try start(plain, folders: [])
        let mount = try beside.directory.directory("mount")
        let disturbed = try start(beside, folders: [mount])
        let device = peers_mount_silent(mount)
        guard device >= 0 else { throw Failure("a FUSE file system cannot be mounted here") }
        defer {
            close(device)
            peers_unmount(mount)
            withExtendedLifetime((plain, beside, quiet.provider, disturbed.provider)) {}
        }
        let stranger = try beside.host()
        try stranger.check(peers_observe_unanswered(stranger.bus, "file://" + mount))
        try stranger.check(peers_observe_unanswered(stranger.bus, "file://" + mount + "/below"))
        rest(milliseconds: 500)
        var (middles, ends) = (Pairs(), Pairs())
        for round in 0..<5 {
            var (before, during) = ([Double](), [Double]())
            if round % 2 == 0 { before = try sample(quiet, options) }
            during = try sample(disturbed, options)
            if round % 2 == 1 { before = try sample(quiet, options) }
            middles.add(median(during), beside: median(before))
            ends.add(quantile(during, 0.99), beside: quantile(before, 0.99))
        }
        return [
            Row(
                "one folder on a mount that never answers", target: "badge latency elsewhere unchanged",
                measured: "p50 \(Format.ratios(middles.ratios)), p99 \(Format.ratios(ends.ratios)) that without",
                how: "5 pairs, interleaved, of \(count(options)) badges",
                isMet: median(middles.ratios) <= 1.1 && median(ends.ratios) <= 1.5,
                figures: [
                    Figure(
                        middles.during, beside: middles.before,
                        named: "one badge beside a mount that never answers, p50"),
                    Figure(ends.during, beside: ends.before, named: "one badge beside a mount that never answers, p99"),
                ])
        ]
    }

    /// Times with such a mount, and without.
    private struct Pairs {
        private(set) var during: [Double] = []
        private(set) var before: [Double] = []

        var ratios: [Double] { zip(during, before).map { $0 / $1 } }

        mutating func add(_ during: Double, beside before: Double) {
            self.during.append(during)
            self.before.append(before)
        }
    }

    private typealias Place = (host: Host, folder: String, provider: Child)

    /// Starts a service with a provider of a folder and of these, and observes the folder.
    private static func start(_ session: Session, folders: [String]) throws -> Place {
        let folder = try session.directory.directory("folder")
        try Files.write([], to: folder + "/file")
        try session.startService()
        let provider = try session.startProvider(folders: [folder] + folders, watches: true)
        let host = try session.host()
        try host.observe(folder)
        let isKnown = try wait(seconds: 10) {
            _ = try host.request(folder, NameColumn(["file"]))
            return host.lastBadged == 1
        }
        guard isKnown else { throw Failure("the sample provider's badge did not come") }
        return (host, folder, provider)
    }

    private static func count(_ options: Options) -> Int { options.isQuick ? 500 : 5_000 }

    private static func sample(_ place: Place, _ options: Options) throws -> [Double] {
        let name = NameColumn(["file"])
        for _ in 0..<200 { _ = try place.host.request(place.folder, name) }
        return try (0..<count(options)).map { _ in try place.host.request(place.folder, name) }
    }
}

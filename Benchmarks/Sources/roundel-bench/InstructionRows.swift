internal import CPeers
internal import Glibc

/// What the badge service spends, in instructions: the same on any machine, whatever else that does.
///
/// callgrind counts a whole run. Each figure is the difference of two runs that differ in how often the one thing
/// was asked for, divided by that.
enum InstructionRows {
    /// What is counted, how often in the longer run, and what it may cost.
    private struct Count {
        let what: String
        let limit: Double?
        let repeats: Int
        /// How many files are asked for together.
        let names: Int
        let prepare: (Scene) throws -> Void
        let act: (Scene) throws -> Void
    }

    /// A session with the service under callgrind, a provider with one folder and a host.
    private struct Scene {
        let session: Session
        let provider: Child
        let folder: String
        let host: Host
        /// The names that are asked for together.
        let names: NameColumn
    }

    static func measure(_ options: Options) throws -> [Row] {
        var rows: [Row] = []
        for count in counts {
            let few = try run(count, repeats: 0, options)
            let many = try run(count, repeats: count.repeats, options)
            let each = (many - few) / Double(count.repeats)
            rows.append(
                Row(
                    count.what, target: count.limit.map { "at most \(Format.instructions($0))" } ?? "",
                    measured: Format.instructions(each),
                    how: "callgrind, \(count.repeats) times more in one of two runs",
                    isMet: count.limit.map { each <= $0 }, figures: [Figure([each], in: .instructions)]))
        }
        return rows + [try start(options)]
    }

    private static var counts: [Count] {
        [
            Count(
                what: "`Peer.Ping`", limit: nil, repeats: 2000, names: 0, prepare: { _ in },
                act: { _ = try $0.host.ping() }),
            Count(
                what: "one badge", limit: 90_000, repeats: 2000, names: 1, prepare: { try show($0) },
                act: { _ = try $0.host.request($0.folder, $0.names) }),
            Count(
                what: "10,000 badges in one call, warm", limit: 12_000_000, repeats: 40, names: 10_000,
                prepare: { try show($0) }, act: { _ = try $0.host.request($0.folder, $0.names) }),
            Count(
                what: "a change at the provider to its signal", limit: 150_000, repeats: 200, names: 1,
                prepare: { scene in
                    try show(scene)
                    try scene.provider.send(Array("h\(try scene.host.uniqueName())\n".utf8))
                },
                act: { scene in
                    // After the pause in which further changes of a directory go together.
                    rest(milliseconds: 70)
                    try scene.provider.send([UInt8(ascii: "c")])
                    _ = try scene.host.awaitChange("file://" + scene.folder)
                    _ = try scene.provider.receiveTime()
                }),
        ]
    }

    private static func show(_ scene: Scene) throws {
        try scene.host.observe(scene.folder)
        let isBadged = try wait(seconds: 60) {
            _ = try scene.host.request(scene.folder, scene.names)
            if scene.host.lastBadged == scene.names.count { return true }
            // Each question costs as much as what is counted; both runs are to ask as often before they begin.
            rest(milliseconds: 3000)
            return false
        }
        guard isBadged else { throw Failure("the sample provider's badges did not come") }
    }

    /// How many instructions the service ran from its start to its end.
    private static func run(_ count: Count, repeats: Int, _ options: Options) throws -> Double {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        let names = (0..<count.names).map(BadgeRows.fileName)
        for name in names { try Files.write([], to: folder + "/" + name) }
        let report = try session.startCountedService()
        let provider = try session.startProvider(folders: [folder])
        let scene = Scene(
            session: session, provider: provider, folder: folder, host: try session.host(), names: NameColumn(names))
        try count.prepare(scene)
        for _ in 0..<repeats { try count.act(scene) }
        return try total(session, report)
    }

    private static func start(_ options: Options) throws -> Row {
        let session = try Session(options)
        let report = try session.startCountedService()
        let sum = try total(session, report)
        return Row(
            "start to end of the badge service without a provider", target: "", measured: Format.instructions(sum),
            how: "callgrind, once", figures: [Figure([sum], in: .instructions)])
    }

    private static func total(_ session: Session, _ report: String) throws -> Double {
        // When a provider goes the service has much to do, and whether it comes to that before its own end is chance.
        session.endService()
        session.endPrograms()
        let line = (Files.text(report) ?? "").split(separator: "\n").first { $0.hasPrefix("totals:") }
        guard let sum = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw Failure("callgrind left no total")
        }
        return sum
    }
}

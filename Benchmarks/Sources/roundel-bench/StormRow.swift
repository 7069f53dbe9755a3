internal import CPeers
internal import Glibc

/// Many files at once below a watched folder.
enum StormRow {
    private static let directories: UInt32 = 100

    static func measure(_ options: Options) throws -> [Row] {
        let each: UInt32 = options.isQuick ? 100 : 1000
        let session = try Session(options)
        let folder = try session.directory.directory("watched")
        guard peers_create_files(folder, directories, 0) >= 0 else { throw Failure("no directories") }
        try session.startService()
        let provider = try session.startProvider(folders: [folder], watches: true)
        try provider.send([UInt8(ascii: "f")])
        _ = (try provider.receiveTime(), try provider.receiveTime())
        let bare = try session.directory.directory("bare")
        guard peers_create_files(bare, directories, 0) >= 0 else { throw Failure("no directories") }
        let reader = try session.startInotifyReader(bare)
        var (costs, providers, floors, ratios) = ([Double](), [Double](), [Double](), [Double]())
        var (isComplete, overflows) = (true, UInt64(0))
        let facts = try session.serviceFacts()
        let providerFacts = ProcessFacts(identifier: provider.identifier)
        for round in 0..<options.rounds {
            var (floor, cost, listing) = (0.0, 0.0, 0.0)
            func measureFloor() throws {
                floor = try Self.cost(ProcessFacts(identifier: reader.identifier), bare, each) {
                    rest(milliseconds: 200)
                }
            }
            func measureCost() throws {
                let before = providerFacts.processorTime
                cost = try Self.cost(facts, folder, each) {
                    try provider.send([UInt8(ascii: "f")])
                    let known = try provider.receiveTime()
                    overflows = try provider.receiveTime()
                    isComplete = isComplete && known == UInt64(directories * each)
                }
                listing = providerFacts.processorTime - before
            }
            if round % 2 == 0 { try measureFloor() }
            try measureCost()
            if round % 2 == 1 { try measureFloor() }
            (costs, floors, providers) = (costs + [cost], floors + [floor], providers + [listing])
            ratios.append((cost + listing) / floor)
            for path in [bare, folder] { peers_remove_files(path, directories, each) }
            try provider.send([UInt8(ascii: "f")])
            _ = (try provider.receiveTime(), try provider.receiveTime())
            rest(milliseconds: 500)
        }
        return [
            Row(
                "\(directories * each) files created below a watched folder",
                target:
                    "final knowledge complete, processor time of service and provider at most 2 × an inotify reader "
                    + "of the same pace",
                measured: "\(isComplete ? "complete" : "**incomplete**") (\(overflows) overflows), service "
                    + "\(Format.milliseconds(median(costs))), provider \(Format.milliseconds(median(providers))), reader "
                    + "\(Format.milliseconds(median(floors))): \(Format.ratios(ratios))",
                how: "interleaved, \(options.rounds) rounds", isMet: isComplete && median(ratios) <= 2,
                figures: [Figure(zip(costs, providers).map { $0 + $1 }, beside: floors)])
        ]
    }

    /// The processor time that a watcher needs for the files, until `settled` returns.
    private static func cost(
        _ facts: ProcessFacts, _ folder: String, _ each: UInt32, _ settled: () throws -> Void
    ) throws -> Double {
        let before = facts.processorTime
        guard peers_create_files(folder, directories, each) >= 0 else { throw Failure("files cannot be created") }
        try settled()
        return facts.processorTime - before
    }
}

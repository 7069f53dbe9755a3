/// What came of hashing a file: its row then has the hash, or the file is looked at or hashed again.
struct HashResult {
    private let result: EffectResult

    init(_ result: EffectResult) { self.result = result }

    /// Handles the result for a file of which this version was to be hashed.
    func handle(
        _ side: Side, _ id: NodeID, _ version: Version, _ items: inout Items, _ survey: inout Survey,
        _ outbox: inout Outbox
    ) throws {
        guard var row = try items.store.node(id, in: side.tree), let known = row[side] else { return }
        if case .failed(let failure) = result {
            try ItemFailure(id, failure).note(&items, &survey, &outbox)
            return survey.check(side, row.place)
        }
        guard case .hashed(let hash, var seen) = result else { return }
        // Another version was seen since then: the hash is outdated.
        guard known.tag == version.tag else { return }
        if seen.tag != known.tag { return survey.check(side, row.place) }
        // Longer than a tick of the clock of any disk with fine times.
        if seen.isRacy { return items.blocks.postpone(id, for: .milliseconds(50), at: items.now) }
        seen.identity = known.identity
        seen.hash = hash
        row[side] = seen
        try items.write(row, in: side.tree)
    }
}

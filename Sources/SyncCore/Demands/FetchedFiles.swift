/// Files that a demand brought although a wish wants them at the remote alone: they stay for a while.
///
/// A program that has just waited for a file would otherwise find it gone again, and so would a person who fetched it.
struct FetchedFiles {
    private var dues: [NodeID: ContinuousClock.Instant] = [:]

    /// When the first of them may go; nil if there is none.
    var nextDue: ContinuousClock.Instant? { dues.values.min() }

    /// Whether the file must stay.
    func contains(_ file: NodeID) -> Bool { dues[file] != nil }

    /// The file stays until then.
    mutating func keep(_ file: NodeID, until due: ContinuousClock.Instant) { dues[file] = due }

    /// The file need not stay.
    mutating func remove(_ file: NodeID) { dues[file] = nil }

    /// Takes all: none of them needs to stay.
    mutating func takeAll() -> [NodeID] {
        defer { dues = [:] }
        return dues.keys.sorted()
    }

    /// Takes those that may go, ordered by id.
    mutating func takeDue(at now: Moment) -> [NodeID] {
        if dues.isEmpty { return [] }
        let due = dues.filter { $0.value <= now.instant }.keys.sorted()
        for file in due { dues[file] = nil }
        return due
    }
}

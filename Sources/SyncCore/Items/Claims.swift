/// An entry with the identity of an item that was last seen elsewhere: the item was moved if it is gone from there.
struct Claim {
    var side: Side
    var directory: NodeID
    var entry: ListedEntry
    var candidate: NodeID
    /// The known place of the candidate.
    var from: Place
    /// The number of the claim, assigned by ``Claims``.
    fileprivate(set) var number = 0

    init(side: Side, directory: NodeID, entry: ListedEntry, candidate: NodeID, from: Place) {
        self.side = side
        self.directory = directory
        self.entry = entry
        self.candidate = candidate
        self.from = from
    }

    /// Where the entry was seen.
    var place: Place { Place(parent: directory, name: entry.name) }
    fileprivate var key: SideDirectory { SideDirectory(side: side, node: directory) }
    fileprivate var candidateKey: SideDirectory { SideDirectory(side: side, node: from.parent) }
}

/// Claims that are not settled, and what was seen since at their places.
struct Claims {
    /// What was seen again since a claim was made.
    struct Sights {
        /// The entry: the claim is outdated.
        var ofEntry: Bool
        /// The place of its candidate.
        var ofCandidate: Bool
    }

    /// A name that a claim refers to.
    private struct Name {
        var number: Int
        var name: EntryName
        var isCandidate = false
    }

    /// Claims whose candidates must still be checked; the next one is last.
    private var waiting: [Claim] = []
    /// The names, by the directories of the entries and, while a candidate is being checked, of the candidates.
    private var names: [SideDirectory: [Name]] = [:]
    private var entriesSeen: Set<Int> = []
    private var candidatesSeen: Set<Int> = []
    private var last = 0

    /// Whether no candidate must still be checked.
    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a claim: it must be checked whether its item is still where it was.
    mutating func add(_ claim: Claim) {
        last += 1
        var claim = claim
        claim.number = last
        names[claim.key, default: []].append(Name(number: last, name: claim.entry.name))
        waiting.append(claim)
    }

    /// Takes the claim whose candidate is checked next.
    mutating func next() -> Claim? { waiting.popLast() }

    /// The candidate of a claim is being checked.
    mutating func begin(_ claim: Claim) {
        names[claim.candidateKey, default: []].append(
            Name(number: claim.number, name: claim.from.name, isCandidate: true))
    }

    /// Notes that entries of a directory were looked at.
    mutating func noteSight(in directory: SideDirectory, of scope: SightScope) {
        for claim in names[directory] ?? [] where scope.shows(claim.name) {
            if claim.isCandidate { candidatesSeen.insert(claim.number) } else { entriesSeen.insert(claim.number) }
        }
    }

    /// Ends a claim; returns what was seen since it was made.
    mutating func end(_ claim: Claim) -> Sights {
        for key in [claim.key, claim.candidateKey] {
            names[key]?.removeAll { $0.number == claim.number }
            if names[key]?.isEmpty == true { names[key] = nil }
        }
        return Sights(
            ofEntry: entriesSeen.remove(claim.number) != nil, ofCandidate: candidatesSeen.remove(claim.number) != nil)
    }
}

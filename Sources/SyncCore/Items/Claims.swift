/// An entry that has the identity of an item last seen elsewhere: moved, if it is gone from there.
struct Claim {
    var side: Side
    var directory: NodeID
    var entry: ListedEntry
    var candidate: NodeID
    /// Where the candidate was known to be.
    var from: Place
    /// Which claim it is; numbers are given by ``Claims``.
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

/// Claims that are not settled, and what was seen since in the places that they are about.
struct Claims {
    /// What was seen again since a claim was made.
    struct Sights {
        /// Its entry: what the claim says counts no longer.
        var ofEntry: Bool
        /// The place of its candidate.
        var ofCandidate: Bool
    }

    /// A name that a claim is about.
    private struct Name {
        var number: Int
        var name: EntryName
        var isCandidate = false
    }

    /// Those whose candidates are still to be checked, the next one last.
    private var waiting: [Claim] = []
    /// By the directories of their entries, and of their candidates once it is being checked whether these are still
    /// there.
    private var names: [SideDirectory: [Name]] = [:]
    private var entriesSeen: Set<Int> = []
    private var candidatesSeen: Set<Int> = []
    private var last = 0

    /// Whether no candidate is still to be checked.
    var isEmpty: Bool { waiting.isEmpty }

    /// It is to be checked whether an item is still where it was.
    mutating func add(_ claim: Claim) {
        last += 1
        var claim = claim
        claim.number = last
        names[claim.key, default: []].append(Name(number: last, name: claim.entry.name))
        waiting.append(claim)
    }

    /// The claim whose candidate is to be checked next.
    mutating func next() -> Claim? { waiting.popLast() }

    /// The candidate of a claim is being checked.
    mutating func begin(_ claim: Claim) {
        names[claim.candidateKey, default: []].append(
            Name(number: claim.number, name: claim.from.name, isCandidate: true))
    }

    /// Entries of a directory were looked at.
    mutating func noteSight(in directory: SideDirectory, of scope: DirectoryMerge.Scope) {
        for claim in names[directory] ?? [] where scope.shows(claim.name) {
            if claim.isCandidate { candidatesSeen.insert(claim.number) } else { entriesSeen.insert(claim.number) }
        }
    }

    /// A claim is settled; what was seen of it since.
    mutating func end(_ claim: Claim) -> Sights {
        for key in [claim.key, claim.candidateKey] {
            names[key]?.removeAll { $0.number == claim.number }
            if names[key]?.isEmpty == true { names[key] = nil }
        }
        return Sights(
            ofEntry: entriesSeen.remove(claim.number) != nil, ofCandidate: candidatesSeen.remove(claim.number) != nil)
    }
}

import SyncCore
import TestSupport

/// What of the changes of a disk is not durable yet, and what a power cut leaves.
struct SimulatedJournal {
    private typealias State = SimulatedDisk.State

    /// What a power cut leaves for certain, as long as there are changes besides, each of which is persisted whole or not
    /// at all.
    private var durable = State()
    private var volatile: [VolatileChange] = []
    private var isRecording = false
    private let foldsNames: Bool

    /// - Parameter foldsNames: Whether names that differ in case or normalisation alone are one name on the disk.
    init(foldsNames: Bool) { self.foldsNames = foldsNames }

    // MARK: Changes

    /// The change that follows may be lost until a barrier names where it was made.
    mutating func beginVolatileChange(of state: SimulatedDisk.State, byPerson isPersons: Bool) {
        if volatile.isEmpty { durable = state }
        volatile.append(VolatileChange(isPersons: isPersons))
        isRecording = true
    }

    /// The change that follows survives; what was changed before does as far as it needs it.
    mutating func beginDurableChange() { isRecording = false }

    /// A change was made.
    mutating func note(_ change: DiskChange) {
        if isRecording, !volatile.isEmpty {
            volatile[volatile.count - 1].changes.append(change)
        } else if volatile.contains(where: { $0.setsContents(of: change.items) }) {
            // What was written last does not give way to what was there before.
            flush()
        } else {
            makeDurable(change)
        }
    }

    /// Writes down a change that survives. What cannot be without others takes them along.
    private mutating func makeDurable(_ change: DiskChange) {
        if volatile.isEmpty { return }
        if !Self.apply([change], to: &durable, foldsNames: foldsNames) { flush() }
    }

    /// What is only said of something on the disk holds whatever is lost.
    mutating func amend(_ body: (inout SimulatedDisk.State) -> Void) { body(&durable) }

    // MARK: Barriers

    /// Every change up to now survives a power cut.
    mutating func flush() {
        volatile.removeAll(keepingCapacity: true)
        isRecording = false
    }

    /// What changed in these directories survives a power cut from now on.
    mutating func sync(_ directories: Set<Int>, in state: SimulatedDisk.State) {
        var left: [VolatileChange] = []
        for change in volatile {
            let isDurable = change.isNamed(by: directories, in: state) && persist(change, after: &left, in: directories)
            if !isDurable { left.append(change) }
        }
        volatile = left
    }

    /// Makes a change durable that a barrier names. A name that comes to a named directory takes along what has to be on
    /// the disk before, the latest first: what was done to that item elsewhere, what left that directory, and the removal
    /// of what had its number.
    private mutating func persist(
        _ change: VolatileChange, after left: inout [VolatileChange], in directories: Set<Int>
    ) -> Bool {
        if Self.apply(change.changes, to: &durable, foldsNames: foldsNames) { return true }
        guard change.givesName else { return false }
        var (rest, together) = (left, change)
        for index in left.indices.reversed() where together.needs(left[index], in: directories, on: durable) {
            together.changes = rest.remove(at: index).changes + together.changes
            if Self.apply(together.changes, to: &durable, foldsNames: foldsNames) {
                left = rest
                return true
            }
        }
        // What had its number was moved to where it was removed: all that was done before is on the disk then.
        let all = left.flatMap(\.changes) + change.changes
        guard change.givesNumberAgain, Self.apply(all, to: &durable, foldsNames: foldsNames) else { return false }
        left = []
        return true
    }

    // MARK: Power cuts

    /// Of what was not made durable, some changes are persisted, whichever the disk came to first. Returns what is left; nil
    /// if that is everything.
    mutating func crash(_ random: inout SeededRandom) -> SimulatedDisk.State? {
        defer { volatile = [] }
        if volatile.isEmpty { return nil }
        let isInOrder = random.oneIn(2)
        let persisted = random.below(volatile.count + 1)
        var left = durable
        for (index, changes) in volatile.map(\.changes).enumerated() {
            guard isInOrder ? index < persisted : random.oneIn(2) else { continue }
            _ = Self.apply(changes, to: &left, foldsNames: foldsNames)
        }
        return left
    }

    /// Nothing of what was not made durable is left. Returns what is; nil if that is everything.
    mutating func lose() -> SimulatedDisk.State? {
        defer { volatile = [] }
        return volatile.isEmpty ? nil : durable
    }

    /// Makes all these changes, or none where one is impossible or would give a name to two entries of a directory.
    private static func apply(_ changes: [DiskChange], to state: inout SimulatedDisk.State, foldsNames: Bool) -> Bool {
        var next = state
        guard next.apply(changes), !(foldsNames && holdsEqualNames(next)) else { return false }
        state = next
        return true
    }

    /// Whether a directory holds two names that are one where names are folded.
    private static func holdsEqualNames(_ state: SimulatedDisk.State) -> Bool {
        state.inodes.values.contains { Set($0.children.keys.map(\.folded)).count < $0.children.count }
    }
}

extension EntryName {
    /// Equal for names that differ in case or normalisation alone: strings compare by canonical equivalence.
    var folded: String { description.lowercased() }
}

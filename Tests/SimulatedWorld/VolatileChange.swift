/// What a disk persists whole or not at all, and what a power cut may take back until a barrier names it.
struct VolatileChange {
    var changes: [DiskChange] = []
    /// Whether a person made it, and not the session.
    let isPersons: Bool

    /// Whether an item gets a name in a directory.
    var givesName: Bool { changes.contains(where: \.givesName) }

    /// Whether one of these files becomes a placeholder by it, or stops being one.
    func setsContents(of items: [Int]) -> Bool {
        changes.contains {
            if case .setContents(let number, _, _, _, _, _) = $0 { items.contains(number) } else { false }
        }
    }

    /// Whether a barrier that names these items makes it durable.
    ///
    /// Of a person's renaming it names where the item is now: every file system keeps the entries of a directory
    /// that was synced, and the session cannot name a directory in which it never saw the item. Of its own
    /// renamings it knows both directories and has to name both: a file system that persists the two entries one by
    /// one may show the item under its former name as well.
    func isNamed(by items: Set<Int>, in state: SimulatedDisk.State) -> Bool {
        changes.allSatisfy { change in
            if isPersons, case .rename(_, _, _, let directory, _, _) = change { return items.contains(directory) }
            return change.places(in: state).allSatisfy { items.contains($0) || state.inodes[$0] == nil }
        }
    }

    /// Whether it gives something the number of what was deleted.
    var givesNumberAgain: Bool { changes.contains { $0.numberGivenAgain != nil } }

    /// Whether an earlier change may have to be on the disk before this one, on which this stands so far: it changed the
    /// same item, or one of these directories, in which a name may have become free by it, or removed what had a number
    /// that is given again.
    func needs(_ earlier: VolatileChange, in directories: Set<Int>, on durable: SimulatedDisk.State) -> Bool {
        let given = Set(changes.compactMap(\.numberGivenAgain))
        let items = Set(changes.flatMap(\.items))
        return earlier.changes.contains { change in
            if !items.isDisjoint(with: change.items) { return true }
            switch change {
            case .rename(_, let directory, _, _, _, _): return directories.contains(directory)
            case .exchange(_, let first, _, _, let second, _, _):
                return directories.contains(first) || directories.contains(second)
            case .remove(let number, _, _, let removal, _):
                return removal != .kept && !given.isEmpty && durable.holds(given, below: number)
            case .create, .link, .detach, .attach, .keep, .putBack, .write, .setPermissions, .setContents:
                return false
            }
        }
    }
}

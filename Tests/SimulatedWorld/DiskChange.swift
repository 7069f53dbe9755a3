import SyncCore

/// One change of directories, which a disk persists whole or not at all.
enum DiskChange {
    case create(Int, SimulatedDisk.Inode, EntryName)
    /// A file gets another name, which is an inode of its own here.
    case link(Int, as: Int, in: Int, EntryName, stamp: Int64)
    /// An entry goes, with what it had with it then and no more.
    case remove(Int, parent: Int, EntryName, DiskRemoval, DiskRemains)
    case rename(Int, from: Int, EntryName, to: Int, EntryName, stamp: Int64)
    /// An entry leaves its name, and is nowhere to be seen until it is set beside.
    case detach(Int, parent: Int, EntryName, beside: EntryName)
    /// What was detached is set beside where it was, or gets another name there.
    case attach(Int, as: EntryName?, stamp: Int64)
    /// What was detached and cannot be set beside where it was stays a kept version.
    case keep(Int)
    /// What was taken from a name comes back to it, with all that is in it.
    case putBack(SteppedEffect.Taken, parent: Int, EntryName, stamp: Int64)
    /// A file is written.
    case write(Int, content: Int, size: Int64, stamp: Int64)
    case setPermissions(Int, Permissions, stamp: Int64)
    /// A file becomes a placeholder or stops being one, or a placeholder stands for other contents.
    case setContents(Int, Int, size: Int64, modified: Int64, Residence, stamp: Int64)
    case exchange(Int, in: Int, EntryName, with: Int, of: Int, EntryName, stamp: Int64)

    /// The directories whose entries change, and the item whose permissions do: what a barrier has to name.
    func places(in state: SimulatedDisk.State) -> [Int] {
        switch self {
        case .create(_, let inode, _): [inode.parent]
        case .link(_, _, let parent, _, _): [parent]
        case .remove(_, let parent, _, _, _), .detach(_, let parent, _, _): [parent]
        case .rename(_, let old, _, let new, _, _): [old, new]
        case .attach(let number, _, _), .keep(let number): [state.inodes[number]?.parent].compactMap(\.self)
        case .putBack(_, let parent, _, _): [parent]
        case .setPermissions(let number, _, _), .write(let number, _, _, _), .setContents(let number, _, _, _, _, _):
            [number]
        case .exchange(_, let first, _, _, let second, _, _): [first, second]
        }
    }

    /// The items that change or get another name.
    var items: [Int] {
        switch self {
        case .create(let number, _, _), .remove(let number, _, _, _, _), .rename(let number, _, _, _, _, _): [number]
        case .link(let number, let new, _, _, _): [number, new]
        case .detach(let number, _, _, _), .attach(let number, _, _), .keep(let number): [number]
        case .putBack(let taken, _, _, _): [taken.number]
        case .write(let number, _, _, _), .setPermissions(let number, _, _), .setContents(let number, _, _, _, _, _):
            [number]
        case .exchange(let one, _, _, let other, _, _, _): [one, other]
        }
    }

    /// The number of what was deleted, where that is given to something new.
    var numberGivenAgain: Int? {
        guard case .create(let number, let inode, _) = self, inode.identity != number else { return nil }
        return inode.identity
    }

    /// Whether an item gets a name in a directory.
    var givesName: Bool {
        switch self {
        case .create, .link, .rename, .attach, .putBack, .exchange: true
        case .remove, .detach, .keep, .write, .setPermissions, .setContents: false
        }
    }
}

/// What is removed with an entry.
enum DiskRemoval {
    /// A file, or a directory that is empty.
    case single
    /// All that is below as well.
    case whole
    /// All that is below as well, and it goes into the trash in the same step.
    case kept
}

/// What an entry that is removed takes along, and what it leaves.
struct DiskRemains {
    /// The entry, and all that is below it.
    var removed: Set<Int> = []
    /// The files that keep a name elsewhere.
    var left: Set<Int> = []
}

extension SimulatedDisk.State {
    /// Makes all these changes, or none where one of them is impossible.
    mutating func apply(_ changes: [DiskChange]) -> Bool {
        var next = self
        guard changes.allSatisfy({ next.apply($0) }) else { return false }
        self = next
        return true
    }

    /// Makes a change; false, and nothing is done, where the entries that it is about are not as they were.
    mutating func apply(_ change: DiskChange) -> Bool {
        switch change {
        case .create(let number, let inode, let name):
            // No file system gives a number again, and has that on the disk before it is free there.
            let given = change.numberGivenAgain
            guard given == nil || !inodes.values.contains(where: { $0.identity == given }),
                inodes[inode.parent]?.kind == .directory, inodes[inode.parent]?.children[name] == nil
            else { return false }
            inodes[number] = inode
            inodes[inode.parent]?.children[name] = number
        case .link(let number, let new, let parent, let name, let stamp):
            guard inodes[number] != nil, inodes[parent]?.kind == .directory, inodes[parent]?.children[name] == nil
            else { return false }
            inodes[number]?.isLinked = true
            changeAll(number) { $0.changed = stamp }
            inodes[new] = inodes[number]
            inodes[new]?.parent = parent
            inodes[parent]?.children[name] = new
        case .remove(let number, let parent, let name, let removal, let expected):
            guard inodes[parent]?.children[name] == number,
                removal != .single || inodes[number]?.children.isEmpty == true,
                removal == .kept || removes(number, noMoreThan: expected)
            else { return false }
            inodes[parent]?.children[name] = nil
            removeAll(number, isKept: removal == .kept)
        case .rename(let number, let old, let name, let new, let newName, let stamp):
            guard inodes[old]?.children[name] == number, inodes[new]?.kind == .directory,
                [nil, number].contains(inodes[new]?.children[newName]), !isBelow(new, number)
            else { return false }
            inodes[old]?.children[name] = nil
            inodes[new]?.children[newName] = number
            inodes[number]?.parent = new
            changeAll(number) { $0.changed = stamp }
        case .detach(let number, let parent, let name, let beside):
            guard inodes[parent]?.children[name] == number else { return false }
            inodes[parent]?.children[name] = nil
            slots[number] = (parent, beside)
        case .attach(let number, let name, let stamp):
            guard let slot = slots[number], inodes[slot.parent]?.kind == .directory,
                inodes[slot.parent]?.children[name ?? slot.name] == nil
            else { return false }
            slots[number] = nil
            inodes[slot.parent]?.children[name ?? slot.name] = number
            inodes[number]?.changed = stamp
        case .keep(let number):
            guard slots.removeValue(forKey: number) != nil else { return false }
            removeAll(number, isKept: true)
        case .putBack(let taken, let parent, let name, let stamp):
            guard inodes[parent]?.kind == .directory, inodes[parent]?.children[name] == nil,
                inodes[taken.number] == nil
            else { return false }
            for (number, inode) in taken.inodes {
                inodes[number] = inode
                if inode.kind == .file, inode.residence == .here, let index = kept.lastIndex(of: inode.content) {
                    kept.remove(at: index)
                }
            }
            inodes[parent]?.children[name] = taken.number
            inodes[taken.number]?.parent = parent
            inodes[taken.number]?.changed = stamp
        case .write(let number, let content, let size, let stamp):
            guard inodes[number] != nil else { return false }
            changeAll(number) { inode in
                (inode.content, inode.size, inode.residence) = (content, size, .here)
                (inode.modified, inode.changed) = (stamp, stamp)
            }
        case .setContents(let number, let content, let size, let modified, let residence, let stamp):
            guard inodes[number] != nil else { return false }
            changeAll(number) { inode in
                (inode.content, inode.size, inode.residence) = (content, size, residence)
                (inode.modified, inode.changed) = (modified, stamp)
            }
        case .setPermissions(let number, let permissions, let stamp):
            guard inodes[number] != nil else { return false }
            changeAll(number) { ($0.permissions, $0.changed) = (permissions, stamp) }
        case .exchange(let one, let first, let name, let other, let second, let otherName, let stamp):
            guard inodes[first]?.children[name] == one, inodes[second]?.children[otherName] == other,
                !isBelow(second, one), !isBelow(first, other)
            else { return false }
            inodes[first]?.children[name] = other
            inodes[second]?.children[otherName] = one
            inodes[one]?.parent = second
            inodes[other]?.parent = first
            for number in [one, other] { changeAll(number) { $0.changed = stamp } }
        }
        return true
    }

    /// What goes with an entry when it is removed from this state.
    func remains(of number: Int) -> DiskRemains {
        var remains = DiskRemains()
        var stack = [number]
        while let next = stack.popLast() {
            remains.removed.insert(next)
            stack += (inodes[next]?.children ?? [:]).values
        }
        for inode in remains.removed.compactMap({ inodes[$0] }) where inode.isLinked {
            if !remains.removed.isSuperset(of: names(ofFile: inode.identity)) { remains.left.insert(inode.identity) }
        }
        return remains
    }

    /// Whether nothing goes with an entry here that had left it when it was removed, and no file loses its last name that
    /// had another one then. A directory has to be empty to be removed, and a file is freed with its last name: no file
    /// system persists that before what emptied the directory, or gave the file its other name.
    private func removes(_ number: Int, noMoreThan expected: DiskRemains) -> Bool {
        let here = remains(of: number)
        let files = here.removed.compactMap { inodes[$0]?.identity }
        return here.removed.isSubset(of: expected.removed)
            && files.allSatisfy { !expected.left.contains($0) || here.left.contains($0) }
    }

    private mutating func removeAll(_ number: Int, isKept: Bool) {
        var stack = [number]
        while let next = stack.popLast() {
            changeAll(next) { $0.changed += 1 }
            guard let inode = inodes.removeValue(forKey: next) else { continue }
            if isKept && inode.kind == .file && inode.residence == .here { kept.append(inode.content) }
            stack += inode.children.values.sorted()
        }
    }

    /// Changes an inode under all names that it has.
    private mutating func changeAll(_ number: Int, _ change: (inout SimulatedDisk.Inode) -> Void) {
        for each in names(of: number) {
            guard var changed = inodes[each] else { continue }
            change(&changed)
            inodes[each] = changed
        }
    }

    /// An item, or where it is a file with several names the inodes that stand for them.
    func names(of number: Int) -> [Int] {
        guard let inode = inodes[number] else { return [] }
        return inode.isLinked ? names(ofFile: inode.identity) : [number]
    }

    /// The inodes that stand for the names of a file.
    func names(ofFile identity: Int) -> [Int] {
        inodes.filter { $0.value.isLinked && $0.value.identity == identity }.map(\.key)
    }

    /// Whether an item, or one below it, has one of these numbers.
    func holds(_ identities: Set<Int>, below number: Int) -> Bool {
        var stack = [number]
        while let next = stack.popLast(), let inode = inodes[next] {
            if identities.contains(inode.identity) { return true }
            stack += inode.children.values
        }
        return false
    }

    /// Whether a directory is the given one or below it.
    private func isBelow(_ directory: Int, _ ancestor: Int) -> Bool {
        var current = directory
        while current != 0 {
            if current == ancestor { return true }
            current = inodes[current]?.parent ?? 0
        }
        return false
    }
}

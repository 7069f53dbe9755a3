import SyncCore

/// An in-memory file system that forgets what was not made durable.
///
/// Contents are numbers: every write of a user has one of its own. A crash leaves the state after some of the renames
/// since the last barrier, and files whose contents were not made durable before hold rubbish.
struct SimulatedDisk {
    /// The contents of a file that was renamed into place before its bytes were durable.
    static let rubbish = -1
    static let root = 1

    struct Inode {
        var kind: EntryKind
        var content = 0
        var size: Int64 = 0
        var modified: Int64
        var changed: Int64
        let birth: Int64
        var parent: Int
        var children: [EntryName: Int] = [:]
        var isDurable = true
    }

    struct State {
        var inodes: [Int: Inode] = [:]
        /// What the trash and the replaced-store hold.
        var kept: [Int] = []
    }

    private(set) var state = State()
    /// The states that a crash may leave, oldest first.
    private var past: [State] = []
    private var lastInode = SimulatedDisk.root
    /// Nanoseconds between two ticks of the clock that stamps files.
    let grain: Int64

    init(grain: Int64) {
        self.grain = grain
        state.inodes[Self.root] = Inode(kind: .directory, modified: 0, changed: 0, birth: 0, parent: 0)
    }

    // MARK: Looking

    func inode(at path: RelativePath) -> Int? {
        var current = Self.root
        for name in path.names {
            guard let next = state.inodes[current]?.children[name] else { return nil }
            current = next
        }
        return current
    }

    func version(of number: Int, now: Int64) -> Version {
        guard let inode = state.inodes[number] else { return .unknown }
        let identity = Token(bytes(Int64(number)) + bytes(inode.birth))
        if inode.kind != .file { return Version(identity: identity, tag: .none, size: 0) }
        let tag = Token(bytes(inode.size) + bytes(inode.modified) + bytes(inode.changed))
        return Version(
            identity: identity, tag: tag, size: inode.size, modified: inode.modified,
            isRacy: now - max(inode.modified, inode.changed) < 2 * grain)
    }

    private func bytes(_ value: Int64) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    func entries(of number: Int, now: Int64) -> [ListedEntry] {
        guard let inode = state.inodes[number] else { return [] }
        return inode.children.sorted { $0.key < $1.key }.map { name, child in
            ListedEntry(name: name, kind: state.inodes[child]?.kind ?? .special, version: version(of: child, now: now))
        }
    }

    /// Every entry by its path.
    func walk() -> [(path: RelativePath, inode: Int)] {
        var found: [(path: RelativePath, inode: Int)] = []
        var stack = [(RelativePath.root, Self.root)]
        while let (path, number) = stack.popLast() {
            let children = (state.inodes[number]?.children ?? [:]).sorted { $0.key < $1.key }
            for (name, child) in children {
                found.append((path.appending(name), child))
                stack.append((path.appending(name), child))
            }
        }
        return found
    }

    // MARK: Changing

    private func stamp(_ now: Int64) -> Int64 { now / grain * grain }

    /// Everything up to now survives a crash.
    mutating func syncRenames() { past.removeAll(keepingCapacity: true) }

    /// The change that follows may be lost until the next barrier.
    mutating func beginVolatileChange() { past.append(state) }

    /// The change that follows survives, and with it all before.
    mutating func beginDurableChange() { past.removeAll(keepingCapacity: true) }

    mutating func crash(_ random: inout SeededRandom) {
        let choice = random.below(past.count + 1)
        if choice < past.count { state = past[choice] }
        past = []
        for (number, inode) in state.inodes where !inode.isDurable {
            state.inodes[number]?.content = Self.rubbish
            state.inodes[number]?.isDurable = true
        }
    }

    mutating func create(
        _ kind: EntryKind, content: Int, size: Int64, at path: RelativePath, isDurable: Bool = true, now: Int64
    ) -> Int? {
        guard let name = path.name, let parent = inode(at: path.parent), state.inodes[parent]?.kind == .directory,
            state.inodes[parent]?.children[name] == nil
        else { return nil }
        lastInode += 1
        state.inodes[lastInode] = Inode(
            kind: kind, content: content, size: size, modified: stamp(now), changed: stamp(now), birth: now,
            parent: parent, isDurable: isDurable)
        state.inodes[parent]?.children[name] = lastInode
        return lastInode
    }

    mutating func overwrite(_ number: Int, content: Int, size: Int64, now: Int64) {
        state.inodes[number]?.content = content
        state.inodes[number]?.size = size
        let stamp = stamp(now)
        state.inodes[number]?.modified = stamp
        state.inodes[number]?.changed = stamp
    }

    /// Removes an entry and all below it.
    mutating func remove(_ path: RelativePath) {
        guard let name = path.name, let parent = inode(at: path.parent), let number = inode(at: path) else { return }
        state.inodes[parent]?.children[name] = nil
        var stack = [number]
        while let next = stack.popLast() {
            stack += state.inodes[next]?.children.values.map { $0 } ?? []
            state.inodes[next] = nil
        }
    }

    /// Renames, over nothing; false if that is impossible.
    mutating func rename(_ from: RelativePath, to: RelativePath, now: Int64) -> Bool {
        guard let number = inode(at: from), let oldName = from.name, let newName = to.name,
            let oldParent = inode(at: from.parent), let newParent = inode(at: to.parent),
            state.inodes[newParent]?.kind == .directory, state.inodes[newParent]?.children[newName] == nil
        else { return false }
        var above = newParent
        while above != 0 {
            if above == number { return false }
            above = state.inodes[above]?.parent ?? 0
        }
        state.inodes[oldParent]?.children[oldName] = nil
        state.inodes[newParent]?.children[newName] = number
        state.inodes[number]?.parent = newParent
        let stamp = stamp(now)
        state.inodes[number]?.changed = stamp
        return true
    }

    mutating func keep(_ content: Int) { state.kept.append(content) }
}

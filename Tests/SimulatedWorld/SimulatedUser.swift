import SyncCore
import TestSupport

/// People and programs that change both sides at random, and what they have a right to find again.
struct SimulatedUser {
    /// What was written and not overwritten or deleted by a user.
    private(set) var owned: Set<Int> = []
    private var lastContent = 0
    private static let names: [EntryName] =
        ["a", "b", "c", "d", "e.txt", "x~", "A", "\u{e9}", "e\u{301}"].compactMap { EntryName($0) }
        + [EntryName([0xFF, 0x0A, 0x20]), EntryName([UInt8](repeating: 0x6E, count: 255))].compactMap { $0 }

    /// One random change of one side; nil if it came to nothing, else the paths that a watcher would tell.
    mutating func edit(_ edge: inout SimulatedEdge, _ side: Side, _ random: inout SeededRandom) -> [RelativePath] {
        if edge.roots.contains(where: { $0 != .own }) { return [] }
        let all = edge[side].walk().filter { $0.path != RelativePath([SimulatedMount.name]) }
        let directories =
            [RelativePath.root]
            + edge[side].walk().filter { edge[side].state.inodes[$0.inode]?.kind == .directory }.map(\.path)
        let files = all.filter { edge[side].state.inodes[$0.inode]?.kind == .file }
        edge[side].beginDurableChange()
        guard let directory = random.pick(directories), let name = random.pick(Self.names) else { return [] }
        let target = directory.names.count < 5 ? directory.appending(name) : RelativePath([name])
        if edge.isHidden(target, on: side) { return [] }
        switch random.below(24) {
        case 0..<5: return create(.file, at: target, &edge, side, &random)
        case 5..<7: return create(.directory, at: target, &edge, side, &random)
        case 7..<11:
            guard let file = random.pick(files) else { return [] }
            lose(file.inode, edge[side])
            let content = newContent(&random)
            edge[side].overwrite(file.inode, content: content, size: size(of: content), now: edge.now)
            return [file.path]
        case 11..<14: return move(random.pick(all)?.path, to: target, &edge, side, replacing: random.oneIn(3))
        case 14..<16: return exchange(all, &edge, side, &random)
        case 16..<19: return remove(random.pick(all)?.path, &edge, side)
        case 20..<24: return setPermissions(random.pick(all)?.path, &edge, side, &random)
        default:
            guard side == .local else { return bothCreate(target, &edge, &random) }
            return create(.symlink, at: target, &edge, side, &random)
        }
    }

    /// Something that no user did destroyed all that is not among these.
    mutating func lose(allBut present: Set<Int>) { owned.formIntersection(present) }

    private mutating func newContent(_ random: inout SeededRandom) -> Int {
        lastContent += 1
        owned.insert(lastContent)
        return lastContent
    }

    /// Many contents have the same size, so that size alone tells little.
    private func size(of content: Int) -> Int64 { Int64(content % 3) * 10 }

    private mutating func create(
        _ kind: EntryKind, at path: RelativePath, _ edge: inout SimulatedEdge, _ side: Side,
        _ random: inout SeededRandom
    ) -> [RelativePath] {
        let content = kind == .file ? newContent(&random) : 0
        let made = edge[side].create(
            kind, content: content, size: size(of: content), at: path, permissions: permissions(kind, &random),
            now: edge.now)
        if made == nil { owned.remove(content) }
        return made == nil ? [] : [path]
    }

    /// The same contents appear at the same place on both sides.
    private mutating func bothCreate(
        _ path: RelativePath, _ edge: inout SimulatedEdge, _ random: inout SeededRandom
    ) -> [RelativePath] {
        if Side.allCases.contains(where: { edge.isHidden(path, on: $0) }) { return [] }
        let content = newContent(&random)
        edge[.local].beginDurableChange()
        let made = Side.allCases.map {
            edge[$0].create(
                .file, content: content, size: size(of: content), at: path, permissions: permissions(.file, &random),
                now: edge.now)
        }
        if made.allSatisfy({ $0 == nil }) { owned.remove(content) }
        return [path]
    }

    private func permissions(_ kind: EntryKind, _ random: inout SeededRandom) -> Permissions {
        let modes = kind == .file ? [0o644, 0o600, 0o755, 0o400, 0o666, 0o700] : [0o755, 0o700, 0o777, 0o555, 0o750]
        return Permissions(random.pick(modes) ?? 0o600)
    }

    private func setPermissions(
        _ path: RelativePath?, _ edge: inout SimulatedEdge, _ side: Side, _ random: inout SeededRandom
    ) -> [RelativePath] {
        guard let path, let number = edge[side].inode(at: path), let kind = edge[side].state.inodes[number]?.kind
        else { return [] }
        edge[side].setPermissions(permissions(kind, &random), of: number, now: edge.now)
        return [path]
    }

    private mutating func move(
        _ from: RelativePath?, to: RelativePath, _ edge: inout SimulatedEdge, _ side: Side, replacing: Bool
    ) -> [RelativePath] {
        guard let from else { return [] }
        if replacing, let old = edge[side].inode(at: to), let moving = edge[side].inode(at: from), old != moving,
            edge[side].state.inodes[old]?.kind == .file, edge[side].state.inodes[moving]?.kind == .file
        {
            lose(old, edge[side])
            edge[side].remove(to)
        }
        return edge[side].rename(from, to: to, now: edge.now) ? [from, to] : []
    }

    /// Two entries exchange their names.
    private mutating func exchange(
        _ all: [(path: RelativePath, inode: Int)], _ edge: inout SimulatedEdge, _ side: Side,
        _ random: inout SeededRandom
    ) -> [RelativePath] {
        guard let first = random.pick(all)?.path, let second = random.pick(all)?.path, first != second,
            let aside = EntryName("aside")
        else { return [] }
        let between = RelativePath([aside])
        if edge[side].inode(at: between) != nil { return [] }
        var told: [RelativePath] = []
        for (from, to) in [(first, between), (second, first), (between, second)] {
            if edge[side].rename(from, to: to, now: edge.now) { told += [from, to] }
        }
        return told
    }

    private mutating func remove(
        _ path: RelativePath?, _ edge: inout SimulatedEdge, _ side: Side
    ) -> [RelativePath] {
        guard let path, let number = edge[side].inode(at: path) else { return [] }
        lose(number, edge[side])
        edge[side].remove(path)
        return [path]
    }

    /// The user destroys what is in a file or below a directory.
    private mutating func lose(_ number: Int, _ disk: SimulatedDisk) {
        var stack = [number]
        while let next = stack.popLast(), let inode = disk.state.inodes[next] {
            if inode.kind == .file { owned.remove(inode.content) }
            stack += inode.children.values
        }
    }
}

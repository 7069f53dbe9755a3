import MountProtocol
import OnDemand
import TestSupport
import Testing

/// A table that is searched: which file each name leads to, and what the kernel was told of.
private struct NaiveNames {
    struct File {
        var inode: UInt64
        var isDirectory: Bool
        var names: Set<NodeTree.Spot> = []
        /// Those names that the kernel was told of.
        var known: Set<NodeTree.Spot> = []
        /// How often the kernel was told of it.
        var lookups = 0
        var node: NodeNumber?

        mutating func move(_ from: NodeTree.Spot, to target: NodeTree.Spot) {
            names.remove(from)
            names.insert(target)
            known.remove(from)
            known.insert(target)
        }
    }

    var files: [Int: File] = [0: File(inode: 1, isDirectory: true, node: .root)]
    var lastFile = 0

    func file(at spot: NodeTree.Spot) -> Int? { files.first { $0.value.names.contains(spot) }?.key }
    func file(of node: NodeNumber) -> Int? { files.first { $0.value.node == node }?.key }

    func holdsSomething(_ file: Int) -> Bool {
        guard let node = files[file]?.node else { return false }
        return files.values.contains { $0.names.contains { $0.parent == node } }
    }

    func path(of file: Int) -> NodePath? {
        if file == 0 { return NodePath([]) }
        guard let spot = files[file]?.names.first, let parent = self.file(of: spot.parent) else { return nil }
        return path(of: parent).map { NodePath($0.names + [spot.name]) }
    }

    func isBelow(_ file: Int, _ ancestor: Int) -> Bool {
        var next: Int? = file
        while let current = next, current != 0 {
            if current == ancestor { return true }
            next = (files[current]?.names.first?.parent).flatMap { self.file(of: $0) }
        }
        return false
    }
}

@Suite("Which item stands at which name")
struct NodeTreeTests {
    private static let names = ["a", "b", "c", "d"].compactMap { NodeName($0.utf8) }

    @Test("random lookups, renames, links and removals are as a table says that is searched", arguments: 0..<12)
    func random(part: UInt64) throws {
        var random = SeededRandom(seed: SeededRandom.chosenSeed("NodeTreeTests") &+ part)
        var tree = NodeTree(rootInode: 1)
        var model = NaiveNames()
        for _ in 0..<400 { try step(&tree, &model, &random) }
        // Nothing is left when the kernel has forgotten everything.
        for file in model.files.values where file.node != .root {
            if let node = file.node { tree.forget(node, UInt64(file.lookups)) }
        }
        #expect(tree.count == 1)
    }

    private func step(_ tree: inout NodeTree, _ model: inout NaiveNames, _ random: inout SeededRandom) throws {
        let directories = model.files.filter { $0.value.isDirectory && $0.value.node != nil }
            .filter { $0.key == 0 || !$0.value.names.isEmpty }.map(\.key).sorted()
        func spot() -> NodeTree.Spot? {
            let parent = directories[Int.random(in: directories.indices, using: &random)]
            guard let node = model.files[parent]?.node else { return nil }
            return NodeTree.Spot(parent: node, name: Self.names[Int.random(in: Self.names.indices, using: &random)])
        }
        guard let one = spot(), let other = spot() else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: lookUp(one, &tree, &model, &random)
        case 4: remove(one, &tree, &model)
        case 5, 6: rename(one, to: other, &tree, &model)
        case 7: exchange(one, other, &tree, &model)
        case 8: link(one, to: other, &tree, &model)
        default: forget(&tree, &model, &random)
        }
        check(tree, model)
    }

    /// The kernel looks a name up, at which something is made if there is nothing.
    private func lookUp(
        _ spot: NodeTree.Spot, _ tree: inout NodeTree, _ model: inout NaiveNames, _ random: inout SeededRandom
    ) {
        let file: Int
        if let there = model.file(at: spot) {
            file = there
        } else {
            model.lastFile += 1
            file = model.lastFile
            model.files[file] = NaiveNames.File(
                inode: UInt64(file) + 100, isDirectory: Int.random(in: 0..<3, using: &random) == 0, names: [spot])
        }
        guard let found = model.files[file] else { return }
        let node = tree.enter(spot.name, in: spot.parent, inode: found.inode, isShared: found.names.count > 1)
        #expect(node != nil && (found.node == nil || found.node == node))
        model.files[file]?.node = node
        model.files[file]?.known.insert(spot)
        model.files[file]?.lookups += 1
    }

    private func remove(_ spot: NodeTree.Spot, _ tree: inout NodeTree, _ model: inout NaiveNames) {
        guard let file = model.file(at: spot), let found = model.files[file], isKnown(spot, tree) else { return }
        if model.holdsSomething(file) { return }
        let gone = tree.remove(spot.name, in: spot.parent, isLast: found.names.count == 1)
        lose(spot, file, &model)
        #expect(gone == (found.known.count > 1 ? nil : found.node))
    }

    /// Files without a name and of which the kernel knows nothing are gone.
    private func lose(_ spot: NodeTree.Spot, _ file: Int, _ model: inout NaiveNames) {
        model.files[file]?.names.remove(spot)
        model.files[file]?.known.remove(spot)
        if model.files[file]?.names.isEmpty == true, model.files[file]?.node == nil { model.files[file] = nil }
    }

    private func rename(
        _ from: NodeTree.Spot, to target: NodeTree.Spot, _ tree: inout NodeTree, _ model: inout NaiveNames
    ) {
        guard let file = model.file(at: from), isKnown(from, tree) else { return }
        let replaced = model.file(at: target)
        if replaced != nil, !isKnown(target, tree) { return }
        guard replaced != file else { return _ = tree.move(from, to: target, isLast: false) }
        guard mayMove(file, to: target, model) else { return }
        if let replaced {
            if model.files[replaced]?.isDirectory != model.files[file]?.isDirectory { return }
            if model.holdsSomething(replaced) { return }
        }
        let loser = replaced.flatMap { model.files[$0] }
        let gone = tree.move(from, to: target, isLast: loser?.names.count == 1)
        #expect(gone == (loser?.known.count == 1 ? loser?.node : nil))
        if let replaced { lose(target, replaced, &model) }
        model.files[file]?.move(from, to: target)
    }

    private func exchange(
        _ one: NodeTree.Spot, _ other: NodeTree.Spot, _ tree: inout NodeTree, _ model: inout NaiveNames
    ) {
        guard let left = model.file(at: one), let right = model.file(at: other), left != right, isKnown(one, tree),
            isKnown(other, tree), mayMove(left, to: other, model), mayMove(right, to: one, model)
        else { return }
        tree.exchange(one, other)
        model.files[left]?.move(one, to: other)
        model.files[right]?.move(other, to: one)
    }

    private func link(
        _ from: NodeTree.Spot, to spot: NodeTree.Spot, _ tree: inout NodeTree, _ model: inout NaiveNames
    ) {
        guard let file = model.file(at: from), let found = model.files[file], let node = found.node,
            isKnown(from, tree),
            !found.isDirectory, model.file(at: spot) == nil
        else { return }
        tree.link(node, to: spot.name, in: spot.parent)
        model.files[file]?.names.insert(spot)
        model.files[file]?.known.insert(spot)
        model.files[file]?.lookups += 1
    }

    private func forget(_ tree: inout NodeTree, _ model: inout NaiveNames, _ random: inout SeededRandom) {
        let known = model.files.filter { $0.value.node != nil && $0.key != 0 }.map(\.key).sorted()
        guard !known.isEmpty else { return }
        let file = known[Int.random(in: known.indices, using: &random)]
        guard let found = model.files[file], let node = found.node, !model.holdsSomething(file) else { return }
        tree.forget(node, UInt64(found.lookups))
        model.files[file]?.node = nil
        model.files[file]?.known = []
        model.files[file]?.lookups = 0
        if found.names.isEmpty { model.files[file] = nil }
    }

    private func mayMove(_ file: Int, to spot: NodeTree.Spot, _ model: NaiveNames) -> Bool {
        guard model.files[file]?.isDirectory == true else { return true }
        return model.file(of: spot.parent).map { !model.isBelow($0, file) } ?? false
    }

    private func isKnown(_ spot: NodeTree.Spot, _ tree: NodeTree) -> Bool {
        tree.find(spot.name, in: spot.parent) != nil
    }

    private func check(_ tree: NodeTree, _ model: NaiveNames) {
        for (number, file) in model.files {
            guard let node = file.node else { continue }
            #expect(tree.contains(node) && tree.inode(of: node) == file.inode)
            if number == 0 { continue }
            #expect((tree.spot(of: node) == nil) == file.known.isEmpty)
            if let spot = tree.spot(of: node) { #expect(file.known.contains(spot)) }
            if file.known.count == 1 { #expect(tree.path(of: node) == path(of: file, model)) }
            for spot in file.known { #expect(tree.find(spot.name, in: spot.parent) == node) }
        }
    }

    private func path(of file: NaiveNames.File, _ model: NaiveNames) -> NodePath? {
        guard let spot = file.known.first, let parent = model.file(of: spot.parent) else { return nil }
        return model.path(of: parent).map { NodePath($0.names + [spot.name]) }
    }

    @Test("a number is never given to another item")
    func numbers() throws {
        var tree = NodeTree(rootInode: 1)
        let name = try #require(NodeName("a".utf8))
        var seen: Set<NodeNumber> = []
        for inode in 2..<100 {
            let entered = tree.enter(name, in: .root, inode: UInt64(inode), isShared: false)
            let node = try #require(entered)
            #expect(seen.insert(node).inserted)
            tree.forget(node, 1)
            #expect(!tree.contains(node))
        }
    }

    @Test("a file with several names is one item, also when its first name is gone")
    func severalNames() throws {
        var tree = NodeTree(rootInode: 1)
        let (a, b) = (Self.names[0], Self.names[1])
        let entered = tree.enter(a, in: .root, inode: 2, isShared: true)
        let node = try #require(entered)
        expectEqual(tree.enter(b, in: .root, inode: 2, isShared: true), node)
        expectEqual(tree.remove(a, in: .root, isLast: false), nil)
        #expect(tree.path(of: node) == NodePath([b]))
        expectEqual(tree.remove(b, in: .root, isLast: true), node)
        #expect(tree.path(of: node) == nil)
        // The inode is used again.
        let other = tree.enter(a, in: .root, inode: 2, isShared: true)
        #expect(other != node)
    }

    @Test("an item without a name gets one, loses it, and is known as long as it is used")
    func nameless() throws {
        var tree = NodeTree(rootInode: 1)
        let node = tree.enterNameless(inode: 2)
        #expect(tree.contains(node) && tree.spot(of: node) == nil && tree.path(of: node) == nil)
        tree.link(node, to: Self.names[0], in: .root)
        #expect(tree.path(of: node) == NodePath([Self.names[0]]))
        expectEqual(tree.remove(Self.names[0], in: .root, isLast: true), node)
        tree.forget(node, 1)
        #expect(tree.contains(node))
        tree.forget(node, 1)
        #expect(!tree.contains(node))
    }

    @Test("what is no name, or no relative path, is refused")
    func names() {
        for text in ["", ".", "..", "a/b", "a\0b", String(repeating: "x", count: 256)] {
            #expect(NodeName(text.utf8) == nil)
        }
        for text in ["/a", "a/", "a//b", "a/../b", "./a", String(repeating: "x/", count: 3_000) + "x"] {
            #expect(NodePath(text.utf8) == nil)
        }
        #expect(NodePath("a/.b/...".utf8)?.names.count == 3)
        #expect(NodePath("".utf8)?.names.isEmpty == true)
    }
}

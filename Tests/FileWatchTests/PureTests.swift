import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("The watch tree and the budget")
struct PureTests {
    @Test("the names of a path are its components, and they make it again", arguments: [1, 5, 2000])
    func names(count: Int) {
        var random = SeededRandom(for: "names of a path")
        let parts = ["a", ".", "..", "b c", "\u{E4}", "...", "x"]
        let names = (0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }
        let path = FilePath("/" + names.joined(separator: "/"))
        #expect(path.names.map(\.string) == names)
        #expect(FilePath("/").appending(names: path.names) == path)
        let place = Int.random(in: 0..<count, using: &random)
        let start = FilePath("/" + names.prefix(place).joined(separator: "/"))
        #expect(start.appending(names: path.names.dropFirst(place)) == path)
        #expect(FilePath("/").names.isEmpty && start.appending(names: []) == start)
    }

    @Test(
        "the tree agrees with a naive model through random changes", arguments: SeededRandom.seeds(3, for: "PureTests"))
    func treeAgainstModel(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var tree = WatchTree()
        var model: [WatchNodeID: (parent: WatchNodeID, name: [UInt8], watch: Int32?)] = [:]
        for step in 0..<20_000 {
            let names = (0..<40).map { Array("name\($0)".utf8) }
            let name = names[Int.random(in: 0..<names.count, using: &generator)]
            let parent = model.keys.sorted().randomElement(using: &generator) ?? WatchTree.root
            let known = model.first { $0.value.parent == parent && $0.value.name == name }?.key
            #expect(name.withUnsafeBufferPointer { tree.child(of: parent, named: $0) } == known)
            if let known {
                let isLeaf = !model.values.contains { $0.parent == known }
                if isLeaf, Bool.random(using: &generator) {
                    tree.remove(known)
                    model[known] = nil
                } else {
                    // Every third watch is one that another directory may have as well.
                    let watch = Int32(step % 3 == 0 ? step % 10 : step)
                    tree.bind(known, to: watch)
                    model[known]?.watch = watch
                }
            } else if model.count < 60 {
                model[name.withUnsafeBufferPointer { tree.add($0, to: parent) }] = (parent, name, nil)
            }
            for (node, entry) in model where step % 50 == 0 {
                #expect(tree.watch(of: node) == entry.watch && Array(tree.name(of: node)) == entry.name)
                if let watch = entry.watch {
                    #expect(Set(tree.nodes(watchedBy: watch)) == Set(model.keys.filter { model[$0]?.watch == watch }))
                }
            }
        }
        #expect(tree.watchCount == Set(model.values.compactMap(\.watch)).count)
    }

    @Test("a watch that two directories have ends with the last of them")
    func sharedWatch() {
        var tree = WatchTree()
        let nodes = ["one", "two", "three"].map { text in
            Array(text.utf8).withUnsafeBufferPointer { tree.add($0, to: WatchTree.root) }
        }
        for node in nodes { tree.bind(node, to: 5) }
        #expect(tree.watchCount == 1 && tree.twins(of: 5) == [nodes[1], nodes[2]])
        #expect(tree.unbind(nodes[0]) == nil && tree.node(watchedBy: 5) == nodes[1])
        #expect(tree.unbind(nodes[2]) == nil && tree.nodes(watchedBy: 5) == [nodes[1]])
        #expect(tree.unbind(nodes[1]) == 5 && tree.watchCount == 0 && tree.nodes(watchedBy: 5).isEmpty)
    }

    @Test("a moved tree keeps its watches and has its new path")
    func movedTree() {
        var tree = WatchTree()
        func name(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> WatchNodeID) -> WatchNodeID {
            Array(text.utf8).withUnsafeBufferPointer(body)
        }
        let one = name("one") { tree.add($0, to: WatchTree.root) }
        let two = name("two") { tree.add($0, to: WatchTree.root) }
        let below = name("below") { tree.add($0, to: one) }
        tree.bind(below, to: 5)
        tree.detach(one)
        _ = name("new") {
            tree.attach(one, to: two, named: $0)
            return one
        }
        #expect(tree.path(of: below) == "/two/new/below" && tree.path(of: below, from: two) == "new/below")
        #expect(tree.node(watchedBy: 5) == below)
    }

    @Test("trees leave a reserve to roots and observed directories, which take from trees in the end")
    func budget() {
        var budget = WatchBudget(limit: 800)
        #expect(budget.verdict(for: .tree, used: 699) == .grant)
        #expect(budget.verdict(for: .tree, used: 700) == .refuse)
        #expect(budget.verdict(for: .kept, used: 799) == .grant)
        #expect(budget.verdict(for: .kept, used: 800) == .shed)
        budget.systemRefused(used: 300)
        #expect(budget.verdict(for: .tree, used: 300) == .refuse)
        #expect(budget.verdict(for: .kept, used: 300) == .shed)
        budget.renew(limit: 1600)
        #expect(budget.verdict(for: .tree, used: 1399) == .grant)
    }
}

import DBus
import TestSupport
import Testing

@testable import Desktop

@Suite("The menu as hosts know it")
struct MenuModelTests {
    private func line(_ key: String, _ label: String? = nil, _ children: [MenuNode] = []) -> MenuNode {
        var node = MenuNode(key: key, label: label ?? key)
        node.children = children
        if !children.isEmpty { node.properties["children-display"] = .string("submenu") }
        return node
    }

    /// A layout as hosts read it.
    struct Layout: Equatable {
        var line: Int32
        var properties: VariantMap
        var children: [Layout]

        init(_ value: DBusValue) throws {
            let members = try #require(value.members)
            #expect(members.count == 3)
            line = try #require(members[0].int32)
            properties = try #require(members[1].map)
            children = try #require(members[2].elements).map { element in
                guard case .variant(let child) = element else { throw Failure("a child is not in a variant") }
                return try Layout(child)
            }
        }
    }

    private func layout(
        _ model: MenuModel, _ line: Int32 = 0, depth: Int32 = -1, only names: Set<String> = []
    ) throws -> Layout {
        try Layout(try #require(model.layout(line, depth: depth, only: names)))
    }

    @Test("A layout goes as deep as asked and has the properties that were asked for")
    func depth() throws {
        var model = MenuModel()
        _ = model.update([line("a"), line("b", nil, [line("c", nil, [line("d")])])])
        let whole = try layout(model)
        #expect(whole.properties.string("children-display") == "submenu")
        #expect(whole.children.map { $0.properties.string("label") } == ["a", "b"])
        #expect(whole.children[1].children[0].children.map { $0.properties.string("label") } == ["d"])
        #expect(try layout(model, depth: 0).children.isEmpty)
        let first = try layout(model, depth: 1)
        #expect(first.children.count == 2)
        #expect(first.children[1].children.isEmpty)
        let below = try layout(model, whole.children[1].line, depth: 1, only: ["label"])
        #expect(below.properties == ["label": .string("b")])
        #expect(below.children.map(\.properties) == [["label": .string("c")]])
        #expect(model.layout(99, depth: -1) == nil)
    }

    @Test("Lines that are asked for many times are given once each, and so are those that are not there")
    func sorted() {
        var model = MenuModel()
        _ = model.update([line("a"), line("b")])
        let asked = model.sorted([2, 1, 99, 2, 99, 0] + [Int32](repeating: 1, count: 1000))
        #expect(asked.known == [2, 1, 0])
        #expect(asked.unknown == [99])
    }

    @Test("A line keeps its number as long as it is there; the number of one that is gone is not used again")
    func numbers() throws {
        var model = MenuModel()
        _ = model.update([line("a"), line("b")])
        let before = try layout(model).children.map(\.line)
        _ = model.update([line("b", "Other"), line("x"), line("a")])
        let after = try layout(model).children.map(\.line)
        #expect(after[0] == before[1] && after[2] == before[0])
        #expect(!before.contains(after[1]))
        _ = model.update([line("b")])
        _ = model.update([line("a"), line("b")])
        let last = try layout(model).children.map(\.line)
        #expect(last[1] == before[1])
        #expect(!(before + after).contains(last[0]))
    }

    @Test("Only what differs is told")
    func changes() throws {
        var model = MenuModel()
        let first = model.update([line("a"), line("b", nil, [line("c")])])
        #expect(first.layout == 0)
        let revision = model.revision
        #expect(model.update([line("a"), line("b", nil, [line("c")])]) == MenuChanges())
        #expect(model.revision == revision)

        let a = try layout(model).children[0].line
        let b = try layout(model).children[1].line
        let renamed = model.update([line("a", "Anew"), line("b", nil, [line("c")])])
        #expect(renamed.updated == [.init(line: a, properties: ["label": .string("Anew")])])
        #expect(renamed.removed.isEmpty && renamed.layout == nil)
        #expect(model.revision == revision)

        let grown = model.update([line("a", "Anew"), line("b", nil, [line("c"), line("d")])])
        #expect(grown.layout == b && grown.updated.isEmpty)
        #expect(model.revision == revision + 1)

        let shrunk = model.update([line("a", "Anew"), line("b")])
        #expect(shrunk.layout == b)
        #expect(shrunk.removed == [.init(line: b, names: ["children-display"])])
    }

    @Test("Two changes in different parts are told as one of the whole menu")
    func scattered() throws {
        var model = MenuModel()
        _ = model.update([line("a", nil, [line("x")]), line("b", nil, [line("y")])])
        let changes = model.update([line("a", nil, [line("x2")]), line("b", nil, [line("y2")])])
        #expect(changes.layout == 0)
    }

    @Test("A second line of one name is passed over")
    func twins() throws {
        var model = MenuModel()
        _ = model.update([line("a"), line("a", "again")])
        #expect(try layout(model).children.map { $0.properties.string("label") } == ["a"])
    }

    // MARK: A host that follows the signals

    /// What a host has that reads the layout once and then does what the signals tell.
    private struct Mirror {
        var children: [Int32: [Int32]] = [:]
        var properties: [Int32: VariantMap] = [:]

        mutating func take(_ layout: Layout) {
            children[layout.line] = layout.children.map(\.line)
            properties[layout.line] = layout.properties
            for child in layout.children { take(child) }
        }

        func layout(_ line: Int32) -> Layout? {
            guard let properties = properties[line], let children = children[line] else { return nil }
            return Layout(line, properties, children.compactMap { layout($0) })
        }
    }

    @Test("Any depth is answered: below 0 all of it, 0 nothing below", arguments: [Int32.min, -2, -1, 0, 1, 2, .max])
    func depths(depth: Int32) throws {
        var model = MenuModel()
        _ = model.update([line("a", "A", [line("b", "B", [line("c", "C")])])])
        let layout = try #require(model.layout(0, depth: depth))
        func levels(_ value: DBusValue) -> Int {
            let children = value.members?[2].elements ?? []
            return (children.compactMap { if case .variant(let child) = $0 { levels(child) } else { nil } }.max() ?? -1)
                + 1
        }
        #expect(levels(layout) == (depth < 0 ? 3 : min(Int(depth), 3)))
    }

    @Test("A host that follows the signals has the menu as it is, after any changes")
    func mirrored() throws {
        let seed = SeededRandom.chosenSeed("MenuModelTests.mirrored")
        var random = SeededRandom(seed: seed)
        var model = MenuModel()
        var mirror = Mirror()
        mirror.take(try layout(model))
        for _ in 0..<1000 {
            let changes = model.update(randomLines(&random, levels: 3))
            for update in changes.updated {
                mirror.properties[update.line]?.merge(update.properties) { _, new in new }
            }
            for removal in changes.removed {
                for name in removal.names { mirror.properties[removal.line]?[name] = nil }
            }
            if let changed = changes.layout { mirror.take(try layout(model, changed)) }
            #expect(mirror.layout(0) == (try layout(model)), "seed \(seed)")
        }
    }

    private func randomLines(_ random: inout SeededRandom, levels: Int) -> [MenuNode] {
        let keys = ["a", "b", "c", "d", "e"].shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
        return keys.map { key in
            let nested = levels > 1 && Bool.random(using: &random)
            return line(
                key, Bool.random(using: &random) ? key : "other \(key)",
                nested ? randomLines(&random, levels: levels - 1) : [])
        }
    }
}

extension MenuModelTests.Layout {
    fileprivate init(_ line: Int32, _ properties: VariantMap, _ children: [Self]) {
        self.line = line
        self.properties = properties
        self.children = children
    }
}

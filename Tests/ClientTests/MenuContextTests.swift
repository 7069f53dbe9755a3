import RoundelBus
import Testing

@testable import Client

@Suite struct MenuContextTests {
    private let a: ItemURI
    private let b: ItemURI
    private let shown: ItemURI

    init() throws {
        a = try ItemURI("file:///d/a")
        b = try ItemURI("file:///d/b")
        shown = try ItemURI("file:///shown")
    }

    private func context(_ kind: MenuKind, _ items: ItemURI...) throws -> MenuContext {
        try MenuContext(kind, items: items) { shown }
    }

    @Test("The menu of items opens in their directory and needs one at least")
    func items() throws {
        let menu = try context(.items, a, b)
        #expect(menu.target == a.parent && menu.selection == [a, b])
        #expect(throws: MenuContext.Mistake.noItem) { try context(.items) }
    }

    @Test(
        "The menus of a directory are for one, by default the one that is shown",
        arguments: [.container, .sidebar] as [MenuKind])
    func directories(kind: MenuKind) throws {
        let own = try context(kind, a)
        #expect(own.target == a && own.selection.isEmpty)
        #expect(try context(kind).target == shown)
        #expect(throws: MenuContext.Mistake.severalItems) { try context(kind, a, b) }
    }

    @Test("The toolbar is for any items, or none")
    func toolbar() throws {
        let menu = try context(.toolbar, a)
        #expect(menu.target == a.parent && menu.selection == [a])
        #expect(try context(.toolbar).target == nil)
    }

    @Test("An action is looked for in no menu that its items are a mistake for")
    func kinds() throws {
        for items in [[], [a], [a, b]] {
            let kinds = MenuContext.kinds(for: items)
            #expect(kinds.last == .toolbar)
            for kind in MenuKind.allCases where kind != .toolbar {
                let isPossible = (try? MenuContext(kind, items: items) { throw MenuContext.Mistake.noItem }) != nil
                #expect(kinds.contains(kind) == isPossible, "\(kind), \(items.count)")
            }
        }
    }
}

import RoundelBus
import TestSupport
import Testing

@testable import Desktop

@Suite("F9: the menu of a sidebar entry as GTK takes it")
struct SidebarMenuTests {
    @Test("Lines, submenus, check marks and disabled items become menus and actions")
    func conversion() {
        let menu = SidebarMenu([
            MenuItem(id: "p/sync-now", label: "Sync Now", icon: "view-refresh"),
            MenuItem(id: "p/pause:1_ä", label: "Pause", enabled: false, checked: true),
            MenuItem(id: "", label: "More", children: [MenuItem(id: "p/x", label: "X")]),
        ])
        #expect(
            menu.menus == [
                [
                    .action("Sync Now", icon: "view-refresh", name: "p.2Fsync-now"),
                    .action("Pause", icon: "", name: "p.2Fpause.3A1.5F.C3.A4"),
                    .submenu("More", icon: "", menu: 1),
                ],
                [.action("X", icon: "", name: "p.2Fx")],
            ])
        #expect(
            menu.actions == [
                "p.2Fsync-now": .init(isEnabled: true, isChecked: nil, item: "p/sync-now"),
                "p.2Fpause.3A1.5F.C3.A4": .init(isEnabled: false, isChecked: true, item: "p/pause:1_ä"),
                "p.2Fx": .init(isEnabled: true, isChecked: nil, item: "p/x"),
            ])
    }

    @Test("Separators divide a menu into sections; those at the ends and in a row divide nothing")
    func sections() {
        let line = MenuItem(id: "", isSeparator: true)
        let item = { (id: String) in MenuItem(id: id, label: id) }
        let divided = SidebarMenu([line, item("a"), line, line, item("b"), item("c"), line])
        let action = { (id: String) in SidebarMenu.Entry.action(id, icon: "", name: id) }
        #expect(
            divided.menus == [[.section(1), .section(2)], [action("a")], [action("b"), action("c")]])
        #expect(SidebarMenu([line, item("a"), line]).menus == [[action("a")]])
        #expect(SidebarMenu([line]).menus == [[]] && SidebarMenu().menus == [[]])
    }

    @Test("Names of actions are told apart where ids are, and hold what GTK permits")
    func names() {
        let ids = ["a.b", "a/b", "a:b", "a.2Fb", "a2Fb", "a_b", "a b", "A/b", "\u{1}", "a"]
        let names = ids.map { SidebarMenu.actionName($0) }
        #expect(Set(names).count == ids.count)
        for name in names {
            #expect(
                name.utf8.allSatisfy { $0 < 0x80 && (Character(UnicodeScalar($0)).isLetter || (0x2D...0x39) ~= $0) })
        }
    }

    @Test("Whoever follows the changes has the same menu as who asks for all of it")
    func changes() {
        let seed = SeededRandom.chosenSeed("sidebar menus")
        var random = SeededRandom(seed: seed)
        var follower = FollowedMenu()
        var last = SidebarMenu()
        for step in 0..<2000 {
            let next = SidebarMenu(Self.items(&random, depth: 1))
            follower.take(next.menuChanges(since: last))
            follower.take(next.actionChanges(since: last))
            #expect(follower.menus == FollowedMenu.trimmed(next.menus), "seed \(seed), step \(step)")
            #expect(follower.actions == next.actions.mapValues(FollowedMenu.Action.init), "seed \(seed), step \(step)")
            #expect(next.menuChanges(since: next).isEmpty && next.actionChanges(since: next).isEmpty)
            last = next
        }
    }

    private static func items(_ random: inout SeededRandom, depth: Int) -> [MenuItem] {
        (0..<Int.random(in: 0...5, using: &random)).map { index in
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return MenuItem(id: "", isSeparator: true)
            case 1 where depth < 3:
                return MenuItem(id: "", label: "S\(index)", children: items(&random, depth: depth + 1))
            default:
                let check: Bool? = [nil, true, false].randomElement(using: &random) ?? nil
                return MenuItem(
                    id: "i\(Int.random(in: 0..<12, using: &random))", label: "L\(index)",
                    enabled: Bool.random(using: &random), checked: check)
            }
        }
    }
}

/// A menu as its follower has it from the changes that it was told.
private struct FollowedMenu {
    struct Action: Equatable {
        var isEnabled: Bool
        var isChecked: Bool?

        init(_ action: SidebarMenu.Action) {
            isEnabled = action.isEnabled
            isChecked = action.isChecked
        }
    }

    private var byNumber: [UInt32: [SidebarMenu.Entry]] = [0: []]
    var actions: [String: Action] = [:]

    var menus: [[SidebarMenu.Entry]] {
        Self.trimmed((0...(byNumber.keys.max() ?? 0)).map { byNumber[$0] ?? [] })
    }

    /// A menu without lines is as good as none.
    static func trimmed(_ menus: [[SidebarMenu.Entry]]) -> [[SidebarMenu.Entry]] {
        Array(menus[...(menus.lastIndex { !$0.isEmpty } ?? 0)])
    }

    mutating func take(_ changes: [SidebarMenu.MenuChange]) {
        for change in changes {
            #expect(Int(change.removed) == byNumber[change.menu]?.count ?? 0)
            byNumber[change.menu] = change.added
        }
    }

    mutating func take(_ changes: SidebarMenu.ActionChanges) {
        for name in changes.removed { #expect(actions.removeValue(forKey: name) != nil) }
        for (name, isEnabled) in changes.enabled { actions[name]?.isEnabled = isEnabled }
        for (name, isChecked) in changes.checked { actions[name]?.isChecked = isChecked }
        for (name, action) in changes.added { #expect(actions.updateValue(Action(action), forKey: name) == nil) }
    }
}

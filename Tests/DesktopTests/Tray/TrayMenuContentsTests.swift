import BadgeService
import DBus
import RoundelBus
import Testing

@testable import Desktop

@Suite("F11, E5: the lines of the tray's menu")
struct TrayMenuContentsTests {
    @Test("Each folder says how it is and opens when it is chosen; then comes what the providers offer")
    func lines() throws {
        let docs = try folder("My_Docs", .syncing, "Syncing 3 items", progress: 7)
        let nodes = TrayMenuContents.nodes(folders: [docs], items: [MenuItem(id: "sample/sync", label: "Sync Now")])
        #expect(nodes.map { $0.properties.string("label") } == ["My__Docs: Syncing 3 items, 7 %", nil, "Sync Now"])
        #expect(nodes.map(\.choice) == [.open(docs.folder), nil, .activate("sample/sync")])
        #expect(nodes.map { $0.properties.string("type") } == [nil, "separator", nil])
        #expect(nodes.first?.properties.string("icon-name") == "emblem-roundel-syncing")
    }

    @Test("What waits for consent has a line that gives it, so many of them")
    func waiting() throws {
        let place = try ItemURI("file:///home/x")
        let waiting = (0..<10).map { (folder: place.appending(ItemName(canonical: "\($0)")), line: "Allow \($0)") }
        let nodes = TrayMenuContents.nodes(folders: [], waiting: waiting, items: [MenuItem(id: "p/x", label: "X")])
        let labels = ["No folder is synced yet", nil] + (0..<8).map { "Allow \($0)" } + ["and 2 more", nil, "X"]
        #expect(nodes.map { $0.properties.string("label") } == labels)
        #expect(nodes[2].choice == .allow(waiting[0].folder) && nodes[10].choice == nil)
        #expect(Set(nodes.map(\.key)).count == nodes.count)
    }

    @Test("Sync engines that wait for an answer have one line, which leads to the one or to all")
    func newEngines() {
        let one = TrayMenuContents.nodes(folders: [], newEngines: ["a"], items: [])
        #expect(one.last?.properties.string("label") == "A new sync engine waits for your answer…")
        #expect(one.last?.choice == .engines("a"))
        let more = TrayMenuContents.nodes(folders: [], newEngines: ["a", "b"], items: [])
        #expect(more.last?.properties.string("label") == "2 new sync engines wait for your answer…")
        #expect(more.last?.choice == .engines("") && more.count == one.count)
        #expect(TrayMenuContents.nodes(folders: [], items: []).last?.choice == nil)
    }

    @Test("Without a folder the menu says so")
    func empty() {
        let nodes = TrayMenuContents.nodes(folders: [], items: [])
        #expect(nodes.map { $0.properties.bool("enabled") } == [false])
        #expect(nodes.map(\.choice) == [nil])
    }

    @Test("F9: check marks, submenus, separators and icons of a provider's menu")
    func items() throws {
        let items = [
            MenuItem(id: "p/on", label: "On", checked: true), MenuItem(id: "p/off", label: "Off", checked: false),
            MenuItem(id: "", isSeparator: true),
            MenuItem(
                id: "", label: "More", icon: "folder",
                children: [MenuItem(id: "p/a", label: "A", enabled: false), MenuItem(id: "p/b", label: "B")]),
        ]
        let nodes = MenuNode.nodes(items)
        #expect(nodes.map { $0.properties.int32("toggle-state") } == [1, 0, nil, nil])
        #expect(nodes.map { $0.properties.string("toggle-type") } == ["checkmark", "checkmark", nil, nil])
        let more = try #require(nodes.last)
        #expect(more.properties.string("children-display") == "submenu")
        #expect(more.choice == nil)
        #expect(more.children.map { $0.properties.bool("enabled") } == [false, true])
        #expect(more.children.map(\.choice) == [.activate("p/a"), .activate("p/b")])
        #expect(Set(nodes.map(\.key)).count == nodes.count)
    }

    @Test("F11: a menu says whose items are still missing, in a line that cannot be chosen")
    func missing() {
        let items = [MenuItem(id: "b/x", label: "X")]
        #expect(HostedMenu(id: 1, items: items).linesForNow == items)
        let lines = HostedMenu(id: 1, items: items, incomplete: ["Cloud", "Git"]).linesForNow
        #expect(lines == items + [MenuItem(id: "", label: "Waiting for Cloud, Git…", enabled: false)])
    }

    @Test("More folders than a menu can hold are counted")
    func many() throws {
        let nodes = TrayMenuContents.nodes(folders: try (0..<40).map { try folder("f\($0)", .idle) }, items: [])
        #expect(nodes.count == TrayMenuContents.mostFolders + 1)
        #expect(nodes.last?.properties.string("label") == "and 24 more")
    }
}

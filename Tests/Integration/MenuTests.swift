import DBus
import Testing

/// Menus of four kinds, their rules and limits, and what comes of an action.
@Suite struct MenuTests {
    private let world: World
    private let folder: String
    private let provider: FakeProvider
    private let host: HostClient
    private var directory: String { uri(folder) }
    private var item: String { directory + "/file" }

    init() throws {
        world = try World()
        folder = try world.makeFolder("Sync")
        try Disk.write(folder + "/file", "x")
        try Disk.makeDirectory(folder + "/dir")
        provider = try world.provider("test", [folder])
        provider.menu = [["id": .string("go"), "label": .string("Go")]]
        host = try world.host()
    }

    @Test(
        "F9: all four kinds reach the provider with the target and the selection", arguments: [0, 1, 2, 3] as [UInt32])
    func kinds(kind: UInt32) throws {
        let selection = kind == 0 ? [item] : []
        let menu = try host.menu(kind, directory, selection)
        #expect(menu.items.map { $0.string("id") } == ["test/go"])
        #expect(menu.items.map { $0.string("label") } == ["Go"])
        #expect(
            provider.calls("GetMenu").last?.arguments == [
                .uint32(kind), .string(directory), .strings(selection), .map([:]),
            ])
    }

    @Test("A kind that does not exist is refused with InvalidArgs")
    func unknownKind() throws {
        #expect(
            try host.refusal("GetMenu", [.uint32(4), .string(directory), .strings([])])
                == "org.freedesktop.DBus.Error.InvalidArgs")
    }

    @Test("F10: outside monitored folders the toolbar has no target and no selection; the others have no menu")
    func outside() throws {
        let other = uri(try world.makeFolder("Other"))
        #expect(try host.menu(3, other, [other + "/x"]).items.count == 1)
        #expect(try host.menu(3, "").items.count == 1)
        for call in provider.calls("GetMenu") { #expect(call.arguments[1...2] == [.string(""), .strings([])]) }
        provider.clear()
        #expect(try host.menu(0, other, [other + "/x"]).items.isEmpty)
        #expect(try host.menu(1, other).items.isEmpty)
        #expect(provider.calls("GetMenu").isEmpty)
    }

    @Test("F9: a provider receives its own URIs alone; menus are merged in the order of the providers' names")
    func merged() throws {
        let second = try world.makeFolder("Second")
        let other = try FakeProvider(world, "aaa")
        try other.register(options: ["name": .string("Zebra")])
        try other.setFolders([second])
        other.menu = [["id": .string("go"), "label": .string("Other")]]
        let third = try FakeProvider(world, "zzz")
        try third.register(options: ["name": .string("Ant")])
        try third.setFolders([try world.makeFolder("Third")])
        third.menu = [["id": .string("go"), "label": .string("Third")]]
        try provider.register(options: ["name": .string("Middle")])
        try provider.setFolders([folder])
        let menu = try host.menu(0, directory, [uri(second) + "/y", item, directory + "/dir"])
        #expect(menu.items.map { $0.string("id") } == ["test/go", "aaa/go"])
        #expect(provider.calls("GetMenu").last?.arguments[2].strings == [item, directory + "/dir"])
        #expect(other.calls("GetMenu").last?.arguments[2].strings == [uri(second) + "/y"])
        #expect(third.calls("GetMenu").isEmpty)
        #expect(try host.menu(3, "").items.map { $0.string("id") } == ["zzz/go", "test/go", "aaa/go"])
    }

    @Test("Everything that an item can say arrives: icon, check mark, separator, children, disabled")
    func contents() throws {
        provider.menu = [
            [
                "id": .string("top"), "label": .string("Top"), "icon": .string("folder"),
                "children": .maps([
                    ["id": .string("on"), "label": .string("On"), "checked": .bool(true)],
                    ["id": .string("off"), "label": .string("Off"), "enabled": .bool(false), "checked": .bool(false)],
                ]),
            ], ["id": .string("line"), "type": .string("separator"), "future": .uint32(1)],
        ]
        let items = try host.menu(0, directory, [item]).items
        #expect(items.map { $0.string("id") } == ["test/top", "test/line"])
        #expect(items[0].string("icon") == "folder")
        #expect(items[1].string("type") == "separator")
        let children = try #require(items[0].maps("children"))
        #expect(children.map { $0.string("id") } == ["test/on", "test/off"])
        #expect(children[0].bool("checked") == true)
        #expect(children[1].bool("checked") == false)
        #expect(children[1].bool("enabled") == false)
        #expect(items[0]["checked"] == nil)
    }

    @Test("A provider that is late, wrong or over a limit is left out whole, the others are there", arguments: 0..<8)
    func leftOut(how: Int) throws {
        let other = try FakeProvider(world, "other")
        try other.register()
        try other.setFolders([try world.makeFolder("Second")])
        other.menu = [["id": .string("fine"), "label": .string("Fine")]]
        let plain: (Int) -> VariantMap = { ["id": .string("i\($0)"), "label": .string("x")] }
        func nested(_ depth: Int) -> VariantMap {
            var map: VariantMap = ["id": .string("d\(depth)"), "label": .string("x")]
            if depth > 1 { map["children"] = .maps([nested(depth - 1)]) }
            return map
        }
        let bad: [DBusValue] = [
            .maps((0..<257).map(plain)), .maps([nested(4)]),
            .maps([plain(1), ["id": .string("l"), "label": .string(String(repeating: "x", count: 257))]]),
            .maps([plain(1), plain(2), plain(1)]), .maps([plain(1), ["id": .string("x"), "label": .uint32(1)]]),
            .strings(["no menu"]),
        ]
        provider.handlers["GetMenu"] = { call, _ in
            switch how {
            case 6: other.keep(call)
            case 7: call.fail(.failed("I will not."))
            default: call.answer([bad[how]])
            }
        }
        let menu = try host.menuAtOnce(3, "")
        // The good provider may be late, too, on a busy machine.
        try world.until("the good provider's item") {
            (host.menus[menu.id] ?? menu).items.map { $0.string("id") } == ["other/fine"]
                && (how == 6) == ((host.menus[menu.id] ?? menu).incomplete == ["test"])
        }
        provider.handlers["GetMenu"] = { call, _ in
            call.answer([.maps((0..<253).map(plain) + [nested(3)])])
        }
        #expect(try host.menu(3, "").items.count == 255)
    }

    @Test("F9: a provider that is late is named, and its items come by a signal, to the caller alone")
    func late() throws {
        let other = try world.host()
        var kept: MethodCall?
        provider.handlers["GetMenu"] = { call, _ in kept = call }
        let first = try host.menuAtOnce(0, directory, [item])
        #expect(first.items.isEmpty && first.incomplete == ["test"])
        kept?.answer([.maps([["id": .string("late"), "label": .string("Late")]])])
        try world.until("the menu is told anew") { host.menus[first.id] != nil }
        let menu = try #require(host.menus[first.id])
        #expect(menu.items.map { $0.string("id") } == ["test/late"] && menu.incomplete.isEmpty)
        _ = try host.call("Activate", [.uint64(first.id), .string("test/late")])
        try host.await(.finished(first.id, "test/late", 0, ""))
        #expect(other.menus.isEmpty)
    }

    @Test("Rules of an item: kinds, number, badges, directories, files")
    func rules() throws {
        func ruled(_ id: String, _ rules: VariantMap) -> VariantMap {
            ["id": .string(id), "label": .string(id), "rules": .map(rules)]
        }
        provider.menu = [
            ruled("sidebar", ["kinds": .uint32s([2])]), ruled("two", ["min": .uint32(2)]),
            ruled("one", ["max": .uint32(1)]), ruled("conflict", ["badges": .strings(["conflict"])]),
            ruled("file", ["directories": .bool(false)]), ruled("directory", ["files": .bool(false)]),
        ]
        provider.know(directory, ["file": "conflict", "dir": "synced"])
        try host.begin(directory)
        _ = try host.badges(directory, ["file", "dir"])
        func shown(_ kind: UInt32, _ selection: [String]) throws -> [String] {
            try host.menu(kind, directory, selection).items.compactMap {
                $0.string("id").map { String($0.dropFirst(5)) }
            }
        }
        #expect(try shown(0, [item]) == ["one", "conflict", "file"])
        #expect(try shown(0, [directory + "/dir"]) == ["one", "directory"])
        #expect(try shown(0, [item, directory + "/dir"]) == ["two"])
        #expect(try shown(2, []).contains("sidebar"))
    }

    @Test("A menu belongs to its caller, who keeps the last 16")
    func stale() throws {
        let menu = try host.menu(0, directory, [item])
        let second = try world.host()
        #expect(try second.refusal("Activate", [.uint64(menu.id), .string("test/go")]) == "StaleMenu")
        #expect(try host.refusal("Activate", [.uint64(menu.id), .string("test/nothing")]) == "UnknownItem")
        #expect(try host.refusal("Activate", [.uint64(menu.id &+ 1000), .string("test/go")]) == "StaleMenu")
        for _ in 0..<15 { _ = try host.menuAtOnce(0, directory, [item]) }
        #expect(try host.refusal("Activate", [.uint64(menu.id), .string("test/go")]) == nil)
        _ = try host.menuAtOnce(0, directory, [item])
        #expect(try host.refusal("Activate", [.uint64(menu.id), .string("test/go")]) == "StaleMenu")
    }

    @Test("F9: an action is handed on with target, selection and options, and its end is told: done")
    func done() throws {
        let menu = try host.menu(0, directory, [item])
        _ = try host.call(
            "Activate", [.uint64(menu.id), .string("test/go")],
            options: [
                "activation-token": .string("token"), "timestamp": .uint32(7), "parent-window": .string("x11:1"),
                "unknown": .bool(true),
            ])
        try host.await(.finished(menu.id, "test/go", 0, ""))
        let call = try #require(provider.calls("Activate").first)
        #expect(call.arguments[0...2] == [.string("go"), .string(directory), .strings([item])])
        let options = call.arguments[3].map
        #expect(options?.string("activation-token") == "token")
        #expect(options?.uint32("timestamp") == 7)
        #expect(options?.string("parent-window") == "x11:1")
    }

    @Test("F9: Activate answers once accepted, long before the action has ended")
    func accepted() throws {
        var pending: MethodCall?
        provider.handlers["Activate"] = { call, _ in pending = call }
        let menu = try host.menu(0, directory, [item])
        _ = try host.call("Activate", [.uint64(menu.id), .string("test/go")])
        try provider.await("Activate")
        #expect(!host.inbox.contains { if case .finished = $0 { true } else { false } })
        pending?.answer([])
        try host.await(.finished(menu.id, "test/go", 0, ""))
    }

    @Test("F9: an action that was called off is told as 1, a failed one as 2 with its sentence")
    func cancelledAndFailed() throws {
        let menu = try host.menu(0, directory, [item])
        provider.handlers["Activate"] = { call, _ in
            call.fail(DBusError(name: "org.roundel.Error.Cancelled", message: "Called off."))
        }
        _ = try host.call("Activate", [.uint64(menu.id), .string("test/go")])
        try host.await(.finished(menu.id, "test/go", 1, "Called off."))
        provider.handlers["Activate"] = { call, _ in call.fail(.failed("The server said no.")) }
        _ = try host.call("Activate", [.uint64(menu.id), .string("test/go")])
        try host.await(.finished(menu.id, "test/go", 2, "The server said no."))
    }

    @Test("E7: a text for the clipboard comes to the host where the action was chosen, and to no other")
    func clipboard() throws {
        let other = try world.host()
        provider.handlers["Activate"] = { call, _ in
            call.reply { try $0.append(map: ["clipboard": .string("https://x.org/s/1")]) }
        }
        let menu = try host.menu(0, directory, [item])
        _ = try host.call("Activate", [.uint64(menu.id), .string("test/go")])
        try host.await(.clipboard("https://x.org/s/1"))
        // What was sent to it before this answer has come.
        _ = try other.menu(0, directory, [item])
        #expect(!other.inbox.contains(.clipboard("https://x.org/s/1")))
    }

    @Test(
        "E7: an action with a text that no clipboard may be given has failed, and nobody gets the text",
        arguments: ["rm -r ~\n", "", String(repeating: "a", count: 8_193)])
    func badClipboard(text: String) throws {
        provider.handlers["Activate"] = { call, _ in
            call.reply { try $0.append(map: ["clipboard": .string(text)]) }
        }
        let menu = try host.menu(0, directory, [item])
        _ = try host.call("Activate", [.uint64(menu.id), .string("test/go")])
        try world.until("the failure is told") {
            host.inbox.contains { if case .finished(menu.id, "test/go", 2, _) = $0 { true } else { false } }
        }
        #expect(!host.inbox.contains(.clipboard(text)))
    }

    @Test("F9: an action whose provider dies has failed, and its menus are stale")
    func death() throws {
        provider.hold("Activate")
        let menu = try host.menu(0, directory, [item])
        _ = try host.call("Activate", [.uint64(menu.id), .string("test/go")])
        try provider.await("Activate")
        provider.bus.close()
        try world.until("the failure is told") {
            host.inbox.contains { if case .finished(menu.id, "test/go", 2, _) = $0 { true } else { false } }
        }
        #expect(try host.refusal("Activate", [.uint64(menu.id), .string("test/go")]) == "StaleMenu")
    }

    @Test("What is disabled, a separator or a submenu cannot be chosen")
    func notChoosable() throws {
        provider.menu = [
            ["id": .string("off"), "label": .string("x"), "enabled": .bool(false)],
            ["id": .string("line"), "type": .string("separator")],
            [
                "id": .string("sub"), "label": .string("x"),
                "children": .maps([["id": .string("y"), "label": .string("y")]]),
            ],
        ]
        let menu = try host.menu(0, directory, [item])
        for id in ["off", "line", "sub"] {
            #expect(try host.refusal("Activate", [.uint64(menu.id), .string("test/" + id)]) == "UnknownItem", "\(id)")
        }
        #expect(try host.refusal("Activate", [.uint64(menu.id), .string("test/y")]) == nil)
    }
}

import DBus
import Testing

@testable import RoundelBus

@Suite("Menus, rules, attributes and offers on the wire")
struct MenuWireTests {
    @Test("A menu arrives as it was sent, with submenus, check marks, separators and rules")
    func menus() throws {
        let rules = MenuRules(
            kinds: [0, 3], min: 1, max: 4_000_000_000, badges: [.conflict, Badge("cloud.X")], directories: false,
            files: true, types: [TypeRule("image/*:1-10")].compactMap(\.self))
        let item = MenuItem(
            id: "a", label: "Ä \n \u{1F600}", icon: "icon", enabled: false, checked: false,
            children: [
                MenuItem(id: "b", checked: true), MenuItem(id: "", isSeparator: true),
                MenuItem(id: "c", children: [MenuItem(id: "d")], rules: MenuRules()),
            ], rules: rules)
        #expect(try MenuItem(wire: try Wire.pass(item.wire)) == item)
    }

    @Test("What has its default is not sent, and absent keys have their default")
    func defaults() throws {
        #expect(MenuItem(id: "a").wire == ["id": .string("a")])
        #expect(MenuRules().wire.isEmpty)
        let item = try MenuItem(wire: ["unknown": .int32(1)])
        #expect(item == MenuItem(id: ""))
        #expect(item.enabled && item.checked == nil && !item.isSeparator)
        #expect(try MenuItem(wire: ["type": .string("later")]) == MenuItem(id: ""))
    }

    @Test(
        "A known key of another type makes the menu malformed",
        arguments: [
            ["id": .uint32(1)], ["label": .bytes([1])], ["icon": .bool(true)], ["enabled": .string("yes")],
            ["checked": .uint32(1)], ["type": .bool(true)], ["children": .strings(["a"])], ["rules": .string("")],
            ["rules": .map(["min": .int32(1)])], ["rules": .map(["kinds": .strings(["0"])])],
            ["children": .maps([["id": .bool(true)]])], ["rules": .map(["badges": .string("synced")])],
            ["rules": .map(["directories": .uint32(0)])],
        ] as [VariantMap])
    func wrongTypes(map: VariantMap) {
        #expect(errorName { _ = try MenuItem(wire: map) } == ColumnTests.invalidArgs)
    }

    @Test("A menu of any depth is refused rather than followed to the end")
    func depth() throws {
        var map: VariantMap = ["id": .string("1")]
        for level in 2...Limits.menuDepth { map = ["id": .string("\(level)"), "children": .maps([map])] }
        #expect(try MenuItem(wire: map).children[0].id == "\(Limits.menuDepth - 1)")
        map = ["children": .maps([map])]
        #expect(errorName { _ = try MenuItem(wire: map) } == ColumnTests.invalidArgs)
    }

    @Test("The Rules of a manifest are read; spaces do not matter")
    func manifestRules() {
        let text = " kinds = 0, 1 ;min=1; max=2;badges=conflict, cloud.X;directories=false;files=true; "
        let rules = MenuRules(
            kinds: [0, 1], min: 1, max: 2, badges: [.conflict, Badge("cloud.X")], directories: false, files: true)
        #expect(MenuRules(manifestText: text) == rules)
        #expect(MenuRules(manifestText: "") == MenuRules())
        #expect(MenuRules(manifestText: " ; ;") == MenuRules())
    }

    @Test(
        "Rules that are half understood are refused",
        arguments: [
            "kinds", "kinds=a", "kinds=1 0", "kinds=-1", "min=", "min=1,2", "max=4294967296", "directories=no",
            "files=1", "later=1", "min=1 max=2", "kinds=", "badges=", "badges=a b", "kinds=0,,1",
        ])
    func badManifestRules(text: String) {
        #expect(MenuRules(manifestText: text) == nil)
    }

    @Test("The options of an activation arrive; those of another type are passed over")
    func activationOptions() throws {
        var options = ActivationOptions(activationToken: "t", timestamp: 7, parentWindow: "x11:1")
        #expect(ActivationOptions(wire: try Wire.pass(options.wire)) == options)
        var fromHost = options.wire
        fromHost["shows-result"] = .bool(true)
        options.showsResult = true
        #expect(ActivationOptions(wire: fromHost) == options)
        #expect(options.wire["shows-result"] == nil)
        #expect(ActivationOptions().wire.isEmpty)
        for key in ["activation-token", "parent-window"] {
            let most = String(repeating: "x", count: Limits.activationText)
            #expect(ActivationOptions(wire: [key: .string(most)]) != ActivationOptions())
            #expect(ActivationOptions(wire: [key: .string(most + "x")]) == ActivationOptions())
        }
        #expect(ActivationOptions(wire: ["timestamp": .string("7"), "x": .bool(true)]) == ActivationOptions())
    }

    @Test(
        "Attributes of each type arrive",
        arguments: [
            .string("x"), .byte(255), .unsigned(.max), .signed(.min), .strings(["a", ""]), .strings([]), .truth(true),
        ] as [AttributeValue])
    func attributes(value: AttributeValue) throws {
        let arrived = try Wire.pass(["key": value.wire])
        #expect(arrived["key"].flatMap { AttributeValue(wire: $0) } == value)
    }

    @Test("Attributes of types that no attribute has are none")
    func foreignAttributes() {
        let foreign: [DBusValue] = [.uint32(1), .double(1), .uint32s([1]), .map([:]), .objectPath("/")]
        for value in foreign { #expect(AttributeValue(wire: value) == nil) }
    }

    @Test("The toolbar item is three texts and nothing else")
    func toolbarItem() {
        let item = ToolbarItem(name: "n", icon: "i", tooltip: "t")
        #expect(ToolbarItem(wire: item.wire) == item)
        let texts = [DBusValue.string("n"), .string("i"), .string("t")]
        for wrong: DBusValue in [
            .structure(Array(texts.dropLast())), .structure(texts + texts),
            .structure([.uint32(1)] + texts.dropFirst()),
            .strings(["n", "i", "t"]), .string("n"),
        ] {
            #expect(ToolbarItem(wire: wrong) == nil)
        }
    }

    @Test("A folder's options arrive")
    func folderOffers() throws {
        let folder = Wire.uri("/home/Cloud")
        for offer in [FolderOffer(folder: folder), FolderOffer(folder: folder, watch: true, label: "L", icon: "i")] {
            #expect(FolderOffer(folder: folder, wireOptions: try Wire.pass(offer.wireOptions)) == offer)
        }
        #expect(FolderOffer(folder: folder).wireOptions.isEmpty)
        #expect(FolderOffer(folder: folder, wireOptions: ["watch": .string("yes")]) == FolderOffer(folder: folder))
    }

    @Test("The options of Register name id, name, icon, toolbar item and services")
    func registration() throws {
        let item = ToolbarItem(name: "n", icon: "i", tooltip: "t")
        let registration = ProviderRegistration(
            object: "/p", id: "cloud", name: "Cloud", icon: "c", toolbarItem: item,
            services: ["org.x.A": "/a", "org.x.Bad": "no path"])
        let wire = try Wire.pass(registration.wire)
        #expect(wire.string("id") == "cloud" && wire.string("name") == "Cloud" && wire.string("icon") == "c")
        #expect(wire["toolbar-item"].flatMap { ToolbarItem(wire: $0) } == item)
        let services: [DBusValue.DictionaryEntry] = [.init(key: .string("org.x.A"), value: .objectPath("/a"))]
        #expect(wire["services"] == .dictionary(key: "s", value: "o", services))
        #expect(ProviderRegistration(object: "/p", id: "x").wire == ["id": .string("x")])
    }

    @Test("Labels of badges in several languages survive the wire; another type has none")
    func badgeLabels() throws {
        let labels = ["de": ["x.star": "Stern", "x.moon": "Mond"], "pt_BR": ["x.star": "Estrela"]]
        #expect(try Wire.pass(["labels": .badgeLabels(labels)])["labels"]?.badgeLabels == labels)
        #expect(DBusValue.services(["org.x.A": "/a"]).badgeLabels == nil && DBusValue.string("de").badgeLabels == nil)
    }
}

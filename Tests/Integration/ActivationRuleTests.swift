import DBus
import RoundelBus
import TestSupport
import Testing

/// A provider is asked only about selections that can concern it.
@Suite struct ActivationRuleTests {
    /// One rule of a manifest, and for each menu whether the provider is asked for it.
    struct Case: CustomTestStringConvertible {
        let rules: String
        /// The kind of menu, the names selected, and whether the provider is asked.
        let menus: [(kind: UInt32, names: [String], isAsked: Bool)]
        var testDescription: String { rules }
    }

    static let cases = [
        Case(rules: "kinds=1,2", menus: [(0, ["file"], false), (3, [], false), (1, [], true), (2, [], true)]),
        Case(rules: "min=2", menus: [(0, ["file"], false), (1, [], false), (0, ["file", "dir"], true)]),
        Case(rules: "max=1", menus: [(0, ["file", "dir"], false), (0, ["file"], true), (1, [], true)]),
        Case(
            rules: "badges=conflict,error",
            menus: [(0, ["file"], false), (0, ["clash", "file"], false), (0, ["none"], false), (0, ["clash"], true)]),
        Case(
            rules: "directories=false", menus: [(0, ["dir"], false), (0, ["file", "dir"], false), (0, ["file"], true)]),
        Case(rules: "files=false", menus: [(0, ["file"], false), (0, ["file", "dir"], false), (0, ["dir"], true)]),
        Case(
            rules: "kinds=0; min=1; max=1; badges=conflict; directories=false",
            menus: [(1, [], false), (0, ["file"], false), (0, ["clash", "clash2"], false), (0, ["clash"], true)]),
    ]

    /// A running provider of a folder, whose manifest has rules.
    private func provider(ruledBy rules: String, of folder: String, in world: World) throws -> FakeProvider {
        try world.installation.addManifest(
            "ruled", name: "Ruled", busName: "org.example.Ruled", object: "/test/provider", more: "Rules=\(rules)\n")
        try world.startService()
        let provider = try FakeProvider(world, "ruled")
        try provider.own("org.example.Ruled")
        try provider.setFolders([folder])
        provider.menu = [["id": .string("go"), "label": .string("Go")]]
        return provider
    }

    @Test("E6: the provider is not asked for a menu that its manifest rules out", arguments: cases)
    func manifest(_ rule: Case) throws {
        let world = try World(starts: false)
        let folder = try world.makeFolder("Sync")
        for name in ["file", "clash", "clash2", "none"] { try Disk.write("\(folder)/\(name)", "x") }
        try Disk.makeDirectory(folder + "/dir")
        let provider = try provider(ruledBy: rule.rules, of: folder, in: world)
        let directory = uri(folder)
        provider.know(
            directory, ["file": "synced", "dir": "synced", "clash": "conflict", "clash2": "conflict", "none": ""])
        let host = try world.host()
        try host.begin(directory)
        _ = try host.badges(directory, ["file", "dir", "clash", "clash2", "none"])
        for (kind, names, isAsked) in rule.menus {
            provider.clear()
            let items = names.map { "\(directory)/\($0)" }
            _ = try host.menu(kind, directory, items)
            #expect(provider.calls("GetMenu").isEmpty != isAsked, "kind \(kind), \(names)")
        }
    }

    static let typeCases = [
        Case(
            rules: "types=image/*:1-2",
            menus: [
                (0, ["a.png"], true), (0, ["a.png", "B.JPG"], true), (0, ["a.png", "B.JPG", "c.png"], false),
                (0, ["note.txt"], false), (0, ["a.png", "note.txt"], false), (0, ["dir.png"], false),
                (0, ["photo"], true),
                (1, [], false),
            ]),
        Case(
            rules: "kinds=0,1; types=application/x-own,inode/directory:0-1",
            menus: [
                (0, ["x.own", "dir.png"], true), (0, ["x.own"], true), (0, ["a.png"], false), (1, [], true),
                (2, [], false),
            ]),
    ]

    @Test(
        "E9: the provider is not asked for selections of other types of data, or of another number",
        arguments: typeCases)
    func types(_ rule: Case) throws {
        let world = try World(starts: false)
        let folder = try world.makeFolder("Sync")
        for name in ["a.png", "B.JPG", "c.png", "note.txt", "photo", "x.own"] {
            try Disk.write("\(folder)/\(name)", "x")
        }
        try Disk.makeDirectory(folder + "/dir.png")
        try world.installation.addTypes(
            system: "50:image/png:*.png\n50:image/jpeg:*.jpg\n50:text/plain:*.txt\n50:text/plain:*.own\n",
            user: "60:application/x-own:*.own\n")
        let provider = try provider(ruledBy: rule.rules, of: folder, in: world)
        let host = try world.host()
        for (kind, names, isAsked) in rule.menus {
            provider.clear()
            let items = names.map { "\(uri(folder))/\($0)" }
            _ = try host.menu(kind, uri(folder), items)
            #expect(provider.calls("GetMenu").isEmpty != isAsked, "kind \(kind), \(names)")
        }
    }

    @Test("E6: the bundled worker is asked for what it syncs, and not for an item that it has said nothing of")
    func worker() throws {
        let world = try World(starts: false)
        try world.installation.addBundledManifest()
        let sync = try SyncWorld(files: ["a": "a", "skipped/inner": "x"], in: world)
        try sync.roundel("exclude", sync.local, "/skipped")
        try sync.awaitBadge("skipped", "excluded")
        let host = try world.host()
        let (directory, below) = (uri(sync.local), uri(sync.path("skipped")))
        for place in [directory, below] { try world.until("\(place) is found") { try host.begin(place) } }
        try world.until("the badges are there") {
            try host.badges(directory, ["a", "skipped"]).map(\.badge) == ["synced", "excluded"]
        }
        #expect(try host.badges(below, ["inner"]).map(\.badge) == [""])
        let asked = try BusMonitor(world, "type='method_call',interface='org.roundel.Provider1',member='GetMenu'")
        #expect(try host.menu(0, below, [below + "/inner"]).items.isEmpty)
        #expect(try host.menu(0, directory, [directory + "/a", below + "/inner"]).items.isEmpty)
        let outside = uri(try world.makeFolder("Other"))
        #expect(try host.menu(0, outside, [outside + "/x"]).items.isEmpty)
        _ = try host.menu(0, directory, [directory + "/skipped"])
        #expect(try asked.lines { $0.contains("/skipped\"") }.filter { $0.contains("member=GetMenu") }.count == 1)
    }

    @Test("E6: what only a conflict needs is offered for conflicts alone")
    func workerItems() throws {
        let sync = try SyncWorld(files: ["a.txt": "base", "b.txt": "b"])
        try sync.makeConflict("a.txt")
        let host = try sync.world.host()
        let directory = uri(sync.local)
        func offers(_ kind: UInt32, _ names: [String], _ id: String) throws -> Bool {
            var items: [VariantMap] = []
            // On a busy machine the worker may miss the time that a menu has.
            try sync.world.until("a menu of \(names)") {
                items = try host.menu(kind, directory, names.map { "\(directory)/\($0)" }).items
                return !items.isEmpty
            }
            return items.contains { $0.string("id") == id }
        }
        let resolve = "roundel/resolve"
        #expect(try offers(0, ["a.txt"], resolve))
        #expect(try !offers(0, ["b.txt"], resolve))
        #expect(try !offers(0, ["a.txt", "b.txt"], resolve))
        #expect(try !offers(1, [], resolve))
    }
}

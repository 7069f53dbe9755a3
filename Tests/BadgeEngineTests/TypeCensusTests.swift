import RoundelBus
import Testing

@testable import BadgeEngine

@Suite("Menus for types of data")
struct TypeCensusTests {
    private static func item(_ name: String) -> ItemURI { Bench.uri("/home/Cloud/" + name) }

    private static func types(_ names: String...) -> [DataType] { names.compactMap { DataType($0) } }

    private static func rules(_ texts: String...) -> [TypeRule] { texts.compactMap { TypeRule($0) } }

    /// What each name can be: `.png` and `.txt` one type, `.m` one of two, anything else is unknown.
    private static func named(_ item: ItemURI) -> [DataType] {
        let endings = [
            ".png": types("image/png"), ".txt": types("text/plain"), ".m": types("text/x-objcsrc", "model/x-m"),
        ]
        return endings.first { item.path.hasSuffix($0.key) }?.value ?? []
    }

    private static func isDirectory(_ item: ItemURI) -> Bool? {
        item.path.hasSuffix("unseen.png") ? nil : item.path.hasSuffix("dir") || item.path.hasSuffix("dir.png")
    }

    private static func census(_ names: [String]) -> TypeCensus {
        let items = names.map(item)
        var kinds: [ItemURI: Bool] = [:]
        for item in items { kinds[item] = isDirectory(item) }
        return TypeCensus(
            items, isDirectory: kinds, types: Dictionary(items.map { ($0, named($0)) }) { first, _ in first })
    }

    @Test(
        "E9: rules say of which types selected items are, and how many of each",
        arguments: [
            // Items of types that are not named make the rules not apply.
            (["image/*"], ["a.png"], true), (["image/*"], ["a.txt"], false), (["image/*"], ["a.png", "a.txt"], false),
            (["image/*", "text/plain"], ["a.png", "a.txt"], true), (["image/*", "text/plain"], ["a.txt"], true),
            (["image/jpeg"], ["a.png"], false), (["*/*"], ["a.png", "a.txt", "dir"], true),
            // Numbers, at their limits.
            (["image/*:2"], ["a.png"], false), (["image/*:2"], ["a.png", "b.png"], true),
            (["image/*:2"], ["a.png", "b.png", "c.png"], false), (["image/*:2-"], ["a.png"], false),
            (["image/*:2-"], ["a.png", "b.png", "c.png"], true), (["image/*:1-2"], ["a.png", "b.png"], true),
            (["image/*:1-2"], ["a.png", "b.png", "c.png"], false), (["image/*:1-2", "text/*"], ["a.txt"], false),
            (["image/*:1-2", "text/*:1"], ["a.png", "a.txt"], true),
            (["image/*:0", "*/*"], ["a.txt", "a.png"], false),
            (["image/*:0", "*/*"], ["a.txt", "dir"], true), (["image/*:4294967295"], ["a.png"], false),
            (["image/*:0-4294967295"], ["a.png"], true),
            // An item counts for each rule that names its type.
            (["image/png:1", "image/*:2"], ["a.png", "b.png"], false),
            (["image/png:2", "image/*:2"], ["a.png", "b.png"], true),
            // The same item twice is two.
            (["image/*:2"], ["a.png", "a.png"], true),
            // A directory is one, whatever its name.
            (["image/*"], ["dir.png"], false), (["inode/directory"], ["dir.png"], true),
            (["inode/directory:1", "image/*:1"], ["dir", "a.png"], true),
            // What is not known restricts nothing.
            (["image/*"], ["photo"], true), (["image/*:1"], ["photo"], true), (["image/*:2"], ["photo"], false),
            (["image/*:2"], ["photo", "a.png"], true), (["image/*:0-1"], ["a.png", "photo"], true),
            (["text/*"], ["unseen.png"], true), (["image/*:0"], ["unseen.png"], true),
            // Of a name that several types have it is not known which.
            (["text/*"], ["a.m"], true), (["model/*:1"], ["a.m"], true), (["text/*:0", "model/*"], ["a.m"], true),
            (["text/*:0", "model/*:0"], ["a.m"], true), (["image/*"], ["a.m"], false),
            (["*/*:0"], ["a.m"], false), (["text/*:2"], ["a.m", "a.txt"], true),
            (["text/*:0-1"], ["a.m", "a.txt"], true),
            // Nothing selected, and rules that name nothing.
            (["image/*"], [], true), (["image/*:1-"], [], false), (["image/*:0-1"], [], true), ([], ["a.png"], false),
            ([], ["photo"], true),
        ] as [([String], [String], Bool)])
    func evaluation(texts: [String], names: [String], applies: Bool) {
        let rules = texts.compactMap { TypeRule($0) }
        #expect(rules.count == texts.count && Self.census(names).canBe(rules) == applies)
    }

    @Test("Before anything is known of a selection, only the number of its items restricts")
    func unknown() {
        #expect(TypeCensus(unknown: 2).canBe(Self.rules("image/*:2")))
        #expect(!TypeCensus(unknown: 2).canBe(Self.rules("image/*:3-")))
        #expect(TypeCensus(unknown: 0).canBe(Self.rules("image/*")))
        #expect(!TypeCensus(unknown: 0).canBe(Self.rules("image/*:1")))
    }

    /// A provider whose manifest has rules, and a call for the menu of some items.
    private static func open(_ rules: MenuRules?, _ names: [String]) throws -> (Bench, [Action]) {
        var bench = Bench()
        let id = try #require(ProviderID("cloud"))
        let manifest = Manifest(id: id, name: "", icon: "", busName: "org.example.C", owner: "p1", rules: rules)
        _ = bench.send(.manifests([manifest]))
        let actions = bench.host(.getMenu(kind: 0, target: Bench.folder, selection: names.map(item)))
        return (bench, actions)
    }

    /// Answers the questions about items, the one about types first or last; gives what follows.
    private static func answer(_ actions: [Action], _ bench: inout Bench, typesFirst: Bool) throws -> [Action] {
        var events: [Event] = []
        for action in actions {
            switch action {
            case .inspectItems(let token, let items): events.append(.itemsInspected(token, items.map(isDirectory)))
            case .findTypes(let token, let items): events.append(.typesFound(token, items.map(named)))
            default: break
            }
        }
        try #require(events.count == 2)
        if typesFirst { events.reverse() }
        #expect(bench.send(events[0]).isEmpty)
        return bench.send(events[1])
    }

    @Test("E9: a provider whose manifest names other types is not asked", arguments: [false, true])
    func manifest(typesFirst: Bool) throws {
        let rules = MenuRules(types: Self.rules("image/*:1-2"))
        for (names, isAsked) in [
            (["a.png"], true), (["a.txt"], false), (["a.png", "dir"], false), (["dir.png"], false), (["photo"], true),
            (["a.png", "b.png", "c.png"], false),
        ] {
            var (bench, actions) = try Self.open(rules, names)
            #expect(actions.questions.isEmpty)
            let next = try Self.answer(actions, &bench, typesFirst: typesFirst)
            #expect(next.questions.count == (isAsked ? 1 : 0), "\(names)")
            #expect((MenuTests.menu(next)?.items == []) != isAsked, "\(names)")
        }
        // Of a background no item is looked at.
        var (bench, _) = try Self.open(rules, [])
        let background = bench.host(.getMenu(kind: 1, target: Bench.folder, selection: []))
        #expect(background.count == 1 && MenuTests.menu(background)?.items == [])
    }

    @Test("E9: items of a menu have rules of types, too, and only then it is asked for types")
    func items() throws {
        var (bench, actions) = try Self.open(nil, ["a.png", "b.png"])
        let answer = [
            MenuItem(id: "images", rules: MenuRules(types: Self.rules("image/*:2"))),
            MenuItem(id: "one", rules: MenuRules(types: Self.rules("image/*:1"))),
            MenuItem(
                id: "more", children: [MenuItem(id: "texts", rules: MenuRules(types: Self.rules("text/*", "*/*:0-1")))]),
            MenuItem(id: "files", rules: MenuRules(directories: false)),
        ]
        let looking = bench.answer(actions, .menu(answer))
        let done = try Self.answer(looking, &bench, typesFirst: false)
        #expect(MenuTests.menu(done)?.items.map(\.id) == ["cloud/images", "cloud/files"])

        (bench, actions) = try Self.open(nil, ["a.png"])
        let kinds = bench.answer(actions, .menu([MenuItem(id: "files", rules: MenuRules(directories: false))]))
        #expect(!kinds.contains { if case .findTypes = $0 { true } else { false } })
    }

    @Test("What was asked for a manifest is not asked again for the items of its menu")
    func once() throws {
        var (bench, actions) = try Self.open(MenuRules(types: Self.rules("image/*")), ["a.png"])
        let asked = try Self.answer(actions, &bench, typesFirst: true)
        let answer = [
            MenuItem(id: "png", rules: MenuRules(types: Self.rules("image/png"))),
            MenuItem(id: "jpeg", rules: MenuRules(types: Self.rules("image/jpeg"))),
            MenuItem(id: "directory", rules: MenuRules(files: false)),
        ]
        let done = bench.answer(asked, .menu(answer))
        #expect(done.count { if case .findTypes = $0 { true } else { false } } == 0)
        #expect(MenuTests.menu(done)?.items.map(\.id) == ["cloud/png"])
    }

    @Test("Types that nobody tells in time restrict nothing; those that come later still rule the provider out")
    func late() throws {
        var (bench, actions) = try Self.open(MenuRules(types: Self.rules("image/*")), ["a.txt"])
        let partial = bench.advance(milliseconds: 50)
        #expect(MenuTests.menu(partial)?.items == [])
        let next = try Self.answer(actions, &bench, typesFirst: false)
        #expect(next.questions.isEmpty)
        #expect(next.contains { if case .signalMenu(_, let menu) = $0 { menu.incomplete.isEmpty } else { false } })

        (bench, actions) = try Self.open(nil, ["a.txt"])
        let answer = [MenuItem(id: "images", rules: MenuRules(types: Self.rules("image/*")))]
        _ = bench.answer(actions, .menu(answer))
        #expect(MenuTests.menu(bench.advance(milliseconds: 50))?.items.map(\.id) == ["cloud/images"])
    }

    @Test("Of thousands of selected items only so many are looked up, and the others restrict nothing")
    func manyItems() throws {
        let names = (0..<Limits.inspectedItems + 10).map { "\($0).png" }
        var (bench, actions) = try Self.open(MenuRules(types: Self.rules("image/*:1-\(names.count)")), names)
        for case .findTypes(_, let items) in actions { #expect(items.count == Limits.inspectedItems) }
        #expect(try Self.answer(actions, &bench, typesFirst: false).questions.count == 1)
        (bench, actions) = try Self.open(MenuRules(types: Self.rules("image/*:0-\(Limits.inspectedItems)")), names)
        #expect(try Self.answer(actions, &bench, typesFirst: false).questions.count == 1)
        (bench, actions) = try Self.open(MenuRules(types: Self.rules("image/*:0-\(Limits.inspectedItems - 1)")), names)
        #expect(try Self.answer(actions, &bench, typesFirst: false).questions.isEmpty)
    }
}

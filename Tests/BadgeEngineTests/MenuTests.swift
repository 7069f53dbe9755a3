import RoundelBus
import Support
import TestSupport
import Testing

@testable import BadgeEngine

@Suite("Menus, actions, attributes and services")
struct MenuTests {
    static let items = HostRequest.getMenu(kind: 0, target: Bench.folder, selection: [Bench.uri("/home/Cloud/a")])

    static func menu(_ actions: [Action]) -> (id: UInt64, items: [MenuItem])? {
        for reply in actions.replies {
            if case .menu(let menu) = reply { return (menu.id, menu.items) }
        }
        return nil
    }

    @Test("F9: only the four kinds are answered")
    func kinds() {
        var bench = Bench()
        #expect(bench.host(.getMenu(kind: 4, target: nil, selection: [])).errors == [.invalidArguments])
        for kind in MenuKind.allCases {
            let asked = bench.host(.getMenu(kind: kind.rawValue, target: Bench.folder, selection: [Bench.folder]))
            #expect(asked.questions.count == 1)
        }
    }

    @Test("F10: a provider receives its own URIs only; the toolbar outside has no target and no selection")
    func ownItems() {
        var bench = Bench()
        bench.register("other", "p2", [Bench.uri("/home/Other")])
        let selection = ["/home/Cloud/a", "/home/Other/b", "/home/c"].map(Bench.uri)
        let asked = bench.host(.getMenu(kind: 0, target: Bench.uri("/home"), selection: selection))
        #expect(
            asked.questions.map(\.request) == [
                .getMenu(kind: .items, target: nil, selection: [selection[0]]),
                .getMenu(kind: .items, target: nil, selection: [selection[1]]),
            ])
        let outside = bench.host(.getMenu(kind: 3, target: Bench.uri("/x"), selection: [Bench.uri("/x/y")]))
        let empty = ProviderRequest.getMenu(kind: .toolbar, target: nil, selection: [])
        #expect(outside.questions.map(\.request) == [empty, empty])
        #expect(Self.menu(bench.host(.getMenu(kind: 1, target: Bench.uri("/x"), selection: [])))?.items == [])
    }

    @Test("Menus are merged by provider name with ids of their own; a late, wrong or oversized part is left out whole")
    func merging() {
        var bench = Bench(registered: false)
        _ = bench.registry(.register(ProviderRegistration(object: "/p", id: "zed", name: "Alpha")), by: "p1")
        _ = bench.registry(.register(ProviderRegistration(object: "/p", id: "any", name: "Beta")), by: "p2")
        let toolbar = HostRequest.getMenu(kind: 3, target: nil, selection: [])
        let good = [MenuItem(id: "sync", label: "Sync", children: []), MenuItem(id: "", isSeparator: true)]
        let asked = bench.host(toolbar)
        for question in asked.questions.dropLast() {
            #expect(bench.send(.answer(question.token, .menu(good))).replies.isEmpty)
        }
        let done = bench.send(.answer(asked.questions[1].token, .menu([MenuItem(id: "x", label: "X")])))
        #expect(Self.menu(done)?.items.map(\.id) == ["zed/x", "any/sync", ""])

        let tooDeep = MenuItem(
            id: "1", children: [MenuItem(id: "2", children: [MenuItem(id: "3", children: [MenuItem(id: "4")])])])
        let wrong: [ProviderAnswer] = [
            .menu((0..<257).map { MenuItem(id: "\($0)") }), .menu([tooDeep]),
            .menu([MenuItem(id: "a"), MenuItem(id: "a")]), .menu([MenuItem(id: "")]),
            .menu([MenuItem(id: "a", label: String(repeating: "\u{E4}", count: 257))]), .malformed,
            .failed(name: "x.E", message: ""),
        ]
        for answer in wrong {
            let asked = bench.host(toolbar)
            _ = bench.send(.answer(asked.questions[0].token, answer))
            let done = bench.send(.answer(asked.questions[1].token, .menu([MenuItem(id: "x")])))
            #expect(Self.menu(done)?.items.map(\.id) == ["zed/x"])
        }
        let late = bench.host(toolbar)
        _ = bench.send(.answer(late.questions[0].token, .menu([MenuItem(id: "x")])))
        #expect(bench.advance(milliseconds: 49).replies.isEmpty)
        let partial = bench.advance(milliseconds: 1)
        #expect(Self.menu(partial)?.items.map(\.id) == ["any/x"])
        #expect(MenuItem.isWithinLimits((0..<256).map { MenuItem(id: "\($0)") }))
        #expect(MenuItem.isWithinLimits([MenuItem(id: "a", label: String(repeating: "\u{E4}", count: 256))]))
    }

    @Test("F9: a provider that was late completes the menu, which keeps its number, or is given up in the end")
    func late() throws {
        var bench = Bench(registered: false)
        for (id, connection) in [("aa", "p1"), ("bb", "p2"), ("cc", "p3")] {
            _ = bench.registry(.register(ProviderRegistration(object: "/p", id: id, name: "The \(id)")), by: connection)
        }
        let asked = bench.host(.getMenu(kind: 3, target: nil, selection: []))
        func told(_ actions: [Action]) -> [HostedMenu] {
            actions.compactMap { if case .signalMenu("h1", let menu) = $0 { menu } else { nil } }
        }
        let answer = ProviderAnswer.menu([MenuItem(id: "x", label: "X")])
        _ = bench.send(.answer(asked.questions[1].token, answer))
        let first = try #require(Self.menu(bench.advance(milliseconds: 50)))
        #expect(first.items.map(\.id) == ["bb/x"])
        // What is missing cannot be chosen yet, what is there can.
        #expect(bench.host(.activate(menu: first.id, item: "aa/x", ActivationOptions())).errors == [.unknownItem])
        let second = told(bench.send(.answer(asked.questions[0].token, answer)))
        #expect(second.map(\.id) == [first.id] && second.first?.incomplete == ["The cc"])
        #expect(second.first?.items.map(\.id) == ["aa/x", "bb/x"])
        #expect(bench.host(.activate(menu: first.id, item: "aa/x", ActivationOptions())).replies == [.done])
        #expect(told(bench.advance(milliseconds: 19_999)).isEmpty)
        let last = told(bench.advance(milliseconds: 1))
        #expect(last.first?.items.map(\.id) == ["aa/x", "bb/x"] && last.first?.incomplete == [])
        #expect(told(bench.send(.answer(asked.questions[2].token, answer))).isEmpty)
    }

    @Test("A menu that nobody holds any more is not completed")
    func lateForNobody() {
        var bench = Bench()
        let asked = bench.host(Self.items)
        _ = bench.advance(milliseconds: 50)
        for _ in 0..<Limits.menusPerCaller { _ = bench.answer(bench.host(Self.items), .menu([])) }
        #expect(bench.answer(asked, .menu([MenuItem(id: "x")])).isEmpty)
        let other = bench.host(Self.items)
        _ = bench.advance(milliseconds: 50)
        _ = bench.send(.peerLeft("h1"))
        #expect(bench.answer(other, .menu([MenuItem(id: "x")])).isEmpty)
    }

    @Test("E6: a provider whose manifest rules the selection out is not asked; rules of items are kept by the service")
    func rules() throws {
        var bench = Bench()
        let id = try #require(ProviderID("cloud"))
        let rules = MenuRules(kinds: [0], max: 2)
        let manifest = Manifest(id: id, name: "", icon: "", busName: "org.example.C", owner: "p1", rules: rules)
        _ = bench.send(.manifests([manifest]))
        #expect(bench.host(.getMenu(kind: 1, target: Bench.folder, selection: [])).questions.isEmpty)
        let three = ["a", "b", "c"].map { Bench.uri("/home/Cloud/\($0)") }
        #expect(bench.host(.getMenu(kind: 0, target: nil, selection: three)).questions.isEmpty)
        let asked = bench.host(Self.items)
        let answer = [
            MenuItem(id: "one", rules: MenuRules(max: 1)), MenuItem(id: "two", rules: MenuRules(min: 2)),
            MenuItem(id: "parent", children: [MenuItem(id: "child", rules: MenuRules(kinds: [3]))]),
        ]
        let items = Self.menu(bench.answer(asked, .menu(answer)))?.items
        #expect(items == [MenuItem(id: "cloud/one")])
    }

    @Test("Rules know badges that were given and what is a directory")
    func rulesOfState() {
        var bench = Bench()
        _ = bench.host(.beginObserving(Bench.folder))
        _ = bench.answer(bench.host(.requestBadges(Bench.folder, Bench.names("a"))), Bench.answer("conflict"))
        let asked = bench.host(Self.items)
        let answer = [
            MenuItem(id: "resolve", rules: MenuRules(badges: [.conflict])),
            MenuItem(id: "other", rules: MenuRules(badges: [.synced])),
            MenuItem(id: "folders", rules: MenuRules(files: false)),
            MenuItem(id: "files", rules: MenuRules(directories: false)),
        ]
        let inspecting = bench.answer(asked, .menu(answer))
        guard case .inspectItems(let token, let uris)? = inspecting.first else {
            Issue.record("nobody inspected the items")
            return
        }
        #expect(uris == [Bench.uri("/home/Cloud/a")])
        let done = bench.send(.itemsInspected(token, [false]))
        #expect(Self.menu(done)?.items.map(\.id) == ["cloud/resolve", "cloud/files"])
    }

    @Test("Of thousands of selected items only so many are looked at, and the others restrict nothing")
    func manyItems() {
        var bench = Bench()
        let selection = (0..<Limits.inspectedItems + 10).map { Bench.uri("/home/Cloud/\($0)") }
        let answer = [MenuItem(id: "files", rules: MenuRules(directories: false))]
        let asked = bench.host(.getMenu(kind: 0, target: nil, selection: selection))
        guard case .inspectItems(let token, let uris)? = bench.answer(asked, .menu(answer)).first else {
            Issue.record("nobody inspected the items")
            return
        }
        #expect(uris.count == Limits.inspectedItems)
        let done = bench.send(.itemsInspected(token, uris.map { _ in false }))
        #expect(Self.menu(done)?.items.map(\.id) == ["cloud/files"])
    }

    @Test("E6: an item whose badge nobody was given restricts nothing; one that was given none does")
    func unknownBadges() {
        var bench = Bench()
        let answer = ProviderAnswer.menu([MenuItem(id: "resolve", rules: MenuRules(badges: [.conflict]))])
        #expect(Self.menu(bench.answer(bench.host(Self.items), answer))?.items.map(\.id) == ["cloud/resolve"])
        _ = bench.host(.beginObserving(Bench.folder))
        _ = bench.answer(bench.host(.requestBadges(Bench.folder, Bench.names("a"))), Bench.answer(""))
        #expect(Self.menu(bench.answer(bench.host(Self.items), answer))?.items == [])
    }

    @Test("F9: a menu item's icon name is as short as its label")
    func iconNames() {
        for (length, isWithin) in [(256, true), (257, false)] {
            let item = MenuItem(id: "a", icon: String(repeating: "\u{E4}", count: length))
            #expect(MenuItem.isWithinLimits([item]) == isWithin)
        }
    }

    @Test("E7: an action is accepted at once and reports its end")
    func actions() {
        let outcomes: [(ProviderAnswer, ActionOutcome)] = [
            (.done, .done), (.failed(name: "org.roundel.Error.Cancelled", message: "no"), .cancelled),
            (.failed(name: "x.E", message: "broken"), .failed), (.malformed, .failed),
            (ClipboardText("https://x.org/s/1").map { .product(.clipboard($0)) } ?? .gone, .done),
            (.product(.message("It is the same on both sides.")), .done),
        ]
        for (answer, outcome) in outcomes {
            var bench = Bench()
            let given = bench.answer(bench.host(Self.items), .menu([MenuItem(id: "go")]))
            guard let menu = Self.menu(given)?.id else {
                Issue.record("no menu")
                return
            }
            let options = ActivationOptions(activationToken: "t", timestamp: 7, showsResult: true)
            let accepted = bench.host(.activate(menu: menu, item: "cloud/go", options))
            #expect(accepted.replies == [.done])
            let selection = [Bench.uri("/home/Cloud/a")]
            #expect(
                accepted.questions.map(\.request) == [
                    .activate(item: "go", target: Bench.folder, selection: selection, options)
                ])
            let end = bench.answer(accepted, answer)
            var message = ""
            var clipboard: ClipboardText?
            switch answer {
            case .failed(_, let text): message = text
            case .malformed: message = Engine.answeredWrongly
            case .product(.clipboard(let text)): clipboard = text
            case .product(.message(let text)): message = text
            case .badges, .directory, .menu, .attributes, .done, .gone: break
            }
            let told = FinishedAction(
                menu: menu, item: "cloud/go", outcome: outcome, message: message, clipboard: clipboard)
            let signals = end.filter { if case .signalActionFinished = $0 { true } else { false } }
            #expect(signals == [.signalActionFinished(client: "h1", told)])
            let again = bench.host(.activate(menu: menu, item: "cloud/go", options))
            let died = bench.send(.peerLeft("p1"))
            #expect(again.replies == [.done])
            #expect(
                died.contains {
                    if case .signalActionFinished(_, let end) = $0 { end.outcome == .failed } else { false }
                })
            #expect(bench.host(.activate(menu: menu, item: "cloud/go", options)).errors == [.staleMenu])
        }
    }

    @Test("A menu is its caller's, one of the last sixteen, for five minutes")
    func staleMenus() throws {
        var bench = Bench()
        let given = { (bench: inout Bench) in
            Self.menu(bench.answer(bench.host(Self.items), .menu([MenuItem(id: "go")])))?.id
        }
        let first = try #require(given(&bench))
        let go = { (menu: UInt64) in HostRequest.activate(menu: menu, item: "cloud/go", ActivationOptions()) }
        #expect(bench.host(go(first), by: "h2").errors == [.staleMenu])
        #expect(bench.host(go(99)).errors == [.staleMenu])
        #expect(bench.host(.activate(menu: first, item: "cloud/x", ActivationOptions())).errors == [.unknownItem])
        for _ in 0..<15 { _ = given(&bench) }
        #expect(bench.host(go(first)).replies == [.done])
        let last = try #require(given(&bench))
        #expect(bench.host(go(first)).errors == [.staleMenu])
        _ = bench.advance(milliseconds: 299_999)
        #expect(bench.host(go(last)).replies == [.done])
        _ = bench.advance(milliseconds: 1)
        #expect(bench.host(go(last)).errors == [.staleMenu])
    }

    @Test("F14: attributes need no observing; wrong types and keys not asked for are dropped; two seconds")
    func attributes() {
        var bench = Bench()
        let ask = HostRequest.getAttributes(Bench.uri("/home/Cloud/a"), keys: [])
        let answer = ProviderAnswer.attributes([
            "state": .string("synced"), "progress": .string("50"), "bytes-done": .unsigned(5), "own": .string("x"),
        ])
        #expect(
            bench.answer(bench.host(ask), answer).replies == [
                .attributes(["state": .string("synced"), "bytes-done": .unsigned(5)])
            ])
        let one = bench.host(.getAttributes(Bench.uri("/home/Cloud/a"), keys: ["state"]))
        #expect(bench.answer(one, answer).replies == [.attributes(["state": .string("synced")])])
        #expect(bench.answer(bench.host(ask), .malformed).errors == [.providerFailed])
        #expect(bench.host(.getAttributes(Bench.uri("/x"), keys: [])).replies == [.attributes([:])])
        for name in ["UnknownMethod", "NotSupported"] {
            let none = ProviderAnswer.failed(name: "org.freedesktop.DBus.Error." + name, message: "")
            #expect(bench.answer(bench.host(ask), none).replies == [.attributes([:])])
        }
        let late = bench.host(ask)
        #expect(bench.advance(milliseconds: 1999).errors.isEmpty)
        #expect(bench.advance(milliseconds: 1).errors == [.providerTimeout])
        #expect(bench.answer(late, answer).isEmpty)
        _ = bench.host(ask)
        #expect(bench.send(.peerLeft("p1")).errors == [.providerGone])
        #expect(bench.host(ask).errors == [.providerGone])
    }

    @Test("F14: an item's service is the object that its provider named")
    func services() {
        var bench = Bench(registered: false)
        _ = bench.registry(.register(ProviderRegistration(object: "/p", id: "cloud", services: ["org.x.Y": "/y"])))
        bench.setFolders([FolderOffer(folder: Bench.folder)])
        let item = Bench.uri("/home/Cloud/a")
        let cloud = ProviderID("cloud")
        let named = bench.host(.getItemService(item, interface: "org.x.Y")).replies
        #expect(named == cloud.map { [.service(busName: "p1", object: "/y", provider: $0, name: "cloud")] })
        #expect(bench.host(.getItemService(item, interface: "org.x.Z")).errors == [.noSuchService])
        #expect(bench.host(.getItemService(Bench.uri("/x"), interface: "org.x.Y")).errors == [.noSuchService])
    }

    @Test("The service of a provider that does not run is what its manifest says, at the name that starts it")
    func servicesOfManifest() throws {
        var bench = Bench(registered: false)
        let cloud = try #require(ProviderID("cloud"))
        let manifest = Manifest(id: cloud, name: "Cloud", icon: "", busName: "org.x.Cloud", services: ["org.x.Y": "/m"])
        _ = bench.send(
            .restored(
                SavedState(providers: [
                    cloud: .init(enabled: true, folders: [FolderOffer(folder: Bench.folder)])
                ])))
        _ = bench.send(.manifests([manifest]))
        let ask = HostRequest.getItemService(Bench.uri("/home/Cloud/a"), interface: "org.x.Y")
        #expect(
            bench.host(ask).replies
                == [.service(busName: "org.x.Cloud", object: "/m", provider: cloud, name: "Cloud")])
        guard case .providers(let rows)? = bench.settings(.list).replies.first else { throw Failure("no list") }
        #expect(rows.map(\.busName) == ["org.x.Cloud"] && rows.map(\.services) == [["org.x.Y": "/m"]])
        // Once it runs, what it says itself counts.
        var running = manifest
        running.owner = "p1"
        _ = bench.send(.manifests([running]))
        _ = bench.registry(.register(ProviderRegistration(object: "/p", id: "cloud")))
        #expect(bench.host(ask).errors == [.noSuchService])
    }

    @Test("The service of a folder that waits for consent is its own provider's")
    func servicesOfWaiting() throws {
        var bench = Bench()
        for (id, connection, path) in [("outer", "p2", "/home"), ("inner", "p3", "/home/Cloud/Inner")] {
            _ = bench.registry(
                .register(ProviderRegistration(object: "/p", id: id, services: ["org.x.Y": "/y"])), by: connection)
            bench.setFolders([FolderOffer(folder: Bench.uri(path))], by: connection)
        }
        #expect(bench.engine.waitingFolders.count == 2)
        func provider(_ path: String) -> String? {
            let replies = bench.host(.getItemService(Bench.uri(path), interface: "org.x.Y")).replies
            guard case .service(_, _, let provider, _)? = replies.first else { return nil }
            return provider.rawValue
        }
        #expect(provider("/home/Cloud/Inner/a") == "inner" && provider("/home/Cloud/Inner") == "inner")
        #expect(provider("/home/Cloud/a") == nil)
        #expect(provider("/home/b") == "outer")
    }
}

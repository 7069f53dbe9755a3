import RoundelBus
import Testing

@testable import BadgeEngine

@Suite("D12: what needs the person")
struct NoticeTests {
    private static let conflict = FolderNotice(
        id: "conflicts", title: "A conflict", text: "Two versions.", count: 1,
        actions: [.init(id: "both:7", label: "Keep Both"), .init(id: "show", label: "Show")])

    private static func set(_ notices: [FolderNotice], of folder: ItemURI = Bench.folder) -> RegistryRequest {
        .setFolderStatus(folder, FolderStatus(state: .attention), notices)
    }

    private static func choose(_ notice: String, _ action: String, of folder: ItemURI = Bench.folder) -> HostRequest {
        .activateNotice(folder, notice: notice, action: action, ActivationOptions(activationToken: "t"))
    }

    @Test("Each call replaces the notices of a folder; what did not change is not signalled")
    func replacing() {
        var bench = Bench()
        let first = bench.registry(Self.set([Self.conflict]))
        #expect(first.replies == [.done] && first.contains(.propertiesChanged([.folderStatus, .notices])))
        #expect(bench.engine.folderNotices == [Bench.folder: [Self.conflict]])
        #expect(bench.registry(Self.set([Self.conflict])) == [.reply(CallToken(4), .done)])
        var two = Self.conflict
        two.count = 2
        #expect(bench.registry(Self.set([two])).contains(.propertiesChanged(.notices)))
        #expect(bench.registry(Self.set([])).contains(.propertiesChanged(.notices)))
        #expect(bench.engine.folderNotices.isEmpty)
    }

    @Test("Notices go with their provider, its folder, or when it is switched off, and come back when switched on")
    func withdrawing() {
        var bench = Bench()
        bench.register("other", "p2", [Bench.uri("/home/Other")])
        _ = bench.registry(Self.set([Self.conflict]))
        _ = bench.registry(Self.set([Self.conflict], of: Bench.uri("/home/Other")), by: "p2")
        #expect(bench.settings(.disable("cloud")).contains(.propertiesChanged([.folders, .folderStatus, .notices])))
        #expect(Array(bench.engine.folderNotices.keys) == [Bench.uri("/home/Other")])
        _ = bench.settings(.enable("cloud"))
        #expect(bench.engine.folderNotices.count == 2)
        #expect(bench.send(.peerLeft("p1")).contains(.propertiesChanged(.notices)))
        bench.setFolders([FolderOffer(folder: Bench.uri("/home/Third"))], by: "p2")
        #expect(bench.engine.folderNotices.isEmpty)
        bench.setFolders([FolderOffer(folder: Bench.uri("/home/Other"))], by: "p2")
        #expect(bench.engine.folderNotices.isEmpty)
    }

    @Test("Too many or too long is LimitExceeded, unnamed or twice the same is InvalidArgs; the call changes nothing")
    func limits() {
        var bench = Bench()
        let long = { (count: Int) in String(repeating: "\u{E4}", count: count) }
        let many = { (count: Int) in (0..<count).map { FolderNotice(id: "\($0)", title: "T") } }
        let acting = { (ids: [String]) in
            FolderNotice(id: "a", title: "T", actions: ids.map { FolderNotice.Action(id: $0, label: "L") })
        }
        let refused: [([FolderNotice], RoundelError.Code)] = [
            (many(17), .limitExceeded), ([FolderNotice(id: "a", title: long(257))], .limitExceeded),
            ([FolderNotice(id: long(257), title: "T")], .limitExceeded),
            ([FolderNotice(id: "a", title: "T", text: long(1025))], .limitExceeded),
            ([acting(["1", "2", "3", "4"])], .limitExceeded), ([acting([long(257)])], .limitExceeded),
            ([acting(["1", "1"])], .invalidArguments), ([acting([""])], .invalidArguments),
            (many(2) + many(1), .invalidArguments), ([FolderNotice(id: "", title: "T")], .invalidArguments),
            ([FolderNotice(id: "a", title: "")], .invalidArguments),
        ]
        for (notices, code) in refused {
            let answer = bench.registry(Self.set(notices))
            #expect(answer.errors == [code] && answer.count == 1)
        }
        #expect(bench.engine.folderNotices.isEmpty && bench.engine.folderStatus[Bench.folder] == .unknown)
        let most = FolderNotice(
            id: long(256), title: long(256), text: long(1024),
            actions: (0..<3).map { .init(id: "\($0)" + long(255), label: long(256)) })
        #expect(bench.registry(Self.set(many(15) + [most])).replies == [.done])
        #expect(most.shortened == most)
        let endless = FolderNotice(
            id: "a", title: long(900), text: long(5000), actions: [.init(id: "1", label: long(300))])
        #expect(bench.registry(Self.set([endless.shortened])).replies == [.done])
    }

    @Test("An action of a notice goes to its provider with the folder as the target, and reports its end")
    func acting() {
        var bench = Bench()
        _ = bench.registry(Self.set([Self.conflict]))
        #expect(bench.host(Self.choose("conflicts", "none")).errors == [.unknownItem])
        #expect(bench.host(Self.choose("none", "show")).errors == [.unknownItem])
        #expect(bench.host(Self.choose("conflicts", "show", of: Bench.uri("/x"))).errors == [.unknownItem])
        let chosen = bench.host(Self.choose("conflicts", "both:7"), by: "local:notifications")
        let options = ActivationOptions(activationToken: "t")
        #expect(chosen.replies == [.done])
        #expect(
            chosen.questions.map(\.request) == [
                .activate(item: "both:7", target: Bench.folder, selection: [], options)
            ])
        #expect(
            bench.answer(chosen, .done) == [
                .signalActionFinished(
                    client: "local:notifications", FinishedAction(menu: 0, item: "cloud/both:7", outcome: .done))
            ])
        let second = bench.host(Self.choose("conflicts", "show"))
        #expect(
            bench.answer(second, .failed(name: "x.E", message: "No file manager."))
                .contains(
                    .showReport(ActionReport(provider: "cloud", label: "Show", message: "No file manager."))))
        var other = Self.conflict
        other.actions[0].id = "both:8"
        _ = bench.registry(Self.set([other]))
        #expect(bench.host(Self.choose("conflicts", "both:7")).errors == [.unknownItem])
        _ = bench.registry(Self.set([]))
        #expect(bench.host(Self.choose("conflicts", "show")).errors == [.unknownItem])
    }

    @Test("E10: a provider that fails three times in a row is named, and can be turned off; an answer ends it")
    func trouble() throws {
        var bench = Bench()
        let wrong = ProviderAnswer.menu([MenuItem(id: "")])
        func fail(_ times: Int, _ answer: ProviderAnswer) -> [[Action]] {
            (0..<times).map { _ in bench.answer(bench.host(MenuTests.items), answer) }
        }
        _ = fail(2, wrong)
        #expect(bench.engine.troubledProviders.isEmpty)
        let told = fail(1, wrong).last ?? []
        #expect(told.contains(.propertiesChanged(.notices)))
        #expect(bench.engine.troubledProviders.map(\.trouble) == [.wrong])
        #expect(bench.engine.troubledProviders.map(\.folder) == [Bench.folder])
        let again = fail(1, .menu([])).last ?? []
        #expect(again.contains(.propertiesChanged(.notices)) && bench.engine.troubledProviders.isEmpty)
        // Whether it is late says nothing: only what never comes counts.
        for _ in 0..<3 {
            let asked = bench.host(MenuTests.items)
            _ = bench.advance(milliseconds: 100)
            _ = bench.answer(asked, .menu([]))
        }
        #expect(bench.engine.troubledProviders.isEmpty)
        for _ in 0..<3 {
            _ = bench.host(MenuTests.items)
            _ = bench.advance(milliseconds: 50)
            _ = bench.advance(milliseconds: 20_000)
        }
        #expect(bench.engine.troubledProviders.map(\.trouble) == [.silent])
        let off = HostRequest.activateNotice(
            Bench.folder, notice: TroubledProvider.notice, action: TroubledProvider.turnOff, ActivationOptions())
        #expect(bench.host(off).replies == [.done])
        #expect(bench.engine.troubledProviders.isEmpty && bench.host(MenuTests.items).questions.isEmpty)
        #expect(bench.host(off).errors == [.unknownItem])
    }

    @Test("E7: a failure is shown to the person unless the host says that it does so itself")
    func failures() throws {
        for showsResult in [false, true] {
            var bench = Bench()
            let given = bench.answer(bench.host(MenuTests.items), .menu([MenuItem(id: "go", label: "Go")]))
            let menu = try #require(MenuTests.menu(given)?.id)
            let options = ActivationOptions(showsResult: showsResult)
            let go = { (bench: inout Bench) in
                bench.host(.activate(menu: menu, item: "cloud/go", options))
            }
            #expect(bench.answer(go(&bench), .done).count == 1)
            #expect(bench.answer(go(&bench), .failed(name: "org.roundel.Error.Cancelled", message: "")).count == 1)
            let failure = ActionReport(provider: "cloud", label: "Go", message: "broken")
            let failed = bench.answer(go(&bench), .failed(name: "x.E", message: "broken"))
            #expect(failed.contains(.showReport(failure)) == !showsResult)
            let answer = ActionReport(provider: "cloud", label: "Go", message: "It is a link.", hasFailed: false)
            let told = bench.answer(go(&bench), .product(.message("It is a link.")))
            #expect(told.contains(.showReport(answer)) == !showsResult)
            _ = go(&bench)
            let shown = bench.send(.peerLeft("p1")).contains { if case .showReport = $0 { true } else { false } }
            #expect(shown == !showsResult)
        }
    }
}

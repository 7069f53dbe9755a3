import RoundelBus
import TestSupport
import Testing

@testable import BadgeEngine

@Suite("Folders of different providers that lie in one another take a person's consent")
struct ConsentTests {
    private static let inner = Bench.uri("/home/Cloud/Inner")

    private func waiting(_ actions: [Action]) -> [ItemURI]? {
        actions.replies.compactMap { if case .registered(let waiting) = $0 { waiting } else { nil } }.first
    }

    @Test(
        "Whoever comes later waits, above and below, and shows nothing; the first one goes on",
        arguments: ["/home/Cloud/Inner", "/home/Cloud/a/b", "/home"])
    func laterWaits(_ path: String) {
        var bench = Bench()
        let folder = Bench.uri(path)
        #expect(waiting(bench.register("second", "p2", [folder, Bench.uri("/other")])) == [folder])
        #expect(bench.engine.folders == [Bench.folder, Bench.uri("/other")])
        #expect(bench.engine.waitingFolders.map(\.folder) == [folder])
        #expect(bench.host(.beginObserving(Bench.folder)).notices == [.beginObserving(Bench.folder)])
        let asked = bench.host(.requestBadges(Bench.folder, Bench.names("Inner", "a")))
        #expect(asked.questions.map(\.endpoint.connection) == ["p1"])
        #expect(bench.update(path, [("x", "synced")], by: "p2").errors == [.consentNeeded])
        #expect(bench.update("/other", [("x", "synced")], by: "p2").errors.isEmpty)
        #expect(bench.update("/home/Cloud", [("a", "synced")]).errors.isEmpty)
        let menu = bench.host(.getMenu(kind: 0, target: nil, selection: [Self.inner]))
        #expect(menu.questions.map(\.endpoint.connection) == ["p1"])
    }

    @Test("Folders beside one another, and those of one provider, take no consent")
    func beside() {
        var bench = Bench()
        #expect(waiting(bench.register("second", "p2", [Bench.uri("/home/Cloud-2"), Bench.uri("/home/Clou")])) == nil)
        #expect(
            waiting(bench.setFolders([FolderOffer(folder: Bench.folder), FolderOffer(folder: Bench.uri("/x"))])) == nil)
        #expect(bench.engine.waitingFolders.isEmpty)
    }

    @Test("What is allowed is shown at once, its status with it; hosts begin again, and the state is saved")
    func allowed() throws {
        var bench = Bench()
        bench.register("second", "p2", [Self.inner])
        let status = FolderStatus(state: .idle, text: "Fine", progress: 255)
        #expect(bench.registry(.setFolderStatus(Self.inner, status, []), by: "p2").replies == [.done])
        #expect(bench.engine.folderStatus[Self.inner] == nil)
        _ = bench.host(.beginObserving(Self.inner))
        let allowed = bench.settings(.allow("second", Self.inner))
        #expect(allowed.replies == [.done] && allowed.resets == ["h1"] && allowed.contains(.persist))
        #expect(bench.engine.folders == [Bench.folder, Self.inner] && bench.engine.waitingFolders.isEmpty)
        #expect(bench.engine.folderStatus[Self.inner] == status)
        #expect(bench.update("/home/Cloud/Inner", [("x", "synced")], by: "p2").errors.isEmpty)
        #expect(bench.settings(.allow("second", Self.inner)).replies == [.done])
        #expect(bench.settings(.allow("second", Bench.folder)).errors == [.unknownFolder])
        #expect(bench.settings(.allow("nobody", Self.inner)).errors == [.unknownProvider])
    }

    @Test("A provider syncs a folder that waits: its changes are told and Flush is answered")
    func goesOn() {
        var bench = Bench()
        let registered = bench.register("second", "p2", [Self.inner], watch: true)
        #expect(
            registered.contains(
                .setWatchedFolders([
                    WatchedFolder(folder: Bench.folder, tree: false), WatchedFolder(folder: Self.inner, tree: true),
                ])))
        let changes = FolderChanges(folder: Self.inner, directories: [], items: [], overflow: true)
        let told = bench.send(.itemsChanged(changes))
        #expect(told.questions.map(\.request) == [.itemsChanged(changes)])
        _ = bench.answer(told, .done)
        let flush = bench.registry(.flush(Self.inner), by: "p2")
        guard case .flushWatcher(let token, Self.inner)? = flush.first else {
            Issue.record("the watcher is not asked")
            return
        }
        #expect(bench.send(.flushed(token)).replies == [.done])
    }

    @Test("What is allowed is these two folders: neither a third provider nor another folder of either is")
    func exact() {
        var bench = Bench()
        bench.registerAllowed("second", "p2", [Self.inner])
        #expect(waiting(bench.register("third", "p3", [Bench.uri("/home")])) == [Bench.uri("/home")])
        #expect(waiting(bench.register("fourth", "p4", [Bench.uri("/home/Cloud/Inner/x")])) != nil)
        let deeper = FolderOffer(folder: Bench.uri("/home/Cloud/Other"))
        let more = bench.setFolders([FolderOffer(folder: Self.inner), deeper], by: "p2")
        #expect(waiting(more) == [deeper.folder])
        #expect(bench.engine.folders == [Bench.folder, Self.inner])
        // The one that lies above two others takes the consent for both.
        _ = bench.settings(.allow("third", Bench.uri("/home")))
        #expect(bench.engine.folders == [Bench.uri("/home"), Bench.folder, Self.inner])
    }

    @Test("A folder waits for as long as the other is there; one that unregistered and comes back was there first")
    func comesAndGoes() {
        var bench = Bench()
        bench.register("second", "p2", [Self.inner])
        _ = bench.registry(.unregister)
        #expect(bench.engine.folders == [Self.inner])
        bench.register("cloud", "p1", [Bench.folder])
        #expect(bench.engine.folders == [Bench.folder])
        _ = bench.settings(.disable("cloud"))
        #expect(bench.engine.folders == [Self.inner])
        _ = bench.settings(.enable("cloud"))
        #expect(bench.engine.folders == [Bench.folder])
        // What it gives up while it runs it has given up.
        bench.setFolders([])
        bench.setFolders([FolderOffer(folder: Bench.folder)])
        #expect(bench.engine.folders == [Self.inner] && bench.engine.waitingFolders.map(\.folder) == [Bench.folder])
    }

    @Test(
        "One that waits for two does not take the place of the later one when the earlier one goes",
        arguments: [false, true])
    func overtaken(overRestart: Bool) throws {
        let outer = Bench.uri("/home"), beside = Bench.uri("/home/Other")
        var bench = Bench()
        #expect(waiting(bench.register("second", "p2", [outer])) == [outer])
        #expect(waiting(bench.register("third", "p3", [beside])) == nil)
        #expect(bench.engine.folders == [Bench.folder, beside])
        _ = bench.registry(.unregister)
        if overRestart {
            let state = bench.engine.savedState
            bench = Bench(registered: false)
            _ = bench.send(.restored(state))
            // What is installed is known before anybody comes back.
            bench.install(["cloud", "second", "third"])
            bench.register("second", "p2", [outer])
            bench.register("third", "p3", [beside])
        }
        #expect(bench.engine.folders == [beside] && bench.engine.waitingFolders.map(\.folder) == [outer])
        bench.register("cloud", "p1", [Bench.folder])
        #expect(bench.engine.folders == [Bench.folder, beside])
        _ = bench.settings(.allow("second", outer))
        #expect(bench.engine.folders == [outer, Bench.folder, beside])
    }

    @Test("Whoever goes, nobody who is shown has to wait for it")
    func departures() {
        var random = SeededRandom(for: "ConsentTests.departures")
        let places = ["/h", "/h/a", "/h/a/x", "/h/a/y", "/h/b", "/h/b/x", "/g"].map(Bench.uri)
        let ids = ["p", "q", "r", "s", "t"]
        for _ in 0..<200 {
            var bench = Bench(registered: false)
            for step in 0..<40 {
                let id = random.pick(ids)
                let before = bench.engine.folders
                let own = (bench.engine.providers.records.first { $0.key.rawValue == id }?.value.folders ?? []).map(
                    \.offer.folder)
                switch random.below(5) {
                case 0, 1: bench.register(id, "c" + id, [random.pick(places)])
                case 2: _ = bench.settings(.allow(id, random.pick(places)))
                case 3:
                    _ = bench.send(.peerLeft("c" + id))
                    #expect(Set(before).subtracting(own).isSubset(of: bench.engine.folders), "step \(step)")
                default:
                    _ = bench.settings(.disable(id))
                    #expect(Set(before).subtracting(own).isSubset(of: bench.engine.folders), "step \(step)")
                }
            }
        }
    }

    @Test("Over a restart who waits goes on to wait, and what was allowed stays so, whoever comes back first")
    func restart() throws {
        for isAllowed in [false, true] {
            for first in ["cloud", "a-second"] {
                var before = Bench()
                before.register("a-second", "p2", [Self.inner])
                if isAllowed { _ = before.settings(.allow("a-second", Self.inner)) }
                // The programs end in good order, and roundeld after them.
                _ = before.registry(.unregister)
                var bench = Bench(registered: false)
                _ = bench.send(.restored(before.engine.savedState))
                bench.install(["cloud", "a-second"])
                for id in [first, first == "cloud" ? "a-second" : "cloud"] {
                    bench.register(id, id, [id == "cloud" ? Bench.folder : Self.inner])
                }
                #expect(bench.engine.folders == [Bench.folder] + (isAllowed ? [Self.inner] : []), "\(first)")
            }
        }
    }

    @Test("What an earlier version, which asked nobody, showed is shown on; what comes later waits")
    func earlierVersion() throws {
        var bench = Bench(registered: false)
        let cloud = try #require(ProviderID("cloud")), second = try #require(ProviderID("second"))
        let state = SavedState(
            providers: [
                cloud: .init(enabled: true, folders: [FolderOffer(folder: Bench.folder)]),
                second: .init(enabled: true, folders: [FolderOffer(folder: Self.inner)]),
            ], allowed: nil)
        _ = bench.send(.restored(state))
        #expect(bench.engine.folders == [Bench.folder, Self.inner])
        bench.install(["cloud", "second"])
        bench.register("second", "p2", [Self.inner])
        bench.register("cloud", "p1", [Bench.folder])
        #expect(bench.engine.folders == [Bench.folder, Self.inner])
        #expect(waiting(bench.register("third", "p3", [Bench.uri("/home")])) != nil)
    }

    @Test("What is taken back waits again, though it was there first; Forget forgets what was allowed")
    func takenBack() {
        var bench = Bench()
        bench.registerAllowed("second", "p2", [Self.inner])
        _ = bench.settings(.disallow("cloud", Bench.folder))
        #expect(bench.engine.folders == [Self.inner] && bench.engine.waitingFolders.map(\.folder) == [Bench.folder])
        #expect(bench.settings(.disallow("cloud", Bench.uri("/x"))).errors == [.unknownFolder])
        _ = bench.settings(.allow("cloud", Bench.folder))
        #expect(bench.engine.folders.count == 2)
        _ = bench.send(.peerLeft("p2"))
        _ = bench.settings(.forget("second"))
        bench.register("second", "p2", [Self.inner])
        #expect(bench.engine.folders == [Bench.folder])
    }

    @Test("A link that comes to lead into another's folder takes none of it, not even if it was there first")
    func linked() {
        var bench = Bench(registered: false)
        bench.register("thief", "p2", [Bench.uri("/tmp/link/Inner")])
        bench.register("cloud", "p1", [Bench.folder])
        let facts = FolderFacts(folder: Bench.uri("/tmp/link/Inner"), kind: .directory, spellings: [Self.inner])
        _ = bench.send(.folderChanged(facts))
        #expect(bench.engine.folders == [Bench.folder])
        _ = bench.host(.beginObserving(Self.inner))
        let asked = bench.host(.requestBadges(Self.inner, Bench.names("x")))
        #expect(asked.questions.map(\.endpoint.connection) == ["p1"])
        // Registered again, it is as it was.
        bench.setFolders([FolderOffer(folder: facts.folder)], by: "p2", spellings: facts.spellings)
        #expect(bench.engine.folders == [Bench.folder])
    }

    @Test("A place that somebody waits for is taken")
    func takenWhileWaiting() {
        var bench = Bench()
        bench.register("second", "p2", [Self.inner])
        #expect(bench.register("third", "p3", [Self.inner]).errors == [.folderTaken])
    }

    @Test("The button of the notice consents; no action of a provider's does")
    func button() {
        var bench = Bench()
        bench.register("second", "p2", [Self.inner])
        func press(_ notice: String, _ action: String) -> HostRequest {
            .activateNotice(Self.inner, notice: notice, action: action, ActivationOptions())
        }
        #expect(bench.host(press(WaitingFolder.notice, "x")).errors == [.unknownItem])
        #expect(bench.host(press("x", WaitingFolder.allow)).errors == [.unknownItem])
        #expect(bench.engine.folders == [Bench.folder])
        #expect(bench.host(press(WaitingFolder.notice, WaitingFolder.allow)).replies == [.done])
        #expect(bench.engine.folders == [Bench.folder, Self.inner])
        #expect(bench.host(press(WaitingFolder.notice, WaitingFolder.allow)).errors == [.unknownItem])
    }

    @Test("More than the bound cannot be allowed, and nothing of it is")
    func bound() {
        var bench = Bench(registered: false)
        // Two providers beside one another; a third above both has twice as many folders below it.
        let count = Limits.foldersPerProvider
        for (number, id) in ["a", "b", "c", "d", "e"].enumerated() {
            bench.register(id, "p\(id)", (0..<(number < 4 ? count : 1)).map { Bench.uri("/h/\(id)/\($0)") })
        }
        bench.register("above", "p9", [Bench.uri("/h")])
        #expect(bench.settings(.allow("above", Bench.uri("/h"))).errors == [.limitExceeded])
        #expect(bench.engine.allowedNestings.isEmpty && bench.engine.waitingFolders.count == 1)
        _ = bench.send(.peerLeft("pe"))
        _ = bench.settings(.forget("e"))
        #expect(bench.settings(.allow("above", Bench.uri("/h"))).errors.isEmpty)
        #expect(bench.engine.allowedNestings.count == Limits.consents && bench.engine.waitingFolders.isEmpty)
    }

    @Test("No more text can be allowed than the bound", arguments: [4, 5])
    func text(providers: Int) {
        var bench = Bench(registered: false)
        // Fewer nestings than the other bound; of five providers together their folders' URIs are more than this one.
        let place = "/h/" + String(repeating: "x", count: 240)
        let deep = place + String(repeating: "/" + String(repeating: "y", count: 240), count: 3)
        for id in ["a", "b", "c", "d", "e"].prefix(providers) {
            bench.register(id, "p\(id)", (0..<200).map { Bench.uri("\(deep)/\(id)\($0)") })
        }
        bench.register("above", "p9", [Bench.uri(place)])
        let isWithin = providers == 4
        #expect(bench.settings(.allow("above", Bench.uri(place))).errors == (isWithin ? [] : [.limitExceeded]))
        #expect(bench.engine.allowedNestings.count == (isWithin ? 800 : 0))
    }

    @Test("The list names what waits, and what it lies above or below")
    func listed() throws {
        var bench = Bench()
        bench.register("second", "p2", [Self.inner])
        guard case .providers(let rows)? = bench.settings(.list).replies.first else {
            Issue.record("no list")
            return
        }
        let cloud = try #require(ProviderID("cloud"))
        #expect(
            rows.map(\.waiting) == [
                [], [ProviderSummary.Waiting(folder: Self.inner, provider: cloud, other: Bench.folder)],
            ])
    }
}

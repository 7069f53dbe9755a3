import RoundelBus
import Testing

@testable import BadgeEngine

/// Providers that come, go, and come again.
@Suite("The life of providers")
struct ProviderLifeTests {
    private let cloud: ProviderID

    init() throws { cloud = try #require(ProviderID("cloud")) }

    @Test("A provider without a manifest takes its folders along when it goes: nothing would bring it back")
    func ghosts() {
        var bench = Bench(hasManifests: false)
        _ = bench.host(.beginObserving(Bench.folder))
        _ = bench.answer(bench.host(BadgeTests.ask), Bench.answer("synced", ""))
        _ = bench.registry(.setFolderStatus(Bench.folder, FolderStatus(state: .syncing), []))
        #expect(bench.engine.savedState == SavedState())
        let gone = bench.send(.peerLeft("p1"))
        #expect(gone.resets == ["h1"] && gone.signals.isEmpty)
        #expect(bench.engine.folders.isEmpty && bench.engine.folderStatus.isEmpty)
        #expect(bench.settings(.list).replies == [.providers([])])
        #expect(bench.register("cloud", "p2", [Bench.folder]).replies == [.done, .done])
    }

    @Test("Ghosts that an earlier run left are forgotten once the manifests are known; that one is off stays")
    func restoredGhosts() throws {
        var bench = Bench(registered: false)
        let off = try #require(ProviderID("off"))
        let folders = [FolderOffer(folder: Bench.folder)]
        let state = SavedState(providers: [
            cloud: .init(enabled: true, folders: folders), off: .init(enabled: false, folders: folders),
        ])
        _ = bench.send(.restored(state))
        #expect(bench.install("other", owner: nil).contains(.persist))
        #expect(bench.engine.folders.isEmpty)
        #expect(bench.engine.savedState == SavedState(providers: [off: .init(enabled: false, folders: [])]))
    }

    @Test("A provider that ended is started again; one that unregistered on purpose is not, until a person enables it")
    func farewell() {
        var bench = Bench()
        #expect(bench.send(.peerLeft("p1")).starts == ["cloud"])
        bench.register("cloud", "p2", [Bench.folder])
        #expect(bench.registry(.unregister, by: "p2").starts.isEmpty)
        #expect(bench.send(.peerLeft("p2")).starts.isEmpty)
        #expect(bench.install("cloud", owner: nil).starts.isEmpty)
        #expect(bench.settings(.enable("cloud")).starts == ["cloud"])
        bench.register("cloud", "p3", [Bench.folder])
        #expect(bench.send(.peerLeft("p3")).starts == ["cloud"])
    }

    @Test("A provider that takes its name and ends before it registers is started again")
    func diedBeforeRegister() {
        var bench = Bench(registered: false)
        #expect(bench.install("cloud", owner: nil).starts == ["cloud"])
        #expect(bench.install("cloud", owner: "p1").starts.isEmpty)
        #expect(bench.install("cloud", owner: nil).starts == ["cloud"])
        #expect(bench.settings(.disable("cloud")).starts.isEmpty)
        _ = bench.install("cloud", owner: "p2")
        #expect(bench.install("cloud", owner: nil).starts.isEmpty)
    }

    @Test("Whoever has the id that a manifest gives to another loses it with its folders, and the right one is started")
    func squatter() {
        var bench = Bench(hasManifests: false)
        #expect(bench.engine.folders == [Bench.folder])
        let installed = bench.install("cloud", owner: nil)
        #expect(installed.starts == ["cloud"])
        #expect(bench.engine.folders.isEmpty)
        #expect(bench.update("/home/Cloud", [("a", "synced")]).errors == [.notRegistered])
        bench.install("cloud", owner: "p7")
        #expect(bench.register("cloud", "p1", []).errors == [.identityTaken, .notRegistered])
        #expect(bench.register("cloud", "p7", [Bench.folder]).errors.isEmpty)
    }

    @Test("The program that a manifest means keeps its registration when the manifest is installed")
    func manifestComesLater() {
        var bench = Bench(hasManifests: false)
        #expect(bench.install("cloud", owner: "p1").starts.isEmpty)
        #expect(bench.engine.folders == [Bench.folder])
        #expect(bench.update("/home/Cloud", [("a", "synced")]).errors.isEmpty)
    }

    @Test("Forget: what is remembered of a provider that does not run goes; one that runs is refused")
    func forget() {
        var bench = Bench()
        #expect(bench.settings(.forget("nobody")).errors == [.unknownProvider])
        #expect(bench.settings(.forget("cloud")).errors == [.providerRunning])
        #expect(bench.engine.folders == [Bench.folder])
        _ = bench.send(.peerLeft("p1"))
        let forgotten = bench.settings(.forget("cloud"))
        #expect(forgotten.replies == [.done] && forgotten.contains(.persist))
        #expect(bench.engine.folders.isEmpty && bench.engine.savedState == SavedState())
        var stranger = Bench(hasManifests: false)
        _ = stranger.settings(.disable("cloud"))
        _ = stranger.send(.peerLeft("p1"))
        #expect(stranger.engine.savedState.providers[cloud] == .init(enabled: false, folders: []))
        #expect(stranger.settings(.forget("cloud")).contains(.persist))
        #expect(stranger.engine.savedState == SavedState())
        #expect(stranger.settings(.forget("cloud")).errors == [.unknownProvider])
    }

    @Test(
        "E8: a provider whose manifest begins with it off is started only once a person enables it, also after a restart"
    )
    func offAtFirst() {
        let manifest = Manifest(id: cloud, name: "Cloud", icon: "", busName: "org.cloud.One", beginning: .off)
        var bench = Bench(registered: false)
        #expect(bench.send(.manifests([manifest])).starts.isEmpty)
        #expect(bench.engine.savedState == SavedState())
        var restarted = Bench(registered: false)
        #expect(bench.settings(.enable("cloud")).starts == ["cloud"])
        let saved = bench.engine.savedState
        #expect(saved.providers[cloud] == .init(enabled: true, folders: []))
        _ = restarted.send(.restored(saved))
        #expect(restarted.send(.manifests([manifest])).starts == ["cloud"])
        #expect(restarted.settings(.disable("cloud")).replies == [.done])
        #expect(restarted.engine.savedState.providers[cloud] == .init(enabled: false, folders: []))
        // Removed and installed again, it is asked for again.
        _ = bench.send(.manifests([]))
        #expect(bench.send(.manifests([manifest])).starts.isEmpty)
    }

    /// A provider that was just installed.
    private func newcomer(_ id: ProviderID) -> Manifest {
        Manifest(id: id, name: "Cloud", summary: "Syncs", icon: "", busName: "org.cloud.One", beginning: .asks)
    }

    @Test("E8: a provider that was just installed is off until the person says yes, and what was said is kept")
    func newcomers() throws {
        var bench = Bench(registered: false)
        let installed = bench.send(.manifests([newcomer(cloud)]))
        #expect(installed.starts.isEmpty && installed.contains(.propertiesChanged(.newProviders)))
        let question = NewProvider(provider: cloud, name: "Cloud", summary: "Syncs")
        #expect(bench.engine.newProviders == [question])
        // Nothing was said, so that it is asked again after a restart.
        var restarted = Bench(registered: false)
        _ = restarted.send(.restored(bench.engine.savedState))
        #expect(restarted.send(.manifests([newcomer(cloud)])).starts.isEmpty)
        #expect(restarted.engine.newProviders == [question])
        let yes = restarted.settings(.enable("cloud"))
        #expect(yes.starts == ["cloud"] && yes.contains(.persist))
        #expect(yes.contains(.propertiesChanged(.newProviders)) && restarted.engine.newProviders.isEmpty)
        var again = Bench(registered: false)
        _ = again.send(.restored(restarted.engine.savedState))
        #expect(again.send(.manifests([newcomer(cloud)])).starts == ["cloud"])
        // Removed and installed again, it is asked about again.
        _ = again.send(.manifests([]))
        #expect(again.send(.manifests([newcomer(cloud)])).starts.isEmpty)
        #expect(again.engine.newProviders == [question])
    }

    @Test("E8: a new provider that the person does not want stays off, and is not asked about again")
    func unwanted() throws {
        var bench = Bench(registered: false)
        _ = bench.send(.manifests([newcomer(cloud)]))
        let no = bench.settings(.disable("cloud"))
        #expect(no.replies == [.done] && no.contains(.persist) && no.contains(.propertiesChanged(.newProviders)))
        #expect(bench.engine.newProviders.isEmpty)
        var restarted = Bench(registered: false)
        _ = restarted.send(.restored(bench.engine.savedState))
        #expect(restarted.send(.manifests([newcomer(cloud)])).starts.isEmpty)
        #expect(restarted.engine.newProviders.isEmpty)
    }

    @Test("E8: what a new provider registers shows nothing, and does not count as an answer of the person")
    func newcomerRegisters() throws {
        var bench = Bench(registered: false, hasManifests: false)
        var manifest = newcomer(cloud)
        manifest.owner = "p1"
        _ = bench.send(.manifests([manifest]))
        bench.register("cloud", "p1", [Bench.folder])
        #expect(bench.engine.folders.isEmpty)
        var restarted = Bench(registered: false)
        _ = restarted.send(.restored(bench.engine.savedState))
        _ = restarted.send(.manifests([newcomer(cloud)]))
        #expect(restarted.engine.newProviders.count == 1 && restarted.engine.folders.isEmpty)
        _ = restarted.settings(.enable("cloud"))
        #expect(restarted.engine.folders == [Bench.folder])
    }

    @Test("E8: what an earlier version found installed stays on; what is installed later is asked about")
    func upgraded() throws {
        var bench = Bench(registered: false)
        let off = try #require(ProviderID("off"))
        let later = try #require(ProviderID("later"))
        _ = bench.send(
            .restored(SavedState(providers: [off: .init(enabled: false, folders: [])], hasAsked: false)))
        let first = bench.send(.manifests([newcomer(cloud), newcomer(off)]))
        #expect(first.starts == ["cloud"] && first.contains(.persist))
        #expect(bench.engine.newProviders.isEmpty)
        #expect(bench.engine.savedState.providers[cloud]?.enabled == true)
        #expect(bench.engine.savedState.providers[off]?.enabled == false)
        #expect(bench.send(.manifests([newcomer(cloud), newcomer(off), newcomer(later)])).starts.isEmpty)
        #expect(bench.engine.newProviders.map(\.provider) == [later])
    }

    @Test("What is to outlive a crash is written before the call is answered")
    func savedFirst() throws {
        var bench = Bench()
        func isSavedFirst(_ actions: [Action]) -> Bool {
            let saved = actions.firstIndex(of: .persist)
            let answered = actions.firstIndex { if case .reply(_, .done) = $0 { true } else { false } }
            return saved.map { saved in answered.map { saved < $0 } ?? false } ?? false
        }
        #expect(isSavedFirst(bench.setFolders([FolderOffer(folder: Bench.uri("/home/Other"))])))
        #expect(isSavedFirst(bench.settings(.disable("cloud"))))
        #expect(isSavedFirst(bench.settings(.enable("cloud"))))
        #expect(isSavedFirst(bench.registry(.unregister)))
    }
}

import RoundelBus
import Testing

@testable import BadgeEngine

@Suite("The calls of providers")
struct RegistryTests {
    @Test("Before Register every call is refused")
    func notRegistered() {
        var bench = Bench(registered: false)
        for request in [
            RegistryRequest.setFolders([]), .setBadgeImages([]), .updateBadges(Bench.folder, BadgeColumns()),
            .setFolderStatus(Bench.folder, .unknown, []), .flush(Bench.folder), .unregister,
        ] {
            #expect(bench.registry(request).errors == [.notRegistered])
        }
    }

    @Test("An id belongs to its first connection while that lives, or to the owner of its manifest's bus name")
    func identity() throws {
        var bench = Bench(hasManifests: false)
        let cloud = RegistryRequest.register(ProviderRegistration(object: "/p", id: "cloud"))
        #expect(bench.registry(cloud, by: "p2").errors == [.identityTaken])
        #expect(bench.registry(.register(ProviderRegistration(object: "/p", id: "two"))).errors == [.identityTaken])
        _ = bench.send(.peerLeft("p1"))
        #expect(bench.registry(cloud, by: "p2").replies == [.done])
        let id = try #require(ProviderID("mani"))
        var manifest = Manifest(id: id, name: "Mani", icon: "", busName: "org.example.Mani")
        #expect(bench.send(.manifests([manifest])).contains(.activateProvider(id, busName: "org.example.Mani")))
        let mani = RegistryRequest.register(ProviderRegistration(object: "/p", id: "mani"))
        #expect(bench.registry(mani, by: "p3").errors == [.identityTaken])
        manifest.owner = "p3"
        _ = bench.send(.manifests([manifest]))
        #expect(bench.registry(mani, by: "p3").replies == [.done])
        #expect(bench.send(.peerLeft("p3")).contains(.activateProvider(id, busName: "org.example.Mani")))
        #expect(
            bench.registry(.register(ProviderRegistration(object: "/p", id: "Bad")), by: "p4").errors == [
                .invalidArguments
            ])
    }

    @Test(
        "A root, a file and a symlink cannot be registered; what is missing can",
        arguments: [
            ("/", FolderFacts.Kind.directory, RoundelError.Code.invalidURI),
            ("/x", .file, .invalidURI), ("/x", .symlink, .invalidURI), ("/x", .missing, nil), ("/x", .directory, nil),
        ] as [(String, FolderFacts.Kind, RoundelError.Code?)])
    func places(_ path: String, _ kind: FolderFacts.Kind, _ error: RoundelError.Code?) {
        var bench = Bench()
        let actions = bench.setFolders([FolderOffer(folder: Bench.uri(path))], kind: kind)
        #expect(actions.errors == (error.map { [$0] } ?? []))
        #expect(bench.engine.folders == [error == nil ? Bench.uri(path) : Bench.folder])
    }

    @Test("The same folder twice and nesting within one provider are refused; the refused call changes nothing")
    func taken() {
        var bench = Bench()
        let offers = { (paths: [String]) in paths.map { FolderOffer(folder: Bench.uri($0)) } }
        #expect(bench.setFolders(offers(["/a", "/a"])).errors == [.folderTaken])
        #expect(bench.setFolders(offers(["/a", "/b", "/a/b/c"])).errors == [.folderTaken])
        #expect(bench.register("other", "p2", [Bench.folder]).errors == [.folderTaken])
        #expect(bench.engine.folders == [Bench.folder])
        #expect(bench.setFolders(offers(["/a", "/a2"])).errors.isEmpty)
        #expect(bench.engine.folders == [Bench.uri("/a"), Bench.uri("/a2")])
    }

    @Test("Updates are refused outside one's folders, with foreign badges, and with unequal columns")
    func updates() {
        var bench = Bench()
        #expect(bench.update("/elsewhere", [("a", "synced")]).errors == [.notYourFolder])
        #expect(bench.update("/home/Cloud", [("a", "other.X")]).errors == [.badgeTaken])
        let ragged = BadgeColumns(names: Bench.names("a"), badges: [.synced], flags: [], progress: [255])
        #expect(bench.registry(.updateBadges(Bench.folder, ragged)).errors == [.invalidArguments])
        #expect(bench.update("/home", [("Cloud", "synced")]).replies == [.observed(false)])
        bench.registerAllowed("inner", "p2", [Bench.uri("/home/Cloud/Inner")])
        #expect(bench.update("/home/Cloud/Inner", [("a", "synced")]).errors == [.notYourFolder])
        let images = [BadgeImage(badge: Badge("other.X"), label: "", icon: "")]
        #expect(bench.registry(.setBadgeImages(images)).errors == [.badgeTaken])
    }

    @Test("The status of a folder stands in the property and is 0 when the provider goes")
    func status() {
        var bench = Bench()
        let status = FolderStatus(state: .syncing, text: "Syncing", progress: 40)
        #expect(bench.registry(.setFolderStatus(Bench.uri("/x"), status, [])).errors == [.notYourFolder])
        let set = bench.registry(.setFolderStatus(Bench.folder, status, []))
        #expect(set.contains(.propertiesChanged(.folderStatus)))
        #expect(bench.engine.folderStatus == [Bench.folder: status])
        _ = bench.send(.peerLeft("p1"))
        #expect(bench.engine.folderStatus == [Bench.folder: .unknown])
    }

    @Test("E2: what a provider that is switched off says of its folders is kept, and reported to nobody")
    func statusWhileOff() {
        var bench = Bench()
        _ = bench.settings(.disable("cloud"))
        let status = FolderStatus(state: .syncing, text: "Syncing", progress: 40)
        let set = bench.registry(.setFolderStatus(Bench.folder, status, []))
        #expect(set.replies == [.done])
        #expect(!set.contains { if case .propertiesChanged = $0 { true } else { false } })
        _ = bench.settings(.enable("cloud"))
        #expect(bench.engine.folderStatus == [Bench.folder: status])
        _ = bench.settings(.disable("cloud"))
        let gone = bench.send(.peerLeft("p1"))
        #expect(!gone.contains { if case .propertiesChanged = $0 { true } else { false } })
    }

    @Test("E2: providers are listed, disabled and enabled; an unknown one is refused")
    func settings() throws {
        var bench = Bench()
        #expect(bench.settings(.disable("nobody")).errors == [.unknownProvider])
        #expect(bench.settings(.openSettings("")).errors == [.unknownProvider])
        let disabled = bench.settings(.disable("cloud"))
        #expect(disabled.contains(.propertiesChanged([.folders, .folderStatus])) && disabled.contains(.persist))
        #expect(bench.engine.folders.isEmpty)
        let id = try #require(ProviderID("cloud"))
        #expect(
            bench.engine.savedState.providers[id]
                == .init(enabled: false, folders: [FolderOffer(folder: Bench.folder)], ranks: [Bench.folder: 1])
        )
        _ = bench.settings(.enable("cloud"))
        #expect(bench.engine.folders == [Bench.folder])
        let summary = ProviderSummary(
            id: id, name: "cloud", icon: "", enabled: true, running: true, folders: [Bench.folder],
            busName: "org.example.cloud", lastError: "")
        #expect(bench.settings(.list).replies == [.providers([summary])])
    }

    @Test("Folders are known after a restart, before their provider is back")
    func restored() throws {
        var bench = Bench(registered: false)
        let id = try #require(ProviderID("cloud"))
        let folders = [FolderOffer(folder: Bench.folder)]
        _ = bench.send(.restored(SavedState(providers: [id: .init(enabled: true, folders: folders)])))
        bench.install("cloud", owner: nil)
        #expect(bench.engine.folders == [Bench.folder])
        #expect(bench.host(.beginObserving(Bench.folder)).replies == [.monitored(true)])
        #expect(bench.host(BadgeTests.ask).badges == [["", ""]])
        let back = bench.register("cloud", "p1", [Bench.folder])
        #expect(back.notices == [.beginObserving(Bench.folder)] && back.questions.count == 1 && back.resets.isEmpty)
    }

    @Test("The toolbar item is Roundel's own unless exactly one provider gives one")
    func toolbarItem() {
        var bench = Bench()
        let item = ToolbarItem(name: "N", icon: "i", tooltip: "t")
        #expect(bench.engine.toolbarItem == .own)
        _ = bench.registry(.register(ProviderRegistration(object: "/p", id: "one", toolbarItem: item)), by: "p2")
        #expect(bench.engine.toolbarItem == item)
        _ = bench.registry(.register(ProviderRegistration(object: "/p", id: "two", toolbarItem: item)), by: "p3")
        #expect(bench.engine.toolbarItem == .own)
        #expect(bench.send(.peerLeft("p3")).contains(.propertiesChanged(.toolbarItem)))
    }
}

import BadgeEngine
import RoundelBus
import Testing

@Suite("Programs in a sandbox that want to be providers")
struct SandboxedProviderTests {
    private let id: ProviderID
    private let program: SandboxedProgram
    private let other: SandboxedProgram

    init() throws {
        id = try #require(ProviderID("cloud"))
        program = SandboxedProgram(app: try #require(SandboxedApp(.flatpak, "org.example.Cloud")), name: "The Cloud")
        other = SandboxedProgram(app: try #require(SandboxedApp(.snap, "other")))
    }

    /// Registers from a sandbox, with a name that the program says of itself.
    private func register(
        _ bench: inout Bench, _ id: String = "cloud", from program: SandboxedProgram?, at connection: String = "s1"
    ) -> [Action] {
        var registration = ProviderRegistration(object: "/p", id: id, name: "Your Bank")
        registration.program = program
        return bench.registry(.register(registration), by: connection)
    }

    private func saved(_ bench: Bench) -> SavedState.Provider? { bench.engine.savedState.providers[id] }

    private func row(_ bench: inout Bench) -> ProviderSummary? {
        for action in bench.settings(.list) {
            if case .reply(_, .providers(let rows)) = action { return rows.first { $0.id == id } }
        }
        return nil
    }

    @Test("It is refused and asked about by the name of its app; after the yes it may register, also after a restart")
    func consent() throws {
        var bench = Bench(registered: false, hasManifests: false)
        let asked = register(&bench, from: program)
        #expect(asked.errors == [.consentNeeded] && asked.contains(.propertiesChanged(.newProviders)))
        #expect(
            bench.engine.newProviders == [
                NewProvider(provider: id, name: "The Cloud", summary: "", app: program.app)
            ])
        let waiting = try #require(row(&bench))
        #expect(waiting.name == "The Cloud" && waiting.app == "flatpak:org.example.Cloud")
        #expect(waiting.isNew && !waiting.enabled && !waiting.running)
        // It may do nothing else meanwhile, and asks once.
        #expect(bench.setFolders([FolderOffer(folder: Bench.folder)], by: "s1").errors == [.notRegistered])
        #expect(!register(&bench, from: program).contains(.propertiesChanged(.newProviders)))
        #expect(bench.settings(.enable("cloud")).contains(.persist) && bench.engine.newProviders.isEmpty)
        #expect(saved(bench) == .init(enabled: true, folders: [], app: program.app))
        var restarted = Bench(registered: false, hasManifests: false)
        for isRestarted in [false, true] {
            if isRestarted { _ = restarted.send(.restored(bench.engine.savedState)) } else { restarted = bench }
            #expect(register(&restarted, from: program).replies == [.done])
            _ = restarted.setFolders([FolderOffer(folder: Bench.folder)], by: "s1")
            #expect(restarted.engine.folders == [Bench.folder])
            #expect(row(&restarted)?.name == "The Cloud")
        }
    }

    @Test("The yes is for one app under one id: no other program gets the id, and the app no other one")
    func one() {
        var bench = Bench(registered: false, hasManifests: false)
        _ = register(&bench, from: program)
        #expect(register(&bench, "second", from: program).errors == [.identityTaken])
        #expect(register(&bench, from: other, at: "s2").errors == [.identityTaken])
        _ = bench.settings(.enable("cloud"))
        #expect(register(&bench, "second", from: program).errors == [.identityTaken])
        #expect(register(&bench, from: other, at: "s2").errors == [.identityTaken])
        #expect(register(&bench, from: nil, at: "p1").errors == [.identityTaken])
        #expect(bench.engine.newProviders.isEmpty)
        // An id of somebody else is nobody's to ask for.
        var taken = Bench(registered: true, hasManifests: false)
        #expect(register(&taken, from: program).errors == [.identityTaken])
        #expect(taken.engine.newProviders.isEmpty && taken.engine.folders == [Bench.folder])
    }

    @Test("Who is switched off can call nothing any more, shows nothing, and is not asked about again")
    func withdrawal() {
        var bench = Bench(registered: false, hasManifests: false)
        _ = register(&bench, from: program)
        _ = bench.settings(.enable("cloud"))
        _ = register(&bench, from: program)
        _ = bench.setFolders([FolderOffer(folder: Bench.folder)], by: "s1")
        #expect(bench.settings(.disable("cloud")).contains(.persist))
        #expect(bench.engine.folders.isEmpty)
        #expect(bench.registry(.flush(Bench.folder), by: "s1").errors == [.notRegistered])
        #expect(register(&bench, from: program).errors == [.consentNeeded])
        #expect(saved(bench) == .init(enabled: false, folders: [], app: program.app))
        var restarted = Bench(registered: false, hasManifests: false)
        _ = restarted.send(.restored(bench.engine.savedState))
        #expect(register(&restarted, from: program).errors == [.consentNeeded])
        #expect(restarted.engine.newProviders.isEmpty)
        _ = restarted.settings(.enable("cloud"))
        #expect(register(&restarted, from: program).replies == [.done])
    }

    @Test("“Not Now” and Forget: refused without another question, and asked about again")
    func answers() {
        var bench = Bench(registered: false, hasManifests: false)
        _ = register(&bench, from: program)
        #expect(bench.settings(.disable("cloud")).contains(.propertiesChanged(.newProviders)))
        #expect(register(&bench, from: program).errors == [.consentNeeded] && bench.engine.newProviders.isEmpty)
        #expect(bench.settings(.forget("cloud")).contains(.persist) && bench.engine.savedState == SavedState())
        #expect(register(&bench, from: program).errors == [.consentNeeded] && bench.engine.newProviders.count == 1)
        // A program outside of sandboxes takes an id that was only asked for.
        #expect(register(&bench, from: nil, at: "p1").replies == [.done] && bench.engine.newProviders.isEmpty)
    }

    @Test("A manifest that comes for the id is another program: what was said of the app says nothing of it")
    func manifest() {
        var bench = Bench(registered: false, hasManifests: false)
        _ = register(&bench, from: program)
        _ = bench.settings(.enable("cloud"))
        _ = register(&bench, from: program)
        _ = bench.setFolders([FolderOffer(folder: Bench.folder)], by: "s1")
        let manifest = Manifest(id: id, name: "Cloud", icon: "", busName: "org.cloud.One", beginning: .asks)
        _ = bench.send(.manifests([manifest]))
        #expect(bench.engine.folders.isEmpty)
        #expect(bench.engine.newProviders == [NewProvider(provider: id, name: "Cloud", summary: "")])
        #expect(register(&bench, from: program).errors == [.identityTaken])
    }
}

import RoundelBus
import Testing

@testable import BadgeEngine

/// Providers that do not wait for the answer of SetFolders before they go on.
@Suite("The order of a provider's calls")
struct CallOrderTests {
    private let photos = Bench.uri("/home/Photos")
    private let music = Bench.uri("/home/Music")
    private let idle = FolderStatus(state: .idle, text: "Up to date")

    /// Sends SetFolders and leaves the folders unchecked.
    private func begin(_ bench: inout Bench, _ folder: ItemURI) throws -> CallToken {
        try token(bench.registry(.setFolders([FolderOffer(folder: folder)])))
    }

    /// The call whose folders are to be checked, which is all that there is to do.
    private func token(_ actions: [Action]) throws -> CallToken {
        guard case .checkFolders(let token, _)? = actions.last else { throw NothingToCheck() }
        return token
    }

    private struct NothingToCheck: Error {}

    private func check(_ token: CallToken, _ folder: ItemURI, _ kind: FolderFacts.Kind = .directory) -> Event {
        .foldersChecked(token, [FolderFacts(folder: folder, kind: kind)])
    }

    @Test("Calls that name a new folder wait until it is checked, and are answered in their order")
    func pipelined() throws {
        var bench = Bench()
        let token = try begin(&bench, photos)
        #expect(bench.registry(.setFolderStatus(photos, idle, [])).isEmpty)
        #expect(bench.update("/home/Photos", [("a", "synced")]).isEmpty)
        #expect(bench.registry(.flush(photos)).isEmpty)
        let checked = bench.send(check(token, photos))
        #expect(checked.replies == [.done, .done, .observed(false)] && checked.errors.isEmpty)
        #expect(checked.contains { if case .flushWatcher(_, photos) = $0 { true } else { false } })
        #expect(bench.engine.folderStatus == [photos: idle])
    }

    @Test("If the folders are refused, what waited is about the old ones")
    func refused() throws {
        var bench = Bench()
        let token = try begin(&bench, photos)
        _ = bench.registry(.setFolderStatus(photos, idle, []))
        _ = bench.registry(.setFolderStatus(Bench.folder, idle, []))
        let checked = bench.send(check(token, photos, .file))
        #expect(checked.errors == [.invalidURI, .notYourFolder] && checked.replies == [.done])
        #expect(bench.engine.folderStatus == [Bench.folder: idle])
    }

    @Test("A second SetFolders waits for the first, and what follows waits for the second")
    func twice() throws {
        var bench = Bench()
        let first = try begin(&bench, photos)
        #expect(bench.registry(.setFolders([FolderOffer(folder: music)])).isEmpty)
        #expect(bench.registry(.setFolderStatus(music, idle, [])).isEmpty)
        let checked = bench.send(check(first, photos))
        #expect(checked.replies == [.done] && bench.engine.folders == [photos])
        let second = try token(checked)
        #expect(bench.registry(.setFolderStatus(photos, idle, [])).isEmpty)
        let again = bench.send(check(second, music))
        #expect(again.replies == [.done, .done] && again.errors == [.notYourFolder])
        #expect(bench.engine.folderStatus == [music: idle])
    }

    @Test("Unregister waits, too; what follows it is NotRegistered, and Register begins anew")
    func unregister() throws {
        var bench = Bench()
        let token = try begin(&bench, photos)
        let register = RegistryRequest.register(ProviderRegistration(object: "/p2", id: "cloud"))
        for request in [.unregister, .flush(photos), register] { #expect(bench.registry(request).isEmpty) }
        let checked = bench.send(check(token, photos))
        #expect(checked.replies == [.done, .done, .done] && checked.errors == [.notRegistered])
        #expect(bench.engine.folders.isEmpty)
        #expect(bench.setFolders([FolderOffer(folder: music)]).replies == [.done])
    }

    @Test("Hosts and other providers do not wait")
    func others() throws {
        var bench = Bench()
        bench.register("other", "p2", [music])
        let token = try begin(&bench, photos)
        #expect(bench.registry(.setFolderStatus(music, idle, []), by: "p2").replies == [.done])
        #expect(bench.host(.beginObserving(Bench.folder)).replies == [.monitored(true)])
        #expect(bench.setFolders([], by: "p2").replies == [.done])
        #expect(bench.send(check(token, photos)).replies == [.done])
    }

    @Test("So many calls wait and no more, and so many bytes of them")
    func limits() throws {
        var bench = Bench()
        var token = try begin(&bench, photos)
        for _ in 0..<Limits.waitingCalls { #expect(bench.registry(.flush(photos)).isEmpty) }
        #expect(bench.registry(.flush(photos)).errors == [.limitExceeded])
        _ = bench.send(check(token, photos))
        token = try begin(&bench, photos)
        let text = FolderStatus(state: .idle, text: String(repeating: "x", count: Limits.waitingBytes / 2))
        #expect(bench.registry(.setFolderStatus(photos, text, [])).isEmpty)
        #expect(bench.registry(.setFolderStatus(photos, text, [])).errors == [.limitExceeded])
        #expect(bench.registry(.setFolderStatus(photos, idle, [])).isEmpty)
        #expect(bench.send(check(token, photos)).replies == [.done, .done, .done])
    }

    @Test("When the caller leaves the bus its calls are dropped, and a check that ends later changes nothing")
    func callerLeaves() throws {
        var bench = Bench()
        let token = try begin(&bench, photos)
        _ = bench.registry(.setFolderStatus(photos, idle, []))
        #expect(bench.send(.peerLeft("p1")).errors == [.cancelled, .cancelled])
        #expect(bench.send(check(token, photos)).isEmpty)
        #expect(bench.engine.folders == [Bench.folder])
        #expect(bench.register("cloud", "p1", [music]).replies == [.done, .done])
    }

    @Test("A caller that loses the id meanwhile is refused each of its calls")
    func idIsLost() throws {
        var bench = Bench(hasManifests: false)
        let token = try begin(&bench, photos)
        _ = bench.registry(.setFolderStatus(photos, idle, []))
        bench.install("cloud", owner: "p7")
        #expect(bench.send(check(token, photos)).errors == [.notRegistered, .notRegistered])
        #expect(bench.engine.folders.isEmpty)
    }
}

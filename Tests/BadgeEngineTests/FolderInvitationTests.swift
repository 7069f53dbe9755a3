import RoundelBus
import Testing

@testable import BadgeEngine

@Suite("“Sync This Folder…” on directories that nothing syncs")
struct FolderInvitationTests {
    private static let pictures = Bench.uri("/home/me/Pictures")

    private static func items(_ selection: String...) -> HostRequest {
        .getMenu(kind: 0, target: Bench.uri("/home/me"), selection: selection.map(Bench.uri))
    }

    private static func container(_ path: String) -> HostRequest {
        .getMenu(kind: 1, target: Bench.uri(path), selection: [])
    }

    private func bench() -> Bench {
        var bench = Bench()
        _ = bench.send(.windowFound(true))
        return bench
    }

    /// The ids of a menu whose selected item turns out to be this; nil if nothing was asked about it.
    private func ids(_ bench: inout Bench, _ request: HostRequest, isDirectory: Bool? = true) -> [String]? {
        var actions = bench.host(request)
        #expect(actions.questions.isEmpty)
        for case .inspectItems(let token, let items) in actions {
            actions += bench.send(.itemsInspected(token, items.map { _ in isDirectory }))
        }
        return MenuTests.menu(actions)?.items.map(\.id)
    }

    @Test("One directory and the background of one have the entry; files, several items and other menus have not")
    func places() {
        var bench = bench()
        #expect(ids(&bench, Self.items("/home/me/Pictures")) == [FolderInvitation.id])
        #expect(ids(&bench, Self.container("/home/me/Pictures")) == [FolderInvitation.id])
        #expect(ids(&bench, Self.items("/home/me/a.txt"), isDirectory: false) == [])
        #expect(ids(&bench, Self.items("/home/me/gone"), isDirectory: nil) == [])
        #expect(ids(&bench, Self.items("/home/me/a", "/home/me/b")) == [])
        #expect(ids(&bench, .getMenu(kind: 2, target: Self.pictures, selection: [])) == [])
        // Nothing is asked about several items.
        let many = bench.host(Self.items("/home/me/a", "/home/me/b"))
        #expect(!many.contains { if case .inspectItems = $0 { true } else { false } })
    }

    @Test("It is not where something is synced, in or around it, nor where the system's files are")
    func whereNot() {
        var bench = bench()
        for path in ["/", "/usr", "/usr/share/doc", "/etc", "/home", "/tmp", "/run/user/1000/x", "/lib64", "/media"] {
            #expect(ids(&bench, Self.container(path)) == [], "\(path)")
        }
        for path in ["/home/me", "/tmp/x", "/media/me/Disk", "/run/media/me/Disk", "/root/Pictures", "/data"] {
            #expect(ids(&bench, Self.container(path)) == [FolderInvitation.id], "\(path)")
        }
        // Of the folder /home/Cloud: itself and what is in it have their provider's menu, what it is in has none.
        #expect(bench.host(Self.container("/home/Cloud/deep")).questions.count == 1)
        bench.register("other", "p2", [Bench.uri("/data/Sync")])
        #expect(ids(&bench, Self.container("/data")) == [])
        #expect(ids(&bench, Self.container("/data/Music")) == [FolderInvitation.id])
    }

    @Test("It is there only while the window is installed, and hosts are told")
    func window() {
        var bench = Bench()
        #expect(!bench.engine.addsFolders)
        #expect(ids(&bench, Self.container("/home/me/Pictures")) == [])
        #expect(bench.send(.windowFound(true)).contains(.propertiesChanged(.addsFolders)))
        #expect(bench.engine.addsFolders)
        #expect(bench.send(.windowFound(true)).isEmpty)
        #expect(bench.send(.windowFound(false)).contains(.propertiesChanged(.addsFolders)))
        #expect(ids(&bench, Self.container("/home/me/Pictures")) == [])
    }

    @Test("What is not known in time has no entry")
    func late() {
        var bench = bench()
        _ = bench.host(Self.items("/home/me/Pictures"))
        #expect(MenuTests.menu(bench.advance(milliseconds: 50))?.items == [])
    }

    @Test("It opens the assistant with the directory, and the host learns how that ended", arguments: [true, false])
    func chosen(isShown: Bool) throws {
        var bench = bench()
        let menu = try #require(MenuTests.menu(bench.host(Self.container("/home/me/Pictures"))))
        let options = ActivationOptions(activationToken: "t")
        let chosen = bench.host(.activate(menu: menu.id, item: FolderInvitation.id, options))
        #expect(chosen.replies == [.done])
        let requests = chosen.compactMap { if case .showWindow(let request) = $0 { request } else { nil } }
        #expect(requests.map(\.view) == [.add] && requests.map(\.subject) == ["file:///home/me/Pictures"])
        #expect(requests.map(\.options) == [options])
        let end = bench.send(.windowAnswered(requests[0], isShown: isShown))
        let outcomes = end.compactMap { if case .signalActionFinished("h1", let end) = $0 { end.outcome } else { nil } }
        #expect(outcomes == [isShown ? .done : .failed])
        // Whoever does not show it to the person has the service do so.
        #expect(end.contains { if case .showReport = $0 { true } else { false } } == !isShown)
        let stranger = bench.host(.activate(menu: menu.id, item: FolderInvitation.id, options), by: "h2")
        #expect(stranger.errors == [.staleMenu])
    }

    @Test("A menu without it does not have it")
    func notOffered() throws {
        var bench = bench()
        let menu = try #require(MenuTests.menu(bench.host(Self.container("/usr"))))
        let chosen = bench.host(.activate(menu: menu.id, item: FolderInvitation.id, ActivationOptions()))
        #expect(chosen.errors == [.unknownItem])
    }
}

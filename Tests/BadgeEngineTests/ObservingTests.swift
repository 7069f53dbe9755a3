import RoundelBus
import Testing

@testable import BadgeEngine

@Suite("Observing")
struct ObservingTests {
    @Test("A registered folder, anything below and its parent are monitored; nothing else, and that leaves nothing")
    func monitored() {
        var bench = Bench()
        for (path, expected) in [
            ("/home/Cloud", true), ("/home/Cloud/a/b", true), ("/home", true), ("/", false), ("/home/Cloud2", false),
            ("/home/other", false),
        ] {
            #expect(bench.host(.beginObserving(Bench.uri(path))).replies == [.monitored(expected)], "\(path)")
        }
        #expect(bench.engine.observedDirectoryCount == 3)
        #expect(bench.host(.endObserving(Bench.uri("/home/other"))).errors == [.notObserving])
    }

    @Test("F3, F4: begins are counted for each caller; the provider is notified of the first and the last")
    func counted() {
        var bench = Bench()
        let begin = HostRequest.beginObserving(Bench.folder)
        let end = HostRequest.endObserving(Bench.folder)
        #expect(bench.host(begin).notices == [.beginObserving(Bench.folder)])
        #expect(bench.host(begin).notices.isEmpty)
        #expect(bench.host(begin, by: "h2").notices.isEmpty)
        #expect(bench.host(end).notices.isEmpty)
        #expect(bench.host(end).notices.isEmpty)
        #expect(bench.host(end).errors == [.notObserving])
        #expect(bench.host(end, by: "h2").notices == [.endObserving(Bench.folder)])
    }

    @Test("F5: a caller that leaves the bus has ended all its own")
    func leaving() {
        var bench = Bench()
        _ = bench.host(.beginObserving(Bench.folder))
        _ = bench.host(.beginObserving(Bench.folder))
        #expect(bench.send(.peerLeft("h1")).notices == [.endObserving(Bench.folder)])
        #expect(bench.engine.observedDirectoryCount == 0)
    }

    @Test("At most 4,096 directories for a caller; those it has can be counted further")
    func limit() {
        var bench = Bench()
        for number in 0..<4096 {
            _ = bench.host(.beginObserving(Bench.uri("/home/Cloud/\(number)")))
        }
        #expect(bench.host(.beginObserving(Bench.folder)).errors == [.limitExceeded])
        #expect(bench.host(.beginObserving(Bench.uri("/home/Cloud/7"))).replies == [.monitored(true)])
        #expect(bench.host(.beginObserving(Bench.folder), by: "h2").replies == [.monitored(true)])
        _ = bench.host(.endObserving(Bench.uri("/home/Cloud/8")))
        #expect(bench.host(.beginObserving(Bench.folder)).replies == [.monitored(true)])
    }

    @Test("In a parent each provider concerned is sent Begin(parent) and asked for its own folder's name alone")
    func parent() {
        var bench = Bench()
        bench.register("other", "p2", [Bench.uri("/home/Other")])
        let begun = bench.host(.beginObserving(Bench.uri("/home")))
        #expect(begun.notices == [.beginObserving(Bench.uri("/home")), .beginObserving(Bench.uri("/home"))])
        let asked = bench.host(.requestBadges(Bench.uri("/home"), Bench.names("Cloud", "Other", "file")))
        #expect(
            asked.questions.map(\.request) == [
                .requestBadges(Bench.uri("/home"), Bench.names("Cloud")),
                .requestBadges(Bench.uri("/home"), Bench.names("Other")),
            ])
        #expect(asked.questions.map(\.endpoint.connection) == ["p1", "p2"])
        #expect(bench.answer(asked, Bench.answer("synced")).badges.isEmpty)
        let rest = asked.filter { if case .ask(_, let endpoint, _) = $0 { endpoint.connection == "p2" } else { false } }
        #expect(bench.answer(rest, Bench.answer("error")).badges == [["synced", "error", ""]])
        #expect(bench.update("/home", [("file", "synced"), ("Other", "synced")]).signals.isEmpty)
    }

    @Test("Folders of different providers nest; the deepest wins, also where it is listed in the other's")
    func nesting() {
        var bench = Bench()
        bench.registerAllowed("inner", "p2", [Bench.uri("/home/Cloud/Inner")])
        _ = bench.host(.beginObserving(Bench.folder))
        let asked = bench.host(.requestBadges(Bench.folder, Bench.names("Inner", "file")))
        #expect(
            asked.questions.map(\.request) == [
                .requestBadges(Bench.folder, Bench.names("file")), .requestBadges(Bench.folder, Bench.names("Inner")),
            ])
        #expect(asked.questions.map(\.endpoint.connection) == ["p1", "p2"])
        let inner = Bench.uri("/home/Cloud/Inner/x")
        let begun = Action.notify(ProviderEndpoint(connection: "p2", object: "/p"), .beginObserving(inner))
        #expect(bench.host(.beginObserving(inner)).contains(begun))
    }

    @Test("A path through a symlinked ancestor is the same directory; each side sees its own spelling")
    func spelling() {
        var bench = Bench(registered: false)
        _ = bench.registry(.register(ProviderRegistration(object: "/p", id: "cloud")))
        bench.setFolders([FolderOffer(folder: Bench.uri("/link/Cloud"))], spellings: [Bench.uri("/real/Cloud")])
        #expect(
            bench.host(.beginObserving(Bench.uri("/real/Cloud/d"))).notices == [
                .beginObserving(Bench.uri("/link/Cloud/d"))
            ])
        #expect(bench.host(.beginObserving(Bench.uri("/link/Cloud/d")), by: "h2").notices.isEmpty)
        for caller in ["h1", "h2"] {
            let path = caller == "h1" ? "/real/Cloud/d" : "/link/Cloud/d"
            let asked = bench.host(.requestBadges(Bench.uri(path), Bench.names("a")), by: caller)
            _ = bench.answer(asked, Bench.answer("synced"))
        }
        #expect(
            bench.update("/link/Cloud/d", [("a", "error")]).signals == [
                "h1 /real/Cloud/d a=error", "h2 /link/Cloud/d a=error",
            ])
        #expect(bench.host(.beginObserving(Bench.uri("/real"))).replies == [.monitored(true)])
        #expect(bench.host(.beginObserving(Bench.uri("/link")), by: "h2").notices.isEmpty)
    }

    @Test("F4: a directory that vanishes loses its badges, and what comes to its place has its own")
    func vanished() {
        let directory = Bench.uri("/home/Cloud/a")
        var bench = Bench()
        _ = bench.host(.beginObserving(directory))
        _ = bench.answer(bench.host(.requestBadges(directory, Bench.names("x"))), Bench.answer("synced"))
        let vanished = bench.send(.directoryVanished(directory))
        #expect(vanished.notices == [.endObserving(directory)] && vanished.signals == ["h1 /home/Cloud/a x="])
        #expect(vanished.resets.isEmpty && !vanished.contains(.unwatchDirectory(directory)))
        #expect(bench.send(.directoryVanished(directory)).isEmpty)
        let returned = bench.send(.directoryReturned(directory))
        #expect(returned.notices == [.beginObserving(directory)])
        #expect(returned.questions.map(\.request) == [.requestBadges(directory, Bench.names("x"))])
        _ = bench.collect(milliseconds: 60)
        #expect(bench.answer(returned, Bench.answer("pending")).signals == ["h1 /home/Cloud/a x=pending"])
        #expect(bench.send(.directoryReturned(directory)).isEmpty)
        #expect(bench.host(.endObserving(directory)).contains(.unwatchDirectory(directory)))
        #expect(bench.engine.observedDirectoryCount == 0)
    }

    @Test("F4: who was told everything in a directory that vanished is told everything of the one that comes there")
    func vanishedWhole() {
        let directory = Bench.uri("/home/Cloud/a")
        var bench = Bench()
        _ = bench.host(.beginObserving(directory))
        let request = HostRequest.requestDirectory(directory, after: nil, limit: 0)
        _ = bench.answer(bench.host(request), .directory(Bench.columns([("x", "synced")]), next: nil))
        #expect(bench.send(.directoryVanished(directory)).signals == ["h1 /home/Cloud/a x="])
        let returned = bench.send(.directoryReturned(directory))
        #expect(
            returned.questions.map(\.request) == [
                .requestDirectory(directory, after: nil, limit: UInt32(Limits.namesPerCall))
            ])
        _ = bench.collect(milliseconds: 60)
        let answered = bench.answer(returned, .directory(Bench.columns([("y", "pending")]), next: nil))
        #expect(answered.signals == ["h1 /home/Cloud/a y=pending"])
    }

    @Test(
        "F4: a directory that nobody observed while it was gone, and one that another folder has now, are not missing")
    func vanishedAndEnded() {
        let directory = Bench.uri("/home/Cloud/a")
        var bench = Bench()
        _ = bench.host(.beginObserving(directory))
        _ = bench.send(.directoryVanished(directory))
        #expect(bench.host(.beginObserving(directory), by: "h2").notices.isEmpty)
        _ = bench.host(.endObserving(directory))
        #expect(bench.host(.endObserving(directory), by: "h2").notices.isEmpty)
        #expect(bench.host(.beginObserving(directory)).notices == [.beginObserving(directory)])
    }

    @Test("Observed directories are watched while they are observed")
    func watched() {
        var bench = Bench()
        #expect(bench.host(.beginObserving(Bench.folder)).contains(.watchDirectory(Bench.folder)))
        #expect(bench.host(.endObserving(Bench.folder)).contains(.unwatchDirectory(Bench.folder)))
        #expect(!bench.host(.beginObserving(Bench.uri("/home"))).contains(.watchDirectory(Bench.uri("/home"))))
    }

    @Test("Reset comes when a folder changes its provider, is unregistered, disabled, or a receiver falls behind")
    func resets() {
        var bench = Bench()
        _ = bench.host(.beginObserving(Bench.uri("/home/Cloud/Inner")))
        #expect(bench.registerAllowed("inner", "p2", [Bench.uri("/home/Cloud/Inner")]).resets == ["h1"])
        #expect(bench.host(.endObserving(Bench.uri("/home/Cloud/Inner"))).errors == [.notObserving])
        _ = bench.host(.beginObserving(Bench.uri("/home/Cloud/Inner")))
        #expect(bench.setFolders([], by: "p2").resets == ["h1"])
        _ = bench.host(.beginObserving(Bench.folder))
        #expect(bench.settings(.disable("cloud")).resets == ["h1"])
        #expect(bench.host(.beginObserving(Bench.folder)).replies == [.monitored(false)])
        #expect(bench.settings(.enable("cloud")).resets.isEmpty)
        _ = bench.host(.beginObserving(Bench.folder))
        #expect(bench.send(.receiverFellBehind("h1")).resets == ["h1"])
        _ = bench.host(.beginObserving(Bench.folder))
        #expect(bench.registry(.unregister).resets == ["h1"])
    }

    @Test("Below a folder that became a symlink nothing is monitored any more")
    func replacedRoot() {
        var bench = Bench()
        _ = bench.host(.beginObserving(Bench.uri("/home/Cloud/a")))
        _ = bench.send(.folderChanged(FolderFacts(folder: Bench.folder, kind: .symlink)))
        let actions = bench.send(.directoryVanished(Bench.uri("/home/Cloud/a")))
        #expect(actions.notices == [.endObserving(Bench.uri("/home/Cloud/a"))])
        #expect(bench.host(.beginObserving(Bench.folder)).replies == [.monitored(false)])
        _ = bench.send(.folderChanged(FolderFacts(folder: Bench.folder, kind: .directory)))
        #expect(bench.host(.beginObserving(Bench.folder)).replies == [.monitored(true)])
    }
}

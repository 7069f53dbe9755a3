import RoundelBus
import Testing

@testable import BadgeEngine

/// Directories that lie in no registered folder by their spelling.
@Suite("Places")
struct PlaceTests {
    static let link = Bench.uri("/elsewhere/link")

    /// The questions for places among the actions.
    private func findings(_ actions: [Action]) -> [(token: RequestToken, directories: [ItemURI])] {
        actions.compactMap {
            if case .findPlaces(let token, let directories) = $0 { (token, directories) } else { nil }
        }
    }

    /// Says that each directory of the first question is at these places.
    private func find(
        _ bench: inout Bench, _ actions: [Action], at paths: String..., by links: [PlaceLink] = []
    ) throws -> [Action] {
        let question = try #require(findings(actions).first)
        let found = question.directories.map { _ in FoundDirectory(places: paths.map { Bench.uri($0) }, links: links) }
        return bench.send(.placesFound(question.token, found))
    }

    @Test("A link into a folder is observed in the host's spelling; the provider sees its own")
    func link() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let asked = bench.host(.beginObserving(Self.link))
        #expect(asked.replies.isEmpty && findings(asked).map(\.directories) == [[Self.link]])
        let begun = try find(&bench, asked, at: "/home/Cloud/a")
        #expect(begun.replies == [.monitored(true)])
        #expect(begun.notices == [.beginObserving(Bench.uri("/home/Cloud/a"))])
        let requested = bench.host(.requestBadges(Self.link, Bench.names("x")))
        #expect(
            requested.questions.map(\.request) == [.requestBadges(Bench.uri("/home/Cloud/a"), Bench.names("x"))])
        #expect(bench.answer(requested, Bench.answer("synced")).badges == [["synced"]])
        #expect(bench.update("/home/Cloud/a", [("x", "error")]).signals == ["h1 /elsewhere/link x=error"])
        #expect(bench.host(.endObserving(Self.link)).notices == [.endObserving(Bench.uri("/home/Cloud/a"))])
        #expect(bench.engine.placeQuestions.isEmpty && bench.engine.foundPlaces.isEmpty)
    }

    @Test("Of the names of a place the first that is monitored counts; none leaves nothing behind")
    func names() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let asked = bench.host(.beginObserving(Self.link))
        #expect(
            try find(&bench, asked, at: "/mnt/b", "/home", "/home/Cloud").notices == [
                .beginObserving(Bench.uri("/home"))
            ])
        let other = bench.host(.beginObserving(Bench.uri("/other")))
        #expect(try find(&bench, other, at: "/mnt/b", "/mnt/c").replies == [.monitored(false)])
        let nowhere = bench.host(.beginObserving(Bench.uri("/other")))
        #expect(try find(&bench, nowhere).replies == [.monitored(false)])
        #expect(bench.engine.observedDirectoryCount == 1 && bench.engine.placeQuestions.isEmpty)
    }

    @Test("Nothing is looked for where the spelling says enough, or where there are no folders")
    func known() {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        for path in ["/home", "/home/Cloud"] {
            #expect(bench.host(.beginObserving(Bench.uri(path))).replies == [.monitored(true)])
        }
        bench.setFolders([])
        #expect(bench.host(.beginObserving(Self.link)).replies == [.monitored(false)])
    }

    @Test("A caller's calls about one directory keep their order while it is looked for")
    func order() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let asked = bench.host(.beginObserving(Self.link))
        #expect(bench.host(.requestBadges(Self.link, Bench.names("x"))).isEmpty)
        #expect(bench.host(.endObserving(Self.link)).isEmpty)
        #expect(bench.host(.beginObserving(Self.link)).isEmpty)
        #expect(findings(bench.host(.beginObserving(Self.link), by: "h2")).count == 1)
        let done = try find(&bench, asked, at: "/home/Cloud")
        #expect(done.replies == [.monitored(true), .done, .monitored(true)])
        #expect(done.errors == [.notObserving])
        #expect(bench.host(.endObserving(Self.link)).replies == [.done])
    }

    @Test("Menus, attributes and services of items behind a link are those of the folder")
    func items() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let item = Bench.uri("/elsewhere/link/x")
        let menu = bench.host(.getMenu(kind: 0, target: Self.link, selection: [item]))
        #expect(findings(menu).map(\.directories) == [[Self.link]])
        #expect(
            try find(&bench, menu, at: "/home/Cloud/a").questions.map(\.request) == [
                .getMenu(
                    kind: .items, target: Bench.uri("/home/Cloud/a"), selection: [Bench.uri("/home/Cloud/a/x")])
            ])
        let attributes = try find(&bench, bench.host(.getAttributes(item, keys: [])), at: "/home/Cloud/a")
        #expect(attributes.questions.map(\.request) == [.getAttributes(Bench.uri("/home/Cloud/a/x"), keys: [])])
        let service = try find(&bench, bench.host(.getItemService(item, interface: "i")), at: "/home/Cloud/a")
        #expect(service.errors == [.noSuchService])
        // What is observed needs no looking for.
        _ = try find(&bench, bench.host(.beginObserving(Self.link)), at: "/home/Cloud/a")
        #expect(!bench.host(.getMenu(kind: 1, target: Self.link, selection: [])).questions.isEmpty)
        #expect(!bench.host(.getAttributes(item, keys: [])).questions.isEmpty)
    }

    @Test("A link that leads elsewhere later does so from its next beginning on")
    func moved() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        _ = try find(&bench, bench.host(.beginObserving(Self.link)), at: "/home/Cloud/a")
        #expect(bench.host(.beginObserving(Self.link)).replies == [.monitored(true)])
        _ = bench.host(.endObserving(Self.link))
        _ = bench.host(.endObserving(Self.link))
        let again = try find(&bench, bench.host(.beginObserving(Self.link)), at: "/home/Cloud/b")
        #expect(again.notices == [.beginObserving(Bench.uri("/home/Cloud/b"))])
    }

    @Test("Only so many questions of a caller are open, and another's does not wait for them")
    func bounded() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        var asked: [Action] = []
        for number in 0..<(Limits.placeQuestionsPerCaller + 5) {
            asked += bench.host(.beginObserving(Bench.uri("/elsewhere/\(number)")))
        }
        #expect(findings(asked).count == Limits.placeQuestionsPerCaller)
        #expect(findings(bench.host(.beginObserving(Self.link), by: "h2")).count == 1)
        let next = try find(&bench, asked)
        #expect(next.replies == [.monitored(false)] && findings(next).count == 1)
        let selection = (0..<100).map { Bench.uri("/elsewhere/d\($0)/x") }
        let menu = bench.host(.getMenu(kind: 0, target: nil, selection: selection), by: "h3")
        #expect(findings(menu).map(\.directories.count) == [Limits.placesPerCall])
    }

    @Test("What is not answered in time is not monitored; a later answer is for nobody")
    func late() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        var asked: [Action] = []
        for number in 0...Limits.placeQuestionsPerCaller {
            asked += bench.host(.beginObserving(Bench.uri("/elsewhere/\(number)")))
        }
        #expect(bench.advance(milliseconds: 2900).replies.isEmpty)
        let overdue = bench.advance(milliseconds: 200)
        #expect(overdue.replies == Array(repeating: .monitored(false), count: Limits.placeQuestionsPerCaller + 1))
        #expect(bench.engine.placeQuestions.isEmpty)
        #expect(try find(&bench, asked, at: "/home/Cloud").isEmpty)
    }

    @Test("With its caller a question is over")
    func leaving() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let asked = bench.host(.beginObserving(Self.link))
        _ = bench.host(.endObserving(Self.link))
        #expect(bench.send(.peerLeft("h1")).errors == [.cancelled, .cancelled])
        #expect(bench.engine.placeQuestions.isEmpty)
        #expect(try find(&bench, asked, at: "/home/Cloud").isEmpty)
        #expect(bench.engine.observedDirectoryCount == 0)
    }

    @Test("A caller that begins with very many directories of a folder at once gets an answer for each")
    func crowded() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let count = Limits.openPlaceQuestionsPerCaller
        var actions: [Action] = []
        for number in 0..<(count + 100) { actions += bench.host(.beginObserving(Bench.uri("/home/Cloud/\(number)"))) }
        #expect(findings(actions).count == Limits.placeQuestionsPerCaller)
        #expect(actions.replies == Array(repeating: .monitored(true), count: 100))
        while let question = findings(actions).first {
            let found = FoundDirectory(places: question.directories)
            actions = Array(actions.drop { $0 != .findPlaces(question.token, question.directories) }.dropFirst())
            actions += bench.send(.placesFound(question.token, [found]))
        }
        #expect(bench.engine.observedDirectoryCount == count + 100 && bench.engine.placeQuestions.isEmpty)
    }

    // MARK: Links inside of a folder

    static let inner = Bench.uri("/home/Cloud/way/link")
    static let way = PlaceLink(link: inner, target: Bench.uri("/home/Cloud/a"))

    @Test("A link from one directory of a folder to another shows what is there; the provider sees its own name for it")
    func inside() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let asked = bench.host(.beginObserving(Self.inner))
        #expect(asked.replies.isEmpty && findings(asked).map(\.directories) == [[Self.inner]])
        let begun = try find(&bench, asked, at: "/home/Cloud/a", by: [Self.way])
        #expect(begun.replies == [.monitored(true)] && begun.contains(.followLink(Self.way)))
        #expect(begun.notices == [.beginObserving(Bench.uri("/home/Cloud/a"))])
        let requested = bench.host(.requestBadges(Self.inner, Bench.names("x")))
        #expect(requested.questions.map(\.request) == [.requestBadges(Bench.uri("/home/Cloud/a"), Bench.names("x"))])
        #expect(bench.answer(requested, Bench.answer("synced")).badges == [["synced"]])
        // By its own name it needs no looking for any more, and both see one change.
        #expect(bench.host(.beginObserving(Bench.uri("/home/Cloud/a"))).replies == [.monitored(true)])
        #expect(
            bench.update("/home/Cloud/a", [("x", "error")]).signals.sorted() == [
                "h1 /home/Cloud/a x=error", "h1 /home/Cloud/way/link x=error",
            ])
        #expect(bench.host(.endObserving(Self.inner)).contains(.unfollowLink(Self.inner)))
        #expect(bench.engine.observedDirectoryCount == 1)
    }

    @Test("A link inside of a folder that leads out of all of them shows nothing, and nothing is kept for it")
    func outwards() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let begun = try find(&bench, bench.host(.beginObserving(Self.inner)), at: "/etc", by: [Self.way])
        #expect(begun.replies == [.monitored(false)] && begun.notices.isEmpty && !begun.contains(.followLink(Self.way)))
        #expect(bench.engine.observedDirectoryCount == 0 && bench.engine.foundPlaces.isEmpty)
        let item = Bench.uri("/home/Cloud/way/link/x")
        let menu = try find(&bench, bench.host(.getMenu(kind: 0, target: Self.inner, selection: [item])), at: "/etc")
        #expect(menu.questions.isEmpty && menu.replies == [.menu(HostedMenu(id: 1, items: []))])
    }

    @Test("A directory of a folder that is none, or that nobody finds in time, is where its spelling says")
    func asSpelled() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let missing = try find(&bench, bench.host(.beginObserving(Self.inner)))
        #expect(missing.replies == [.monitored(true)] && missing.notices == [.beginObserving(Self.inner)])
        let late = Bench.uri("/home/Cloud/late")
        _ = bench.host(.beginObserving(late))
        let overdue = bench.advance(milliseconds: 3100)
        #expect(overdue.replies == [.monitored(true)] && overdue.notices == [.beginObserving(late)])
    }

    @Test("A directory is looked for once, for as long as somebody observes it")
    func lookedForOnce() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let directory = Bench.uri("/home/Cloud/a/b")
        let begun = try find(&bench, bench.host(.beginObserving(directory)), at: directory.path, by: [Self.way])
        #expect(begun.replies == [.monitored(true)] && !begun.contains(.followLink(Self.way)))
        for caller in ["h1", "h2"] {
            #expect(findings(bench.host(.beginObserving(directory), by: caller)).isEmpty)
            #expect(findings(bench.host(.requestBadges(directory, Bench.names("x")), by: caller)).isEmpty)
            let item = directory.appending(Bench.names("x")[0])
            #expect(findings(bench.host(.getMenu(kind: 0, target: directory, selection: [item]), by: caller)).isEmpty)
            #expect(findings(bench.host(.getAttributes(item, keys: []), by: caller)).isEmpty)
        }
        _ = bench.send(.peerLeft("h1"))
        _ = bench.send(.peerLeft("h2"))
        #expect(findings(bench.host(.beginObserving(directory))).count == 1)
    }

    @Test("Whoever looks through a link that is changed begins again, and nobody else")
    func changed() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        _ = try find(&bench, bench.host(.beginObserving(Self.inner)), at: "/home/Cloud/a", by: [Self.way])
        _ = bench.host(.beginObserving(Bench.uri("/home/Cloud/a")), by: "h2")
        let changed = bench.send(.linkChanged(Self.inner))
        #expect(changed.resets == ["h1"] && changed.contains(.unfollowLink(Self.inner)) && changed.notices.isEmpty)
        let again = try find(&bench, bench.host(.beginObserving(Self.inner)), at: "/home/Cloud/b", by: [Self.way])
        #expect(again.notices == [.beginObserving(Bench.uri("/home/Cloud/b"))])
        #expect(again.contains(.followLink(Self.way)))
        #expect(bench.host(.requestBadges(Bench.uri("/home/Cloud/a"), Bench.names("x")), by: "h2").errors.isEmpty)
    }

    @Test("A link is one item with its own badge, and a menu of what is behind it is about the items there")
    func linkItself() throws {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        _ = try find(&bench, bench.host(.beginObserving(Self.inner)), at: "/home/Cloud/a", by: [Self.way])
        let parent = Bench.uri("/home/Cloud/way")
        _ = try find(&bench, bench.host(.beginObserving(parent)), at: parent.path)
        let requested = bench.host(.requestBadges(parent, Bench.names("link")))
        #expect(requested.questions.map(\.request) == [.requestBadges(parent, Bench.names("link"))])
        let own = bench.host(.getMenu(kind: 0, target: parent, selection: [Self.inner]))
        #expect(own.questions.map(\.request) == [.getMenu(kind: .items, target: parent, selection: [Self.inner])])
        let behind = bench.host(.getMenu(kind: 1, target: Self.inner, selection: [Bench.uri("/home/Cloud/way/link/x")]))
        #expect(
            behind.questions.map(\.request) == [
                .getMenu(
                    kind: .container, target: Bench.uri("/home/Cloud/a"), selection: [Bench.uri("/home/Cloud/a/x")])
            ])
        #expect(
            bench.host(.getAttributes(Self.inner, keys: [])).questions.map(\.request) == [
                .getAttributes(Self.inner, keys: [])
            ])
        #expect(
            bench.host(.getAttributes(Bench.uri("/home/Cloud/way/link/x"), keys: [])).questions.map(\.request) == [
                .getAttributes(Bench.uri("/home/Cloud/a/x"), keys: [])
            ])
    }
}

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
    private func find(_ bench: inout Bench, _ actions: [Action], at paths: String...) throws -> [Action] {
        let question = try #require(findings(actions).first)
        let places = question.directories.map { _ in paths.map { Bench.uri($0) } }
        return bench.send(.placesFound(question.token, places))
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
        for path in ["/home", "/home/Cloud", "/home/Cloud/a/b"] {
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
}

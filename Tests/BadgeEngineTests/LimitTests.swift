import RoundelBus
import Testing

@testable import BadgeEngine

/// What one provider or caller may have, so that others have theirs.
@Suite("Limits")
struct LimitTests {
    private static let inside = Bench.uri("/home/Two")

    /// Two providers, `cloud` and `two`, each with a folder that a host observes.
    private static func pair() -> Bench {
        var bench = Bench()
        bench.register("two", "p2", [inside])
        for folder in [Bench.folder, inside] { _ = bench.host(.beginObserving(folder)) }
        return bench
    }

    /// Badges of a provider's own, one for each item.
    private static func own(_ id: String, _ numbers: Range<Int>) -> [(String, String)] {
        numbers.map { ("i\($0 % 2048)", "\(id).B\($0)") }
    }

    @Test("A provider has so many badges of its own; one that uses more takes none of another's")
    func badges() {
        var bench = Self.pair()
        let limit = Limits.badgesPerProvider
        let names = (0..<2048).map { "i\($0)" }.compactMap { try? ItemName($0) }
        _ = bench.answer(bench.host(.requestBadges(Bench.folder, names)), .malformed)
        #expect(bench.update("/home/Cloud", Self.own("cloud", 0..<limit)).errors.isEmpty)
        #expect(bench.update("/home/Cloud", Self.own("cloud", 0..<limit)).errors.isEmpty)
        #expect(bench.update("/home/Cloud", [("i0", "cloud.More")]).errors == [.limitExceeded])
        #expect(bench.host(.requestBadges(Bench.folder, [names[0]])).badges == [["cloud.B0"]])
        let asked = bench.host(.requestBadges(Bench.folder, Bench.names("x", "y", "z")))
        let answered = bench.answer(asked, Bench.answer("cloud.New", "cloud.B7", "synced"))
        #expect(answered.badges == [["", "cloud.B7", "synced"]])
        let other = bench.host(.requestBadges(Self.inside, Bench.names("a", "b")))
        #expect(bench.answer(other, Bench.answer("two.X", "two.Y")).badges == [["two.X", "two.Y"]])
    }

    @Test("A provider that registers over and over does not use the numbers of badges up")
    func generationsOfBadges() {
        var bench = Self.pair()
        let names = (0..<2048).map { "i\($0)" }.compactMap { try? ItemName($0) }
        let limit = Limits.badgesPerProvider
        let kept = bench.host(.requestBadges(Self.inside, Bench.names("a")))
        _ = bench.answer(kept, Bench.answer("two.Kept"))
        for generation in 0..<70 {
            let connection = "g\(generation)"
            _ = bench.send(.peerLeft("g\(generation - 1)"))
            bench.register("cloud", connection, [Bench.folder])
            _ = bench.answer(bench.host(.requestBadges(Bench.folder, names)), .malformed)
            let range = generation * limit..<(generation + 1) * limit
            let update = bench.update("/home/Cloud", Self.own("cloud", range), by: connection)
            #expect(update.errors.isEmpty, "generation \(generation)")
            let name = names[(generation * limit) % 2048]
            #expect(
                bench.host(.requestBadges(Bench.folder, [name])).badges == [["cloud.B\(generation * limit)"]],
                "generation \(generation)")
        }
        #expect(bench.host(.requestBadges(Self.inside, Bench.names("a"))).badges == [["two.Kept"]])
    }

    @Test("A provider has so many folders, with so much text; the refused call changes nothing")
    func folders() {
        var bench = Bench()
        func offers(_ count: Int, _ length: Int) -> [FolderOffer] {
            let long = String(repeating: "x", count: length)
            return (0..<count).map { FolderOffer(folder: Bench.uri("/home/\(long)\($0)")) }
        }
        #expect(bench.setFolders(offers(Limits.foldersPerProvider + 1, 1)).errors == [.limitExceeded])
        #expect(bench.setFolders(offers(300, 1000)).errors == [.limitExceeded])
        let label = FolderOffer(folder: Bench.folder, label: String(repeating: "x", count: Limits.folderText))
        #expect(bench.setFolders([label]).errors == [.limitExceeded])
        #expect(bench.engine.folders == [Bench.folder])
        #expect(bench.setFolders(offers(Limits.foldersPerProvider, 1)).errors.isEmpty)
    }

    @Test("So many providers without a manifest are known; those that one announces do not count")
    func strangers() {
        var bench = Bench()
        func register(_ number: Int) -> [Action] {
            bench.registry(.register(ProviderRegistration(object: "/p", id: "s\(number)")), by: "x\(number)")
        }
        for number in 0..<Limits.strangers { #expect(register(number).errors.isEmpty) }
        #expect(register(99).errors == [.limitExceeded])
        bench.install("s99", owner: "x99")
        #expect(register(99).errors.isEmpty)
        _ = bench.send(.peerLeft("x0"))
        #expect(register(98).errors.isEmpty)
    }

    /// Chooses one action of a menu as often as it is accepted, at most `times`.
    private func activate(_ bench: inout Bench, by caller: String, _ times: Int) -> (accepted: Int, [RequestToken]) {
        let asked = bench.host(.getMenu(kind: 1, target: Bench.folder, selection: []), by: caller)
        let menu = bench.answer(asked, .menu([MenuItem(id: "act", label: "Act")]))
        guard case .menu(let id, _)? = menu.replies.first else { return (0, []) }
        var tokens: [RequestToken] = []
        for _ in 0..<times {
            let chosen = bench.host(.activate(menu: id, item: "cloud/act", ActivationOptions()), by: caller)
            if chosen.errors == [.limitExceeded] { break }
            tokens += chosen.questions.map(\.token)
        }
        return (tokens.count, tokens)
    }

    @Test("So many actions of a caller and of a provider may be unfinished; each end makes room for one")
    func activations() {
        var bench = Self.pair()
        let first = activate(&bench, by: "h1", 1000)
        #expect(first.accepted == Limits.activationsPerCaller)
        #expect(activate(&bench, by: "h2", 1000).accepted == Limits.activationsPerCaller)
        #expect(activate(&bench, by: "h3", 1000).accepted == 0)
        for token in first.1.prefix(3) { _ = bench.send(.answer(token, .done)) }
        #expect(activate(&bench, by: "h3", 1000).accepted == 3)
    }
}

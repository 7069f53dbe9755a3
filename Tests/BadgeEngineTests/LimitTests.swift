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

    @Test("A provider that registers again on its connection keeps its share of the badges, and all that it reported")
    func registeredAgain() {
        var bench = Self.pair()
        let limit = Limits.badgesPerProvider
        let names = Bench.names("a", "b", "c")
        _ = bench.answer(bench.host(.requestBadges(Bench.folder, names)), .malformed)
        #expect(bench.update("/home/Cloud", (0..<limit).map { ("a", "cloud.B\($0)") }).errors.isEmpty)
        bench.register("cloud", Bench.connection, [Bench.folder])
        #expect(bench.update("/home/Cloud", [("b", "cloud.More")]).errors == [.limitExceeded])
        #expect(bench.update("/home/Cloud", [("b", "cloud.B0")]).errors.isEmpty)
        let kept = bench.host(.requestBadges(Bench.folder, names))
        #expect(kept.badges == [["cloud.B\(limit - 1)", "cloud.B0", ""]])
    }

    @Test("When no number for a badge is left, further badges count as none")
    func everyNumber() throws {
        var interner = BadgeInterner()
        let limit = Limits.badgesPerProvider
        let common = Badge.common.count + 1
        let free = Int(UInt16.max) + 1 - common
        var given: [UInt16] = []
        for number in 0...free {
            let provider = try #require(ProviderID("p\(number / limit)"))
            let columns = Bench.columns([("i", "\(provider).B\(number)")])
            given.append(interner.state(columns, 0, of: provider).badge)
        }
        #expect(given.dropLast().elementsEqual((common...Int(UInt16.max)).map { UInt16($0) }))
        #expect(given.last == 0)
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
        guard let id = MenuTests.menu(menu)?.id else { return (0, []) }
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

    // MARK: Texts

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// What comes of registering so.
    private func register(_ change: (inout ProviderRegistration) -> Void) -> [RoundelError.Code] {
        var bench = Bench(hasManifests: false)
        var registration = ProviderRegistration(object: "/p", id: "new")
        change(&registration)
        return bench.registry(.register(registration), by: "n1").errors
    }

    @Test("What a provider says of itself has bounds, and its icons are names")
    func registration() {
        let most = Limits.providerText
        #expect(register { $0.name = Self.text(most) }.isEmpty)
        #expect(register { $0.name = Self.text(most + 1) } == [.limitExceeded])
        #expect(register { $0.name = "e" + String(repeating: "\u{301}", count: 1 << 20) } == [.limitExceeded])
        #expect(register { $0.icon = "a-name" }.isEmpty)
        #expect(register { $0.icon = "/etc/x.svg" } == [.invalidArguments])
        #expect(register { $0.icon = Self.text(most + 1) } == [.invalidArguments])
        #expect(
            register { $0.toolbarItem = ToolbarItem(name: "N", icon: "../x", tooltip: "") } == [.invalidArguments])
        #expect(
            register { $0.toolbarItem = ToolbarItem(name: "N", icon: "x", tooltip: Self.text(most + 1)) }
                == [.limitExceeded])
        let services = { (count: Int) in
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("org.example.I\($0)", "/x") })
        }
        #expect(register { $0.services = services(Limits.services) }.isEmpty)
        #expect(register { $0.services = services(Limits.services + 1) } == [.limitExceeded])
        let path = { (count: Int) in "/" + Self.text(count - 1) }
        #expect(register { $0.object = path(Limits.objectPath) }.isEmpty)
        #expect(register { $0.object = path(Limits.objectPath + 1) } == [.limitExceeded])
        #expect(register { $0.services = ["a.b": path(Limits.objectPath)] }.isEmpty)
        #expect(register { $0.services = ["a.b": path(Limits.objectPath + 1)] } == [.limitExceeded])
    }

    @Test("The images of common badges stay Roundel's; labels have a bound and icons are names")
    func images() {
        var bench = Bench()
        func give(_ badge: String, label: String = "L", icon: String = "i") -> [RoundelError.Code] {
            bench.registry(.setBadgeImages([BadgeImage(badge: Badge(badge), label: label, icon: icon)])).errors
        }
        let before = bench.engine.badgeImages
        #expect(give("synced") == [.badgeTaken])
        #expect(give("") == [.badgeTaken])
        #expect(give("cloud.X", label: Self.text(Limits.providerText + 1)) == [.limitExceeded])
        #expect(give("cloud.X", icon: "/x") == [.invalidArguments])
        #expect(bench.engine.badgeImages == before)
        #expect(give("cloud.X").isEmpty)
        #expect(bench.engine.badgeImages.count == before.count + 1)
    }

    @Test("A provider has images for so many badges; the refused call changes nothing")
    func numberOfImages() {
        var bench = Bench()
        func give(_ count: Int) -> [RoundelError.Code] {
            let images = (0..<count).map { BadgeImage(badge: Badge("cloud.B\($0)"), label: "L", icon: "i") }
            return bench.registry(.setBadgeImages(images)).errors
        }
        let common = bench.engine.badgeImages.count
        #expect(give(Limits.badgeImages).isEmpty)
        #expect(give(Limits.badgeImages + 1) == [.limitExceeded])
        #expect(bench.engine.badgeImages.count == common + Limits.badgeImages)
    }

    @Test("An update has so many rows; the refused one changes nothing")
    func rows() {
        var bench = Self.pair()
        _ = bench.answer(bench.host(.requestBadges(Bench.folder, Bench.names("a"))), Bench.answer("synced"))
        func update(_ count: Int, _ badge: String) -> [Action] {
            bench.update("/home/Cloud", Array(repeating: ("a", badge), count: count))
        }
        let refused = update(Limits.namesPerCall + 1, "error")
        #expect(refused.errors == [.limitExceeded] && refused.signals.isEmpty)
        #expect(update(Limits.namesPerCall, "pending").signals == ["h1 /home/Cloud a=pending"])
    }

    @Test("A provider whose pages have no end is asked for so many items of a directory and no more")
    func pages() {
        var bench = Self.pair()
        // It repeats what it named before, so that nothing else bounds it.
        let rows = Array(repeating: ("a", "synced"), count: Limits.namesPerCall)
        let columns = Bench.columns(rows)
        var last = bench.host(.requestDirectory(Bench.folder, after: nil, limit: 0))
        var asked = 0
        while asked < 100, !last.questions.isEmpty {
            asked += 1
            last = bench.answer(last, .directory(columns, next: try? ItemName("n\(1000 + asked)")))
        }
        #expect(asked == Limits.itemsPerDirectory / Limits.namesPerCall)
        #expect(last.listings == [["a"]])
    }

    @Test("The text with which an action fails is cut")
    func outcomeText() {
        var bench = Bench()
        let asked = bench.host(.getMenu(kind: 1, target: Bench.folder, selection: []))
        let menu = bench.answer(asked, .menu([MenuItem(id: "act", label: "Act")]))
        guard let id = MenuTests.menu(menu)?.id else {
            Issue.record("no menu")
            return
        }
        let chosen = bench.host(.activate(menu: id, item: "cloud/act", ActivationOptions()))
        let ended = bench.answer(chosen, .failed(name: "org.example.Error", message: Self.text(1 << 20)))
        let texts = ended.compactMap { action in
            if case .signalActionFinished(_, let end) = action { end.message.count } else { nil }
        }
        #expect(texts == [Limits.errorText])
    }

    @Test("A folder's icon is a name; the text of its status is cut")
    func folderTexts() {
        var bench = Bench()
        #expect(bench.setFolders([FolderOffer(folder: Bench.folder, icon: "a/b")]).errors == [.invalidArguments])
        let status = FolderStatus(state: .idle, text: Self.text(Limits.statusText + 1), progress: 255)
        #expect(bench.registry(.setFolderStatus(Bench.folder, status, [])).errors.isEmpty)
        let kept = bench.engine.folderStatus[Bench.folder]?.text
        #expect(kept == Self.text(Limits.statusText - 1) + "\u{2026}")
    }

    @Test("The notices of a provider have a size together; what goes beyond it is refused, and the earlier ones stay")
    func noticeTexts() {
        var bench = Bench()
        let folders = (0..<400).map { Bench.uri("/home/Many/\($0)") }
        _ = bench.setFolders(folders.map { FolderOffer(folder: $0) })
        let text = String(repeating: "\u{1F600}", count: 1_024)
        let many = (0..<Limits.notices).map { FolderNotice(id: "\($0)", title: "Full", text: text) }
        let status = FolderStatus(state: .attention, text: "", progress: 255)
        let refused = folders.filter { !bench.registry(.setFolderStatus($0, status, many)).errors.isEmpty }
        let fitting = folders.count - refused.count
        #expect((50...64).contains(fitting) && refused == Array(folders.suffix(refused.count)))
        #expect(bench.registry(.setFolderStatus(folders[399], status, many)).errors == [.limitExceeded])
        #expect(bench.registry(.setFolderStatus(folders[0], status, [])).errors.isEmpty)
        #expect(bench.registry(.setFolderStatus(folders[399], status, many)).errors.isEmpty)
        #expect(bench.engine.folderNotices.count == fitting)
    }

    @Test("The status texts of a provider have a size together; a folder beyond it has none until others have less")
    func statusTexts() {
        var bench = Bench()
        let folders = (0..<100).map { Bench.uri("/home/Many/\($0)") }
        _ = bench.setFolders(folders.map { FolderOffer(folder: $0) })
        func say(_ number: Int, _ text: String) {
            let status = FolderStatus(state: .syncing, text: text, progress: 7)
            #expect(bench.registry(.setFolderStatus(folders[number], status, [])).errors.isEmpty)
        }
        func said(_ number: Int) -> FolderStatus? { bench.engine.folderStatus[folders[number]] }
        let long = String(repeating: "\u{1F600}", count: Limits.statusText)
        let fitting = Limits.statusTexts / long.utf8.count
        for number in 0...fitting { say(number, long) }
        #expect((0..<fitting).allSatisfy { said($0)?.text == long })
        #expect(said(fitting) == FolderStatus(state: .syncing, text: "", progress: 7))
        say(0, "a")
        say(1, long)
        #expect(said(1)?.text == long)
        say(fitting, Self.text(100))
        #expect(said(fitting)?.text == Self.text(100))
    }

    @Test("The texts of a provider's images have a size together")
    func imageTexts() {
        var bench = Bench()
        func give(_ count: Int) -> [RoundelError.Code] {
            let label = Self.text(Limits.providerText)
            let images = (0..<count).map { BadgeImage(badge: Badge("cloud.B\($0)"), label: label, icon: label) }
            return bench.registry(.setBadgeImages(images)).errors
        }
        let common = bench.engine.badgeImages.count
        #expect(give(300).isEmpty)
        #expect(give(600) == [.limitExceeded])
        #expect(bench.engine.badgeImages.count == common + 300)
    }

    @Test("The text of a provider's error is cut")
    func errorText() throws {
        var bench = Bench()
        _ = bench.host(.beginObserving(Bench.folder))
        let asked = bench.host(.requestBadges(Bench.folder, Bench.names("a")))
        _ = bench.answer(asked, .failed(name: "org.example.Error", message: Self.text(1 << 20)))
        guard case .providers(let providers)? = bench.settings(.list).replies.first else {
            Issue.record("no list")
            return
        }
        #expect(providers.map(\.lastError.count) == [Limits.errorText])
    }

    // MARK: Menus and attributes

    @Test("A menu is for so many bytes of URIs; a caller's oldest menus make room for those of its newest")
    func selections() {
        var bench = Bench()
        let long = String(repeating: "d", count: 200)
        let items = (0..<30_000).map { Bench.uri("/home/Cloud/\(long)\($0)") }
        func menu(_ selection: [ItemURI]) -> (UInt64, [RoundelError.Code]) {
            let asked = bench.host(.getMenu(kind: 0, target: nil, selection: selection))
            let given = bench.answer(asked, .menu([MenuItem(id: "act", label: "Act")]))
            guard let id = MenuTests.menu(given)?.id else { return (0, asked.errors) }
            return (id, asked.errors)
        }
        func isKept(_ menu: UInt64) -> Bool {
            bench.host(.activate(menu: menu, item: "cloud/act", ActivationOptions())).errors.isEmpty
        }
        #expect(menu(items + items + items).1 == [.limitExceeded])
        let short = Array(repeating: Bench.uri("/home/Cloud/a"), count: Limits.namesPerCall)
        #expect(menu(short).1.isEmpty && menu(short + [items[0]]).1 == [.limitExceeded])
        let menus = (0..<3).map { _ in menu(items).0 }
        #expect(!isKept(menus[0]) && isKept(menus[1]) && isKept(menus[2]))
        _ = menu([items[0]])
        #expect(isKept(menus[1]) && isKept(menus[2]))
    }

    @Test("A call with too much is refused at once, also where the places of its directories have to be found")
    func refusedBeforeWaiting() {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let long = String(repeating: "d", count: 200)
        let items = (0..<90_000).map { Bench.uri("/home/Link/\(long)\($0)") }
        let menu = bench.host(.getMenu(kind: 0, target: nil, selection: items))
        #expect(menu.errors == [.limitExceeded])
        let keys = (0...Limits.attributeKeys).map { "k\($0)" }
        #expect(bench.host(.getAttributes(items[0], keys: keys)).errors == [.limitExceeded])
        let names = Array(repeating: Bench.names("a")[0], count: Limits.namesPerCall + 1)
        let badges = bench.host(.requestBadges(Bench.uri("/home/Link"), names))
        #expect(badges.errors == [.limitExceeded])
        // A name for it, because what is said of a failure would have all the names in it.
        let isNothingKept = bench.engine.placeQuestions.isEmpty
        #expect(isNothingKept)
    }

    @Test("The calls of a caller that wait for places have so many bytes together; those of others wait, too")
    func bytesThatWait() {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        let long = String(repeating: "d", count: 1000)
        let items = (0..<14_000).map { Bench.uri("/home/Link/\(long)\($0)") }
        func ask(by caller: String) -> [Action] {
            bench.host(.getMenu(kind: 0, target: nil, selection: items), by: caller)
        }
        let first = ask(by: "h1")
        let each = items.reduce(0) { $0 + $1.path.utf8.count + 16 }
        for _ in 1..<Limits.waitingHostBytes / each { #expect(ask(by: "h1").errors.isEmpty) }
        #expect(ask(by: "h1").errors == [.limitExceeded])
        // A short one, about another directory.
        #expect(bench.host(.beginObserving(Bench.uri("/home/Other/x")), by: "h1").errors.isEmpty)
        #expect(ask(by: "h2").errors.isEmpty)
        guard case .findPlaces(let token, _)? = first.first else {
            Issue.record("nothing waits")
            return
        }
        _ = bench.send(.placesFound(token, []))
        #expect(ask(by: "h1").errors.isEmpty)
    }

    @Test("A directory counts as often as a caller spells it in another way")
    func spellings() {
        var bench = Bench()
        bench.hasOnlyPlainDirectories = false
        func begin(_ number: Int, by caller: String = "h1") -> [Action] {
            let asked = bench.host(.beginObserving(Bench.uri("/links/\(number)")), by: caller)
            guard case .findPlaces(let token, _)? = asked.first else { return asked }
            return bench.send(.placesFound(token, [FoundDirectory(places: [Bench.folder])]))
        }
        for number in 0..<Limits.directoriesPerCaller { #expect(begin(number).errors.isEmpty) }
        #expect(begin(Limits.directoriesPerCaller).errors == [.limitExceeded])
        #expect(begin(7).errors.isEmpty)
        #expect(begin(Limits.directoriesPerCaller, by: "h2").errors.isEmpty)
        _ = bench.host(.endObserving(Bench.uri("/links/8")))
        #expect(begin(Limits.directoriesPerCaller).errors.isEmpty)
    }

    @Test("A directory that is observed as a whole has so many items, whatever vanishes there or is reported")
    func itemsOfWholeDirectory() {
        var bench = Self.pair()
        // The provider does not answer, so that all that vanishes or is reported is newer than its answer.
        _ = bench.host(.requestDirectory(Bench.folder, after: nil, limit: 0))
        func count() -> Int { bench.engine.names(in: Bench.folder, observedBy: "h1").count { !$0.encoded.isEmpty } }
        let most = Limits.itemsPerDirectory
        for start in stride(from: 0, through: most, by: Limits.namesPerCall) {
            let names = (start..<start + Limits.namesPerCall).compactMap { try? ItemName("n\($0)") }
            _ = bench.send(.itemsVanished(directory: Bench.folder, names: names))
        }
        #expect(count() == most)
        #expect(bench.update("/home/Cloud", [("more", "synced"), ("n7", "error")]).errors.isEmpty)
        #expect(count() == most)
        let known = bench.host(.requestBadges(Bench.folder, Bench.names("n7")))
        #expect(known.badges == [["error"]])
    }

    @Test("A menu holds so many items of all providers; more are left out by provider. An icon is a name")
    func mergedMenu() {
        var bench = Bench(hasManifests: false)
        for number in 1...5 { bench.register("p\(number)", "x\(number)", []) }
        let asked = bench.host(.getMenu(kind: 3, target: nil, selection: []))
        #expect(asked.questions.count == 6)
        var given: [Action] = []
        for question in asked.questions {
            let items = (0..<Limits.menuItems).map { MenuItem(id: "i\($0)", label: "L", icon: $0 == 0 ? "/x" : "x") }
            given += bench.send(.answer(question.token, .menu(items)))
        }
        guard let items = MenuTests.menu(given)?.items else {
            Issue.record("no menu")
            return
        }
        #expect(items.count == Limits.mergedMenuItems)
        #expect(Set(items.map { $0.id.prefix { $0 != "/" } }) == ["cloud", "p1", "p2", "p3"])
        #expect(items[0].icon.isEmpty && items[1].icon == "x")
    }

    @Test("So many attributes can be asked for, and so much text can come")
    func attributes() {
        var bench = Bench()
        let item = Bench.uri("/home/Cloud/a")
        let keys = (0...Limits.attributeKeys).map { "k\($0)" }
        #expect(bench.host(.getAttributes(item, keys: keys)).errors == [.limitExceeded])
        #expect(bench.host(.getAttributes(item, keys: [Self.text(Limits.attributeKey)])).errors.isEmpty)
        #expect(bench.host(.getAttributes(item, keys: [Self.text(Limits.attributeKey + 1)])).errors == [.limitExceeded])
        func answer(_ count: Int) -> [Action] {
            bench.answer(
                bench.host(.getAttributes(item, keys: [])), .attributes(["message": .string(Self.text(count))]))
        }
        #expect(answer(Limits.attributeText).errors.isEmpty)
        #expect(answer(Limits.attributeText + 1).errors == [.providerFailed])
    }
}

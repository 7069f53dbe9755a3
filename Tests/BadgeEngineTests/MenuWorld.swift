import BadgeEngine
import RoundelBus
import Support
import TestSupport
import Testing

/// Opens menus, answers and activates at random, and checks each action of the engine against plain bookkeeping.
struct MenuWorld {
    /// One provider's part of a menu: what it was shown and what came of it.
    struct Part {
        let target: ItemURI?
        let selection: [ItemURI]
        /// The answer if it was right and in time.
        var items: [MenuItem]?
    }

    /// A menu that is being put together.
    struct Build {
        let client: String
        let kind: UInt32
        let arrived: Instant
        var parts: [String: Part]
        var waiting: Set<String>
        /// The items whose badges were known when the menu was opened.
        let known: Set<String>
    }

    /// A menu that was given although providers had not answered.
    struct Late {
        let id: UInt64
        let given: Instant
        var build: Build
        /// Whether the last event completed it.
        var isChanged = false
    }

    /// A menu as a client holds it.
    struct Menu {
        let id: UInt64
        let client: String
        let given: Instant
        /// By the id towards hosts: whose it is.
        var choices: [String: (provider: String, part: Part)]
        var providers: Set<String>
        var dead: Set<String> = []
    }

    /// A question that a provider has not answered; late ones included.
    enum Question {
        case menu(provider: String, CallToken)
        case action(provider: String, client: String, menu: UInt64, item: String)

        var provider: String {
            switch self {
            case .menu(let provider, _), .action(let provider, _, _, _): provider
            }
        }
    }

    /// Folder and shown name of each provider; two share their name.
    static let homes = ["pa": ("/h/a", "Zeta"), "pb": ("/h/a/n", "Alpha"), "pc": ("/h/c", "Alpha")]
    static let paths = [
        "/h", "/h/a", "/h/a/dir", "/h/a/file", "/h/a/unknown", "/h/a/n", "/h/a/n/dir", "/h/a/n/x%FF", "/h/c",
        "/h/c/dir", "/h/c/file", "/h/ab", "/z/dir",
    ]
    var manifests: [String: Manifest] = [:]
    /// Of the manifest of `pc`.
    static let manifestRules = MenuRules(
        kinds: [0, 2, 3], max: 2, directories: false, types: ["text/*:0-1", "image/*"].compactMap { TypeRule($0) })

    let seed: UInt64
    var random: SeededRandom
    var engine = Engine()
    var now = Instant(nanoseconds: 1_000_000_000)
    var armed: Instant?
    var step = 0
    var clients = ["h1", "h2"]
    var connections: [String: String] = [:]
    var disabled: Set<String> = []
    var lastNumber: UInt64 = 0
    var builds: [CallToken: Build] = [:]
    var late: [CallToken: Late] = [:]
    var menus: [Menu] = []
    var questions: [RequestToken: Question] = [:]
    /// The items whose badges a file manager that shows directories was given.
    var known: Set<String> = []
    static let fileManager = "files"
    var finished: [String] = []
    /// What the last events asked of providers and answered to hosts.
    var asked: [(provider: String, request: ProviderRequest)] = []
    var replies: [CallToken: Reply] = [:]
    /// The menus that the last events completed, by their clients.
    var told: [(client: String, menu: HostedMenu)] = []
    var errors: [CallToken: RoundelError.Code] = [:]

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    var place: Comment { "seed \(seed), step \(step)" }

    mutating func number() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: The naive model

    func isRunning(_ provider: String) -> Bool { connections[provider] != nil && !disabled.contains(provider) }

    /// The provider with the deepest folder around an item, of those that are switched on.
    func owner(_ path: String) -> String? {
        Self.homes.filter { !disabled.contains($0.key) && Model.isWithin(path, $0.value.0) }
            .max { $0.value.0.count < $1.value.0.count }?.key
    }

    func allows(_ rules: MenuRules?, _ kind: UInt32, _ selection: [ItemURI], _ known: Set<String>) -> Bool {
        guard let rules else { return true }
        if let kinds = rules.kinds, !kinds.contains(kind) { return false }
        if let min = rules.min, selection.count < min { return false }
        if let max = rules.max, selection.count > max { return false }
        for item in selection {
            if let badges = rules.badges, known.contains(item.path), !badges.contains(Self.badge(item)) { return false }
            switch Self.isDirectory(item) {
            case true: if rules.directories == false { return false }
            case false: if rules.files == false { return false }
            case nil: break
            }
        }
        return rules.types.map { allows($0, selection) } ?? true
    }

    /// Tries for each rule every item as whatever it can be.
    private func allows(_ rules: [TypeRule], _ selection: [ItemURI]) -> Bool {
        for item in selection {
            let types = Self.types(item)
            if !types.isEmpty, !types.contains(where: { type in rules.contains { $0.covers(type) } }) { return false }
        }
        return rules.allSatisfy { rule in
            var numbers: Set<Int> = [0]
            for item in selection {
                let types = Self.types(item)
                var steps: Set<Int> = types.isEmpty ? [0, 1] : []
                for type in types { steps.insert(rule.covers(type) ? 1 : 0) }
                numbers = Set(numbers.flatMap { number in steps.map { number + $0 } })
            }
            return numbers.contains { $0 >= rule.min && $0 <= rule.max ?? .max }
        }
    }

    /// What an item can be: of a file only its name is known, and of an unknown item nothing.
    static func types(_ item: ItemURI) -> [DataType] {
        switch isDirectory(item) {
        case true: [.directory]
        case false: namedTypes(item)
        case nil: []
        }
    }

    static func namedTypes(_ item: ItemURI) -> [DataType] {
        let names =
            item.path.hasSuffix("c/file")
            ? ["text/plain"]
            : item.path.hasSuffix("file") ? ["text/x-a", "image/x-b"] : item.path.hasSuffix("dir") ? ["text/x-no"] : []
        return names.compactMap { DataType($0) }
    }

    /// What the provider of an item says of it.
    static func badge(_ item: ItemURI) -> Badge {
        item.path.hasSuffix("dir") ? .synced : item.path.hasSuffix("file") ? .conflict : .none
    }

    static func isDirectory(_ item: ItemURI) -> Bool? {
        item.path.hasSuffix("unknown") ? nil : !item.path.hasSuffix("file") && !item.path.hasSuffix("FF")
    }

    /// What each provider is to be shown.
    func expectedParts(_ kind: UInt32, _ target: String?, _ selection: [String]) -> [String: Part] {
        var parts: [String: Part] = [:]
        for provider in Self.homes.keys where isRunning(provider) {
            let own = selection.filter { owner($0) == provider }.map(RandomWorld.uri)
            let ownTarget = target.flatMap { owner($0) == provider ? RandomWorld.uri($0) : nil }
            let isAsked =
                switch kind {
                case 0: !own.isEmpty
                case 3: true
                default: ownTarget != nil
                }
            guard isAsked, provider != "pc" || allows(Self.manifestRules, kind, own, known) else { continue }
            parts[provider] = Part(target: ownTarget, selection: own)
        }
        return parts
    }

    /// The items as hosts get them.
    func given(_ items: [MenuItem], _ provider: String, _ build: Build) -> [MenuItem] {
        items.compactMap { item in
            let selection = build.parts[provider]?.selection ?? []
            guard allows(item.rules, build.kind, selection, build.known) else { return nil }
            var result = item
            result.rules = nil
            if !item.id.isEmpty { result.id = provider + "/" + item.id }
            result.children = given(item.children, provider, build)
            return result.children.isEmpty && !item.children.isEmpty ? nil : result
        }
    }

    func choices(_ items: [MenuItem]) -> [String] {
        items.flatMap { item in
            let canBeChosen = item.children.isEmpty && !item.isSeparator && item.enabled && !item.id.isEmpty
            return (canBeChosen ? [item.id] : []) + choices(item.children)
        }
    }

    // MARK: Events and actions

    mutating func send(_ event: Event) {
        (asked, replies, errors, finished, told) = ([], [:], [:], [], [])
        handle(event)
    }

    private mutating func handle(_ event: Event) {
        var inspections: [(RequestToken, [ItemURI])] = []
        var badges: [(RequestToken, [ItemURI])] = []
        var lookups: [(RequestToken, [ItemURI])] = []
        var searches: [(RequestToken, [ItemURI])] = []
        for action in engine.handle(event, now: now) {
            switch action {
            case .reply(let token, let reply): replies[token] = reply
            case .fail(let token, let error): errors[token] = error.code
            case .ask(let token, _, .requestBadges(let directory, let names)):
                badges.append((token, names.map { directory.appending($0) }))
            case .ask(let token, let endpoint, let request): handleQuestion(token, endpoint, request)
            case .findPlaces(let token, let directories): lookups.append((token, directories))
            case .signalReset(Self.fileManager): known = []
            case .signalMenu(let client, let menu): told.append((client, menu))
            case .signalActionFinished(let client, let end):
                finished.append("\(client) \(end.menu) \(end.item) \(end.outcome.rawValue) \(end.message)")
            case .inspectItems(let token, let items): inspections.append((token, items))
            case .findTypes(let token, let items): searches.append((token, items))
            case .checkFolders(let token, let folders):
                handle(.foldersChecked(token, folders.map { FolderFacts(folder: $0, kind: .directory) }))
            case .setTimer(let time): armed = time
            default: break
            }
        }
        // Every directory is where its spelling says.
        for (token, directories) in lookups {
            handle(.placesFound(token, directories.map { FoundDirectory(places: [$0]) }))
        }
        // Either answer may come first.
        if step.isMultiple(of: 2) {
            for (token, items) in searches { handle(.typesFound(token, items.map(Self.namedTypes))) }
            searches = []
        }
        for (token, items) in inspections {
            handle(.itemsInspected(token, items.map(Self.isDirectory)))
        }
        for (token, items) in searches { handle(.typesFound(token, items.map(Self.namedTypes))) }
        for (token, items) in badges {
            var columns = BadgeColumns()
            for item in items {
                columns.badges.append(Self.badge(item))
                columns.flags.append(0)
                columns.progress.append(Progress.none)
                known.insert(item.path)
            }
            handle(.answer(token, .badges(columns)))
        }
    }

    private mutating func handleQuestion(
        _ token: RequestToken, _ endpoint: ProviderEndpoint, _ request: ProviderRequest
    ) {
        guard let provider = connections.first(where: { $0.value == endpoint.connection })?.key else {
            Issue.record("\(place): a provider that is gone was asked")
            return
        }
        asked.append((provider, request))
        lastQuestion = token
        askedTokens[provider] = token
    }

    var lastQuestion: RequestToken?
    /// The token of the last question to each provider.
    var askedTokens: [String: RequestToken] = [:]

    /// Checks the replies to the menus that are complete or whose time is over, in the order of the replies.
    mutating func checkMenus() {
        let due = builds.filter { $0.value.waiting.isEmpty || now >= $0.value.arrived + Limits.patience }
        for (token, build) in due.sorted(by: { menuID($0.key) < menuID($1.key) }) {
            builds[token] = nil
            guard case .menu(let hosted)? = replies.removeValue(forKey: token) else {
                Issue.record("\(place): a menu was not given (F9)")
                continue
            }
            #expect(!menus.contains { $0.id == hosted.id }, "\(place): the menu's id was given before")
            menus.append(check(hosted, build, given: now))
            let own = menus.filter { $0.client == build.client }
            if own.count > 16 { menus.removeAll { $0.id == own[0].id } }
            if !build.waiting.isEmpty { late[token] = Late(id: hosted.id, given: now, build: build) }
        }
        checkLate()
        #expect(replies.isEmpty && errors.isEmpty, "\(place): an answer that nobody waits for")
    }

    /// Checks the menus that the last event completed, as far as their clients hold them.
    private mutating func checkLate() {
        for (token, menu) in late.sorted(by: { $0.value.id < $1.value.id }) {
            var menu = menu
            if now >= menu.given + Limits.latePatience, !menu.build.waiting.isEmpty {
                for provider in menu.build.waiting { menu.build.parts[provider] = nil }
                menu.build.waiting = []
                menu.isChanged = true
            }
            guard menu.isChanged else { continue }
            menu.isChanged = false
            late[token] = menu.build.waiting.isEmpty ? nil : menu
            guard let position = menus.firstIndex(where: { $0.id == menu.id }),
                now < menus[position].given + Limits.menuLifetime
            else { continue }
            guard let index = told.firstIndex(where: { $0.menu.id == menu.id }) else {
                Issue.record("\(place): a late part of a menu was not told")
                continue
            }
            let (client, hosted) = told.remove(at: index)
            #expect(client == menu.build.client, "\(place): (F10)")
            let dead = menus[position].dead
            menus[position] = check(hosted, menu.build, given: menus[position].given)
            menus[position].dead = dead
        }
        #expect(told.isEmpty, "\(place): a change of a menu that did not change")
    }

    /// Checks a menu; gives what its client holds.
    private func check(_ hosted: HostedMenu, _ build: Build, given moment: Instant) -> Menu {
        let names = build.parts.keys.sorted { left, right in
            (Self.homes[left]?.1 ?? "", left) < (Self.homes[right]?.1 ?? "", right)
        }
        var expected: [MenuItem] = []
        var menu = Menu(id: hosted.id, client: build.client, given: moment, choices: [:], providers: [])
        for provider in names {
            guard let part = build.parts[provider], let own = part.items else { continue }
            let items = given(own, provider, build)
            for choice in choices(items) { menu.choices[choice] = (provider, part) }
            menu.providers.insert(provider)
            expected += items
        }
        #expect(hosted.items == expected, place)
        #expect(
            hosted.incomplete.sorted() == build.waiting.compactMap { Self.homes[$0]?.1 }.sorted(),
            "\(place): who is missing")
        return menu
    }

    private func menuID(_ token: CallToken) -> UInt64 {
        if case .menu(let menu)? = replies[token] { menu.id } else { 0 }
    }
}

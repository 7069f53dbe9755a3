import BadgeEngine
import RoundelBus
import TestSupport
import Testing

@testable import Support

/// The random steps of menus.
extension MenuWorld {
    mutating func run(steps: Int) {
        for provider in Self.homes.keys.sorted() { start(provider) }
        for step in 1...steps {
            self.step = step
            switch random.below(100) {
            case 0..<22: openMenu()
            case 22..<25: showDirectory()
            case 25..<60: answerOne()
            case 60..<80: activate()
            case 80..<92: advance(Patience.limit(.nanoseconds(random.below(30_000_000))))
            case 92..<94: advance(Patience.limit(.seconds(random.below(random.below(2) == 0 ? 25 : 200))))
            case 94..<97: dieOrReturn()
            case 97..<99: switchProvider()
            default: replaceClient()
            }
        }
        while !questions.isEmpty { answerOne() }
        advance(Limits.patience)
        #expect(builds.isEmpty, place)
        advance(Limits.latePatience)
        #expect(late.isEmpty, "\(place): a menu waits for ever")
    }

    mutating func openMenu() {
        let kind = UInt32(random.below(20) == 0 ? 4 : random.below(4))
        let target = random.below(4) == 0 ? nil : random.pick(Self.paths)
        let selection = (0..<random.below(4)).map { _ in random.pick(Self.paths) }
        let client = random.pick(clients)
        let token = CallToken(number())
        let request = HostRequest.getMenu(
            kind: kind, target: target.map(RandomWorld.uri), selection: selection.map(RandomWorld.uri))
        send(.host(HostCall(caller: client, token: token, request: request)))
        guard let menuKind = MenuKind(rawValue: kind) else {
            #expect(errors == [token: .invalidArguments] && asked.isEmpty && replies.isEmpty, place)
            return
        }
        let parts = expectedParts(kind, target, selection)
        #expect(Set(asked.map(\.provider)) == Set(parts.keys) && asked.count == parts.count, "\(place): who is asked")
        for (provider, request) in asked {
            let expected = ProviderRequest.getMenu(
                kind: menuKind, target: parts[provider]?.target, selection: parts[provider]?.selection ?? [])
            #expect(request == expected, "\(place): a provider receives its own URIs only (F10)")
            if let question = askedTokens[provider] { questions[question] = .menu(provider: provider, token) }
        }
        builds[token] = Build(
            client: client, kind: kind, arrived: now, parts: parts, waiting: Set(parts.keys), known: known)
        checkMenus()
    }

    /// A file manager shows an item, whose badge the service knows from then on.
    mutating func showDirectory() {
        let item = RandomWorld.uri(random.pick(Self.paths))
        guard let directory = item.parent, let name = item.name else { return }
        for request in [HostRequest.beginObserving(directory), .requestBadges(directory, [name])] {
            send(.host(HostCall(caller: Self.fileManager, token: CallToken(number()), request: request)))
        }
    }

    mutating func answerOne() {
        guard let token = questions.keys.sorted().randomElement(using: &random),
            let question = questions.removeValue(forKey: token)
        else { return }
        switch question {
        case .menu(let provider, let call):
            let isGood = random.below(4) > 0
            let items = isGood ? goodMenu() : []
            if builds[call]?.waiting.remove(provider) != nil, isGood { builds[call]?.parts[provider]?.items = items }
            if late[call]?.build.waiting.remove(provider) != nil {
                if isGood { late[call]?.build.parts[provider]?.items = items }
                late[call]?.isChanged = true
            }
            send(.answer(token, isGood ? .menu(items) : badMenu()))
            checkMenus()
            #expect(asked.isEmpty && finished.isEmpty, place)
        case .action(_, let client, let menu, let item):
            let (answer, end): (ProviderAnswer, String) = random.pick([
                (.done, "0 "), (.failed(name: "org.roundel.Error.Cancelled", message: "no"), "1 no"),
                (.failed(name: "org.x.E", message: "broken"), "2 broken"),
            ])
            send(.answer(token, answer))
            #expect(finished == ["\(client) \(menu) \(item) \(end)"], place)
            checkMenus()
        }
    }

    // MARK: Menus of providers

    mutating func goodMenu() -> [MenuItem] {
        var count = 0
        return (0..<random.below(4)).map { _ in item(level: 1, &count) }
    }

    private static let typeRules = [
        "text/*", "text/*:1-", "image/*:1-2", "inode/directory:0-1", "inode/directory", "*/*:2", "*/*", "text/plain:2-",
        "text/x-a:0", "audio/*:1",
    ].map { TypeRule($0) }

    private mutating func item(level: Int, _ count: inout Int) -> MenuItem {
        count += 1
        if random.below(8) == 0 { return MenuItem(id: "", isSeparator: true) }
        var item = MenuItem(id: "i\(count)", label: "L", enabled: random.below(6) > 0)
        if level < 3 && random.below(3) == 0 {
            item.children = (0...random.below(2)).map { _ in self.item(level: level + 1, &count) }
        }
        switch random.below(10) {
        case 0: item.rules = MenuRules(kinds: [0, 3])
        case 1: item.rules = MenuRules(min: 1, max: 2)
        case 2: item.rules = MenuRules(directories: false)
        case 3: item.rules = MenuRules(files: false)
        case 4: item.rules = MenuRules(badges: [.synced])
        case 5: item.rules = MenuRules(badges: [.conflict, .none])
        case 6, 7:
            item.rules = MenuRules(types: (0..<1 + random.below(3)).compactMap { _ in random.pick(Self.typeRules) })
        default: break
        }
        return item
    }

    private mutating func badMenu() -> ProviderAnswer {
        let deep = MenuItem(
            id: "1", children: [MenuItem(id: "2", children: [MenuItem(id: "3", children: [MenuItem(id: "4")])])])
        return random.pick([
            .malformed, .done, .failed(name: "org.x.E", message: "no"), .menu((0..<257).map { MenuItem(id: "\($0)") }),
            .menu([deep]), .menu([MenuItem(id: "a"), MenuItem(id: "b", children: [MenuItem(id: "a")])]),
            .menu([MenuItem(id: "a"), MenuItem(id: "b", label: String(repeating: "x", count: 257))]),
            .menu([MenuItem(id: "a", icon: String(repeating: "x", count: 257))]),
        ])
    }

    // MARK: Actions

    mutating func activate() {
        guard !menus.isEmpty || random.below(4) == 0 else { return }
        let menu = menus.isEmpty ? nil : random.pick(menus)
        let client = random.below(10) == 0 ? random.pick(clients) : menu?.client ?? clients[0]
        let id = menu.map { random.below(20) == 0 ? $0.id + 1_000_000 : $0.id } ?? 1
        let item =
            random.below(6) == 0
            ? random.pick(["", "pa", "zz/i1", "i1"]) : menu?.choices.keys.sorted().randomElement(using: &random) ?? "x"
        let token = CallToken(number())
        let options = ActivationOptions(timestamp: UInt32(step))
        send(.host(HostCall(caller: client, token: token, request: .activate(menu: id, item: item, options))))
        if let error = expectedRefusal(id, client, item, menu) {
            #expect(errors == [token: error] && asked.isEmpty && replies.isEmpty, "\(place): menu \(id), item \(item)")
            return
        }
        guard let (provider, part) = menu?.choices[item] else { return }
        #expect(replies == [token: .done], "\(place): menu \(id), item \(item)")
        let request = ProviderRequest.activate(
            item: String(item.dropFirst(provider.count + 1)), target: part.target, selection: part.selection, options)
        #expect(asked.map(\.provider) == [provider] && asked.map(\.request) == [request], "\(place): (F10)")
        if let question = lastQuestion {
            questions[question] = .action(provider: provider, client: client, menu: id, item: item)
        }
    }

    private func expectedRefusal(_ id: UInt64, _ client: String, _ item: String, _ menu: Menu?) -> RoundelError.Code? {
        guard let menu, id == menu.id, client == menu.client, now < menu.given + Limits.menuLifetime else {
            return .staleMenu
        }
        if !menu.providers.isEmpty && menu.providers.isSubset(of: menu.dead) { return .staleMenu }
        if menu.dead.contains(String(item.prefix { $0 != "/" })) { return .staleMenu }
        return menu.choices[item] == nil ? .unknownItem : nil
    }

    // MARK: Comings and goings

    mutating func start(_ provider: String) {
        let connection = "\(provider):\(number())"
        connections[provider] = connection
        guard let (home, name) = Self.homes[provider] else { return }
        if let id = ProviderID(provider) {
            manifests[provider] = Manifest(
                id: id, name: "", icon: "", busName: "org.x.\(provider)", owner: connection,
                rules: provider == "pc" ? Self.manifestRules : nil)
            send(.manifests(manifests.values.sorted { $0.id < $1.id }))
        }
        let registration = ProviderRegistration(object: "/p", id: provider, name: name)
        for request in [
            RegistryRequest.register(registration), .setFolders([FolderOffer(folder: RandomWorld.uri(home))]),
        ] {
            send(.registry(RegistryCall(caller: connection, token: CallToken(number()), request: request)))
            #expect(errors.isEmpty, place)
        }
        let allow = SettingsRequest.allow(provider, RandomWorld.uri(home))
        send(.settings(SettingsCall(token: CallToken(number()), request: allow)))
        #expect(errors.isEmpty, place)
    }

    mutating func dieOrReturn() {
        let provider = random.pick(Self.homes.keys.sorted())
        guard let connection = connections[provider] else { return start(provider) }
        var ends: [String] = []
        for (token, question) in questions where question.provider == provider {
            questions[token] = nil
            if case .action(_, let client, let menu, let item) = question { ends.append("\(client) \(menu) \(item) 2") }
        }
        connections[provider] = nil
        withdraw(provider)
        known = known.filter { owner($0) != provider }
        send(.peerLeft(connection))
        let reported = finished.map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
        #expect(reported.sorted() == ends.sorted(), "\(place): actions end with their provider")
        checkMenus()
    }

    mutating func switchProvider() {
        let provider = random.pick(Self.homes.keys.sorted())
        let token = CallToken(number())
        if disabled.remove(provider) != nil {
            send(.settings(SettingsCall(token: token, request: .enable(provider))))
        } else {
            disabled.insert(provider)
            withdraw(provider)
            send(.settings(SettingsCall(token: token, request: .disable(provider))))
        }
        #expect(replies.removeValue(forKey: token) == .done, place)
        checkMenus()
    }

    /// A provider's part of every menu dies, of those that are being made as well.
    private mutating func withdraw(_ provider: String) {
        for position in menus.indices where menus[position].providers.contains(provider) {
            menus[position].dead.insert(provider)
        }
        for (token, menu) in late where menu.build.parts[provider] != nil {
            late[token]?.build.waiting.remove(provider)
            late[token]?.build.parts[provider] = nil
            late[token]?.isChanged = true
        }
        for token in builds.keys {
            builds[token]?.waiting.remove(provider)
            builds[token]?.parts[provider] = nil
        }
    }

    mutating func replaceClient() {
        let position = random.below(clients.count)
        let gone = clients[position]
        clients[position] = "h\(number())"
        let calls = builds.filter { $0.value.client == gone }.keys
        for call in calls { builds[call] = nil }
        menus.removeAll { $0.client == gone }
        late = late.filter { $0.value.build.client != gone }
        send(.peerLeft(gone))
        #expect(Set(errors.keys) == Set(calls) && replies.isEmpty, place)
    }

    mutating func advance(_ duration: Duration) {
        let end = now + duration
        while let time = armed, time <= end {
            now = max(now, time)
            armed = nil
            send(.timer)
            checkMenus()
        }
        now = end
        #expect(
            !builds.values.contains { now >= $0.arrived + Limits.patience }, "\(place): a menu waits for too long")
    }
}

@Suite("Menus against a naive model")
struct MenuModelTests {
    @Test("F9, F10: random menus, answers and choices agree with the model after each step")
    func randomMenus() {
        let first = SeededRandom.chosenSeed("MenuModelTests")
        for round in 0..<20 {
            var world = MenuWorld(seed: first &+ UInt64(round))
            world.run(steps: 4000)
        }
    }
}

import RoundelBus
import TestSupport
import Testing

@testable import BadgeEngine
@testable import Support

/// The random steps and what is checked after each.
extension RandomWorld {
    mutating func run(steps: Int) {
        for provider in Self.homes.keys.sorted() {
            start(provider)
        }
        for step in 1...steps {
            self.step = step
            takeStep()
            if step % 97 == 0 { quiesce() }
        }
        quiesce()
        for client in clients {
            model.forgetAll(client)
            send(.peerLeft(client))
        }
        #expect(engine.observedDirectoryCount == 0, place)
    }

    mutating func takeStep() {
        switch random.below(100) {
        case 0..<13: begin()
        case 13..<19: answerLookup()
        case 19..<20: changeLink()
        case 20..<26: end()
        case 26..<42: requestBadges()
        case 42..<48: requestDirectory()
        case 48..<66: changeTruth()
        case 66..<80: answerOne()
        case 80..<90: advance(Patience.limit(.nanoseconds(random.below(40_000_000))))
        case 90..<93: vanish()
        case 93..<94: vanishDirectory()
        case 94..<95: replaceClient()
        case 95..<96: answerCheck()
        case 96..<97: dieOrReturn()
        case 97..<98: fallBehind()
        case 98..<99: random.below(2) == 0 ? switchProvider() : decide()
        default: changeFolders()
        }
    }

    // MARK: Hosts

    mutating func begin() {
        let client = random.pick(clients)
        let path = random.pick(Self.directories)
        let token = token()
        beginnings[token] = (client, path)
        send(.host(HostCall(caller: client, token: token, request: .beginObserving(Self.uri(path)))))
        #expect(beginnings[token] == nil || isLookedUp(path, for: client), "\(place): \(path) is not answered")
    }

    /// Whether it is being found out where a directory is that a client names.
    func isLookedUp(_ path: String, for client: String) -> Bool {
        engine.placeQuestions.open.values.contains { $0.caller == client && $0.directories == [Self.uri(path)] }
    }

    /// The watcher has found where a directory is that lies in no folder by its spelling.
    mutating func answerLookup() {
        guard let token = lookups.keys.sorted().randomElement(using: &random), let path = lookups[token]?.path else {
            return
        }
        let found = follow(path)
        model.found = found.map { [path: ($0.place, Set($0.links.map(\.link.path)))] } ?? [:]
        send(
            .placesFound(
                token, [FoundDirectory(places: found.map { [Self.uri($0.place)] } ?? [], links: found?.links ?? [])]))
        model.found = [:]
    }

    /// Where a path leads, with the links on the way; nil if one of them leads nowhere or in a circle.
    func follow(_ path: String, links seen: Int = 0) -> (place: String, links: [PlaceLink])? {
        let path = Model.isWithin(path, "/l") ? "/h" + path.dropFirst(2) : path
        guard let link = ["/k", "/h/a/k"].first(where: { Model.isWithin(path, $0) }) else { return (path, []) }
        guard seen < 8, let next = links[link], let target = follow(next, links: seen + 1),
            let end = follow(target.place + path.dropFirst(link.count), links: seen + 1)
        else { return nil }
        let own = PlaceLink(link: Self.uri(link), target: Self.uri(target.place))
        return (end.place, [own] + (target.links + end.links).filter { $0.link != own.link })
    }

    /// Someone makes, removes or replaces a link; the watcher reports one that it follows.
    mutating func changeLink() {
        let link = random.pick(["/k", "/h/a/k"])
        links[link] = random.pick(["/h/a", "/h/a/d", "/h", "/h/c", "/h/a/n", "/z", "/k", "/h/a/k", nil])
        guard let before = followed[link], follow(link)?.place != before else { return }
        let expected = model.clients(through: link)
        resets = []
        send(.linkChanged(Self.uri(link)))
        #expect(resets == expected, "\(place): who looks through a link begins again")
    }

    mutating func end() {
        let client = random.pick(clients)
        let path = random.pick(Self.directories)
        // An End with a spelling that was not begun with takes any of the others; the model does not follow that.
        if let spellings = model.counts[client]?[model.locate(path, for: client)], spellings[path] == nil { return }
        if isLookedUp(path, for: client) || model.isLookedUp(path, for: client) { return }
        let token = token()
        model.end(client, path)
        send(.host(HostCall(caller: client, token: token, request: .endObserving(Self.uri(path)))))
    }

    mutating func requestBadges() {
        let client = random.pick(clients)
        let path = random.pick(Self.directories)
        let names = (0..<random.below(5)).map { _ in random.pick(Self.names) }
        send(.requestBadges(Self.uri(path), names.compactMap(Self.name)), path, names, of: client)
    }

    mutating func requestDirectory() {
        let client = random.pick(clients)
        let path = random.pick(Self.directories)
        send(.requestDirectory(Self.uri(path), after: nil, limit: 0), path, [], of: client)
    }

    private mutating func send(_ request: HostRequest, _ path: String, _ names: [String], of client: String) {
        let token = token()
        let location = model.locate(path, for: client)
        calls[token] = Call(client: client, path: path, location: location, names: names, arrived: now)
        send(.host(HostCall(caller: client, token: token, request: request)))
        if isLookedUp(path, for: client) { calls[token]?.arrived = nil }
    }

    mutating func replaceClient() {
        let position = random.below(clients.count)
        let client = clients[position]
        model.forgetAll(client)
        let waiting = calls.filter { $0.value.client == client && $0.value.arrived == nil }.keys
        cancelled = Set(waiting).union(beginnings.filter { $0.value.client == client }.keys)
        send(.peerLeft(client))
        #expect(cancelled.isEmpty, "\(place): calls of a host that is gone were not answered")
        lastConnection += 1
        clients[position] = "h\(100 + lastConnection)"
    }

    mutating func fallBehind() {
        let client = random.pick(clients)
        resets = []
        send(.receiverFellBehind(client))
        #expect(resets == [client], place)
    }

    // MARK: Providers

    mutating func start(_ provider: String) {
        lastConnection += 1
        let connection = "\(provider):\(lastConnection)"
        connections[provider] = connection
        if provider != "pc", let id = ProviderID(provider) {
            manifests[provider] = Manifest(
                id: id, name: "", icon: "", busName: "org.x.\(provider)", owner: connection)
            send(.manifests(manifests.values.sorted { $0.id < $1.id }))
        }
        let registration = ProviderRegistration(object: "/p", id: provider)
        send(.registry(RegistryCall(caller: connection, token: token(), request: .register(registration))))
        let home = Self.homes[provider] ?? ("/", "/")
        setFolders(provider, [ModelFolder(provider: provider, spelling: home.0, location: home.1)])
    }

    mutating func setFolders(_ provider: String, _ folders: [ModelFolder]) {
        let offers = folders.map { FolderOffer(folder: Self.uri($0.spelling)) }
        call(.setFolders(offers), .setFolders(folders), of: provider)
        // Often the answer is there before anything else happens.
        if random.below(2) == 0 { answerCheck() }
    }

    /// Makes a provider's call, of a method whose effect the model knows.
    mutating func call(_ request: RegistryRequest, _ effect: ProviderCall.Request, of provider: String) {
        guard let connection = connections[provider] else { return }
        let token = token()
        registryCalls[token] = ProviderCall(provider: provider, connection: connection, request: effect)
        callOrder[connection, default: []].append(token)
        sendMoving(.registry(RegistryCall(caller: connection, token: token, request: request)))
    }

    /// Sends an event with which providers' calls may take effect, and checks who is asked to begin again.
    mutating func sendMoving(_ event: Event) {
        resets = []
        movedClients = []
        send(event)
        #expect(resets == movedClients, place)
    }

    /// The watcher has checked the folders of one of the calls.
    mutating func answerCheck() {
        guard let token = checks.sorted(by: { $0.rawValue < $1.rawValue }).randomElement(using: &random) else { return }
        checks.remove(token)
        guard let call = registryCalls[token], case .setFolders(let folders) = call.request else {
            Issue.record("\(place): checked for nobody")
            return
        }
        let kind = random.below(6) == 0 ? FolderFacts.Kind.file : .directory
        sendMoving(.foldersChecked(token, facts(of: folders, kind: kind)))
    }

    /// Sends an event that changes whose the items are and checks who is asked to begin again.
    mutating func changeOwners(_ event: Event, _ change: (inout Model) -> Void) {
        let before = model
        change(&model)
        let expected = clientsOfMovedItems(before, model)
        resets = []
        send(event)
        #expect(resets == expected, place)
    }

    /// Who observes items that belong to another folder than before.
    func clientsOfMovedItems(_ before: Model, _ after: Model) -> Set<String> {
        var clients: Set<String> = []
        for (client, locations) in before.counts {
            for location in locations.keys {
                let items = [location] + Self.names.map { location + "/" + $0 }
                let moved = items.contains { item in
                    before.owner(item).map { $0 != after.owner(item) } ?? false
                }
                if moved { clients.insert(client) }
            }
        }
        return clients
    }

    mutating func dieOrReturn() {
        let provider = random.pick(Self.homes.keys.sorted())
        if let connection = connections.removeValue(forKey: provider) {
            model.claimed[provider] = nil
            begins = begins.filter { !$0.hasPrefix(connection + " ") }
            asks = asks.filter { $0.value.provider != provider }
            cancelled = Set(callOrder.removeValue(forKey: connection) ?? [])
            checks.subtract(cancelled)
            registryCalls = registryCalls.filter { !cancelled.contains($0.key) }
            changeOwners(.peerLeft(connection)) { model in
                if provider == "pc" { (model.known[provider], model.ranks[provider]) = ([], nil) }
            }
            #expect(cancelled.isEmpty, "\(place): calls of a provider that is gone were not answered")
        } else {
            start(provider)
        }
    }

    mutating func changeFolders() {
        let provider = random.pick(["pb", "pc"])
        guard connections[provider] != nil, let home = Self.homes[provider] else { return }
        let folder = ModelFolder(provider: provider, spelling: home.0, location: home.1)
        setFolders(provider, random.below(3) == 0 ? [] : [folder])
    }

    mutating func switchProvider() {
        let provider = random.pick(Self.homes.keys.sorted())
        let isDisabled = model.disabled.contains(provider)
        let request = isDisabled ? SettingsRequest.enable(provider) : .disable(provider)
        // A provider without folders and connection is not known and cannot be switched.
        guard connections[provider] != nil || !(model.known[provider] ?? []).isEmpty else { return }
        changeOwners(.settings(SettingsCall(token: token(), request: request))) { model in
            if isDisabled { model.disabled.remove(provider) } else { model.disabled.insert(provider) }
        }
    }

    /// The person allows a provider its folder, or takes that back.
    mutating func decide() {
        let provider = random.pick(["pa", "pb"])
        guard let folder = model.known[provider]?.first else { return }
        let uri = Self.uri(folder.spelling)
        if random.below(3) > 0 {
            let waits = model.waits(provider, around: folder.spelling)
            changeOwners(.settings(SettingsCall(token: token(), request: .allow(provider, uri)))) { model in
                if waits { model.allowed.insert(["pa", "pb"]) }
            }
        } else {
            lastRank += 1
            let rank = lastRank
            changeOwners(.settings(SettingsCall(token: token(), request: .disallow(provider, uri)))) { model in
                if model.allowed.remove(["pa", "pb"]) != nil { model.ranks[provider] = rank }
            }
        }
    }

    mutating func changeTruth() {
        let provider = random.pick(Self.homes.keys.sorted())
        let spelling = random.pick(
            Self.directories.filter { provider == "pa" || !$0.hasPrefix("/l") }.filter { !$0.contains("/k") })
        let location = located(spelling, for: provider)
        let names = Set((0...random.below(3)).map { _ in random.pick(Self.names) }).sorted()
        var columns = BadgeColumns()
        for name in names {
            let value =
                random.below(4) == 0
                ? Value.none
                : Value(
                    badge: random.pick(["synced", "pending", "error", "\(provider).OWN"]),
                    flags: UInt32(random.below(3)))
            model.truth[provider, default: [:]][location + "/" + name] = value == .none ? nil : value
            add(value, Self.name(name), to: &columns)
        }
        let reported = provider == "pa" && location.hasPrefix("/h") ? "/l" + location.dropFirst(2) : location
        call(
            .updateBadges(Self.uri(reported), columns),
            .update(reported, items: Set(names.map { location + "/" + $0 })),
            of: provider)
    }

    mutating func answerOne() {
        guard let token = asks.keys.sorted().randomElement(using: &random), let ask = asks.removeValue(forKey: token)
        else { return }
        send(.answer(token, ask.answer))
    }

    // MARK: The watcher and time

    mutating func vanish() {
        let location = random.pick(Array(model.observedLocations.sorted() + ["/h/a"]))
        let name = random.pick(Self.names)
        removeTruth(of: location + "/" + name)
        send(.itemsVanished(directory: Self.uri(location), names: [name].compactMap(Self.name)))
    }

    /// Whether a provider's last word about an item is in a call that takes effect later.
    func isUpdateWaiting(of item: String, by provider: String) -> Bool {
        registryCalls.values.contains { call in
            guard call.provider == provider, case .update(_, let items) = call.request else { return false }
            return items.contains(item)
        }
    }

    private mutating func removeTruth(of item: String) {
        for provider in model.truth.keys where !isUpdateWaiting(of: item, by: provider) {
            model.truth[provider]?[item] = nil
        }
    }

    /// A watched directory vanishes, or one is at its place again.
    mutating func vanishDirectory() {
        guard let path = watched.sorted().randomElement(using: &random) else { return }
        if model.absent[path] != nil, random.below(2) == 0 {
            model.absent[path] = nil
            return send(.directoryReturned(Self.uri(path)))
        }
        let location = model.locate(path)
        if model.absent.updateValue(location, forKey: path) == nil {
            for name in Self.names { removeTruth(of: location + "/" + name) }
        }
        send(.directoryVanished(Self.uri(path)))
    }

    mutating func advance(_ duration: Duration) {
        let end = now + duration
        while let time = armed, time <= end {
            now = max(now, time)
            armed = nil
            send(.timer)
        }
        now = end
        for call in calls.values {
            #expect(now <= (call.arrived ?? now) + Limits.patience, "\(place): a call is held for too long")
        }
    }

    /// Lets everybody answer and every deadline pass; then all that is believed has to be true.
    mutating func quiesce() {
        var rounds = 0
        while !asks.isEmpty || !checks.isEmpty || !lookups.isEmpty || armed != nil {
            while !lookups.isEmpty { answerLookup() }
            while !checks.isEmpty { answerCheck() }
            while !asks.isEmpty { answerOne() }
            if armed != nil { advance(max(Limits.patience, Patience.Badges.collecting)) }
            rounds += 1
            guard rounds < 1000 else {
                Issue.record("\(place): it does not come to rest")
                return
            }
        }
        #expect(calls.isEmpty && registryCalls.isEmpty && beginnings.isEmpty, "\(place): calls without an answer")
        for (client, locations) in model.counts {
            for location in locations.keys {
                checkBelief(client, location)
            }
        }
        checkMemory()
    }
}

import RoundelBus
import Support
import TestSupport
import Testing

@testable import BadgeEngine

/// Drives the engine with random events and checks each of its actions against the model.
struct RandomWorld {
    struct Ask {
        let provider: String
        let request: ProviderRequest
        let answer: ProviderAnswer
    }

    struct Call {
        let client: String
        /// The directory as the client spells it.
        let path: String
        /// Known once it is looked up.
        var location: String
        let names: [String]
        /// When it was looked up; nil: not yet.
        var arrived: Instant?
    }

    /// A call of a provider, whose effect comes with its answer.
    struct ProviderCall {
        enum Request {
            case setFolders([ModelFolder])
            /// A directory in which badges were reported, and the locations of these items.
            case update(String, items: Set<String>)
        }

        let provider: String
        let connection: String
        let request: Request
    }

    static let directories = [
        "/k", "/k/d", "/h", "/l", "/h/a", "/l/a", "/h/a/d", "/l/a/d", "/h/a/n", "/l/a/n", "/h/a/n/x", "/h/c", "/h/c/d",
        "/z", "/h/a/k", "/l/a/k", "/h/a/k/d", "/h/a/k/x",
    ]
    static let names = ["a", "c", "n", "d", "x", "i0", "i1", "i2", "i3", "%FF"]
    static let homes = ["pa": ("/l/a", "/h/a"), "pb": ("/h/a/n", "/h/a/n"), "pc": ("/h/c", "/h/c")]

    let seed: UInt64
    var random: SeededRandom
    var engine = Engine()
    var model = Model()
    var now = Instant(nanoseconds: 1_000_000_000)
    var armed: Instant?
    var step = 0
    var clients = ["h1", "h2", "h3"]
    var connections: [String: String] = [:]
    var lastConnection = 0
    var lastRank = 0
    var lastToken: UInt64 = 0
    var calls: [CallToken: Call] = [:]
    var asks: [RequestToken: Ask] = [:]
    var begins: Set<String> = []
    var resets: Set<String> = []
    var signalled: [String: Value] = [:]
    /// By provider; `pc` has none and takes its folders along.
    var manifests: [String: Manifest] = [:]
    /// The calls of providers that have not been answered.
    var registryCalls: [CallToken: ProviderCall] = [:]
    /// By connection, in the order in which they were made.
    var callOrder: [String: [CallToken]] = [:]
    /// The calls of providers that have left.
    var cancelled: Set<CallToken> = []
    /// Where the links lead, of which one is outside and one inside of a folder; those that are not named lead nowhere.
    var links: [String: String] = [:]
    /// The links that the watcher follows, and where they led when it began.
    var followed: [String: String] = [:]
    /// The directories that are watched.
    var watched: Set<String> = []
    /// Directories that are being looked up, each for a client.
    var lookups: [RequestToken: (client: String, path: String)] = [:]
    /// BeginObserving calls that have not been answered.
    var beginnings: [CallToken: (client: String, path: String)] = [:]
    /// SetFolders calls whose folders are being checked.
    var checks: Set<CallToken> = []
    /// The clients that have to begin again because of what was accepted in this step.
    var movedClients: Set<String> = []

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    var place: Comment { "seed \(seed), step \(step)" }

    static func uri(_ path: String) -> ItemURI {
        (try? ItemURI("file://" + path)) ?? .root
    }

    static func name(_ text: String) -> ItemName? { try? ItemName(text) }

    mutating func token() -> CallToken {
        lastToken += 1
        return CallToken(lastToken)
    }

    // MARK: Sending events and handling actions

    mutating func send(_ event: Event) {
        signalled = [:]
        for (token, call) in calls where call.arrived == nil {
            calls[token]?.location = model.locate(call.path, for: call.client)
        }
        for action in engine.handle(event, now: now) {
            handle(action)
        }
        for (token, lookup) in lookups where !engine.placeQuestions.contains(token) {
            lookups[token] = nil
            for (token, call) in calls where call.path == lookup.path && call.client == lookup.client {
                calls[token]?.arrived = call.arrived ?? now
            }
        }
        check()
    }

    mutating func handle(_ action: Action) {
        switch action {
        case .reply(let token, let reply): handle(reply, to: token)
        case .fail(let token, let error): handle(error, to: token)
        case .signalBadges(let client, let directory, let columns): handleSignal(client, directory.path, columns)
        case .signalReset(let client):
            resets.insert(client)
            model.forgetAll(client)
        case .notify(let endpoint, .beginObserving(let uri)):
            #expect(begins.insert("\(endpoint.connection) \(uri.path)").inserted, "\(place): begun twice")
        case .notify(let endpoint, .endObserving(let uri)):
            #expect(begins.remove("\(endpoint.connection) \(uri.path)") != nil, "\(place): ended without begin")
        case .ask(let token, let endpoint, let request): handleQuestion(token, endpoint, request)
        case .checkFolders(let token, _):
            let isFirst = checks.insert(token).inserted
            #expect(isFirst, "\(place): checked twice")
        case .findPlaces(let token, let directories):
            #expect(directories.count == 1, "\(place): looked up together")
            let client = engine.placeQuestions.open[token]?.caller
            lookups[token] = (client ?? "", directories.first?.path ?? "")
        case .followLink(let link):
            let isFirst = followed.updateValue(link.target.path, forKey: link.link.path) == nil
            #expect(isFirst, "\(place): \(link.link) is followed twice")
        case .unfollowLink(let link):
            #expect(followed.removeValue(forKey: link.path) != nil, "\(place): \(link) is not followed")
        case .watchDirectory(let directory):
            #expect(watched.insert(directory.path).inserted, "\(place): \(directory) is watched twice")
        case .unwatchDirectory(let directory):
            #expect(watched.remove(directory.path) != nil, "\(place): \(directory) is not watched")
            model.absent[directory.path] = nil
        case .setTimer(let time): armed = time
        default: break
        }
    }

    mutating func handle(_ error: Refusal, to token: CallToken) {
        if cancelled.remove(token) != nil {
            #expect(error.code == .cancelled, place)
            calls[token] = nil
            beginnings[token] = nil
        } else if let call = answered(token) {
            switch call.request {
            case .setFolders: #expect(error.code == .invalidURI, "\(place): \(error)")
            case .update(let directory, items: _):
                let waits = model.waits(call.provider, around: directory)
                #expect(error.code == (waits ? .consentNeeded : .notYourFolder), "\(place): \(error)")
                #expect(!model.ownsSomething(call.provider, directory), "\(place): refused in \(directory)")
            }
        } else {
            #expect(error.code == .notObserving, "\(place): \(error)")
            calls[token] = nil
        }
    }

    /// A provider's call that is answered now, which is the first of its connection.
    mutating func answered(_ token: CallToken) -> ProviderCall? {
        guard let call = registryCalls.removeValue(forKey: token) else { return nil }
        #expect(callOrder[call.connection]?.first == token, "\(place): answered before an earlier call")
        callOrder[call.connection]?.removeAll { $0 == token }
        return call
    }

    /// What a provider called takes effect.
    mutating func accept(_ call: ProviderCall, _ reply: Reply) {
        switch call.request {
        case .setFolders(let folders):
            let before = model
            // The folder is the older one for as long as it is not given up.
            lastRank += 1
            model.ranks[call.provider] = folders.isEmpty ? nil : model.ranks[call.provider] ?? lastRank
            model.known[call.provider] = folders
            model.claimed[call.provider] = call.connection
            let waiting = folders.filter { model.waits(call.provider, around: $0.spelling) }
            #expect(
                reply == (waiting.isEmpty ? .done : .registered(waiting: waiting.map { Self.uri($0.spelling) })), place)
            movedClients.formUnion(clientsOfMovedItems(before, model))
        case .update(let directory, items: _):
            #expect(model.ownsSomething(call.provider, directory), "\(place): accepted in \(directory)")
            let isObserved = model.observedLocations.contains(model.locate(directory))
            #expect(reply == .observed(isObserved), place)
        }
    }

    mutating func handle(_ reply: Reply, to token: CallToken) {
        if let call = answered(token) { return accept(call, reply) }
        if let (client, path) = beginnings.removeValue(forKey: token) { return begun(client, path, reply) }
        guard let call = calls.removeValue(forKey: token) else { return }
        #expect((call.arrived ?? now).duration(to: now) <= Limits.patience, "\(place): held for too long")
        switch reply {
        case .badges(let columns):
            #expect(columns.count == call.names.count, place)
            for (row, name) in call.names.enumerated() where row < columns.count {
                give(call, name, value(columns, row))
            }
        case .directory(let columns, _):
            model.whole[call.client, default: []].insert(call.location)
            for row in 0..<columns.count {
                give(call, columns.names[row].encoded, value(columns, row))
            }
        default: break
        }
    }

    mutating func begun(_ client: String, _ path: String, _ reply: Reply) {
        let isMonitored = model.isMonitored(model.locate(path, for: client))
        #expect(reply == .monitored(isMonitored), "\(place): \(path)")
        if isMonitored { model.begin(client, path) }
    }

    mutating func give(_ call: Call, _ name: String, _ value: Value) {
        let observes = model.observes(call.client, call.location)
        #expect(observes, "\(place): given without observing")
        model.given[call.client, default: [:]][call.location, default: []].insert(name)
        model.belief[call.client, default: [:]][call.location, default: [:]][name] = value
    }

    func value(_ columns: BadgeColumns, _ row: Int) -> Value {
        Value(badge: columns.badges[row].identifier, flags: columns.flags[row], progress: columns.progress[row])
    }

    mutating func handleSignal(_ client: String, _ spelling: String, _ columns: BadgeColumns) {
        let location = model.locate(spelling, for: client)
        let count = model.counts[client]?[location]?[spelling]
        #expect(count != nil, "\(place): signal to one who does not observe")
        let isWhole = model.whole[client]?.contains(location) ?? false
        for row in 0..<columns.count {
            let name = columns.names[row].encoded
            let isGiven = model.given[client]?[location]?.contains(name) ?? false
            #expect(isGiven || isWhole, "\(place): \(name) was never given")
            let new = value(columns, row)
            let key = "\(client) \(location) \(name)"
            let old = model.belief[client]?[location]?[name] ?? .none
            #expect(new != old || signalled[key] == new, "\(place): \(name) did not change")
            signalled[key] = new
            model.belief[client, default: [:]][location, default: [:]][name] = new
        }
    }

    // MARK: The providers

    func provider(at connection: String) -> String? {
        connections.first { $0.value == connection }?.key
    }

    /// A place as this provider spells it → its location.
    func located(_ path: String, for provider: String) -> String {
        guard provider == "pa" else { return path }
        return path.hasPrefix("/l") ? "/h" + path.dropFirst(2) : path
    }

    mutating func handleQuestion(_ token: RequestToken, _ endpoint: ProviderEndpoint, _ request: ProviderRequest) {
        guard let provider = provider(at: endpoint.connection) else {
            Issue.record("\(place): a provider that is gone was asked")
            return
        }
        let truth = model.truth[provider] ?? [:]
        switch request {
        case .requestBadges(let uri, let names):
            let location = located(uri.path, for: provider)
            var columns = BadgeColumns()
            for name in names {
                let item = location + "/" + name.encoded
                let owner = model.owner(item)?.provider
                #expect(owner == provider, "\(place): asked for another's \(item)")
                add(truth[item] ?? .none, nil, to: &columns)
            }
            asks[token] = Ask(provider: provider, request: request, answer: .badges(columns))
        case .requestDirectory(let uri, let after, _):
            let location = located(uri.path, for: provider)
            let owner = model.owner(location)?.provider
            #expect(owner == provider, "\(place): asked for another's \(location)")
            let names = Self.names.compactMap(Self.name).sorted().filter { name in
                truth[location + "/" + name.encoded] != nil && (after.map { $0 < name } ?? true)
            }
            var columns = BadgeColumns()
            for name in names.prefix(2) {
                add(truth[location + "/" + name.encoded] ?? .none, name, to: &columns)
            }
            let next = names.count > 2 ? names[1] : nil
            asks[token] = Ask(provider: provider, request: request, answer: .directory(columns, next: next))
        default: Issue.record("\(place): an unexpected question")
        }
    }

    func add(_ value: Value, _ name: ItemName?, to columns: inout BadgeColumns) {
        if let name { columns.names.append(name) }
        columns.badges.append(Badge(value.badge))
        columns.flags.append(value.flags)
        columns.progress.append(value.progress)
    }

    /// What the watcher finds of folders.
    func facts(of folders: [ModelFolder], kind: FolderFacts.Kind) -> [FolderFacts] {
        folders.map { folder in
            FolderFacts(
                folder: Self.uri(folder.spelling), kind: kind,
                spellings: folder.spelling == folder.location ? [] : [Self.uri(folder.location)])
        }
    }
}

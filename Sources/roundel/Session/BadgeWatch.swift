import DBus
import RoundelBus

/// Observes the directories of some items and knows their badges, as a window of a file manager does: over a
/// restart of the service, a Reset and changes of the registered folders.
struct BadgeWatch {
    enum Event: Sendable {
        case signal(ReceivedSignal)
        case owner(String?)
        case foldersChanged
        case deadline
    }

    private let host: Host
    private let wanted: [ItemURI: [ItemName]]
    private let merge = EventMerge<Event>()
    private var monitored: Set<ItemURI> = []
    private var states: [ItemURI: ItemState] = [:]
    private(set) var labels = BadgeLabels()
    private var folders: [ItemURI] = []
    private var owner: String?

    /// - Parameter items: The items; the root of the file system has no directory and never a badge.
    init(_ items: [ItemURI], host: Host) throws {
        self.host = host
        var wanted: [ItemURI: [ItemName]] = [:]
        for item in Set(items) {
            if let parent = item.parent, let name = item.name { wanted[parent, default: []].append(name) }
        }
        self.wanted = wanted
        merge.add(try host.signals()) { .signal($0) }
        let properties = MatchRule(
            sender: Names.service, path: Names.servicePath,
            interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            arguments: [0: Names.host])
        merge.add(try host.bus.signals(properties)) { signal in
            let changed = signal.arguments.count > 1 ? signal.arguments[1].map : nil
            let invalidated = signal.arguments.count > 2 ? signal.arguments[2].strings : nil
            let concerns = changed?["Folders"] != nil || invalidated?.contains("Folders") == true
            return concerns ? .foldersChanged : nil
        }
    }

    /// The badge of an item as it is known now.
    func state(of item: ItemURI) -> ItemState { states[item] ?? .none }

    /// Asks for everything and waits a little for badges that the service does not have at hand: a provider may
    /// just be starting.
    mutating func settle(within patience: Duration) async throws {
        _ = try await observeAll()
        try await completeAnswers(within: patience)
    }

    /// Asks for everything like ``settle(within:)``, then calls `changed` with the items whose badge changes each
    /// time, until the bus is gone. The first call is for all items and names none.
    mutating func follow(
        within patience: Duration, _ changed: ([ItemURI], BadgeWatch) -> Void
    ) async throws {
        // Asking starts the service where it does not run.
        _ = try await observeAll()
        owner = try await host.bus.owner(of: Names.service)
        merge.add(host.bus.owners(of: Names.service)) { .owner($0) }
        try await survivingTheService { watch in try await watch.completeAnswers(within: patience) }
        changed([], self)
        for await event in merge.events {
            let items = try await survivingTheService { watch in try await watch.handle(event) }
            if let items, !items.isEmpty { changed(items.sorted(), self) }
        }
    }

    private mutating func completeAnswers(within patience: Duration) async throws {
        guard isIncomplete else { return }
        merge.add(.deadline, after: patience)
        for await event in merge.events {
            if case .deadline = event { return }
            _ = try await handle(event)
            if !isIncomplete { return }
        }
    }

    /// - Returns: nil where the service went away in the middle of an answer; its next owner is asked again.
    @discardableResult
    private mutating func survivingTheService<Answer>(
        _ ask: (inout BadgeWatch) async throws -> Answer
    ) async throws -> Answer? {
        do {
            return try await ask(&self)
        } catch let error as DBusError where error.standard != .disconnected {
            monitored = []
            return nil
        }
    }

    /// Whether an item that should have a badge has none yet.
    private var isIncomplete: Bool {
        monitored.contains { directory in
            (wanted[directory] ?? []).contains { name in
                let item = directory.appending(name)
                return state(of: item).badge == .none && folders.contains { item.isWithin($0) }
            }
        }
    }

    /// - Returns: the items whose badge changed.
    private mutating func handle(_ event: Event) async throws -> [ItemURI] {
        switch event {
        case .deadline, .owner(owner): return []
        case .owner(nil):
            owner = nil
            let lost = states.filter { $0.value != .none }.map(\.key)
            states = [:]
            monitored = []
            return lost
        case .owner(let name):
            owner = name
            monitored = []
            return try await observeAll()
        case .foldersChanged:
            try await readProperties()
            return try await observe(wanted.keys.filter { !monitored.contains($0) })
        case .signal(let signal) where signal.member == "Reset":
            monitored = []
            return try await observeAll()
        case .signal(let signal) where signal.member == "BadgesChanged":
            return apply(signal)
        case .signal:
            return []
        }
    }

    private mutating func observeAll() async throws -> [ItemURI] {
        try await readProperties()
        return try await observe(Array(wanted.keys))
    }

    private mutating func readProperties() async throws {
        let properties = try await host.properties()
        labels = properties.labels
        folders = properties.folders
    }

    private mutating func observe(_ directories: [ItemURI]) async throws -> [ItemURI] {
        var changed: [ItemURI] = []
        for directory in directories.sorted() {
            let names = wanted[directory] ?? []
            var answer: [ItemName: ItemState] = [:]
            do {
                if !monitored.contains(directory), try await host.beginObserving(directory) {
                    monitored.insert(directory)
                }
                if monitored.contains(directory) { answer = try await host.badges(of: names, in: directory) }
            } catch let error as DBusError where error.name == RoundelError.Code.notObserving.name {
                // The directory ended meanwhile; a signal says what follows.
                monitored.remove(directory)
            }
            for name in names { update(directory.appending(name), answer[name] ?? .none, &changed) }
        }
        return changed
    }

    private mutating func apply(_ signal: ReceivedSignal) -> [ItemURI] {
        guard let text = signal.arguments.first?.string, let directory = try? ItemURI(text),
            let names = wanted[directory], let rows = HostRows.read(Array(signal.arguments.dropFirst()))
        else { return [] }
        var changed: [ItemURI] = []
        for (name, state) in rows where names.contains(name) {
            update(directory.appending(name), state, &changed)
        }
        return changed
    }

    private mutating func update(_ item: ItemURI, _ state: ItemState, _ changed: inout [ItemURI]) {
        guard self.state(of: item) != state else { return }
        states[item] = state == .none ? nil : state
        changed.append(item)
    }
}

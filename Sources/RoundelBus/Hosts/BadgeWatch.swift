internal import DBus

/// Observes the directories of some items and keeps their badges up to date, like a window of a file manager: even
/// after a restart of the service, a reset, and changes of the registered folders.
///
/// ``follow(within:_:)`` reports each change; ``load(within:)`` reads them once.
public struct BadgeWatch {
    private enum Event: Sendable {
        case host(HostEvent)
        case owner(String?)
        case propertiesChanged
        case deadline
    }

    private let host: HostProxy
    private let wanted: [ItemURI: [ItemName]]
    private let merge = EventMerge<Event>()
    private var monitored: Set<ItemURI> = []
    private var badges: [ItemURI: ItemBadge] = [:]
    private var folders: [ItemURI] = []
    private var owner: String?
    /// Whether the service has a version; one without is not used.
    private var isUsable = false
    /// The images and labels of the badges, as the service last reported them.
    public private(set) var images: [BadgeImage] = []

    /// - Parameters:
    ///   - items: The items. The root of the file system is in no directory and never has a badge.
    ///   - host: The service to ask.
    public init(_ items: [ItemURI], host: HostProxy) throws {
        self.host = host
        var wanted: [ItemURI: [ItemName]] = [:]
        for item in Set(items) {
            if let parent = item.parent, let name = item.name { wanted[parent, default: []].append(name) }
        }
        self.wanted = wanted
        merge.add(try host.events()) { .host($0) }
        merge.add(try host.propertyChanges()) { change in
            change.names.isDisjoint(with: [.folders, .badges]) ? nil : .propertiesChanged
        }
    }

    /// The badge of an item, as far as known.
    public func badge(of item: ItemURI) -> ItemBadge { badges[item] ?? .none }

    /// Requests all badges and waits for those that the service does not know yet, for example because a provider is
    /// starting.
    /// - Parameter patience: The maximum time to wait for these.
    public mutating func load(within patience: Duration) async throws {
        _ = try await observeAll()
        try await completeAnswers(within: patience)
    }

    /// Requests all badges like ``load(within:)``. Then calls `changed` each time with the items whose badge, image or
    /// label changed, until the bus is gone. The first call is for all items and its list is empty.
    public mutating func follow(
        within patience: Duration, _ changed: ([ItemURI], BadgeWatch) -> Void
    ) async throws {
        // The call starts the service if it does not run.
        _ = try await observeAll()
        owner = try await host.bus.owner(of: Names.service)
        merge.add(host.owners()) { .owner($0) }
        try await survivingTheService { watch in try await watch.completeAnswers(within: patience) }
        changed([], self)
        for await event in merge.events {
            let items = try await survivingTheService { watch in try await watch.handle(event) }
            if let items, !items.isEmpty { changed(items.sorted(), self) }
        }
    }

    private mutating func completeAnswers(within patience: Duration) async throws {
        guard isIncomplete else { return }
        merge.add(.deadline, after: patience, on: host.bus)
        for await event in merge.events {
            if case .deadline = event { return }
            _ = try await handle(event)
            if !isIncomplete { return }
        }
    }

    /// - Returns: Nil if the service ended during a reply; the next owner of its name is asked again.
    @discardableResult
    private mutating func survivingTheService<Answer>(
        _ ask: (inout BadgeWatch) async throws -> Answer
    ) async throws -> Answer? {
        do {
            return try await ask(&self)
        } catch let error as DBusError where error.standard != .disconnected && error.standard != .inconsistentMessage {
            monitored = []
            return nil
        }
    }

    /// Whether the badge of an item that should have one is still unknown.
    private var isIncomplete: Bool {
        monitored.contains { directory in
            (wanted[directory] ?? []).contains { name in
                let item = directory.appending(name)
                return badge(of: item).badge == .none && folders.contains { item.isWithin($0) }
            }
        }
    }

    /// - Returns: The items whose badge, or its image, changed.
    private mutating func handle(_ event: Event) async throws -> Set<ItemURI> {
        switch event {
        case .deadline, .owner(owner): return []
        case .owner(nil):
            owner = nil
            let lost = Set(badges.keys)
            badges = [:]
            monitored = []
            return lost
        case .owner(let name):
            owner = name
            monitored = []
            return try await observeAll()
        case .propertiesChanged:
            let changed = try await readProperties()
            return try await observe(wanted.keys.filter { !monitored.contains($0) }).union(changed)
        case .host(.reset):
            monitored = []
            return try await observeAll()
        case .host(.badgesChanged(let directory, let rows)): return apply(rows, in: directory)
        case .host(.actionFinished), .host(.menuChanged): return []
        }
    }

    private mutating func observeAll() async throws -> Set<ItemURI> {
        let changed = try await readProperties()
        return try await observe(Array(wanted.keys)).union(changed)
    }

    /// - Returns: The items whose badge has a new image or label, because a provider may register a folder before the
    ///   images of its badges.
    private mutating func readProperties() async throws -> Set<ItemURI> {
        let properties = try await host.properties()
        folders = properties.folders
        isUsable = properties.version != nil
        let different = Set(Set(images).symmetricDifference(properties.badges).map(\.badge))
        images = properties.badges
        return Set(badges.filter { different.contains($0.value.badge) }.keys)
    }

    private mutating func observe(_ directories: [ItemURI]) async throws -> Set<ItemURI> {
        var changed: Set<ItemURI> = []
        for directory in directories.sorted() {
            let names = wanted[directory] ?? []
            var answer: [ItemName: ItemBadge] = [:]
            do {
                if isUsable, !monitored.contains(directory), try await host.beginObserving(directory) {
                    monitored.insert(directory)
                }
                if monitored.contains(directory) { answer = try await host.badges(of: names, in: directory) }
            } catch let error as DBusError where error.roundelCode == .notObserving {
                // The observation of the directory ended meanwhile; a signal will report what follows.
                monitored.remove(directory)
            }
            for name in names { update(directory.appending(name), answer[name] ?? .none, &changed) }
        }
        return changed
    }

    private mutating func apply(_ rows: [ItemName: ItemBadge], in directory: ItemURI) -> Set<ItemURI> {
        var changed: Set<ItemURI> = []
        for name in wanted[directory] ?? [] {
            if let badge = rows[name] { update(directory.appending(name), badge, &changed) }
        }
        return changed
    }

    private mutating func update(_ item: ItemURI, _ badge: ItemBadge, _ changed: inout Set<ItemURI>) {
        guard self.badge(of: item) != badge else { return }
        badges[item] = badge == .none ? nil : badge
        changed.insert(item)
    }
}

public import DBus

/// The badge service for hosts: `org.roundel.Roundel1.Host`, which file managers, file dialogs and the command line
/// use.
///
/// A call starts the service if it does not run. Errors are `DBusError`; those of the service contain a sentence for
/// the user, and `DBusError.roundelCode` identifies them. A reply that does not fit the interface is
/// `InconsistentMessage`.
public struct HostProxy: Sendable {
    /// The connection on which the service is called.
    public let bus: AsyncConnection
    private let service: ServiceCaller

    /// The number of names in one call. The service accepts ``Limits/namesPerCall``; with fewer, it can answer other
    /// callers in between.
    private static let batch = 20_000

    /// Creates a proxy for the badge service on this bus.
    public init(bus: AsyncConnection) {
        self.bus = bus
        service = ServiceCaller(bus: bus, interface: Names.host)
    }

    /// Connects to a bus and creates a proxy for its badge service.
    /// - Throws: `DBusError` with the reason if there is no bus.
    public static func open(_ address: BusAddress = .session) async throws -> HostProxy {
        HostProxy(bus: try await .open(address))
    }

    // MARK: Observing and badges

    /// Starts to observe a directory that the host shows. Each call needs a matching ``endObserving(_:)``; leaving the
    /// bus also ends the observation.
    /// - Returns: Whether any item in the directory can have a badge. If not, nothing is observed.
    public func beginObserving(_ directory: ItemURI) async throws -> Bool {
        try await service.call("BeginObserving") {
            try $0.append(directory)
        } read: {
            try $0.readBool()
        }
    }

    /// Ends one observation.
    public func endObserving(_ directory: ItemURI) async throws {
        try await service.call("EndObserving") { try $0.append(directory) }
    }

    /// The known badges of these items of an observed directory. Later ones, and all changes, are reported by
    /// ``events()``.
    /// - Parameters:
    ///   - names: Any number of names, which are requested in batches.
    ///   - directory: An observed directory.
    public func badges(of names: [ItemName], in directory: ItemURI) async throws -> [ItemName: ItemBadge] {
        var badges: [ItemName: ItemBadge] = [:]
        var rest = names[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(HostProxy.batch))
            rest = rest.dropFirst(part.count)
            let answer = try await service.call("RequestBadges") { writer in
                try writer.append(directory)
                try writer.append(names: part)
            } read: { reader in
                var columns = try reader.readValueColumns()
                columns.names = part
                return try ItemBadge.rows(of: columns)
            }
            badges.merge(answer) { $1 }
        }
        return badges
    }

    /// All items of an observed directory that its provider knows, read page by page. From then on ``events()`` reports
    /// the changes of all its items.
    public func badges(ofAllIn directory: ItemURI) async throws -> [ItemName: ItemBadge] {
        var badges: [ItemName: ItemBadge] = [:]
        var last: ItemName?
        while true {
            let page = try await page(of: directory, after: last)
            badges.merge(page.items) { $1 }
            // A service that makes no progress must not block the host forever.
            guard let next = page.next, !page.items.isEmpty, last.map({ $0 < next }) ?? true else { return badges }
            last = next
        }
    }

    /// Some items of a directory, and the start of the next page.
    private struct Page: Sendable {
        let items: [ItemName: ItemBadge]
        /// The name after which to continue; nil at the end.
        let next: ItemName?
    }

    private func page(of directory: ItemURI, after last: ItemName?) async throws -> Page {
        try await service.call("RequestDirectory") { writer in
            try writer.append(directory)
            try writer.append(last?.encoded ?? "")
            try writer.append(UInt32(HostProxy.batch))
        } read: { reader in
            Page(items: try ItemBadge.rows(of: try reader.readColumns()), next: try reader.readOptionalItemName())
        }
    }

    // MARK: Properties and attributes

    /// All properties of the service.
    public func properties() async throws -> HostProperties {
        try await bus.call(
            Names.service, Names.servicePath, "org.freedesktop.DBus.Properties", "GetAll",
            write: { try $0.append(Names.host) },
            read: ServiceCaller.reading("GetAll") { HostProperties(try $0.readVariantMap()) })
    }

    /// The attributes that an item's provider knows.
    /// - Parameters:
    ///   - item: The item.
    ///   - keys: The requested attributes; an empty array requests all.
    public func attributes(
        of item: ItemURI, keys: [AttributeKey] = []
    ) async throws -> [AttributeKey: AttributeValue] {
        try await service.call("GetAttributes") { writer in
            try writer.append(item)
            try writer.append(strings: keys.map(\.rawValue))
        } read: { reader in
            AttributeValue.attributes(in: try reader.readVariantMap())
        }
    }

    /// Finds an interface that an item's provider implements itself, for the host to call.
    ///
    /// - Parameters:
    ///   - interface: The interface's name, such as `org.example.Queue1`.
    ///   - item: The item whose provider is asked.
    ///   - timeout: How long to wait for the service; nil to wait without a limit.
    public func service(
        _ interface: String, for item: ItemURI, timeout: Duration? = AsyncConnection.usualTimeout
    ) async throws -> ItemService {
        try await service.call("GetItemService", timeout: timeout) { writer in
            try writer.append(item)
            try writer.append(interface)
        } read: { reader in
            let (busName, object) = (try reader.readString(), try reader.readObjectPath())
            let extra = try reader.readVariantMap()
            return ItemService(
                busName: busName, object: object, provider: extra.string("provider").flatMap(ProviderID.init),
                providerName: extra.string("name") ?? busName)
        }
    }

    // MARK: Menus

    /// The menu for a selection; empty if there is none. A provider that answers late is missing in it, and named in
    /// ``HostedMenu/incomplete``.
    /// - Parameters:
    ///   - kind: Where the menu opens.
    ///   - target: The folder or item on which the menu opens; nil for the toolbar outside all folders.
    ///   - selection: The selected items.
    public func menu(_ kind: MenuKind, target: ItemURI?, selection: [ItemURI] = []) async throws -> HostedMenu {
        try await service.call("GetMenu") { writer in
            try writer.append(kind.rawValue)
            try writer.append(target?.uri ?? "")
            try writer.append(uris: selection)
        } read: {
            try HostedMenu(reading: &$0)
        }
    }

    /// The menu for a selection with the items of all providers, also of those that answer late.
    /// - Parameters:
    ///   - kind: Where the menu opens.
    ///   - target: The folder or item on which the menu opens; nil for the toolbar outside all folders.
    ///   - selection: The selected items.
    ///   - patience: How long to wait for late providers. After that, ``HostedMenu/incomplete`` names those that are
    ///     missing.
    public func completeMenu(
        _ kind: MenuKind, target: ItemURI?, selection: [ItemURI] = [], patience: Duration = .seconds(5)
    ) async throws -> HostedMenu {
        let merge = EventMerge<HostedMenu?>()
        merge.add(try events()) { event in
            if case .menuChanged(let menu) = event { .some(menu) } else { .none }
        }
        var menu = try await self.menu(kind, target: target, selection: selection)
        if menu.incomplete.isEmpty { return menu }
        merge.add(nil, after: patience, on: bus)
        for await later in merge.events {
            guard let later else { break }
            guard later.id == menu.id else { continue }
            menu = later
            if menu.incomplete.isEmpty { break }
        }
        return menu
    }

    /// Starts an action; returns when its provider has been called. ``HostEvent/actionFinished(_:)`` reports its
    /// result.
    public func begin(_ item: String, of menu: HostedMenu, options: ActivationOptions = .init()) async throws {
        try await service.call("Activate", options: options.hostWire) { writer in
            try writer.append(menu.id)
            try writer.append(item)
        }
    }

    /// Carries out an action and waits for its end, for any time.
    /// - Throws: ``Failure/serviceLeft`` if the service leaves the bus meanwhile.
    public func perform(
        _ item: String, of menu: HostedMenu, options: ActivationOptions = .init()
    ) async throws -> FinishedAction {
        let service = try await bus.owner(of: Names.service)
        let merge = EventMerge<FinishedAction?>()
        merge.add(try events()) { event in
            if case .actionFinished(let end) = event, end.menu == menu.id, end.item == item {
                .some(end)
            } else {
                .none
            }
        }
        merge.add(bus.owners(of: Names.service)) { $0 == service ? .none : .some(nil) }
        try await begin(item, of: menu, options: options)
        for await case let end? in merge.events.prefix(1) { return end }
        throw Failure.serviceLeft
    }

    /// Failures that are not errors of the bus.
    public enum Failure: Error, Sendable {
        /// The service left the bus before an action was finished; it is not known whether it is carried out.
        case serviceLeft
    }
}

public import DBus

/// The badge service as a host sees it: `org.roundel.Roundel1.Host`, which a file manager, a file dialog or a command
/// line speaks.
///
/// A call starts the service where it does not run. Errors are `DBusError`; those of the service have a sentence for a
/// person, and `DBusError.roundelCode` says which it is. A reply that does not fit the interface is
/// `InconsistentMessage`.
public struct HostProxy: Sendable {
    /// The connection on which the service is called.
    public let bus: AsyncConnection
    private let service: ServiceCaller

    /// Names in one call. The service takes ``Limits/namesPerCall``; fewer let it answer others in between.
    private static let batch = 20_000

    /// Speaks to the badge service on this bus.
    public init(bus: AsyncConnection) {
        self.bus = bus
        service = ServiceCaller(bus: bus, interface: Names.host)
    }

    /// Connects to a bus and speaks to its badge service.
    /// - Throws: `DBusError` that says why there is no bus.
    public static func open(_ address: BusAddress = .session) async throws -> HostProxy {
        HostProxy(bus: try await .open(address))
    }

    // MARK: Observing and badges

    /// Begins to observe a directory that the host shows. Each call is ended by one of ``endObserving(_:)``, or by
    /// leaving the bus.
    /// - Returns: whether anything in the directory can have a badge. If not, nothing has begun.
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

    /// The badges of these items of an observed directory, as far as they are known. Those that are late, and all that
    /// change, follow in ``events()``.
    /// - Parameters:
    ///   - names: any number; they are asked for in batches.
    ///   - directory: an observed directory.
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

    /// Every item of an observed directory that its provider knows, read page by page. From then on ``events()`` has the
    /// changes of all its items.
    public func badges(ofAllIn directory: ItemURI) async throws -> [ItemName: ItemBadge] {
        var badges: [ItemName: ItemBadge] = [:]
        var last: ItemName?
        while true {
            let page = try await page(of: directory, after: last)
            badges.merge(page.items) { $1 }
            // A service that makes no progress must not hold the host for ever.
            guard let next = page.next, !page.items.isEmpty, last.map({ $0 < next }) ?? true else { return badges }
            last = next
        }
    }

    /// Some items of a directory, and where the next page begins.
    private struct Page: Sendable {
        let items: [ItemName: ItemBadge]
        /// The name to go on after; nil at the end.
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

    /// Everything that the service says about itself.
    public func properties() async throws -> HostProperties {
        try await bus.call(
            Names.service, Names.servicePath, "org.freedesktop.DBus.Properties", "GetAll",
            write: { try $0.append(Names.host) },
            read: ServiceCaller.reading("GetAll") { HostProperties(try $0.readVariantMap()) })
    }

    /// What an item's provider knows of it beyond its badge.
    /// - Parameters:
    ///   - item: the item.
    ///   - keys: those that are wanted; all for an empty array.
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

    /// Where an item's provider offers an interface of its own, which the host then calls itself.
    /// - Returns: the bus name and the object.
    public func service(_ interface: String, for item: ItemURI) async throws -> (name: String, object: ObjectPath) {
        try await service.call("GetItemService") { writer in
            try writer.append(item)
            try writer.append(interface)
        } read: { reader in
            (name: try reader.readString(), object: try reader.readObjectPath())
        }
    }

    // MARK: Menus

    /// The menu for a selection; an empty one where there is none.
    /// - Parameters:
    ///   - kind: where the menu opens.
    ///   - target: the folder or item that the menu opens on; nil for the toolbar outside all folders.
    ///   - selection: the selected items.
    public func menu(_ kind: MenuKind, target: ItemURI?, selection: [ItemURI] = []) async throws -> HostedMenu {
        try await service.call("GetMenu") { writer in
            try writer.append(kind.rawValue)
            try writer.append(target?.uri ?? "")
            try writer.append(uris: selection)
        } read: { reader in
            let id = try reader.readUInt64()
            return HostedMenu(id: id, items: try reader.readArray { try MenuItem(wire: try $0.readVariantMap()) })
        }
    }

    /// Starts an action; answers when its provider has been asked. ``HostEvent/actionFinished(_:)`` says how it ended.
    public func begin(_ item: String, of menu: HostedMenu, options: ActivationOptions = .init()) async throws {
        try await service.call("Activate", options: options.hostWire) { writer in
            try writer.append(menu.id)
            try writer.append(item)
        }
    }

    /// Carries an action out and waits for its end, however long that takes.
    /// - Throws: ``Failure/serviceLeft`` when the service leaves the bus meanwhile.
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

    /// What is no error of the bus.
    public enum Failure: Error, Sendable {
        /// The service left the bus before an action was finished; whether it is carried out is not known.
        case serviceLeft
    }
}

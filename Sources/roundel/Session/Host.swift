import DBus
import RoundelBus

/// The Host interface of the badge service, spoken as any file manager speaks it.
struct Host: Sendable {
    let bus: AsyncConnection

    /// Names in one call; the service takes up to 100,000.
    private static let batch = 20_000

    /// Connects to the session bus.
    static func open() async throws -> Host { Host(bus: try await Bus.open()) }

    // MARK: Observing and badges

    /// Begins to observe a directory.
    /// - Returns: whether it is monitored.
    func beginObserving(_ directory: ItemURI) async throws -> Bool {
        let reply = try await call("BeginObserving", [.string(directory.uri), .map([:])])
        guard let monitored = reply.first?.bool else { throw unexpected("BeginObserving") }
        return monitored
    }

    /// Ends one observation.
    func endObserving(_ directory: ItemURI) async throws {
        _ = try await call("EndObserving", [.string(directory.uri), .map([:])])
    }

    /// The badges of items of an observed directory, as far as they are known.
    func badges(of names: [ItemName], in directory: ItemURI) async throws -> [ItemName: ItemState] {
        var states: [ItemName: ItemState] = [:]
        var rest = names[...]
        while !rest.isEmpty {
            let part = rest.prefix(Host.batch)
            rest = rest.dropFirst(part.count)
            let reply = try await call(
                "RequestBadges", [.string(directory.uri), .strings(part.map(\.encoded)), .map([:])])
            guard let rows = HostRows.read(reply[...], names: Array(part)) else { throw unexpected("RequestBadges") }
            for (name, state) in rows { states[name] = state }
        }
        return states
    }

    /// Every item that the provider knows in an observed directory.
    func directory(_ directory: ItemURI) async throws -> [ItemName: ItemState] {
        var states: [ItemName: ItemState] = [:]
        var after = ""
        repeat {
            let reply = try await call(
                "RequestDirectory",
                [.string(directory.uri), .string(after), .uint32(UInt32(Host.batch)), .map([:])])
            guard let rows = HostRows.read(reply), reply.count > 4, let next = reply[4].string else {
                throw unexpected("RequestDirectory")
            }
            for (name, state) in rows { states[name] = state }
            // A service that does not get on must not hold the command for ever.
            guard !rows.isEmpty, after.isEmpty || Self.comes(next, after: after) else { break }
            after = next
        } while !after.isEmpty
        return states
    }

    /// Whether one encoded name comes after another in the order of pages.
    private static func comes(_ next: String, after previous: String) -> Bool {
        guard let next = try? ItemName(next), let previous = try? ItemName(previous) else { return false }
        return previous < next
    }

    // MARK: Properties

    /// Everything that the service says about itself.
    func properties() async throws -> HostProperties {
        let reply = try await bus.call(
            Names.service, Names.servicePath, "org.freedesktop.DBus.Properties", "GetAll",
            [.string(Names.host)])
        guard let map = reply.first?.map else { throw unexpected("GetAll") }
        return HostProperties(map)
    }

    // MARK: Attributes

    /// Everything that an item's provider knows of it.
    func attributes(of item: ItemURI) async throws -> ItemAttributes {
        let reply = try await call("GetAttributes", [.string(item.uri), .strings([]), .map([:])])
        guard let map = reply.first?.map else { throw unexpected("GetAttributes") }
        return ItemAttributes(map)
    }

    // MARK: Menus

    /// Asks for a menu.
    func menu(_ kind: MenuKind, target: ItemURI?, selection: [ItemURI]) async throws -> HostMenu {
        let reply = try await call(
            "GetMenu",
            [.uint32(kind.rawValue), .string(target?.uri ?? ""), .strings(selection.map(\.uri)), .map([:])])
        guard let id = reply.first?.uint64, reply.count > 1, let items = reply[1].maps else {
            throw unexpected("GetMenu")
        }
        return HostMenu(id: id, items: items.map(MenuItem.init))
    }

    /// Starts an action of a menu; answers once it is accepted. Its end is printed, so nobody else has to tell of it.
    func activate(_ item: String, of menu: UInt64) async throws {
        var options: VariantMap = ["shows-result": .bool(true)]
        // Where a launcher started the command with one, what the action opens may take the focus.
        options["activation-token"] = Environment.value(of: "XDG_ACTIVATION_TOKEN").map { .string($0) }
        _ = try await call("Activate", [.uint64(menu), .string(item), .map(options)])
    }

    /// The signals of the Host interface that are meant for this command.
    func signals() throws -> AsyncStream<ReceivedSignal> {
        try bus.signals(
            MatchRule(sender: Names.service, path: Names.servicePath, interface: Names.host),
            buffering: 16_384)
    }

    // MARK: Providers

    /// The known providers.
    func providers() async throws -> [ProviderInfo] {
        let reply = try await call("List", [.map([:])], interface: Names.providers)
        guard let maps = reply.first?.maps else { throw unexpected("List") }
        return maps.compactMap(ProviderInfo.init)
    }

    /// Enables or disables a provider.
    func setProvider(_ id: String, isEnabled: Bool) async throws {
        _ = try await call(isEnabled ? "Enable" : "Disable", [.string(id), .map([:])], interface: Names.providers)
    }

    /// Forgets what is remembered of a provider that does not run.
    func forgetProvider(_ id: String) async throws {
        _ = try await call("Forget", [.string(id), .map([:])], interface: Names.providers)
    }

    // MARK: Calls

    private func call(
        _ member: String, _ arguments: [DBusValue], interface: String = Names.host
    ) async throws -> [DBusValue] {
        try await bus.call(Names.service, Names.servicePath, interface, member, arguments)
    }

    private func unexpected(_ member: String) -> CommandFailure {
        CommandFailure("The badge service answered \(member) in a form that this version does not know.")
    }
}

/// Columns of badges, read into rows.
enum HostRows {
    /// Reads `as names, as badges, au flags, ay progress`; nil if they have another type or unequal lengths.
    static func read(_ values: [DBusValue]) -> [(ItemName, ItemState)]? {
        guard let texts = values.first?.strings else { return nil }
        let names = texts.compactMap { try? ItemName($0) }
        guard names.count == texts.count else { return nil }
        return read(values.dropFirst(), names: names)
    }

    /// Reads `as badges, au flags, ay progress` of the items that were asked for.
    static func read(_ values: ArraySlice<DBusValue>, names: [ItemName]) -> [(ItemName, ItemState)]? {
        let values = Array(values)
        guard values.count >= 3, let badges = values[0].strings, let flags = values[1].uint32s,
            let progress = values[2].bytes, badges.count == names.count, flags.count == names.count,
            progress.count == names.count
        else { return nil }
        return names.indices.map { index in
            let state = ItemState(
                badge: Badge(badges[index]), flags: BadgeFlags(rawValue: flags[index]), progress: progress[index])
            return (names[index], state)
        }
    }
}

import Checking
import DBus
import RoundelBus
import Support
import Synchronization

/// The service that a checked host meets: one folder with badges, and everything a real one says and never says.
final class HostStand: Sendable {
    private struct State {
        var trial: HostTrial
        var host: String?
        var refusesNext = false
        var lastMenu: UInt64 = 0
    }

    /// An error that no version has.
    static let unknownError = DBusError(name: Names.errorPrefix + "OfALaterVersion", message: tr("Something new."))

    private let folder: ItemURI
    private let state: Mutex<State>

    init(folder: ItemURI) {
        self.folder = folder
        state = Mutex(State(trial: HostTrial(folder: folder)))
    }

    /// The unique name of the host; nil until it has called.
    var host: String? { state.withLock { $0.host } }

    /// What is known by now.
    var trial: HostTrial { state.withLock { $0.trial } }

    /// Whether the next request will be refused, because none has come yet.
    var isRefusing: Bool { state.withLock { $0.refusesNext } }

    func note(_ event: HostTrial.Event) { state.withLock { $0.trial.note(event) } }

    /// Refuses the next request with an error that no version has.
    func refuseNext() { state.withLock { $0.refusesNext = true } }

    /// Waits for something; false if it does not come in time.
    func wait(_ limit: Duration, until isSo: (HostTrial) -> Bool) async throws -> Bool {
        let deadline = Instant.now.advanced(by: limit)
        while !isSo(trial) {
            guard Instant.now < deadline else { return false }
            try await Task.sleep(for: Patience.Checking.looking)
        }
        return true
    }

    // MARK: What the service says

    /// Becomes the service on this connection.
    func serve(on bus: AsyncConnection, hasVersion: Bool = true) async throws {
        try await bus.perform { [self] bus in
            _ = try bus.export(interface(hasVersion, bus), at: Names.servicePath)
        }
        guard try await bus.requestName(Names.service, flags: [.doNotQueue]).isOwner else {
            throw CommandFailure(tr("Another service has the name {1} on the bus.", Names.service))
        }
    }

    /// Ends all observations of the host.
    func reset(on bus: AsyncConnection) async throws {
        try await send(on: bus) { bus, host, trial in
            trial.note(.sentReset)
            try Self.emit("Reset", to: host, on: bus)
        }
    }

    /// Takes the folder away, as a provider does that unregisters.
    func withdraw(on bus: AsyncConnection) async throws {
        try await send(on: bus) { bus, host, trial in
            trial.withdrawFolder()
            try Self.emit("Reset", to: host, on: bus)
        }
        try await tellFolders(on: bus)
    }

    /// Brings the folder back.
    func giveBack(on bus: AsyncConnection) async throws {
        note(.folderReturned)
        try await tellFolders(on: bus)
    }

    /// Says of what the host was given what only a later version might say.
    func sendUnknown(on bus: AsyncConnection) async throws {
        let directories = trial.asked
        try await send(on: bus) { bus, host, trial in
            trial.note(.sentUnknown)
            for directory in directories {
                try Self.emit("BadgesChanged", to: host, on: bus) { writer in
                    try writer.append(directory)
                    try writer.append(strings: ["a", "never%20seen"])
                    try writer.append(strings: ["of-a-later-version", "another.provider"])
                    try writer.append(fixed: [UInt32(1) << 30, UInt32.max])
                    try writer.append(bytes: [50, Progress.none])
                }
            }
            try Self.emit("SomethingNew", to: host, on: bus)
        }
    }

    /// Both in one turn of the connection, so that no call of the host comes between.
    private func send(
        on bus: AsyncConnection, _ body: @escaping @Sendable (Connection, String, inout HostTrial) throws -> Void
    ) async throws {
        try await bus.perform { [self] bus in
            try state.withLock { state in
                if let host = state.host { try body(bus, host, &state.trial) }
            }
        }
    }

    private static func emit(
        _ member: String, to host: String, on bus: Connection,
        _ write: (inout MessageWriter) throws -> Void = { _ in }
    ) throws {
        try bus.emit(Names.servicePath, Names.host, member, to: host) { writer in
            try write(&writer)
            try writer.append(map: ["of-a-later-version": .uint32(1)])
        }
    }

    private func tellFolders(on bus: AsyncConnection) async throws {
        try await bus.perform { bus in
            try bus.emitPropertiesChanged(["Folders"], of: Names.host, at: Names.servicePath)
        }
    }

    // MARK: What the service answers

    private typealias Method = Interface.Method
    private typealias Property = Interface.Property
    private typealias Argument = Interface.Argument

    private func interface(_ hasVersion: Bool, _ bus: Connection) -> Interface {
        Interface(
            Names.host,
            methods: [
                observing("BeginObserving", out: [("monitored", "b")]) { .beginObserving($0) },
                observing("EndObserving", out: []) { .endObserving($0) },
                requestBadges, requestDirectory, getMenu(bus), activate(bus), getAttributes, getItemService,
            ], properties: (hasVersion ? [.version] : []) + properties)
    }

    /// Hands a call to the trial.
    /// - Throws: The error with which it is refused.
    private func accept(_ asked: HostCall, _ call: MethodCall) throws -> Bool {
        try state.withLock { state in
            if state.host == nil { state.host = call.sender }
            // Other programs on the bus are answered, and not judged.
            guard state.host == call.sender else { return true }
            switch asked {
            case .requestBadges, .requestDirectory:
                if state.refusesNext {
                    state.refusesNext = false
                    state.trial.note(.refused)
                    throw Self.unknownError
                }
            case .beginObserving, .endObserving, .getMenu, .activate, .getAttributes, .getItemService: break
            }
            do throws(RoundelError) {
                return try state.trial.note(asked)
            } catch {
                throw DBusError(error)
            }
        }
    }

    private func observing(_ name: String, out: [Argument], _ make: @escaping (String) -> HostCall) -> Method {
        Method(name, in: [("directory_uri", "s"), ("options", "a{sv}")], out: out + [("extra", "a{sv}")]) {
            [self] call in
            var reader = call.reader
            let isMonitored = try accept(make(try reader.readString()), call)
            call.reply { writer in
                if !out.isEmpty { try writer.append(isMonitored) }
                try writer.append(map: [:])
            }
        }
    }

    private static let columns: [Argument] = [("badges", "as"), ("flags", "au"), ("progress", "ay")]

    private static func write(_ count: Int, to writer: inout MessageWriter) throws {
        try writer.append(strings: Array(repeating: Badge.synced.identifier, count: count))
        try writer.append(fixed: [UInt32](repeating: 0, count: count))
        try writer.append(bytes: [UInt8](repeating: Progress.none, count: count))
    }

    private var requestBadges: Method {
        Method(
            "RequestBadges", in: [("directory_uri", "s"), ("names", "as"), ("options", "a{sv}")],
            out: Self.columns + [("extra", "a{sv}")]
        ) { [self] call in
            var reader = call.reader
            let directory = try reader.readString()
            let names = try reader.readStringArray()
            _ = try accept(.requestBadges(directory: directory, names: names), call)
            call.reply { writer in
                try Self.write(names.count, to: &writer)
                try writer.append(map: [:])
            }
        }
    }

    /// So few that a host has to go on.
    private static let page = 2

    private var requestDirectory: Method {
        Method(
            "RequestDirectory",
            in: [("directory_uri", "s"), ("after", "s"), ("limit", "u"), ("options", "a{sv}")],
            out: [("names", "as")] + Self.columns + [("next", "s"), ("extra", "a{sv}")]
        ) { [self] call in
            var reader = call.reader
            let directory = try reader.readString()
            let after = try reader.readString()
            _ = try accept(.requestDirectory(directory: directory, after: after), call)
            let names = try names(in: try ItemURI(directory)).filter { name in
                try after.isEmpty || ItemName(after) < name
            }
            let shown = names.prefix(Self.page).map(\.encoded)
            let next = names.count > shown.count ? shown.last ?? "" : ""
            note(.answeredPage(directory: directory, next: next))
            call.reply { writer in
                try writer.append(strings: shown)
                try Self.write(shown.count, to: &writer)
                try writer.append(next)
                try writer.append(map: [:])
            }
        }
    }

    /// The names in a directory that have badges, in their order.
    private func names(in directory: ItemURI) throws -> [ItemName] {
        guard directory.isWithin(folder) else { return [folder.name].compactMap(\.self) }
        return ((try? ListedItem.list(directory.filePath)) ?? []).compactMap { try? ItemName(bytes: $0.name) }.sorted()
    }

    /// The first menu is completed by a signal, as if its provider were late.
    private func getMenu(_ bus: Connection) -> Method {
        Method(
            "GetMenu", in: [("kind", "u"), ("target_uri", "s"), ("selected_uris", "as"), ("options", "a{sv}")],
            out: [("menu_id", "t"), ("items", "aa{sv}"), ("extra", "a{sv}")]
        ) { [self, unowned bus] call in
            var reader = call.reader
            let asked = HostCall.getMenu(
                kind: try reader.readUInt32(), target: try reader.readString(), selection: try reader.readStringArray())
            _ = try accept(asked, call)
            let menu = state.withLock { state in
                state.lastMenu += 1
                state.trial.gave(menu: state.lastMenu)
                return state.lastMenu
            }
            let item = MenuItem(id: "check/choose", label: tr("Choose this item"))
            guard menu == 1 else { return call.reply { try HostedMenu(id: menu, items: [item]).append(to: &$0) } }
            call.reply { try HostedMenu(id: menu, items: [], incomplete: ["roundel check-host"]).append(to: &$0) }
            try bus.emit(Names.servicePath, Names.host, "MenuChanged", to: call.sender) {
                try HostedMenu(id: menu, items: [item]).append(to: &$0)
            }
        }
    }

    private func activate(_ bus: Connection) -> Method {
        Method("Activate", in: [("menu_id", "t"), ("item_id", "s"), ("options", "a{sv}")], out: [("extra", "a{sv}")]) {
            [self, unowned bus] call in
            var reader = call.reader
            let menu = try reader.readUInt64()
            let item = try reader.readString()
            _ = try accept(.activate(menu: menu, item: item), call)
            call.reply { try $0.append(map: [:]) }
            try Self.emit("ActionFinished", to: call.sender, on: bus) { writer in
                try writer.append(menu)
                try writer.append(item)
                try writer.append(UInt32(0))
                try writer.append("")
            }
        }
    }

    private var getAttributes: Method {
        Method(
            "GetAttributes", in: [("uri", "s"), ("keys", "as"), ("options", "a{sv}")],
            out: [("attributes", "a{sv}"), ("extra", "a{sv}")]
        ) { [self] call in
            var reader = call.reader
            let uri = try reader.readString()
            _ = try accept(.getAttributes(uri: uri, keys: try reader.readStringArray()), call)
            call.reply { writer in
                try writer.append(
                    map: [
                        "state": .string(Badge.synced.identifier), "label": .string(CommonBadge.synced.label),
                        "of-a-later-version": .uint32(1),
                    ])
                try writer.append(map: [:])
            }
        }
    }

    private var getItemService: Method {
        Method(
            "GetItemService", in: [("uri", "s"), ("interface", "s"), ("options", "a{sv}")],
            out: [("bus_name", "s"), ("path", "o"), ("extra", "a{sv}")]
        ) { [self] call in
            var reader = call.reader
            _ = try accept(.getItemService(uri: try reader.readString()), call)
            throw DBusError(RoundelError(.noSuchService, tr("Nothing is offered for this item.")))
        }
    }

    private var properties: [Property] {
        [
            Property("Folders", "as") { [self] writer in
                try writer.append(strings: trial.hasFolder ? [folder.uri] : [])
            },
            Property("Badges", "a{s(ss)}") { writer in
                try writer.append(
                    value: .dictionary(
                        key: "s", value: "(ss)",
                        CommonBadge.allCases.map { badge in
                            .init(
                                key: .string(badge.rawValue),
                                value: .structure([.string(badge.label), .string(badge.icon)]))
                        }))
            },
            Property("IconThemePath", "s", .const) { try $0.append("") },
            Property("ToolbarItem", "(sss)") { writer in
                try writer.append(value: .structure([.string("Roundel"), .string("folder"), .string("Roundel")]))
            },
            Property("FolderStatus", "a{s(usy)}") { [self] writer in
                let status = DBusValue.structure([
                    .uint32(FolderState.idle.rawValue), .string(""), .byte(Progress.none),
                ])
                try writer.append(
                    value: .dictionary(
                        key: "s", value: "(usy)",
                        trial.hasFolder ? [.init(key: .string(folder.uri), value: status)] : []))
            },
            Property("WatchStatus", "a{sv}", .none) { try $0.append(map: [:]) },
        ]
    }
}

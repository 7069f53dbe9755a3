package import DBus
import Dispatch
import RoundelBus
import Synchronization
package import TestSupport

/// A badge service with badges that a test sets, for one folder.
package final class StandInHost: Sendable {
    /// The badge of an item.
    package struct Row: Sendable {
        var badge: String
        var flags: UInt32
        var progress: UInt8
        /// The badge is not in the answer: a signal tells it, which is sent with the answer. Sent after it, it might
        /// come later on a busy machine than anybody waits for it.
        var isLate: Bool

        package init(badge: String, flags: UInt32 = 0, progress: UInt8 = 255, isLate: Bool = false) {
            (self.badge, self.flags, self.progress, self.isLate) = (badge, flags, progress, isLate)
        }
    }

    private struct State {
        var rows: [String: [String: Row]] = [:]
        var observers: [String: Set<String>] = [:]
        var asked: [String] = []
        var finishesActions = true
        var lateMenus = 0
        var offered: [VariantMap] = []
        var lastMenu: UInt64 = 6
        var attributes: [String: VariantMap] = [:]
    }

    /// Its connection, which a test may close.
    package let connection: AsyncConnection
    private let folder: String
    private let state = Mutex(State())

    /// - Parameter folder: The URI of the one registered folder.
    package init(on bus: PrivateBus, folder: String) async throws {
        self.folder = folder
        connection = try await bus.connect()
        let service = self
        try await connection.perform { connection in
            _ = try connection.export(service.host(connection), at: Names.servicePath)
            _ = try connection.export(service.providers, at: Names.servicePath)
        }
        try await connection.own(Names.service)
    }

    /// What the service was asked, `Member argument`.
    package var asked: [String] { state.withLock { $0.asked } }

    /// From now on actions begin and are never reported as finished.
    package func holdActions() { state.withLock { $0.finishesActions = false } }

    /// Adds an item to every menu. What ends in `share` gives a link for the clipboard.
    package func offer(_ item: VariantMap) { state.withLock { $0.offered.append(item) } }

    /// Completes so many menus by a signal, as if their provider was late.
    package func delayMenus(_ count: Int) { state.withLock { $0.lateMenus = count } }

    /// Sets the attributes of an item.
    package func set(_ attributes: VariantMap, of uri: String) { state.withLock { $0.attributes[uri] = attributes } }

    /// Sets a badge without telling anyone.
    package func set(_ row: Row, of name: String, in directory: String) {
        state.withLock { $0.rows[directory, default: [:]][name] = row }
    }

    /// Sets a badge and tells everyone who observes the directory.
    package func change(_ row: Row, of name: String, in directory: String) async throws {
        set(row, of: name, in: directory)
        let observers = state.withLock { $0.observers[directory] ?? [] }
        try await connection.perform { connection in
            for observer in observers {
                try StandInHost.emit([name: row], in: directory, to: observer, on: connection)
            }
        }
    }

    private static func emit(
        _ rows: [String: Row], in directory: String, to observer: String, on connection: Connection
    ) throws {
        try connection.emit(Names.servicePath, Names.host, "BadgesChanged", to: observer) { writer in
            try writer.append(directory)
            try writer.append(strings: Array(rows.keys))
            try write(Array(rows.values), to: &writer)
        }
    }

    private static func write(_ rows: [Row], to writer: inout MessageWriter) throws {
        try writer.append(strings: rows.map(\.badge))
        try writer.append(fixed: rows.map(\.flags))
        try writer.append(bytes: rows.map(\.progress))
        try writer.append(map: [:])
    }

    private func note(_ text: String) { state.withLock { $0.asked.append(text) } }

    private func host(_ connection: Connection) -> Interface {
        Interface(
            Names.host,
            methods: [
                beginObserving, requestBadges(connection), requestDirectory, getMenu(connection), activate,
                getAttributes,
            ],
            properties: [
                Property("Version", "u", .const) { try $0.append(UInt32(1)) },
                Property("Folders", "as") { [folder] in try $0.append(strings: [folder]) },
                Property("Badges", "a{s(ss)}") { writer in
                    try writer.append(
                        value: .dictionary(
                            key: "s", value: "(ss)",
                            [.init(key: .string("synced"), value: .structure([.string("In step"), .string("x")]))]))
                },
                Property("FolderStatus", "a{s(usy)}") { [folder] writer in
                    let status = DBusValue.structure([.uint32(2), .string("Uploading"), .byte(30)])
                    try writer.append(
                        value: .dictionary(key: "s", value: "(usy)", [.init(key: .string(folder), value: status)]))
                },
            ])
    }

    private typealias Property = Interface.Property
    private typealias Method = Interface.Method

    private var beginObserving: Method {
        Method("BeginObserving", in: [("d", "s"), ("o", "a{sv}")], out: [("m", "b"), ("e", "a{sv}")]) { call in
            var reader = call.reader
            let directory = try reader.readString()
            let monitored = self.isMonitored(directory)
            self.note("BeginObserving \(directory)")
            if monitored { self.state.withLock { _ = $0.observers[directory, default: []].insert(call.sender) } }
            call.reply { writer in
                try writer.append(monitored)
                try writer.append(map: [:])
            }
        }
    }

    private func isMonitored(_ directory: String) -> Bool {
        directory == folder || directory.hasPrefix(folder + "/")
            || folder.hasPrefix(directory + "/")
                && !folder.dropFirst(directory.count + 1).contains("/")
    }

    private func requestBadges(_ connection: Connection) -> Method {
        Method(
            "RequestBadges", in: [("d", "s"), ("n", "as"), ("o", "a{sv}")],
            out: [("b", "as"), ("f", "au"), ("p", "ay"), ("e", "a{sv}")]
        ) { [unowned connection] call in
            var reader = call.reader
            let directory = try reader.readString()
            let names = try reader.readStringArray()
            self.note("RequestBadges \(directory) \(names.sorted().joined(separator: " "))")
            let known = self.state.withLock { $0.rows[directory] ?? [:] }
            let rows = names.map { known[$0] ?? Row(badge: "") }
            let late = known.filter { $0.value.isLate }
            if !late.isEmpty { try StandInHost.emit(late, in: directory, to: call.sender, on: connection) }
            call.reply { try StandInHost.write(rows.map { $0.isLate ? Row(badge: "") : $0 }, to: &$0) }
        }
    }

    private var requestDirectory: Method {
        Method(
            "RequestDirectory", in: [("d", "s"), ("a", "s"), ("l", "u"), ("o", "a{sv}")],
            out: [("n", "as"), ("b", "as"), ("f", "au"), ("p", "ay"), ("x", "s"), ("e", "a{sv}")]
        ) { call in
            var reader = call.reader
            let directory = try reader.readString()
            let after = try reader.readString()
            let known = self.state.withLock { $0.rows[directory] ?? [:] }.sorted { $0.key < $1.key }
            // Two items at a time, so that going on is tested.
            let page = known.filter { $0.key > after }.prefix(2)
            let next = page.last?.key == known.last?.key ? "" : page.last?.key ?? ""
            call.reply { writer in
                try writer.append(strings: page.map(\.key))
                try writer.append(strings: page.map(\.value.badge))
                try writer.append(fixed: page.map(\.value.flags))
                try writer.append(bytes: page.map(\.value.progress))
                try writer.append(next)
                try writer.append(map: [:])
            }
        }
    }

    private var getAttributes: Method {
        Method(
            "GetAttributes", in: [("u", "s"), ("k", "as"), ("o", "a{sv}")], out: [("a", "a{sv}"), ("e", "a{sv}")]
        ) { call in
            var reader = call.reader
            let uri = try reader.readString()
            self.note("GetAttributes \(uri)")
            let known = self.state.withLock { $0.attributes[uri] ?? [:] }
            call.reply { writer in
                try writer.append(map: known)
                try writer.append(map: [:])
            }
        }
    }

    private func getMenu(_ connection: Connection) -> Method {
        Method(
            "GetMenu", in: [("k", "u"), ("t", "s"), ("s", "as"), ("o", "a{sv}")],
            out: [("i", "t"), ("m", "aa{sv}"), ("e", "a{sv}")]
        ) { [unowned connection] call in
            var reader = call.reader
            let kind = try reader.readUInt32()
            let target = try reader.readString()
            let selection = try reader.readStringArray()
            self.note("GetMenu \(kind) \(target) \(selection.joined(separator: " "))")
            let items: [VariantMap] =
                self.state.withLock { $0.offered } + [
                    ["id": .string("p/\(kind)"), "label": .string("Item of \(kind)")], ["type": .string("separator")],
                    [
                        "id": .string("p/more"), "label": .string("More"),
                        "children": .maps([["id": .string("p/off"), "label": .string("Off"), "enabled": .bool(false)]]),
                    ],
                ]
            let isLate = self.state.withLock { state in
                defer { state.lateMenus = max(0, state.lateMenus - 1) }
                return state.lateMenus > 0
            }
            let number = self.state.withLock { state in
                state.lastMenu += 1
                return state.lastMenu
            }
            func write(_ items: [VariantMap], _ extra: VariantMap, _ writer: inout MessageWriter) throws {
                try writer.append(number)
                try writer.append(value: .maps(items))
                try writer.append(map: extra)
            }
            guard isLate else { return call.reply { try write(items, [:], &$0) } }
            call.reply { try write([], ["incomplete": .strings(["P"])], &$0) }
            try connection.emit(Names.servicePath, Names.host, "MenuChanged", to: call.sender) {
                try write(items, [:], &$0)
            }
        }
    }

    private var activate: Method {
        Method("Activate", in: [("m", "t"), ("i", "s"), ("o", "a{sv}")], out: [("e", "a{sv}")]) { call in
            var reader = call.reader
            let menu = try reader.readUInt64()
            let item = try reader.readString()
            self.note("Activate \(item)")
            call.reply { try $0.append(map: [:]) }
            guard self.state.withLock({ $0.finishesActions }) else { return }
            let isShare = item.hasSuffix("share")
            let outcome: (UInt32, String) =
                isShare || ["p/0", "p/2"].contains(item)
                ? (0, "") : item == "p/1" ? (1, "Called off.") : (2, "It broke.")
            let sender = call.sender
            // On a thread of its own: those of tasks may all be held by tests that wait for this.
            DispatchQueue(label: "action-finished").async {
                try? CallingThread.run {
                    try await self.connection.perform { connection in
                        try connection.emit(Names.servicePath, Names.host, "ActionFinished", to: sender) { writer in
                            try writer.append(menu)
                            try writer.append(item)
                            try writer.append(outcome.0)
                            try writer.append(outcome.1)
                            let link: VariantMap = ["clipboard": .string("https://x.org/s/1")]
                            try writer.append(map: isShare || item == "p/2" ? link : [:])
                        }
                    }
                }
            }
        }
    }

    private func consent(_ member: String) -> Method {
        Method(member, in: [("i", "s"), ("f", "s"), ("o", "a{sv}")], out: [("e", "a{sv}")]) { [unowned self] call in
            var reader = call.reader
            note("\(member) \(try reader.readString()) \(try reader.readString())")
            call.reply { try $0.append(map: [:]) }
        }
    }

    private var providers: Interface {
        Interface(
            Names.providers,
            methods: [
                Method("List", in: [("o", "a{sv}")], out: [("p", "aa{sv}"), ("e", "a{sv}")]) { [folder] call in
                    call.reply { writer in
                        try writer.append(
                            value: .maps([
                                [
                                    "id": .string("roundel"), "name": .string("Roundel"), "enabled": .bool(true),
                                    "running": .bool(true), "folders": .strings([folder]),
                                ],
                                [
                                    "id": .string("other"), "name": .string("Other"), "enabled": .bool(true),
                                    "running": .bool(true), "folders": .strings([folder + "/a"]),
                                    "waiting": .maps([
                                        [
                                            "folder": .string(folder + "/a"), "provider": .string("roundel"),
                                            "other": .string(folder),
                                        ]
                                    ]),
                                ],
                            ]))
                        try writer.append(map: [:])
                    }
                },
                consent("Allow"), consent("Disallow"),
                Method("Disable", in: [("i", "s"), ("o", "a{sv}")], out: [("e", "a{sv}")]) { call in
                    call.fail(DBusError(name: Names.errorPrefix + "UnknownProvider", message: "No such provider."))
                },
            ])
    }
}

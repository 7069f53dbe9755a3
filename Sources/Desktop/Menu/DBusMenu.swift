internal import DBus
internal import RoundelBus

/// The owner of a menu that is exported as `com.canonical.dbusmenu`.
protocol DBusMenuOwner: AnyObject {
    /// The current lines.
    var model: MenuModel { get }
    /// The directory of the icons that the lines use.
    var iconThemePath: String { get }
    /// Whether something in the menu needs the user's attention.
    var isNotice: Bool { get }
    /// Called when a line and its submenu are about to be shown.
    func willShow(_ line: Int32)
    /// Called when a line was chosen, with the time of X11.
    func choose(_ line: Int32, timestamp: UInt32)
}

/// `com.canonical.dbusmenu` on the bus. Its callers are panels: libdbusmenu requests groups of lines, Qt single lines.
enum DBusMenu {
    static let name = "com.canonical.dbusmenu"

    static func make(for owner: any DBusMenuOwner) -> Interface {
        Interface(
            name, methods: questions(owner) + events(owner), properties: properties(owner),
            signals: [
                .init("ItemsPropertiesUpdated", [("updatedProps", "a(ia{sv})"), ("removedProps", "a(ias)")]),
                .init("LayoutUpdated", [("revision", "u"), ("parent", "i")]),
                .init("ItemActivationRequested", [("id", "i"), ("timestamp", "u")]),
            ])
    }

    private static func properties(_ owner: any DBusMenuOwner) -> [Interface.Property] {
        [
            .init("Version", "u", .const) { try $0.append(3 as UInt32) },
            .init("TextDirection", "s", .const) { try $0.append("ltr") },
            .init("Status", "s") { [unowned owner] in try $0.append(owner.isNotice ? "notice" : "normal") },
            .init("IconThemePath", "as", .const) { [unowned owner] in try $0.append(strings: [owner.iconThemePath]) },
        ]
    }

    // MARK: Requests

    private static func questions(_ owner: any DBusMenuOwner) -> [Interface.Method] {
        [
            .init(
                "GetLayout", in: [("parentId", "i"), ("recursionDepth", "i"), ("propertyNames", "as")],
                out: [("revision", "u"), ("layout", "(ia{sv}av)")]
            ) { [unowned owner] call in
                var reader = call.reader
                let line = try reader.readInt32()
                let depth = try reader.readInt32()
                guard let layout = owner.model.layout(line, depth: depth, only: Set(try reader.readStringArray()))
                else {
                    throw unknown(line)
                }
                call.reply { writer in
                    try writer.append(owner.model.revision)
                    try writer.append(value: layout)
                }
            },
            .init(
                "GetGroupProperties", in: [("ids", "ai"), ("propertyNames", "as")], out: [("properties", "a(ia{sv})")]
            ) { [unowned owner] call in
                var reader = call.reader
                let asked = try reader.readFixedArray(of: Int32.self)
                let names = try Set(reader.readStringArray())
                let lines = asked.isEmpty ? owner.model.all : owner.model.sorted(asked).known
                let rows = lines.compactMap { line in
                    owner.model.properties(line, only: names).map { DBusValue.structure([.int32(line), .map($0)]) }
                }
                call.reply { try $0.append(value: .array(element: "(ia{sv})", rows)) }
            },
            .init("GetProperty", in: [("id", "i"), ("name", "s")], out: [("value", "v")]) { [unowned owner] call in
                var reader = call.reader
                let line = try reader.readInt32()
                let name = try reader.readString()
                guard let properties = owner.model.properties(line) else { throw unknown(line) }
                guard let value = properties[name] else {
                    throw DBusError.invalidArgs("The line \(line) of the menu has no property “\(name)”.")
                }
                call.reply { try $0.append(value: .variant(value)) }
            },
        ]
    }

    // MARK: Events

    private static func events(_ owner: any DBusMenuOwner) -> [Interface.Method] {
        let event: [Interface.Argument] = [("id", "i"), ("eventId", "s"), ("data", "v"), ("timestamp", "u")]
        return [
            .init("Event", in: event) { [unowned owner] call in
                var reader = call.reader
                let event = try MenuEvent(&reader)
                guard owner.model.contains(event.line) else { throw unknown(event.line) }
                call.reply()
                handle(event, owner)
            },
            .init("EventGroup", in: [("events", "a(isvu)")], out: [("idErrors", "ai")]) { [unowned owner] call in
                var reader = call.reader
                let events = try reader.readArray { try $0.readStruct { try MenuEvent(&$0) } }
                let lines = owner.model.sorted(events.map(\.line))
                if lines.known.isEmpty, let event = events.first { throw unknown(event.line) }
                call.reply { try $0.append(value: numbers(lines.unknown)) }
                // Several clicks on one line at once count as one.
                var done: Set<MenuEvent> = []
                for event in events where owner.model.contains(event.line) && done.insert(event).inserted {
                    handle(event, owner)
                }
            },
            .init("AboutToShow", in: [("id", "i")], out: [("needUpdate", "b")]) { [unowned owner] call in
                var reader = call.reader
                let line = try reader.readInt32()
                guard owner.model.contains(line) else { throw unknown(line) }
                // The known lines are assumed to be current; differences are reported by signals later.
                call.reply { try $0.append(false) }
                owner.willShow(line)
            },
            .init(
                "AboutToShowGroup", in: [("ids", "ai")], out: [("updatesNeeded", "ai"), ("idErrors", "ai")]
            ) { [unowned owner] call in
                var reader = call.reader
                let asked = try reader.readFixedArray(of: Int32.self)
                let lines = owner.model.sorted(asked)
                if lines.known.isEmpty, let line = asked.first { throw unknown(line) }
                call.reply { writer in
                    try writer.append(value: numbers([]))
                    try writer.append(value: numbers(lines.unknown))
                }
                for line in lines.known { owner.willShow(line) }
            },
        ]
    }

    private static func handle(_ event: MenuEvent, _ owner: any DBusMenuOwner) {
        switch event.name {
        case "clicked": owner.choose(event.line, timestamp: event.timestamp)
        case "opened": owner.willShow(event.line)
        default: break
        }
    }

    private static func numbers(_ numbers: [Int32]) -> DBusValue {
        .array(element: "i", numbers.map { .int32($0) })
    }

    private static func unknown(_ line: Int32) -> DBusError {
        .invalidArgs("The menu has no line \(line) any more; ask for its layout again.")
    }
}

/// An event for a line of a menu.
private struct MenuEvent: Hashable {
    let line: Int32
    let name: String
    let timestamp: UInt32

    static func == (left: MenuEvent, right: MenuEvent) -> Bool { left.line == right.line && left.name == right.name }

    func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(name)
    }

    init(_ reader: inout MessageReader) throws {
        line = try reader.readInt32()
        name = try reader.readString()
        // The data of an event is not used.
        reader.skip()
        timestamp = try reader.readUInt32()
    }
}

extension Connection {
    /// Reports the changes of the menu at `path`.
    func emit(_ changes: MenuChanges, revision: UInt32, at path: ObjectPath) throws {
        if !changes.updated.isEmpty || !changes.removed.isEmpty {
            try emit(path, DBusMenu.name, "ItemsPropertiesUpdated") { writer in
                try writer.append(
                    value: .array(
                        element: "(ia{sv})",
                        changes.updated.map { .structure([.int32($0.line), .map($0.properties)]) }))
                try writer.append(
                    value: .array(
                        element: "(ias)", changes.removed.map { .structure([.int32($0.line), .strings($0.names)]) }))
            }
        }
        guard let line = changes.layout else { return }
        try emit(path, DBusMenu.name, "LayoutUpdated") { writer in
            try writer.append(revision)
            try writer.append(line)
        }
    }
}

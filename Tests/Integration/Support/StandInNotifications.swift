import DBus

/// A notification daemon that shows nothing and notes what it is to show.
final class StandInNotifications {
    struct Notification {
        let title: String
        let text: String
        let buttons: [String]
    }

    private static let name = "org.freedesktop.Notifications"
    private static let path: ObjectPath = "/org/freedesktop/Notifications"
    private let bus: Connection
    private(set) var shown: [Notification] = []
    private(set) var closed = 0

    init(_ world: World) throws {
        bus = try world.connect()
        let input: [Interface.Argument] = [
            ("n", "s"), ("r", "u"), ("i", "s"), ("t", "s"), ("b", "s"), ("a", "as"), ("h", "a{sv}"), ("e", "i"),
        ]
        let methods: [Interface.Method] = [
            .init("GetCapabilities", out: [("c", "as")]) { call in
                call.reply { try $0.append(strings: ["actions", "body"]) }
            },
            .init("Notify", in: input, out: [("id", "u")]) { [unowned self] call in
                let arguments = try call.message.arguments()
                shown.append(
                    Notification(
                        title: arguments[3].string ?? "", text: arguments[4].string ?? "",
                        buttons: arguments[5].strings ?? []))
                call.reply { [number = UInt32(shown.count)] in try $0.append(number) }
            },
            .init("CloseNotification", in: [("id", "u")]) { [unowned self] call in
                closed += 1
                call.reply()
            },
        ]
        let signals: [Interface.Signal] = [.init("ActionInvoked", [("id", "u"), ("key", "s")])]
        _ = try bus.export(Interface(Self.name, methods: methods, signals: signals), at: Self.path)
        _ = try world.call(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string(Self.name), .uint32(4)])
    }

    /// The person presses a button of the first notification, or of this one.
    func press(_ button: String, of number: Int = 1) throws {
        try bus.emit(Self.path, Self.name, "ActionInvoked") {
            try $0.append(UInt32(number))
            try $0.append(button)
        }
    }
}

import DBus

/// A panel with a tray that takes every item and shows none.
final class StandInPanel {
    private static let name = "org.kde.StatusNotifierWatcher"
    private var items: [String] = []

    /// Whether an item has registered.
    var hasItem: Bool { !items.isEmpty }

    init(_ world: World) throws {
        let bus = try world.connect()
        let register = Interface.Method("RegisterStatusNotifierItem", in: [("service", "s")]) { [unowned self] call in
            var reader = call.reader
            items.append(try reader.readString())
            call.reply()
        }
        _ = try bus.export(Interface(Self.name, methods: [register]), at: "/StatusNotifierWatcher")
        _ = try world.call(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string(Self.name), .uint32(4)])
    }
}

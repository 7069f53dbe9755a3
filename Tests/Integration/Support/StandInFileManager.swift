import DBus

/// A file manager on the bus that shows nothing and notes what it is asked to show.
final class StandInFileManager {
    /// A call: the method, what is to be shown, and the startup id.
    struct Call: Equatable {
        let method: String
        let uris: [String]
        let startup: String
    }

    static let name = "org.freedesktop.FileManager1"
    private(set) var calls: [Call] = []

    init(_ world: World) throws {
        let bus = try world.connect()
        let methods = ["ShowFolders", "ShowItems"].map { name in
            Interface.Method(name, in: [("uris", "as"), ("startup_id", "s")], out: []) { [unowned self] call in
                var reader = call.reader
                calls.append(Call(method: name, uris: try reader.readStringArray(), startup: try reader.readString()))
                call.reply { _ in }
            }
        }
        _ = try bus.export(Interface(Self.name, methods: methods), at: "/org/freedesktop/FileManager1")
        _ = try world.call(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string(Self.name), .uint32(4)])
    }
}

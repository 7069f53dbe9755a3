package import DBus
package import Support

/// The user's service manager: systemd, over the session bus.
struct ServiceManager {
    private let bus: Connection

    private static let name = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"

    /// Like an application's (systemd, "Desktop Environment Integration"): the unit lasts until its last process ends,
    /// because such programs start others and end.
    private static let properties: [(String, DBusValue)] = [
        ("Type", .string("exec")), ("ExitType", .string("cgroup")), ("Slice", .string("app.slice")),
        ("CollectMode", .string("inactive-or-failed")),
    ]

    /// For managers before version 250, which do not support `ExitType`: processes that the program started continue
    /// when it ends.
    private static let olderProperties: [(String, DBusValue)] = [
        ("Slice", .string("app.slice")), ("KillMode", .string("process")),
    ]

    init(bus: Connection) { self.bus = bus }

    /// Runs a program as a unit of its own; `done` is told whether it does.
    func run(_ words: [String], startup: String, _ done: @escaping (Bool) -> Void) {
        start(words, startup, Self.properties) { result in
            guard case .failure(let error) = result else { return done(true) }
            guard error.standard == .propertyReadOnly || error.standard == .invalidArgs else { return done(false) }
            start(words, startup, Self.olderProperties) { result in
                if case .success = result { done(true) } else { done(false) }
            }
        }
    }

    private func start(
        _ words: [String], _ startup: String, _ properties: [(String, DBusValue)],
        _ onReply: @escaping (Result<Message, DBusError>) -> Void
    ) {
        let unit = "app-roundel-open-\(String(UInt64.random(in: 0 ... .max), radix: 16)).service"
        let all = properties + Self.command(words, startup)
        bus.call(
            Self.name, Self.path, "org.freedesktop.systemd1.Manager", "StartTransientUnit",
            { writer in
                try writer.append(unit)
                try writer.append("fail")
                try writer.append(
                    value: .array(element: "(sv)", all.map { .structure([.string($0.0), .variant($0.1)]) }))
                try writer.append(value: .array(element: "(sa(sv))", []))
            }, onReply)
    }

    private static func command(_ words: [String], _ startup: String) -> [(String, DBusValue)] {
        let line = DBusValue.structure([.string(words[0]), .strings(words), .bool(false)])
        let variables =
            startup.isEmpty ? [] : ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].map { "\($0)=\(startup)" }
        return [
            ("Description", .string("Shows a folder")), ("ExecStart", .array(element: "(sasb)", [line])),
            ("Environment", .strings(variables)),
        ]
    }
}

extension ProgramLauncher {
    /// Creates a launcher that uses the service manager on this bus and the loop of the connection.
    package init(bus: Connection) {
        let manager = ServiceManager(bus: bus)
        self.init(
            handOver: { manager.run($0, startup: $1, $2) },
            whenReadable: { [loop = bus.loop] descriptor, body in
                var source: FileDescriptorSource?
                source = loop.watch(fileDescriptor: descriptor, interest: .read) { _ in
                    guard let watched = source else { return }
                    source = nil
                    watched.cancel()
                    body()
                }
            })
    }
}

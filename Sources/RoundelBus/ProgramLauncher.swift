internal import CLinux
package import DBus
internal import Glibc

/// Starts programs for the user from a service.
///
/// A program started directly by a service inherits its sandbox, its umask and its control group, and ends with it. So
/// the user's service manager is asked to start it (systemd, over the session bus), like a program chosen in a menu.
/// Only if there is no such manager, the program is started directly, with as clean a state as possible.
package final class ProgramLauncher {
    /// The result of starting a program.
    package enum Outcome: Equatable, Sendable {
        /// The user's service manager runs it.
        case handedOver
        /// It was started directly and has ended with this exit status: 128 plus the number for a signal.
        case ended(Int32)
        /// It could not be started, for this reason.
        case failed(String)
    }

    private let bus: Connection

    private static let manager = "org.freedesktop.systemd1"
    private static let managerPath: ObjectPath = "/org/freedesktop/systemd1"

    /// Creates a launcher that uses the service manager on this bus.
    package init(bus: Connection) { self.bus = bus }

    /// Starts a program.
    /// - Parameters:
    ///   - words: Its name, which is searched in PATH, and its arguments.
    ///   - startup: The token with which its window may take the focus; "" for none.
    package func start(_ words: [String], startup: String, _ finished: @escaping (Outcome) -> Void) {
        guard let program = words.first.flatMap(Self.path) else {
            return finished(.failed("\(words.first ?? "The program") is not installed."))
        }
        let words = [program] + words.dropFirst()
        handOver(words, startup, isOlder: false) { [bus] isDone in
            if isDone { return finished(.handedOver) }
            Self.startHere(words, startup, bus.loop, finished)
        }
    }

    /// The path of a program in PATH; nil if it is not installed.
    private static func path(_ program: String) -> String? {
        if program.utf8.first == UInt8(ascii: "/") { return access(program, X_OK) == 0 ? program : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").filter { $0.utf8.first == UInt8(ascii: "/") }
            .map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    // MARK: The user's service manager

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

    private func handOver(
        _ words: [String], _ startup: String, isOlder: Bool, _ done: @escaping (Bool) -> Void
    ) {
        let unit = "app-roundel-open-\(String(UInt64.random(in: 0 ... .max), radix: 16)).service"
        let properties = (isOlder ? Self.olderProperties : Self.properties) + Self.command(words, startup)
        bus.call(
            Self.manager, Self.managerPath, "org.freedesktop.systemd1.Manager", "StartTransientUnit",
            { writer in
                try writer.append(unit)
                try writer.append("fail")
                try writer.append(
                    value: .array(
                        element: "(sv)", properties.map { .structure([.string($0.0), .variant($0.1)]) }))
                try writer.append(value: .array(element: "(sa(sv))", []))
            }
        ) { [weak self] result in
            guard case .failure(let error) = result else { return done(true) }
            let isProperty = error.standard == .propertyReadOnly || error.standard == .invalidArgs
            if let self, isProperty, !isOlder { return handOver(words, startup, isOlder: true, done) }
            done(false)
        }
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

    // MARK: Without a service manager

    private static func startHere(
        _ words: [String], _ startup: String, _ loop: EventLoop, _ finished: @escaping (Outcome) -> Void
    ) {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var child = pid_t()
        let problem = clinux_start_program(copies.map { UnsafePointer($0) } + [nil], startup, &child)
        guard problem == 0 else {
            return finished(.failed("\(words[0]) cannot be started: \(String(cString: strerror(problem)))."))
        }
        let descriptor = clinux_follow_child(child)
        // If the kernel cannot report its end, the program is not followed.
        guard descriptor >= 0 else { return finished(.handedOver) }
        var source: FileDescriptorSource?
        source = loop.watch(fileDescriptor: descriptor, interest: .read) { _ in
            let status = clinux_end_of_child(child)
            guard status >= 0, let watched = source else { return }
            source = nil
            watched.cancel()
            close(descriptor)
            finished(.ended(status))
        }
    }
}

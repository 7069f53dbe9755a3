public import DBus
import Glibc

/// A bus of a test's own, in a directory of its own, that ends with the test.
public final class PrivateBus {
    /// Where connections go.
    public let address: BusAddress
    /// The address as text, for the environment of programs.
    public let text: String
    /// The bus' own directory, which is its `$XDG_DATA_HOME` and `$XDG_RUNTIME_DIR` as well.
    public let directory: String
    /// The `dbus-daemon`.
    public let daemon: RunningProgram
    /// The service files that were installed.
    private var services: [String] = []

    /// Starts the daemon and waits until it listens.
    public init() throws {
        var template = Array("/tmp/dbus-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("mkdtemp: \(errno)") }
        directory = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        mkdir(directory + "/dbus-1", 0o700)
        mkdir(directory + "/dbus-1/services", 0o700)
        let places = ["XDG_DATA_HOME": directory, "XDG_RUNTIME_DIR": directory]
        daemon = try RunningProgram(
            [
                "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
                "--address=unix:path=\(directory)/bus", "--print-address=1",
            ], environment: RunningProgram.inheritedEnvironment.merging(places) { $1 })
        text = try daemon.line()
        address = .address(text)
    }

    /// What a program needs to find the bus.
    public var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": text] }

    /// Installs a service file, which the bus reads when it does not know a name.
    public func addService(_ name: String, command: String) throws {
        let path = "\(directory)/dbus-1/services/\(name).service"
        guard let file = fopen(path, "w") else { throw Failure("cannot write \(path)") }
        fputs("[D-BUS Service]\nName=\(name)\nExec=\(command)\n", file)
        fclose(file)
        services.append(path)
    }

    deinit {
        daemon.kill()
        for path in services + [directory + "/bus"] { unlink(path) }
        for path in ["/dbus-1/services", "/dbus-1", ""] { rmdir(directory + path) }
    }
}

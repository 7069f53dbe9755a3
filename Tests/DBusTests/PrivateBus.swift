import DBus
import Glibc

/// A bus of a test's own, in a directory of its own, that ends with the test.
final class PrivateBus {
    let address: BusAddress
    let text: String
    let directory: String
    let daemon: ChildProcess

    init() throws {
        var template = Array("/tmp/dbus-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw DBusError.failed("mkdtemp") }
        directory = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        mkdir(directory + "/dbus-1", 0o700)
        mkdir(directory + "/dbus-1/services", 0o700)
        daemon = try ChildProcess(
            [
                "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
                "--address=unix:path=\(directory)/bus", "--print-address=1",
            ], environment: ["XDG_DATA_HOME": directory, "XDG_RUNTIME_DIR": directory],
            isQuiet: true)
        var line = ""
        while !line.contains("\n") {
            let more = daemon.readSome()
            guard !more.isEmpty else { throw DBusError.failed("dbus-daemon did not start") }
            line += more
        }
        text = String(line.prefix { $0 != "\n" })
        address = .address(text)
    }

    /// Installs a service file, which the bus reads when it does not know a name.
    func addService(_ name: String, command: String) throws {
        let path = "\(directory)/dbus-1/services/\(name).service"
        guard let file = fopen(path, "w") else { throw DBusError.failed("cannot write \(path)") }
        fputs("[D-BUS Service]\nName=\(name)\nExec=\(command)\n", file)
        fclose(file)
    }

    deinit {
        daemon.terminate()
        for path in ["/bus", "/dbus-1/services/org.example.Fails.service"] { unlink(directory + path) }
        for path in ["/dbus-1/services", "/dbus-1", ""] { rmdir(directory + path) }
    }
}

/// A bus with a loop for the connections of a test.
final class Harness {
    let bus: PrivateBus
    let loop: EventLoop
    private var connections: [Connection] = []

    init() throws {
        bus = try PrivateBus()
        loop = try EventLoop()
    }

    deinit { for connection in connections { connection.close() } }

    func connect() throws -> Connection {
        let connection = try Connection.open(bus.address, on: loop)
        connections.append(connection)
        return connection
    }

    /// Runs the loop until `condition` holds; false after ten seconds.
    func run(until condition: () -> Bool) -> Bool {
        let deadline = EventLoop.now() + 10_000_000_000
        while !condition() {
            let now = EventLoop.now()
            guard now < deadline else { return false }
            loop.runOnce(timeout: deadline - now)
        }
        return true
    }

    /// Calls and runs the loop until the answer is there.
    func call(
        _ connection: Connection, _ destination: String, _ path: ObjectPath, _ interface: String?, _ member: String,
        _ write: (inout MessageWriter) throws -> Void = { _ in }
    ) throws -> Message {
        var result: Result<Message, DBusError>?
        connection.call(destination, path, interface, member, write) { result = $0 }
        guard run(until: { result != nil }), let result else { throw DBusError.failed("no answer in ten seconds") }
        return try result.get()
    }

    /// Runs a program with the bus as its session bus, while the loop serves it; gives what it printed.
    func output(of arguments: [String]) throws -> String {
        let child = try ChildProcess(arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.text])
        var text = ""
        var isAtEnd = false
        let source = loop.watch(fileDescriptor: child.output, interest: .read) { _ in
            let more = child.readSome()
            text += more
            isAtEnd = more.isEmpty
        }
        let ended = run { isAtEnd }
        source.cancel()
        guard ended else { throw DBusError.failed("\(arguments[0]) did not end in ten seconds; it printed: \(text)") }
        guard child.wait() == 0 else { throw DBusError.failed("\(arguments[0]) failed; it printed: \(text)") }
        return text
    }
}

extension Connection {
    /// Exports a method `Echo` at `/echo` that answers with its arguments, whatever their types are, by rewriting
    /// each value.
    func exportEcho(_ signature: [Signature]) throws -> Registration {
        let arguments = signature.enumerated().map { (name: "a\($0.offset)", type: $0.element) }
        return try export(
            Interface(
                "org.example.Echo",
                methods: [
                    .init("Echo", in: arguments, out: arguments) { call in
                        let values = try call.message.arguments()
                        call.reply { writer in for value in values { try writer.append(value: value) } }
                    }
                ]), at: "/echo")
    }
}

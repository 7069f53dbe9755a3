public import DBus

/// A bus with a loop for the connections of a test.
public final class Harness {
    /// The bus.
    public let bus: PrivateBus
    /// The loop of every connection.
    public let loop: EventLoop
    private var connections: [Connection] = []

    /// Starts a bus of its own.
    public init() throws {
        bus = try PrivateBus()
        loop = try EventLoop()
    }

    deinit { for connection in connections { connection.close() } }

    /// A new connection; closed with the harness.
    public func connect() throws -> Connection {
        let connection = try Connection.open(bus.address, on: loop)
        connections.append(connection)
        return connection
    }

    /// Runs the loop until `condition` holds; false after four minutes, which a busy machine does not need.
    public func run(until condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(240)
        while !condition() {
            let now = ContinuousClock.now
            guard now < deadline else { return false }
            loop.runOnce(timeout: deadline - now)
        }
        return true
    }

    /// Calls and runs the loop until the answer is there.
    public func call(
        _ connection: Connection, _ destination: String, _ path: ObjectPath, _ interface: String?, _ member: String,
        _ write: (inout MessageWriter) throws -> Void = { _ in }
    ) throws -> Message {
        var result: Result<Message, DBusError>?
        connection.call(destination, path, interface, member, write) { result = $0 }
        guard run(until: { result != nil }), let result else { throw DBusError.failed("no answer in four minutes") }
        return try result.get()
    }

    /// Runs a program with the bus as its session bus, while the loop serves it; gives what it printed.
    public func output(of arguments: [String]) throws -> String {
        let child = try RunningProgram(
            arguments, environment: RunningProgram.inheritedEnvironment.merging(bus.environment) { $1 })
        var bytes: [UInt8] = []
        var isAtEnd = false
        let source = loop.watch(fileDescriptor: child.output, interest: .read) { _ in
            let more = (try? child.readSome()) ?? nil
            bytes += more ?? []
            isAtEnd = more == nil
        }
        let ended = run { isAtEnd }
        source.cancel()
        let text = String(decoding: bytes, as: UTF8.self)
        guard ended else { throw Failure("\(arguments[0]) did not end in four minutes; it printed: \(text)") }
        let outcome = try child.finish()
        guard outcome.status == 0 else {
            throw Failure("\(arguments[0]) failed; it printed: \(text)\(outcome.errors)")
        }
        return text
    }
}

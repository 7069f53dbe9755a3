internal import Support

/// A call that waits for its reply.
public final class PendingCall {
    private weak var connection: Connection?
    private(set) var serial: UInt32 = 0
    /// Nil until the call was sent.
    private(set) var destination: CallDestination?
    private var onReply: ((Result<Message, DBusError>) -> Void)?
    private var timer: LoopTimer?

    init(_ connection: Connection, _ onReply: @escaping (Result<Message, DBusError>) -> Void) {
        self.connection = connection
        self.onReply = onReply
    }

    /// Abandons the call: its handler is not called any more, and a reply is ignored.
    public func cancel() {
        onReply = nil
        timer?.cancel()
        _ = connection?.calls.remove(serial)
    }

    func wasSent(_ serial: UInt32, to destination: CallDestination, timeout: Duration?) {
        self.serial = serial
        self.destination = destination
        guard let timeout, let connection else { return }
        let timer = connection.loop.makeTimer { [weak self] in self?.expire() }
        timer.set(after: timeout)
        self.timer = timer
    }

    /// Records the new owner of a well-known name: if the call went to this name, the new owner may answer too.
    func ownerChanged(_ name: String, to owner: String) {
        if destination?.name == name { destination?.ownerChanged(to: owner) }
    }

    private func expire() {
        guard let pending = connection?.calls.remove(serial) else { return }
        pending.finish(.failure(DBusError(.noReply, tr("No reply came within the time that was set."))))
    }

    func finish(_ result: Result<Message, DBusError>) {
        let handler = onReply
        onReply = nil
        timer?.cancel()
        handler?(result)
    }
}

/// The calls of a connection that wait for a reply, by the serial number of the call.
struct PendingCallTable {
    private var calls: [UInt32: PendingCall] = [:]

    mutating func insert(_ call: PendingCall) { calls[call.serial] = call }

    mutating func remove(_ serial: UInt32) -> PendingCall? { calls.removeValue(forKey: serial) }

    /// Removes and returns the call that a reply belongs to; nil for a reply to no call, or from another connection
    /// than the called one.
    mutating func remove(answeredBy reply: Message) -> PendingCall? {
        let serial = reply.replySerial
        guard calls[serial]?.destination?.isAnswered(by: reply) ?? false else { return nil }
        return calls.removeValue(forKey: serial)
    }

    func ownerChanged(_ name: String, to owner: String) {
        for call in calls.values { call.ownerChanged(name, to: owner) }
    }

    /// Empties the table; returns the calls in the order in which they were sent.
    mutating func removeAll() -> [PendingCall] {
        defer { calls = [:] }
        return calls.values.sorted { $0.serial < $1.serial }
    }
}

extension Connection {
    /// Calls a method. Only the called connection, or the bus in its place, can answer.
    ///
    /// - Parameters:
    ///   - destination: A unique or well-known name; a service that is not running is started by the bus.
    ///   - path: The object to call.
    ///   - interface: The method's interface; nil for any interface with such a method.
    ///   - member: The method.
    ///   - timeout: How long to wait for the reply; nil for no limit.
    ///   - write: Writes the arguments. If it throws, the error is the result.
    ///   - onReply: Called once, from the loop, with the reply or an error; never before this returns.
    @discardableResult
    public func call(
        _ destination: String, _ path: ObjectPath, _ interface: String?, _ member: String, timeout: Duration? = nil,
        _ write: (inout MessageWriter) throws -> Void = { _ in },
        _ onReply: @escaping (Result<Message, DBusError>) -> Void
    ) -> PendingCall {
        let pending = PendingCall(self, onReply)
        do {
            let message = try MessageWriter.message(.call(destination, path, interface, member), write)
            let answerer = try self.destination(destination)
            pending.wasSent(try send(message), to: answerer, timeout: timeout)
            calls.insert(pending)
        } catch {
            let failure = DBusError.from(error)
            loop.atEndOfTurn { pending.finish(.failure(failure)) }
        }
        return pending
    }

    /// Calls a method without requesting a reply.
    ///
    /// - Throws: `Disconnected`, and any error of `write`.
    public func callNoReply(
        _ destination: String, _ path: ObjectPath, _ interface: String?, _ member: String,
        _ write: (inout MessageWriter) throws -> Void = { _ in }
    ) throws {
        let header = try MessageHeader.call(destination, path, interface, member, expectsNoReply: true)
        try send(try MessageWriter.message(header, write))
    }

    /// Sends a signal to all subscribers, or only to the connection `destination`.
    ///
    /// - Throws: `Disconnected`, and any error of `write`.
    public func emit(
        _ path: ObjectPath, _ interface: String, _ member: String, to destination: String? = nil,
        _ write: (inout MessageWriter) throws -> Void = { _ in }
    ) throws {
        try send(try MessageWriter.message(.signal(path, interface, member, to: destination), write))
    }

    /// Pings the connection `destination`; it answers once it has read everything sent before.
    @discardableResult
    public func ping(
        _ destination: String, timeout: Duration? = nil, _ onReply: @escaping (Result<Void, DBusError>) -> Void
    ) -> PendingCall {
        call(destination, .root, StandardInterfaces.peer, "Ping", timeout: timeout) { onReply($0.map { _ in () }) }
    }
}

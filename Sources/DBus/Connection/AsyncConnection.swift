internal import Support
internal import Synchronization

/// A connection for Swift concurrency: an event loop and a `Connection` on their own thread.
///
/// Requests reach the bus in the order in which they are made here. The connection ends with `close()`, or when it is
/// no longer referenced.
public final class AsyncConnection: Sendable {
    /// The name that the bus gave to this connection.
    public let uniqueName: String
    private let thread: LoopThread
    private let lastID = Atomic<UInt64>(0)

    private init(_ thread: LoopThread, _ uniqueName: String) {
        self.thread = thread
        self.uniqueName = uniqueName
    }

    deinit { thread.post(.init(run: { $0.stop {} }, abandon: {})) }

    /// Connects to a bus.
    ///
    /// - Throws: `DBusError` with the reason if there is no bus.
    public static func open(_ address: BusAddress = .session) async throws -> AsyncConnection {
        let thread = LoopThread()
        let name = try await withCheckedThrowingContinuation { (ready: CheckedContinuation<String, any Error>) in
            do {
                try thread.start(address) { ready.resume(with: $0.mapError { $0 as any Error }) }
            } catch { ready.resume(throwing: error) }
        }
        return AsyncConnection(thread, name)
    }

    /// Closes the connection. Outstanding calls fail with `Disconnected`; streams end.
    public func close() async {
        await withCheckedContinuation { (closed: CheckedContinuation<Void, Never>) in
            thread.post(.init(run: { $0.stop { closed.resume() } }, abandon: { closed.resume() }))
        }
    }

    /// Runs `body` on the connection's thread, for example to export an interface.
    ///
    /// - Throws: `Disconnected` after `close()`, and any error of `body`.
    public func perform<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { (result: CheckedContinuation<T, any Error>) in
            thread.post(
                .init(
                    run: { context in result.resume(with: Result { try body(context.connection) }) },
                    abandon: { result.resume(throwing: DBusError.disconnected) }))
        }
    }

    /// Calls `body` on the connection's thread after this time, unless the connection ends earlier.
    public func after(_ interval: Duration, _ body: @escaping @Sendable () -> Void) {
        post(
            { context in
                // The loop keeps a timer while it is set.
                context.connection.loop.makeTimer(body).set(after: interval)
            }, abandon: {})
    }

    fileprivate func nextID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

    fileprivate func post(_ run: @escaping @Sendable (LoopContext) -> Void, abandon: @escaping @Sendable () -> Void) {
        thread.post(.init(run: run, abandon: abandon))
    }
}

// MARK: - Calls

extension AsyncConnection {
    /// How long a call waits for its reply unless it sets another limit: 25 s, in debug builds possibly another time.
    public static let usualTimeout = Patience.Bus.reply

    /// Calls a method. If the task is cancelled, the call is abandoned.
    ///
    /// - Parameters:
    ///   - destination: A unique or well-known name; a service that is not running is started by the bus.
    ///   - path: The object to call.
    ///   - interface: The method's interface; nil for any interface with such a method.
    ///   - member: The method.
    ///   - timeout: How long to wait for the reply; nil for no limit.
    ///   - write: Writes the arguments, on the connection's thread.
    ///   - read: Decodes the reply, on the connection's thread.
    /// - Throws: `DBusError`, `CancellationError`, and any error of `write` and `read`.
    public func call<T: Sendable>(
        _ destination: String, _ path: ObjectPath, _ interface: String?, _ member: String,
        timeout: Duration? = AsyncConnection.usualTimeout,
        write: @escaping @Sendable (inout MessageWriter) throws -> Void = { _ in },
        read: @escaping @Sendable (inout MessageReader) throws -> T
    ) async throws -> T {
        try Task.checkCancellation()
        let id = nextID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (result: CheckedContinuation<T, any Error>) in
                post { context in
                    let pending = context.connection.call(
                        destination, path, interface, member, timeout: timeout, write
                    ) { [unowned context] reply in
                        context.removeCall(id)
                        result.resume(
                            with: Result {
                                var reader = try reply.get().reader
                                return try read(&reader)
                            })
                    }
                    context.addCall(id, pending) { result.resume(throwing: CancellationError()) }
                } abandon: {
                    result.resume(throwing: DBusError.disconnected)
                }
                // A cancellation before the call was posted had no effect.
                if Task.isCancelled { cancelCall(id) }
            }
        } onCancel: {
            cancelCall(id)
        }
    }

    /// Calls a method with values and returns the values of the reply.
    ///
    /// - Parameters:
    ///   - destination: A unique or well-known name; a service that is not running is started by the bus.
    ///   - path: The object to call.
    ///   - interface: The method's interface; nil for any interface with such a method.
    ///   - member: The method.
    ///   - arguments: The arguments of the method.
    ///   - timeout: How long to wait for the reply; nil for no limit.
    /// - Throws: `DBusError`, `CancellationError`.
    public func call(
        _ destination: String, _ path: ObjectPath, _ interface: String?, _ member: String,
        _ arguments: [DBusValue] = [], timeout: Duration? = AsyncConnection.usualTimeout
    ) async throws -> [DBusValue] {
        try await call(
            destination, path, interface, member, timeout: timeout,
            write: { writer in for argument in arguments { try writer.append(value: argument) } },
            read: { try $0.readAll() })
    }

    /// Requests the well-known name `name`.
    public func requestName(_ name: String, flags: NameFlags = []) async throws -> NameReply {
        try await call(
            BusDaemon.name, BusDaemon.path, BusDaemon.interface, "RequestName",
            write: { writer in
                try writer.append(name)
                try writer.append(flags.rawValue)
            }, read: { NameReply(rawValue: try $0.readUInt32()) ?? .exists })
    }

    /// The connection that currently owns the name; nil for none.
    public func owner(of name: String) async throws -> String? {
        do {
            return try await call(
                BusDaemon.name, BusDaemon.path, BusDaemon.interface, "GetNameOwner",
                write: { try $0.append(name) }, read: { try $0.readString() })
        } catch let error as DBusError where error.standard == .nameHasNoOwner {
            return nil
        }
    }

    /// The names for which the bus can start a service.
    public func activatableNames() async throws -> [String] {
        try await call(
            BusDaemon.name, BusDaemon.path, BusDaemon.interface, "ListActivatableNames",
            read: { try $0.readStringArray() })
    }

    private func cancelCall(_ id: UInt64) {
        post({ $0.cancelCall(id) }, abandon: {})
    }
}

// MARK: - Signals

/// A signal that was received.
public struct ReceivedSignal: Sendable, Hashable {
    /// The unique name of the sender.
    public let sender: String
    /// The object.
    public let path: ObjectPath
    /// The interface.
    public let interface: String
    /// The signal.
    public let member: String
    /// The arguments.
    public let arguments: [DBusValue]

    init?(_ message: Message) {
        guard let header = SignalHeader(message), let arguments = try? message.arguments() else { return nil }
        sender = header.sender
        path = ObjectPath(unchecked: header.path)
        interface = header.interface
        member = header.member
        self.arguments = arguments
    }
}

extension AsyncConnection {
    /// The signals that match `rule`. Replies to later calls come after the subscription began.
    ///
    /// The stream buffers the newest `buffering` signals; older unread ones are dropped. It ends with the connection.
    ///
    /// - Throws: `MatchRuleInvalid` if the rule is malformed.
    public func signals(
        _ rule: MatchRule, buffering: Int = 1024
    ) throws(DBusError) -> AsyncStream<ReceivedSignal> {
        _ = try rule.text()
        return stream(buffering) { connection, yield in
            try connection.subscribe(rule) { message in
                if let signal = ReceivedSignal(message) { yield(signal) }
            }
        }
    }

    /// The signals that match `rule`, each decoded by `read` on the connection's thread, which gets the name of the
    /// signal and its arguments. Signals for which it returns nil or throws are left out. Everything else is as in
    /// ``signals(_:buffering:)``.
    ///
    /// - Throws: `MatchRuleInvalid` if the rule is malformed.
    public func signals<Value: Sendable>(
        _ rule: MatchRule, buffering: Int = 1024,
        read: @escaping @Sendable (_ member: String, _ arguments: inout MessageReader) throws -> Value?
    ) throws(DBusError) -> AsyncStream<Value> {
        _ = try rule.text()
        return stream(buffering) { connection, yield in
            try connection.subscribe(rule) { message in
                var arguments = message.reader
                if let member = message.member, let value = try? read(member, &arguments) { yield(value) }
            }
        }
    }

    /// The owner of the name `name`: first the current one, then each new one; nil for none.
    public func owners(of name: String) -> AsyncStream<String?> {
        stream(1024) { connection, yield in try connection.watchName(name) { yield($0) } }
    }

    /// Returns when the bus or this program has closed the connection, or the task is cancelled.
    public func waitUntilDisconnected() async {
        let never: AsyncStream<Never> = stream(1) { _, _ in nil }
        for await _ in never {}
    }

    private func stream<Element: Sendable>(
        _ buffering: Int,
        _ begin: @escaping @Sendable (Connection, @escaping (Element) -> Void) throws -> Registration?
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(buffering))
        let id = nextID()
        post { context in
            do {
                guard context.connection.isConnected else { throw DBusError.disconnected }
                let registration = try begin(context.connection) { continuation.yield($0) }
                context.addStream(id, registration) { continuation.finish() }
            } catch { continuation.finish() }
        } abandon: {
            continuation.finish()
        }
        // The stream keeps the connection alive until it is terminated.
        continuation.onTermination = { [self] _ in
            post({ $0.removeStream(id) }, abandon: {})
        }
        return stream
    }
}

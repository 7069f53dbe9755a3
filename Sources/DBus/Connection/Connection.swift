internal import CDBus
internal import Glibc

/// A private connection to a message bus, on the thread of its event loop.
///
/// Everything is asynchronous: replies and signals arrive as calls of handlers from the loop.
public final class Connection {
    /// The loop that serves the connection.
    public let loop: EventLoop
    /// The name that the bus gave to this connection, for example `:1.42`.
    public let uniqueName: String

    let pointer: OpaquePointer
    private let watches = ConnectionWatches()
    private var source: FileDescriptorSource?
    private(set) var isClosed = false
    private var dispatchIsScheduled = false
    /// Messages that were received and not yet handled.
    private var inbox = FairQueue<Message>()

    var calls = PendingCallTable()
    var owners = DestinationOwners()
    var subscriptions = SubscriptionTable()
    let objects = ObjectTable()

    /// Called once when the bus has closed the connection; not after `close()`.
    public var onDisconnect: (() -> Void)?
    /// Called with each well-known name that this connection has acquired.
    public var onNameAcquired: ((String) -> Void)?
    /// Called with each well-known name that this connection has lost to another one, or released.
    public var onNameLost: ((String) -> Void)?

    /// Whether senders take turns, so that one with an endless stream of messages does not delay the others. Then the
    /// messages of one sender keep their order, but those of different ones may not; messages of the bus come first.
    public var takesTurns = false

    /// The number of messages handled in one turn of the loop before other sources get their turn.
    private static let messagesPerTurn = 128
    /// How often one turn reads while more messages wait; libdbus reads 2 KiB at a time, which may be a part of a
    /// message.
    private static let readsPerTurn = 256
    /// The maximum number of messages waiting here; further ones wait at the bus.
    private static let mostWaiting = 16_384

    /// Connects to the session bus; see `BusAddress.session`. Blocks until the bus accepts.
    public static func openSessionBus(on loop: EventLoop) throws(DBusError) -> Connection {
        try open(.session, on: loop)
    }

    /// Connects to the bus at `address`. Blocks until the bus accepts.
    ///
    /// - Throws: The error of libdbus if there is no bus at the address.
    public static func open(_ address: BusAddress, on loop: EventLoop) throws(DBusError) -> Connection {
        let text = try address.resolved()
        guard !text.utf8.contains(0) else { throw DBusError(.badAddress, "The bus address holds a NUL.") }
        dbus_threads_init_default()
        var failure = CError()
        guard let pointer = dbus_connection_open_private(text, &failure.value) else { throw failure.taken() }
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        guard dbus_bus_register(pointer, &failure.value) != 0, let name = dbus_bus_get_unique_name(pointer) else {
            dbus_connection_close(pointer)
            dbus_connection_unref(pointer)
            throw failure.taken()
        }
        let connection = Connection(pointer, String(cString: name), loop)
        try connection.start()
        return connection
    }

    private init(_ pointer: OpaquePointer, _ uniqueName: String, _ loop: EventLoop) {
        self.pointer = pointer
        self.uniqueName = uniqueName
        self.loop = loop
    }

    deinit {
        source?.cancel()
        watches.detach(from: pointer)
        if !isClosed { dbus_connection_close(pointer) }
        dbus_connection_unref(pointer)
    }

    private func start() throws(DBusError) {
        guard watches.attach(to: pointer), watches.fileDescriptor >= 0 else {
            throw DBusError(.badAddress, "The bus address is of a kind that cannot be watched.")
        }
        let source = loop.watch(fileDescriptor: watches.fileDescriptor, interest: watches.interest) {
            [weak self] events in self?.process(events)
        }
        watches.follow { [weak source] in source?.interest = $0 }
        self.source = source
        // Messages may have arrived with the reply to the registration.
        scheduleDispatch()
    }

    /// Whether the connection to the bus is open.
    public var isConnected: Bool { !isClosed && dbus_connection_get_is_connected(pointer) != 0 }

    /// The number of bytes that the bus has not accepted yet.
    package var outgoingBytes: Int { isClosed ? 0 : dbus_connection_get_outgoing_size(pointer) }

    /// Sends waiting messages as far as the bus accepts them immediately, and closes the connection.
    ///
    /// Outstanding calls are answered with `Disconnected`; `onDisconnect` is not called. Exported objects and
    /// subscriptions are released.
    public func close() {
        guard !isClosed else { return }
        if isConnected { dbus_connection_read_write(pointer, 0) }
        shutDown()
    }

    private func shutDown() {
        isClosed = true
        inbox = FairQueue()
        source?.cancel()
        watches.detach(from: pointer)
        dbus_connection_close(pointer)
        // The handlers often reference the connection, so releasing them releases it.
        objects.removeAll()
        subscriptions = SubscriptionTable()
        for pending in calls.removeAll() { pending.finish(.failure(.disconnected)) }
    }

    // MARK: Sending

    /// Sends a message and returns its serial number.
    @discardableResult
    func send(_ message: Message) throws(DBusError) -> UInt32 {
        guard isConnected else { throw .disconnected }
        var serial: UInt32 = 0
        guard dbus_connection_send(pointer, message.pointer, &serial) != 0 else { throw .outOfMemory }
        return serial
    }

    // MARK: Receiving

    private func process(_ events: Interest) {
        guard !isClosed else { return }
        watches.handle(events)
        dispatch()
    }

    private func scheduleDispatch() {
        guard !dispatchIsScheduled else { return }
        dispatchIsScheduled = true
        loop.atEndOfTurn { [weak self] in
            guard let self else { return }
            dispatchIsScheduled = false
            if !isClosed { dispatch() }
        }
    }

    private func pop() -> Message? {
        isClosed ? nil : dbus_connection_pop_message(pointer).map { Message(owning: $0) }
    }

    private func dispatch() {
        if takesTurns { return dispatchInTurns() }
        for _ in 0..<Connection.messagesPerTurn {
            guard let message = pop() else { return finishDispatch() }
            handle(message)
        }
        if !isClosed { scheduleDispatch() }
    }

    private func dispatchInTurns() {
        if inbox.isEmpty {
            guard let first = pop() else { return finishDispatch() }
            // Usually there is no second message.
            guard let second = pop() ?? readOn() else {
                handle(first)
                return finishDispatch()
            }
            receive(first)
            receive(second)
        }
        receiveAll()
        for _ in 0..<Connection.messagesPerTurn {
            guard !isClosed, let message = inbox.next() else { return finishDispatch() }
            handle(message)
        }
        if !isClosed { scheduleDispatch() }
    }

    /// The next message that has arrived but was not read; nil if none has arrived completely.
    private func readOn() -> Message? {
        for _ in 0..<Connection.readsPerTurn {
            guard !isClosed, watches.hasUnread else { return nil }
            watches.handle(.read)
            if let message = pop() { return message }
        }
        return nil
    }

    /// Moves arrived messages to the queues of their senders, so that one with an endless stream of messages does not
    /// delay the others.
    private func receiveAll() {
        receiveWhatIsRead()
        for _ in 0..<Connection.readsPerTurn {
            guard inbox.count < Connection.mostWaiting, !isClosed, watches.hasUnread else { return }
            watches.handle(.read)
            // After each reading, the last one, too: nothing wakes the loop for what has been read.
            receiveWhatIsRead()
        }
    }

    private func receiveWhatIsRead() {
        while inbox.count < Connection.mostWaiting, let message = pop() { receive(message) }
    }

    private func receive(_ message: Message) {
        guard let sender = dbus_message_get_sender(message.pointer) else { return handle(message) }
        // Changes of names and departures are handled before anything else.
        if strcmp(sender, DBUS_SERVICE_DBUS) == 0 { return handle(message) }
        inbox.append(message, from: String(cString: sender))
    }

    private func finishDispatch() {
        guard !isClosed, inbox.isEmpty, dbus_connection_get_is_connected(pointer) == 0 else { return }
        shutDown()
        onDisconnect?()
    }

    private func handle(_ message: Message) {
        switch dbus_message_get_type(message.pointer) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: objects.dispatch(message, on: self)
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: calls.remove(answeredBy: message)?.finish(.success(message))
        case DBUS_MESSAGE_TYPE_ERROR: calls.remove(answeredBy: message)?.finish(.failure(message.error))
        case DBUS_MESSAGE_TYPE_SIGNAL: handleSignal(message)
        default: break
        }
    }

    private func handleSignal(_ message: Message) {
        // libdbus reports the end of the connection as a signal of its own, which was not sent by any connection.
        guard let signal = SignalHeader(message), signal.interface != DBUS_INTERFACE_LOCAL else { return }
        if signal.interface == DBUS_INTERFACE_DBUS, signal.sender == DBUS_SERVICE_DBUS {
            var reader = message.reader
            switch signal.member {
            case "NameAcquired":
                if let name = try? reader.readString(), name != uniqueName { onNameAcquired?(name) }
            case "NameLost":
                if let name = try? reader.readString() { onNameLost?(name) }
            default: break
            }
        }
        // Handlers subscribe and cancel, so this uses a copy of the current table.
        let subscriptions = subscriptions
        subscriptions.deliver(signal, message)
    }
}

internal import Support
internal import Synchronization
internal import SystemPackage

/// A separate thread that runs an event loop with a connection, and accepts work from any thread.
final class LoopThread: Sendable {
    /// The work for the thread; `abandon` is called instead of `run` if the thread has ended.
    struct Job: Sendable {
        let run: @Sendable (LoopContext) -> Void
        let abandon: @Sendable () -> Void
    }

    private enum State {
        case starting
        case running(Wakeup)
        case ended
    }

    private let jobs = Mailbox<Job>()
    private let state = Mutex(State.starting)

    /// Starts the thread. `onReady` is called once from it, with the connection's unique name.
    func start(
        _ address: BusAddress, _ onReady: @escaping @Sendable (Result<String, DBusError>) -> Void
    ) throws(DBusError) {
        do {
            try DetachedThread.start("dbus") { [self] in run(address, onReady) }
        } catch {
            throw .system("Cannot start a thread for the D-Bus connection", error.rawValue)
        }
    }

    /// Runs `job` on the thread, after all earlier ones. May only be called once the thread is ready.
    func post(_ job: Job) {
        let isFirst = jobs.put(job)
        // Checked after the job is in the mailbox: when the thread ends, it takes the jobs it finds there, and this
        // handles later ones.
        switch state.withLock({ $0 }) {
        case .starting: break
        case .running(let wakeup): if isFirst { wakeup.signal() }
        case .ended: abandonJobs()
        }
    }

    private func run(_ address: BusAddress, _ onReady: (Result<String, DBusError>) -> Void) {
        defer { end() }
        do {
            let loop = try EventLoop()
            let context = LoopContext(try Connection.open(address, on: loop))
            let wakeup = try loop.makeWakeup { [self, weak context] in context.map(drain) }
            state.withLock { $0 = .running(wakeup) }
            onReady(.success(context.connection.uniqueName))
            loop.run()
            context.end()
        } catch { onReady(.failure(.from(error))) }
    }

    private func drain(_ context: LoopContext) {
        for job in jobs.takeAll() { job.run(context) }
    }

    private func end() {
        state.withLock { $0 = .ended }
        abandonJobs()
    }

    private func abandonJobs() {
        for job in jobs.takeAll() { job.abandon() }
    }
}

/// The objects of the thread: the connection, the outstanding calls and the open streams.
final class LoopContext {
    let connection: Connection
    private var calls: [UInt64: (pending: PendingCall, cancel: () -> Void)] = [:]
    private var streams: [UInt64: (registration: Registration?, finish: () -> Void)] = [:]
    private var onEnd: [() -> Void] = []

    init(_ connection: Connection) {
        self.connection = connection
        connection.onDisconnect = { [unowned self] in finishStreams() }
    }

    func addCall(_ id: UInt64, _ pending: PendingCall, cancel: @escaping () -> Void) { calls[id] = (pending, cancel) }

    func removeCall(_ id: UInt64) { calls[id] = nil }

    func cancelCall(_ id: UInt64) {
        guard let call = calls.removeValue(forKey: id) else { return }
        call.pending.cancel()
        call.cancel()
    }

    func addStream(_ id: UInt64, _ registration: Registration?, finish: @escaping () -> Void) {
        streams[id] = (registration, finish)
    }

    func removeStream(_ id: UInt64) { streams.removeValue(forKey: id)?.registration?.cancel() }

    /// Ends the thread's loop; `completion` is called when everything is closed.
    func stop(_ completion: @escaping () -> Void) {
        onEnd.append(completion)
        connection.loop.stop()
    }

    func end() {
        finishStreams()
        connection.close()
        for completion in onEnd { completion() }
    }

    private func finishStreams() {
        let open = streams.sorted { $0.key < $1.key }
        streams = [:]
        for (_, stream) in open { stream.finish() }
    }
}

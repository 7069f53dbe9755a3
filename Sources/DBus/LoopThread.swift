internal import Glibc
internal import Synchronization

/// A thread of its own that runs an event loop with a connection, and takes work from any thread.
final class LoopThread: Sendable {
    /// What is done on the thread; `abandon` is called instead if the thread has ended.
    struct Job: Sendable {
        let run: @Sendable (LoopContext) -> Void
        let abandon: @Sendable () -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var wakeup: Wakeup?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Starts the thread. `onReady` is called once from it, with the connection's unique name.
    func start(
        _ address: BusAddress, _ onReady: @escaping @Sendable (Result<String, DBusError>) -> Void
    ) throws(DBusError) {
        let body = ThreadBody { [self] in run(address, onReady) }
        let argument = Unmanaged.passRetained(body)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw .system("Cannot start a thread for the D-Bus connection", code)
        }
        pthread_detach(thread)
    }

    /// Has `job` run on the thread, after all that were posted before.
    func post(_ job: Job) {
        let wakeup = state.withLock { state -> Wakeup?? in
            guard !state.hasEnded else { return .none }
            state.jobs.append(job)
            // The loop is awake already, or about to wake, unless this is the first.
            return .some(state.jobs.count == 1 ? state.wakeup : nil)
        }
        guard let wakeup else { return job.abandon() }
        wakeup?.signal()
    }

    private func run(_ address: BusAddress, _ onReady: (Result<String, DBusError>) -> Void) {
        defer { end() }
        do {
            let loop = try EventLoop()
            let context = LoopContext(try Connection.open(address, on: loop))
            let wakeup = try loop.makeWakeup { [self, weak context] in context.map(drain) }
            state.withLock { $0.wakeup = wakeup }
            onReady(.success(context.connection.uniqueName))
            loop.run()
            context.end()
        } catch { onReady(.failure(.from(error))) }
    }

    private func drain(_ context: LoopContext) {
        for job in takeJobs() { job.run(context) }
    }

    private func end() {
        state.withLock { state in
            state.hasEnded = true
            state.wakeup = nil
        }
        for job in takeJobs() { job.abandon() }
    }

    private func takeJobs() -> [Job] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}

/// What a new thread is to do.
private final class ThreadBody: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

/// What lives on the thread: the connection, the calls that are outstanding and the streams that are open.
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

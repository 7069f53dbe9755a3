internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import Support
internal import Synchronization
internal import SystemPackage

/// Who is told what the worker says.
protocol WorkerListener: Sendable {
    /// A worker is there, or none any more.
    func worker(isThere: Bool)
    /// The worker says something. `connection` makes the numbers of its requests different from those of one before.
    func worker(says request: WorkerRequest, on connection: UInt32)
    /// The time that was asked for has come, or the next has to be asked for again.
    func timePassed()
    /// When time has to pass next.
    var deadline: Instant? { get }
}

/// The socket at which a worker reports, one at a time. All that it says is read by one thread, which also sends.
final class WorkerLink: Sendable {
    private struct Outgoing: Sendable {
        let report: MountReport
        /// The connection that it answers; nil for whoever is there.
        let connection: UInt32?
    }

    private let listener: Int32
    private let wakeup: Int32
    private let outbox = Mailbox<Outgoing>()
    /// The process at the other end; 0 if there is none.
    private let process = Atomic<Int32>(0)

    /// Listens at a path, of at most 107 bytes.
    init(at path: String) throws(Errno) {
        wakeup = try checked { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        listener = try checked { cfuse_listen(path) }
    }

    /// Starts the thread, which never ends.
    func start(_ listener: some WorkerListener) throws(Errno) {
        try DetachedThread.start("worker link") {
            var conversation = WorkerConversation(self, listener)
            conversation.run()
        }
    }

    /// Whether a thread is one of the worker.
    func isWorker(_ thread: Int32) -> Bool {
        CallerFacts.isThread(thread, of: process.load(ordering: .relaxed))
    }

    /// Tells the worker that is there, if one is.
    func send(_ report: MountReport) {
        if outbox.put(Outgoing(report: report, connection: nil)) { wake() }
    }

    /// Answers the worker of a connection, if it is there still.
    func send(_ report: MountReport, on connection: UInt32) {
        if outbox.put(Outgoing(report: report, connection: connection)) { wake() }
    }

    /// Has the listener's deadline asked for again.
    func wake() { eventfd_write(wakeup, 1) }

    /// The thread's own: the connection and what has not been sent yet.
    private struct WorkerConversation<Listener: WorkerListener> {
        /// What waits to be sent when the worker is taken for one that does not read.
        private static var backlogLimit: Int { 20_000 }
        /// How many packets are read before something is sent again.
        private static var turn: Int { 64 }

        private let link: WorkerLink
        private let listener: Listener
        private var socket: Int32 = -1
        private var connection: UInt32 = 0
        private var hasGreeted = false
        private var backlog: [[UInt8]] = []

        init(_ link: WorkerLink, _ listener: Listener) {
            self.link = link
            self.listener = listener
        }

        mutating func run() -> Never {
            while true {
                var waiting = [
                    pollfd(fd: link.wakeup, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: link.listener, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: socket, events: Int16(backlog.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
                ]
                let time = listener.deadline.map { Instant.now.duration(to: $0).pollTimeout } ?? -1
                guard poll(&waiting, nfds_t(waiting.count), time) >= 0 else { continue }
                var count: eventfd_t = 0
                if waiting[0].revents != 0 { eventfd_read(link.wakeup, &count) }
                if waiting[2].revents != 0 { receive() }
                if waiting[1].revents != 0 { accept() }
                listener.timePassed()
                collect()
                send()
            }
        }

        private mutating func accept() {
            var user = uid_t()
            var process = pid_t()
            let new = cfuse_accept(link.listener, &user, &process)
            guard new >= 0 else { return }
            guard user == geteuid(), socket < 0 else {
                log(
                    .warning,
                    "Process \(process) is not let in: it is another user's, or there is a worker already.")
                close(new)
                return
            }
            socket = new
            connection += 1
            hasGreeted = false
            link.process.store(process, ordering: .relaxed)
        }

        private mutating func receive() {
            var buffer = [UInt8](repeating: 0, count: WorkerRequest.limit)
            for _ in 0..<Self.turn {
                let count = cfuse_receive(socket, &buffer, buffer.count)
                if count < 0, count != -2, errno == EAGAIN || errno == EINTR { return }
                guard count > 0 else { return hangUp(count == -2 ? "\(PacketError.tooLong)" : nil) }
                do throws(PacketError) {
                    try take(WorkerRequest(packet: buffer[..<count]))
                } catch {
                    return hangUp("\(error)")
                }
                if socket < 0 { return }
            }
        }

        private mutating func take(_ request: WorkerRequest) throws(PacketError) {
            guard case .hello(let version) = request else {
                guard hasGreeted else { throw .senseless }
                return listener.worker(says: request, on: connection)
            }
            guard !hasGreeted, version == WorkerRequest.version else { throw .senseless }
            hasGreeted = true
            listener.worker(says: request, on: connection)
            listener.worker(isThere: true)
        }

        private mutating func hangUp(_ reason: String?) {
            if let reason { log(.warning, "The worker is not understood and let go: \(reason).") }
            link.process.store(0, ordering: .relaxed)
            close(socket)
            socket = -1
            backlog = []
            if hasGreeted { listener.worker(isThere: false) }
            hasGreeted = false
        }

        private mutating func collect() {
            for outgoing in link.outbox.takeAll() where hasGreeted && outgoing.connection ?? connection == connection {
                backlog.append(outgoing.report.packet)
            }
            if backlog.count > Self.backlogLimit { hangUp("\(backlog.count) reports unread") }
        }

        private mutating func send() {
            var sent = 0
            for packet in backlog {
                let count = Glibc.send(socket, packet, packet.count, Int32(MSG_NOSIGNAL))
                if count < 0 {
                    if errno == EINTR { break }
                    if errno == EAGAIN { break }
                    return hangUp(nil)
                }
                sent += 1
            }
            backlog.removeFirst(sent)
        }
    }
}

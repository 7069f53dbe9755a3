import CLinux
import Dispatch
import Glibc
import MountProtocol
import Support
import Synchronization
import SystemPackage

/// A connection to the program that serves a mounted folder, from its greeting to its end. One thread reads and writes;
/// whoever asks something waits for the answer, no longer than a limit.
final class MountConnection: Sendable {
    private struct State: Sendable {
        var waiting: [UInt32: PendingAnswer] = [:]
        var lastRequest: UInt32 = 0
        var hasEnded = false
    }

    private let socket: Descriptor
    private let wakeup: Descriptor
    private let outbox = Mailbox<[UInt8]>()
    private let state = Mutex(State())
    private let greeting = PendingAnswer()

    /// Connects to the socket at a path. It does not wait: the program accepts whenever it can.
    init(to path: FilePath) throws(Errno) {
        let flags = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Descriptor(owning: try SystemCall.value { Glibc.socket(AF_UNIX, flags, 0) })
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.bytes
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .fileNameTooLong }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        try SystemCall.value {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        self.socket = socket
        wakeup = Descriptor(owning: try SystemCall.value { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
    }

    // MARK: Asking

    /// Starts the thread and greets; gives the inode of the folder.
    ///
    /// - Parameter onReport: Called on the thread with what answers no request; nil when the connection has ended.
    func start(limit: Duration, _ onReport: @escaping @Sendable (MountReport?) -> Void) throws(Errno) -> UInt64 {
        try DetachedThread.start("mounted folder") {
            var conversation = Conversation(connection: self, onReport: onReport)
            conversation.run()
        }
        send(.hello(version: WorkerRequest.version))
        guard case .hello(WorkerRequest.version, let root) = greeting.wait(limit) else {
            end()
            throw .socketNotConnected
        }
        return root
    }

    /// Says something that is not answered.
    func send(_ request: WorkerRequest) {
        if outbox.put(request.packet) { wake() }
    }

    /// Says something that is answered with a number, and leaves the answer aside.
    func tell(_ request: (UInt32) -> WorkerRequest) {
        guard let number = state.withLock({ Self.next(&$0) }) else { return }
        send(request(number))
    }

    /// Asks something and waits for the answer.
    ///
    /// - Throws: ENOTCONN when the connection ends first, ETIMEDOUT after the limit; either way it may have been done.
    func ask(limit: Duration, _ request: (UInt32) -> WorkerRequest) throws(Errno) -> MountReport {
        let answer = PendingAnswer()
        let number = state.withLock { state -> UInt32? in
            guard let number = Self.next(&state) else { return nil }
            state.waiting[number] = answer
            return number
        }
        guard let number else { throw .socketNotConnected }
        send(request(number))
        if let report = answer.wait(limit) { return report }
        let hasEnded = state.withLock { state in
            state.waiting[number] = nil
            return state.hasEnded
        }
        throw hasEnded ? .socketNotConnected : .timedOut
    }

    private static func next(_ state: inout State) -> UInt32? {
        guard !state.hasEnded else { return nil }
        state.lastRequest &+= 1
        return state.lastRequest
    }

    /// Whether it still goes on.
    var isOpen: Bool { state.withLock { !$0.hasEnded } }

    /// Ends the connection: whoever waits in the folder for contents gets an error.
    func end() {
        shutdown(socket.raw, Int32(SHUT_RDWR))
        wake()
    }

    private func wake() { eventfd_write(wakeup.raw, 1) }

    // MARK: The thread

    private struct Conversation {
        let connection: MountConnection
        let onReport: @Sendable (MountReport?) -> Void
        private var backlog: [[UInt8]] = []
        private var buffer = [UInt8](repeating: 0, count: MountReport.limit)

        init(connection: MountConnection, onReport: @escaping @Sendable (MountReport?) -> Void) {
            self.connection = connection
            self.onReport = onReport
        }

        mutating func run() {
            let (socket, wakeup) = (connection.socket.raw, connection.wakeup.raw)
            repeat {
                var waiting = [
                    pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: socket, events: Int16(backlog.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
                ]
                guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 else { continue }
                var count: eventfd_t = 0
                if waiting[0].revents != 0 { eventfd_read(wakeup, &count) }
                backlog += connection.outbox.takeAll()
            } while receive() && send()
            connection.hasEnded()
            onReport(nil)
        }

        /// - Returns: Whether the connection goes on.
        private mutating func receive() -> Bool {
            while true {
                let count = recv(connection.socket.raw, &buffer, buffer.count, Int32(MSG_TRUNC))
                if count < 0 { return errno == EAGAIN || errno == EINTR }
                guard count > 0, count <= buffer.count else { return false }
                do throws(PacketError) {
                    take(try MountReport(packet: buffer[..<count]))
                } catch {
                    log(.warning, "A mounted folder is not understood: \(error).")
                    return false
                }
            }
        }

        private func take(_ report: MountReport) {
            switch report {
            case .hello:
                // Before anybody who asks for something gets to know.
                onReport(report)
                connection.greeting.give(report)
            case .done(let request, _), .made(let request, _), .located(let request, _):
                connection.state.withLock { $0.waiting.removeValue(forKey: request) }?.give(report)
            case .fetch, .cancel, .emptied: onReport(report)
            }
        }

        private mutating func send() -> Bool {
            var sent = 0
            defer { backlog.removeFirst(sent) }
            for packet in backlog {
                let count = Glibc.send(connection.socket.raw, packet, packet.count, Int32(MSG_NOSIGNAL))
                if count < 0 { return errno == EAGAIN || errno == EINTR }
                sent += 1
            }
            return true
        }
    }

    private func hasEnded() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for answer in waiting { answer.give(nil) }
        greeting.give(nil)
    }
}

/// An answer that somebody waits for.
private final class PendingAnswer: Sendable {
    private let report = Mutex<MountReport?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    /// Nil if there will be none.
    func give(_ report: MountReport?) {
        self.report.withLock { $0 = $0 ?? report }
        arrival.signal()
    }

    /// Nil if there was none in time.
    func wait(_ limit: Duration) -> MountReport? {
        _ = arrival.wait(timeout: .now() + .nanoseconds(Int(clamping: limit.nanoseconds)))
        return report.withLock { $0 }
    }
}

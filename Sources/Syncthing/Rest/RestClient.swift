internal import DBus
internal import Support

/// How a request ended.
enum RestOutcome: Sendable {
    /// Syncthing answered with a status of HTTP, and a value of JSON or null.
    case answer(Int, JSON)
    /// It cannot be reached, or has broken off.
    case failed
}

/// Sends requests to Syncthing over a few connections, and calls back on the loop. A connection is there only while
/// something is asked: idle there is the one that waits for events.
///
/// Belongs to the loop's thread.
final class RestClient {
    private let place: SyncthingPlace
    private let transport: RestTransport
    private let loop: EventLoop
    private var queue: [Waiting] = []
    private var lines: [Int: Line] = [:]
    private var count = 0
    private var isClosed = false
    /// Whether somebody else's program listens at Syncthing's address.
    private(set) var isForeign = false
    private lazy var overdue = loop.makeTimer { [weak self] in self?.giveUp() }

    /// How many requests are answered at a time, the one for events not counted.
    private static let mostLines = 4

    private struct Waiting {
        let request: RestRequest
        let done: (RestOutcome) -> Void
    }

    /// A connection with the request that it carries.
    private struct Line {
        var channel: RestTransport.Pipe?
        var current: Waiting?
        var deadline: Instant?
        /// Whether it waits for events or something else that takes long, and for nothing else.
        let isForEvents: Bool
    }

    /// - Throws: A reason why connections are impossible: a certificate that cannot be read.
    init(_ place: SyncthingPlace, on loop: EventLoop) throws {
        self.place = place
        self.loop = loop
        let mailbox = Mailbox<RestTransport.Report>()
        var handle: () -> Void = {}
        let wakeup = try loop.makeWakeup { handle() }
        transport = try RestTransport(place, mailbox, wakeup)
        handle = { [weak self] in for report in mailbox.takeAll() { self?.handle(report) } }
    }

    deinit { close() }

    /// Sends a request. `done` is called once.
    func send(_ request: RestRequest, _ done: @escaping (RestOutcome) -> Void) {
        guard !isClosed else { return done(.failed) }
        let waiting = Waiting(request: request, done: done)
        if request.isLong {
            open(for: waiting, isForEvents: true)
        } else if hasRoom {
            open(for: waiting, isForEvents: false)
        } else {
            queue.append(waiting)
        }
    }

    private var hasRoom: Bool { lines.values.count(where: { !$0.isForEvents }) < Self.mostLines }

    /// Ends all connections; what was not answered has failed.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        overdue.cancel()
        for line in lines.values { line.channel?.close() }
        let unanswered = lines.values.compactMap(\.current) + queue
        lines = [:]
        queue = []
        transport.end()
        for waiting in unanswered { waiting.done(.failed) }
    }

    private func open(for waiting: Waiting, isForEvents: Bool) {
        count += 1
        lines[count] = Line(channel: nil, current: waiting, isForEvents: isForEvents)
        setDeadline(of: count)
        transport.connect(count)
    }

    private func handle(_ report: RestTransport.Report) {
        switch report {
        case .opened(let line, let channel):
            guard let waiting = lines[line]?.current else { return channel.close() }
            lines[line]?.channel = channel
            channel.send(waiting.request)
        case .answered(let line, let status, let answer, let staysOpen):
            let current = lines[line]?.current
            lines[line]?.current = nil
            goOn(line, staysOpen: staysOpen)
            current?.done(.answer(status, answer))
        case .foreign(let line):
            isForeign = true
            handle(.closed(line))
        case .closed(let line):
            guard let state = lines.removeValue(forKey: line) else { return }
            let current = state.current
            setTimer()
            if !state.isForEvents && !queue.isEmpty { open(for: queue.removeFirst(), isForEvents: false) }
            current?.done(.failed)
        }
    }

    /// Gives a connection the next request, or ends it.
    private func goOn(_ line: Int, staysOpen: Bool) {
        guard let state = lines[line] else { return }
        guard staysOpen, !state.isForEvents, !queue.isEmpty, let channel = state.channel else {
            lines[line] = nil
            state.channel?.close()
            if !state.isForEvents && !queue.isEmpty { open(for: queue.removeFirst(), isForEvents: false) }
            return setTimer()
        }
        let next = queue.removeFirst()
        lines[line]?.current = next
        setDeadline(of: line)
        channel.send(next.request)
    }

    // MARK: Time

    private func setDeadline(of line: Int) {
        let limit = lines[line]?.current?.request.limit
        lines[line]?.deadline = limit.map { Instant.now + $0 }
        setTimer()
    }

    private func setTimer() {
        if let first = lines.values.compactMap(\.deadline).min() { overdue.set(at: first) } else { overdue.cancel() }
    }

    private func giveUp() {
        let now = Instant.now
        let overdue = lines.filter { $0.value.deadline.map { $0 <= now } ?? false }
        for (line, state) in overdue {
            lines[line] = nil
            state.channel?.close()
        }
        // Nothing else comes from those connections, so that what waits for one would wait for ever.
        while hasRoom && !queue.isEmpty { open(for: queue.removeFirst(), isForEvents: false) }
        setTimer()
        for state in overdue.values { state.current?.done(.failed) }
    }
}

/// The events for the caller, in the order in which they were detected, and the flushes to answer.
struct Announcer {
    private let outbox: WatchOutbox
    private var events: [WatchEvent] = []
    private var flushes: [(folder: FolderID, token: UInt64)] = []
    private var reported = WatchStatus()

    init(outbox: WatchOutbox) {
        self.outbox = outbox
    }

    /// The folders for which a flush was requested.
    var flushedFolders: Set<FolderID> { Set(flushes.map(\.folder)) }

    mutating func append(_ event: WatchEvent) { events.append(event) }

    mutating func flush(_ folder: FolderID, _ token: UInt64) { flushes.append((folder, token)) }

    /// Reports unreliable folders immediately, but a new count only together with the next event.
    mutating func report(_ status: WatchStatus, mayWait: Bool) {
        guard status != reported else { return }
        if status.unreliable == reported.unreliable,
            mayWait || (events.isEmpty && flushes.isEmpty && reported.limit != 0)
        {
            return
        }
        reported = status
        events.append(.status(status))
    }

    /// Answers the flushes, after every change made before them was appended.
    mutating func answerFlushes() {
        for flush in flushes { events.append(.flushed(token: flush.token)) }
        flushes = []
    }

    /// Passes the events to the caller.
    mutating func send() {
        outbox.put(events)
        events = []
    }
}

/// The events on their way to the caller, in the order in which they came to be known, and the flushes to be answered.
struct Announcer {
    private let outbox: WatchOutbox
    private var events: [WatchEvent] = []
    private var flushes: [(folder: FolderID, token: UInt64)] = []
    private var reported = WatchStatus()

    init(outbox: WatchOutbox) {
        self.outbox = outbox
    }

    /// The folders that a flush was asked for.
    var flushedFolders: Set<FolderID> { Set(flushes.map(\.folder)) }

    mutating func append(_ event: WatchEvent) { events.append(event) }

    mutating func flush(_ folder: FolderID, _ token: UInt64) { flushes.append((folder, token)) }

    /// Reports unreliable folders at once, a new count alone together with the next event.
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

    /// Answers the flushes: every change made before them was appended.
    mutating func answerFlushes() {
        for flush in flushes { events.append(.flushed(token: flush.token)) }
        flushes = []
    }

    /// Hands the events over.
    mutating func send() {
        outbox.put(events)
        events = []
    }
}

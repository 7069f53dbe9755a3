internal import RoundelBus

/// Decides which notifications are on the screen: one for each matter, however much is behind it, told once.
///
/// A matter is a notice of a folder, known by its id. It is told when it comes up, replaced in place while it changes
/// and still shows, closed when it is resolved, and not told again before that, whether the person closed it or it
/// timed out, unless it presses more than before. Does nothing itself and knows no clock.
struct NotificationBoard {
    /// What a notification is about.
    enum Subject: Hashable {
        /// A notice of a folder, by its id.
        case notice(ItemURI, String)
        /// Several folders at once.
        case summary
        /// Actions that failed.
        case failure
    }

    /// What is to be done.
    enum Step: Equatable {
        /// Find out what the notification daemon can do, starting it where the bus can; then ``connected()`` or
        /// ``disconnected()``.
        case connect
        /// Show it, in place of the notification of this number (0: none); then ``shown(_:as:now:)`` or
        /// ``refused(_:)``.
        case show(Subject, NotificationContent, replacing: UInt32)
        /// Take it away.
        case close(UInt32)
        /// Call ``timePassed(now:)`` at this time; nil: not at all.
        case setTimer(UInt64?)
    }

    /// How long a matter waits for others, so that what comes together is told together; nanoseconds.
    static let patience: UInt64 = 1_000_000_000
    /// The least time between two looks of one notification; nanoseconds.
    static let updateInterval: UInt64 = 5_000_000_000
    /// The least time between two tellings of one matter, should it be resolved and come back; nanoseconds.
    static let repeatInterval: UInt64 = 10_000_000_000
    /// With more folders than this at once, one notification stands for all.
    static let foldersAtOnce = 3
    /// The most failed actions that wait to be shown.
    static let failuresKept = 16

    struct Matter {
        var notice: FolderNotice
        /// When it came up.
        let since: UInt64
        /// Which notification told it, and how pressing it was then.
        var told: (subject: Subject, urgency: FolderNotice.Urgency)?
    }

    /// A notification that was sent.
    struct Bubble {
        var content: NotificationContent
        var sent: UInt64
        /// The daemon's number; nil until it has answered.
        var number: UInt32?
    }

    enum Daemon {
        /// Nothing is known of it.
        case unknown
        case connecting
        case connected
        /// There is none, until one comes.
        case absent
    }

    var matters: [Subject: Matter] = [:]
    var bubbles: [Subject: Bubble] = [:]
    /// Failed actions that were not shown yet.
    var failures: [ActionFailure] = []
    /// When matters were told last, of those that may come back.
    var lastTold: [Subject: UInt64] = [:]
    var daemon = Daemon.unknown
    var timer: UInt64?
    var steps: [Step] = []

    // MARK: Events

    /// What needs the person now, of all folders.
    mutating func update(_ notices: [ItemURI: [FolderNotice]], now: UInt64) -> [Step] {
        var present: Set<Subject> = []
        for (folder, list) in notices {
            for notice in list {
                let subject = Subject.notice(folder, notice.id)
                present.insert(subject)
                take(notice, subject, now)
            }
        }
        for subject in matters.keys where !present.contains(subject) { matters[subject] = nil }
        return settled(now)
    }

    /// An action failed, and nobody else tells the person.
    mutating func failed(_ failure: ActionFailure, now: UInt64) -> [Step] {
        failures.append(failure)
        // Without a daemon nobody reads them.
        if failures.count > Self.failuresKept { failures.removeFirst() }
        return settled(now)
    }

    /// The daemon is there.
    mutating func connected(now: UInt64) -> [Step] {
        daemon = .connected
        return settled(now)
    }

    /// There is no daemon and none can be started.
    mutating func disconnected(now: UInt64) -> [Step] {
        daemon = .absent
        forgetBubbles()
        return settled(now)
    }

    /// A daemon has come or gone; one that has gone may be started again.
    mutating func daemonChanged(now: UInt64) -> [Step] {
        // One that comes because it was asked for is about to answer.
        guard daemon != .connecting else { return [] }
        daemon = .unknown
        forgetBubbles()
        return settled(now)
    }

    /// The daemon shows it under this number.
    mutating func shown(_ subject: Subject, as number: UInt32, now: UInt64) -> [Step] {
        bubbles[subject]?.number = number
        return settled(now)
    }

    /// The daemon did not want to show it; it is not asked to again.
    mutating func refused(_ subject: Subject) { bubbles[subject] = nil }

    /// A notification is not on the screen any more.
    mutating func closed(_ number: UInt32, now: UInt64) -> [Step] {
        guard let subject = subject(of: number) else { return [] }
        bubbles[subject] = nil
        return settled(now)
    }

    /// The time of the timer has come.
    mutating func timePassed(now: UInt64) -> [Step] {
        timer = nil
        return settled(now)
    }

    /// What the notification of this number is about; nil if it is none of ours.
    func subject(of number: UInt32) -> Subject? { bubbles.first { $0.value.number == number }?.key }

    /// What was shown is gone with its daemon; what was on its way has not been told.
    private mutating func forgetBubbles() {
        let unshown = Set(bubbles.filter { $0.value.number == nil }.keys)
        for (subject, matter) in matters {
            guard let told = matter.told, unshown.contains(told.subject) else { continue }
            matters[subject]?.told = nil
            lastTold[subject] = nil
        }
        bubbles = [:]
    }

    // MARK: Taking over

    private mutating func take(_ notice: FolderNotice, _ subject: Subject, _ now: UInt64) {
        guard var matter = matters[subject] else {
            // Resolved and back while its notification was on the way: that tells it.
            let told = bubbles[subject] == nil ? nil : (subject, notice.urgency)
            matters[subject] = Matter(notice: notice, since: now, told: told)
            return
        }
        matter.notice = notice
        // What presses more than when it was told is worth another word, unless it is still on the screen.
        if let told = matter.told, notice.urgency > told.urgency, bubbles[told.subject] == nil { matter.told = nil }
        matters[subject] = matter
    }
}

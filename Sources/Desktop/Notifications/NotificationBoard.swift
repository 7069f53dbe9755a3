internal import RoundelBus
internal import Support

/// Decides which notifications are on the screen: one for each matter, however much is behind it, told once.
///
/// A matter is a notice of a folder, known by its id. It is told when it comes up, replaced in place while it changes
/// and still shows, closed when it is resolved, and not told again before that, whether the person closed it or it
/// timed out, unless it presses more than before. That holds over restarts of the service and of the provider: a matter is
/// resolved when its folder is reported without it. Does nothing itself and knows no clock.
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
        case setTimer(Instant?)
        /// Keep for ``init(told:)`` of the next run what was told and is not resolved.
        case remember([Subject: FolderNotice.Urgency])
    }

    /// How long a matter waits for others, so that what comes together is told together.
    static let patience = Duration.seconds(1)
    /// The least time between two looks of one notification.
    static let updateInterval = Duration.seconds(5)
    /// The least time between two tellings of one matter, should it be resolved and come back.
    static let repeatInterval = Duration.seconds(10)
    /// With more folders than this at once, one notification stands for all.
    static let foldersAtOnce = 3
    /// The most failed actions that wait to be shown.
    static let failuresKept = 16

    struct Matter {
        var notice: FolderNotice
        /// When it came up.
        let since: Instant
        /// Which notification told it, and how pressing it was then.
        var told: (subject: Subject, urgency: FolderNotice.Urgency)?
    }

    /// A notification that was sent.
    struct Bubble {
        var content: NotificationContent
        var sent: Instant
        /// The daemon's number; nil until it has answered.
        var number: UInt32?
    }

    private enum Daemon {
        /// Nothing is known of it.
        case unknown
        case connecting
        case connected
        /// There is none, until one comes.
        case absent
    }

    private(set) var matters: [Subject: Matter] = [:]
    /// What was told, in this run or an earlier one, and how pressing it was then.
    private var told: [Subject: FolderNotice.Urgency]
    /// What the last ``Step/remember(_:)`` had.
    private var kept: [Subject: FolderNotice.Urgency]
    private(set) var bubbles: [Subject: Bubble] = [:]
    /// Failed actions that were not shown yet.
    private var failures: [ActionFailure] = []
    /// When matters were told last, of those that may come back.
    private var lastTold: [Subject: Instant] = [:]
    private var daemon = Daemon.unknown
    private var timer: Instant?
    private var steps: [Step] = []

    /// - Parameter told: what an earlier run told.
    init(told: [Subject: FolderNotice.Urgency] = [:]) {
        self.told = told
        kept = told
    }

    /// Whether something was told of which no folder says now whether it is resolved.
    var awaitsReports: Bool { told.keys.contains { matters[$0] == nil } }

    // MARK: Events

    /// What needs the person now, of all folders.
    /// - Parameter isReported: whether the folder's provider has said how it is; of others nothing is known.
    mutating func update(
        _ notices: [ItemURI: [FolderNotice]], isReported: (ItemURI) -> Bool = { _ in true }, now: Instant
    ) -> [Step] {
        var present: Set<Subject> = []
        for (folder, list) in notices {
            for notice in list {
                let subject = Subject.notice(folder, notice.id)
                present.insert(subject)
                take(notice, subject, now)
            }
        }
        for (subject, matter) in matters where !present.contains(subject) {
            // What is taken off the screen because its provider has gone comes again with it.
            if let teller = matter.told?.subject, bubbles[teller] != nil { told[subject] = nil }
            matters[subject] = nil
        }
        told = told.filter { subject, _ in present.contains(subject) || !(subject.folder.map(isReported) ?? true) }
        return settled(now)
    }

    /// An action failed, and nobody else tells the person.
    mutating func failed(_ failure: ActionFailure, now: Instant) -> [Step] {
        failures.append(failure)
        // Without a daemon nobody reads them.
        if failures.count > Self.failuresKept { failures.removeFirst() }
        return settled(now)
    }

    /// The daemon is there.
    mutating func connected(now: Instant) -> [Step] {
        daemon = .connected
        return settled(now)
    }

    /// There is no daemon and none can be started.
    mutating func disconnected(now: Instant) -> [Step] {
        daemon = .absent
        forgetBubbles()
        return settled(now)
    }

    /// A daemon has come or gone; one that has gone may be started again.
    mutating func daemonChanged(now: Instant) -> [Step] {
        // One that comes because it was asked for is about to answer.
        guard daemon != .connecting else { return [] }
        daemon = .unknown
        forgetBubbles()
        return settled(now)
    }

    /// The daemon shows it under this number.
    mutating func shown(_ subject: Subject, as number: UInt32, now: Instant) -> [Step] {
        bubbles[subject]?.number = number
        return settled(now)
    }

    /// The daemon did not want to show it; it is not asked to again.
    mutating func refused(_ subject: Subject) { bubbles[subject] = nil }

    /// A notification is not on the screen any more.
    mutating func closed(_ number: UInt32, now: Instant) -> [Step] {
        guard let subject = subject(of: number) else { return [] }
        bubbles[subject] = nil
        return settled(now)
    }

    /// The time of the timer has come.
    mutating func timePassed(now: Instant) -> [Step] {
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
            self.told[subject] = nil
        }
        bubbles = [:]
    }

    // MARK: Taking over

    private mutating func take(_ notice: FolderNotice, _ subject: Subject, _ now: Instant) {
        guard var matter = matters[subject] else {
            // Resolved and back while its notification was on the way: that tells it.
            let isOnTheWay = bubbles[subject] != nil
            let isKnown = told[subject].map { $0 >= notice.urgency } ?? false
            matters[subject] = Matter(
                notice: notice, since: now,
                told: isOnTheWay || isKnown ? (subject, told[subject] ?? notice.urgency) : nil)
            return
        }
        matter.notice = notice
        // What presses more than when it was told is worth another word, unless it is still on the screen.
        if let told = matter.told, notice.urgency > told.urgency, bubbles[told.subject] == nil { matter.told = nil }
        matters[subject] = matter
    }

    // MARK: What follows

    /// Brings the screen in line, as far as it is time for that.
    private mutating func settled(_ now: Instant) -> [Step] {
        steps = []
        lastTold = lastTold.filter { $0.value + Self.repeatInterval > now }
        var due: [Instant] = []
        for subject in bubbles.keys.sorted(by: Self.isBefore) { refresh(subject, now, &due) }
        let ready = readyMatters(now, &due)
        if !ready.isEmpty || !failures.isEmpty {
            switch daemon {
            case .unknown:
                daemon = .connecting
                steps.append(.connect)
            case .connected:
                tell(ready, now)
                tellFailures(now, &due)
            case .connecting, .absent: break
            }
        }
        arm(due.min())
        if told != kept {
            kept = told
            steps.append(.remember(told))
        }
        return steps
    }

    private mutating func arm(_ deadline: Instant?) {
        guard deadline != timer else { return }
        timer = deadline
        steps.append(.setTimer(deadline))
    }

    // MARK: What shows

    /// Closes what is resolved and replaces what has changed.
    private mutating func refresh(_ subject: Subject, _ now: Instant, _ due: inout [Instant]) {
        // Until the daemon has answered there is no number to close or to replace.
        guard subject != .failure, let bubble = bubbles[subject], let number = bubble.number else { return }
        guard let content = content(of: subject) else {
            bubbles[subject] = nil
            return steps.append(.close(number))
        }
        guard content != bubble.content else { return }
        let time = bubble.sent + Self.updateInterval
        if time > now { return due.append(time) }
        show(subject, content, now)
    }

    /// How a notification is to look now; nil if nothing is left of what it told.
    private func content(of subject: Subject) -> NotificationContent? {
        guard subject == .summary else {
            return matters[subject].map { NotificationContent($0.notice) }
        }
        let members = matters.filter { $0.value.told?.subject == .summary }
        return members.isEmpty ? nil : summary(of: members)
    }

    private func summary(of members: [Subject: Matter]) -> NotificationContent {
        let ordered = members.sorted { Self.isBefore($0.key, $1.key) }
        return NotificationContent(
            summaryOf: ordered.map(\.value.notice), folders: Set(members.keys.compactMap(\.folder)).count)
    }

    // MARK: What is new

    /// The matters that were not told, in a fixed order; those whose time has not come are `due`.
    private func readyMatters(_ now: Instant, _ due: inout [Instant]) -> [Subject] {
        var ready: [Subject] = []
        for (subject, matter) in matters where matter.told == nil && bubbles[subject] == nil {
            let time = max(
                matter.since + Self.patience, lastTold[subject].map { $0 + Self.repeatInterval } ?? matter.since)
            if time <= now { ready.append(subject) } else { due.append(time) }
        }
        return ready.sorted(by: Self.isBefore)
    }

    private mutating func tell(_ ready: [Subject], _ now: Instant) {
        guard Set(ready.compactMap(\.folder)).count > Self.foldersAtOnce else {
            for subject in ready {
                note(subject, toldBy: subject, now)
                if let content = content(of: subject) { show(subject, content, now) }
            }
            return
        }
        // One whose number is not known yet cannot be replaced; its answer comes soon.
        if let bubble = bubbles[.summary], bubble.number == nil { return }
        for subject in ready { note(subject, toldBy: .summary, now) }
        if let content = content(of: .summary) { show(.summary, content, now) }
    }

    private mutating func note(_ subject: Subject, toldBy teller: Subject, _ now: Instant) {
        guard let urgency = matters[subject]?.notice.urgency else { return }
        matters[subject]?.told = (teller, urgency)
        told[subject] = urgency
        lastTold[subject] = now
    }

    private mutating func tellFailures(_ now: Instant, _ due: inout [Instant]) {
        guard !failures.isEmpty else { return }
        if let bubble = bubbles[.failure] {
            guard bubble.number != nil else { return }
            let time = bubble.sent + Self.patience
            if time > now { return due.append(time) }
        }
        show(.failure, NotificationContent(failures), now)
        failures = []
    }

    private mutating func show(_ subject: Subject, _ content: NotificationContent, _ now: Instant) {
        let replaced = bubbles[subject]?.number ?? 0
        bubbles[subject] = Bubble(content: content, sent: now, number: nil)
        steps.append(.show(subject, content, replacing: replaced))
    }

    private static func isBefore(_ left: Subject, _ right: Subject) -> Bool {
        switch (left, right) {
        case (.notice(let left, let first), .notice(let right, let second)): (left.uri, first) < (right.uri, second)
        case (.notice, .summary), (.notice, .failure), (.summary, .failure): true
        case (.summary, .notice), (.summary, .summary), (.failure, .notice), (.failure, .summary),
            (.failure, .failure):
            false
        }
    }
}

extension NotificationBoard.Subject {
    /// The folder of a notice.
    fileprivate var folder: ItemURI? {
        if case .notice(let folder, _) = self { folder } else { nil }
    }
}

internal import RoundelBus
internal import Support

/// Decides which notifications are shown: one for each matter, whatever its size, shown once.
///
/// A matter is a notice of a folder, identified by its ID. It is shown when it appears, replaced in place while it
/// changes and is still visible, closed when it is resolved, and not shown again before that, whether the user closed
/// it or it timed out, unless it becomes more urgent. That also applies after restarts of the service and the provider:
/// a matter is resolved when its folder is reported without it. The type has no effects of its own and reads no clock.
struct NotificationBoard {
    /// The subject of a notification.
    enum Subject: Hashable {
        /// A notice of a folder, by its id.
        case notice(ItemURI, String)
        /// A provider that was just installed.
        case provider(ProviderID)
        /// Several folders at once.
        case summary
        /// Failed actions.
        case failure
        /// What actions answered.
        case answer
    }

    /// The steps to perform.
    enum Step: Equatable {
        /// Find out the capabilities of the notification daemon, starting it if the bus can; then call
        /// ``connected(now:)``, ``disconnected(now:)`` or ``silent(now:)``.
        case connect
        /// Show it, in place of the notification of this number (0: none); then ``shown(_:as:now:)``,
        /// ``refused(_:)`` or ``lost(_:now:)``, however late, unless ``daemonChanged(now:)`` was called meanwhile.
        case show(Subject, NotificationContent, replacing: UInt32)
        /// Close the notification.
        case close(UInt32)
        /// Call ``timePassed(now:)`` at this time; nil to cancel that.
        case setTimer(Instant?)
        /// Save which matters were shown and are not resolved, for ``recall(_:)`` in the next run.
        case remember([Subject: FolderNotice.Urgency])
    }

    /// If more folders than this have matters at once, one notification is shown for all.
    static let foldersAtOnce = 3
    /// The most reports of failed actions, and of answers, that wait to be shown.
    static let reportsKept = 16

    struct Matter {
        var notice: FolderNotice
        /// When it appeared.
        let since: Instant
        /// The notification that showed it, and its urgency then.
        var told: (subject: Subject, urgency: FolderNotice.Urgency)?
    }

    /// A notification that was sent.
    struct Bubble {
        var content: NotificationContent
        var sent: Instant
        /// The daemon's number; nil until it has replied.
        var number: UInt32?
    }

    private enum Daemon: Equatable {
        /// The daemon's state is unknown.
        case unknown
        case connecting
        case connected
        /// There is a daemon that does not answer; it is asked again at this time.
        case silent(until: Instant)
        /// There is no daemon until one appears.
        case absent
    }

    private(set) var matters: [Subject: Matter] = [:]
    /// The matters shown in this run or an earlier one, with their urgency then.
    private var told: [Subject: FolderNotice.Urgency] = [:]
    /// The contents of the last ``Step/remember(_:)``.
    private var kept: [Subject: FolderNotice.Urgency] = [:]
    private(set) var bubbles: [Subject: Bubble] = [:]
    /// Reports of failed actions, and of the answers of others, that are not shown yet.
    private var reports: [Subject: [ActionReport]] = [:]
    /// When matters that may return were last shown.
    private var lastTold: [Subject: Instant] = [:]
    private var daemon = Daemon.unknown
    private var backOff = BackOff()
    private var timer: Instant?
    private var steps: [Step] = []

    /// Whether an earlier matter's folder has not been reported yet, so that it is not known whether the matter is
    /// resolved.
    var awaitsReports: Bool { told.keys.contains { matters[$0] == nil } }

    // MARK: Events

    /// Counts the matters that an earlier run has shown as shown. Comes before the first ``update(_:isReported:now:)``.
    mutating func recall(_ told: [Subject: FolderNotice.Urgency]) {
        self.told = told
        kept = told
    }

    /// Updates the matters of all folders, and the questions about new providers.
    /// - Parameter isReported: Whether the provider has reported the folder's state; nothing is known about other
    ///   folders.
    mutating func update(
        _ notices: [ItemURI: [FolderNotice]], questions: [ProviderID: FolderNotice] = [:],
        isReported: (ItemURI) -> Bool = { _ in true }, now: Instant
    ) -> [Step] {
        var present: Set<Subject> = []
        for (folder, list) in notices {
            for notice in list {
                let subject = Subject.notice(folder, notice.id)
                present.insert(subject)
                take(notice, subject, now)
            }
        }
        for (provider, question) in questions {
            present.insert(.provider(provider))
            take(question, .provider(provider), now)
        }
        for (subject, matter) in matters where !present.contains(subject) {
            // A matter that disappears because its provider is gone is shown again when the provider returns.
            if let teller = matter.told?.subject, bubbles[teller] != nil { told[subject] = nil }
            matters[subject] = nil
        }
        told = told.filter { subject, _ in present.contains(subject) || !(subject.folder.map(isReported) ?? true) }
        return settled(now)
    }

    /// Adds the end of an action that no other program tells the user.
    mutating func ended(_ report: ActionReport, now: Instant) -> [Step] {
        let subject = report.hasFailed ? Subject.failure : .answer
        reports[subject, default: []].append(report)
        // Without a daemon, no one reads them.
        if reports[subject]?.count ?? 0 > Self.reportsKept { reports[subject]?.removeFirst() }
        return settled(now)
    }

    /// Called when the daemon is available.
    mutating func connected(now: Instant) -> [Step] {
        daemon = .connected
        backOff.started(at: now)
        return settled(now)
    }

    /// Called if the daemon has not answered in time. It may be slow to start, or stand still for a while, and nothing
    /// says when it is over: what still stands is shown when it answers again.
    mutating func silent(now: Instant) -> [Step] {
        daemon = .silent(until: backOff.stopped(at: now))
        return settled(now)
    }

    /// Called if there is no daemon and none can be started.
    mutating func disconnected(now: Instant) -> [Step] {
        daemon = .absent
        forgetBubbles()
        return settled(now)
    }

    /// Called when a daemon has appeared or disappeared; one that is gone may be started again.
    mutating func daemonChanged(now: Instant) -> [Step] {
        forgetBubbles()
        // A daemon that was started by a request will reply to it soon.
        if daemon != .connecting { daemon = .unknown }
        return settled(now)
    }

    /// Called when the daemon shows it under this number.
    mutating func shown(_ subject: Subject, as number: UInt32, now: Instant) -> [Step] {
        // One whose number came so late that another was sent in its place.
        let former = bubbles[subject]?.number.map { [Step.close($0)] } ?? []
        bubbles[subject]?.number = number
        return former + settled(now)
    }

    /// Called when the daemon refused it; it is not sent again.
    mutating func refused(_ subject: Subject) { bubbles[subject] = nil }

    /// Called when nobody took it. If the daemon is gone, ``daemonChanged(now:)`` says so, before or after this.
    mutating func lost(_ subject: Subject, now: Instant) -> [Step] {
        untell([subject])
        bubbles[subject] = nil
        if daemon == .connected { daemon = .silent(until: backOff.stopped(at: now)) }
        return settled(now)
    }

    /// Called when a notification is no longer visible.
    mutating func closed(_ number: UInt32, now: Instant) -> [Step] {
        guard let subject = subject(of: number) else { return [] }
        bubbles[subject] = nil
        return settled(now)
    }

    /// Called when the timer fires.
    mutating func timePassed(now: Instant) -> [Step] {
        timer = nil
        return settled(now)
    }

    /// The subject of the notification with this number; nil if it is another program's.
    func subject(of number: UInt32) -> Subject? { bubbles.first { $0.value.number == number }?.key }

    /// Forgets notifications that are gone with their daemon. Those that were still being sent count as not shown.
    private mutating func forgetBubbles() {
        untell(Set(bubbles.filter { $0.value.number == nil }.keys))
        bubbles = [:]
    }

    /// Has the matters of these notifications count as not shown.
    private mutating func untell(_ unshown: Set<Subject>) {
        for (subject, matter) in matters {
            guard let told = matter.told, unshown.contains(told.subject) else { continue }
            matters[subject]?.told = nil
            lastTold[subject] = nil
            self.told[subject] = nil
        }
    }

    // MARK: Updating matters

    private mutating func take(_ notice: FolderNotice, _ subject: Subject, _ now: Instant) {
        guard var matter = matters[subject] else {
            // It was resolved and returned while its notification was being sent, which therefore shows it.
            let isOnTheWay = bubbles[subject] != nil
            let isKnown = told[subject].map { $0 >= notice.urgency } ?? false
            matters[subject] = Matter(
                notice: notice, since: now,
                told: isOnTheWay || isKnown ? (subject, told[subject] ?? notice.urgency) : nil)
            return
        }
        matter.notice = notice
        // A matter that became more urgent is shown again, unless it is still visible.
        if let told = matter.told, notice.urgency > told.urgency, bubbles[told.subject] == nil { matter.told = nil }
        matters[subject] = matter
    }

    // MARK: Steps

    /// Updates the notifications as far as their times have come.
    private mutating func settled(_ now: Instant) -> [Step] {
        steps = []
        lastTold = lastTold.filter { $0.value + Patience.Desktop.repetition > now }
        var due: [Instant] = []
        for subject in bubbles.keys.sorted(by: Self.isBefore) { refresh(subject, now, &due) }
        let ready = readyMatters(now, &due)
        if !ready.isEmpty || !reports.isEmpty {
            switch daemon {
            case .silent(let time) where time > now: due.append(time)
            case .unknown, .silent:
                daemon = .connecting
                steps.append(.connect)
            case .connected:
                tell(ready, now, &due)
                for subject in [Subject.failure, .answer] { tellReports(subject, now, &due) }
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

    // MARK: Visible notifications

    /// Closes resolved notifications and replaces changed ones.
    private mutating func refresh(_ subject: Subject, _ now: Instant, _ due: inout [Instant]) {
        // Until the daemon has replied, there is no number with which to close or replace it.
        guard subject != .failure, subject != .answer, let bubble = bubbles[subject], let number = bubble.number else {
            return
        }
        guard let content = content(of: subject) else {
            bubbles[subject] = nil
            return steps.append(.close(number))
        }
        guard content != bubble.content else { return }
        let time = bubble.sent + Patience.Desktop.update
        if time > now { return due.append(time) }
        show(subject, content, now)
    }

    /// The current contents of a notification; nil if none of its matters is left.
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

    // MARK: New matters

    /// The matters that were not shown yet, in a fixed order; `due` gets the times of those that have to wait.
    private func readyMatters(_ now: Instant, _ due: inout [Instant]) -> [Subject] {
        var ready: [Subject] = []
        for (subject, matter) in matters where matter.told == nil && bubbles[subject] == nil {
            let time = max(
                matter.since + Patience.Desktop.collecting,
                lastTold[subject].map { $0 + Patience.Desktop.repetition } ?? matter.since)
            if time <= now { ready.append(subject) } else { due.append(time) }
        }
        return ready.sorted(by: Self.isBefore)
    }

    private mutating func tell(_ ready: [Subject], _ now: Instant, _ due: inout [Instant]) {
        let isSummed = Set(ready.compactMap(\.folder)).count > Self.foldersAtOnce
        // A question needs its buttons, so that only notices of folders are summed up.
        for subject in ready where !isSummed || subject.folder == nil {
            note(subject, toldBy: subject, now)
            if let content = content(of: subject) { show(subject, content, now) }
        }
        guard isSummed, !awaitsNumber(.summary, now, &due) else { return }
        for subject in ready where subject.folder != nil { note(subject, toldBy: .summary, now) }
        if let content = content(of: .summary) { show(.summary, content, now) }
    }

    private mutating func note(_ subject: Subject, toldBy teller: Subject, _ now: Instant) {
        guard let urgency = matters[subject]?.notice.urgency else { return }
        matters[subject]?.told = (teller, urgency)
        told[subject] = urgency
        lastTold[subject] = now
    }

    private mutating func tellReports(_ subject: Subject, _ now: Instant, _ due: inout [Instant]) {
        guard let waiting = reports[subject] else { return }
        if awaitsNumber(subject, now, &due) { return }
        if let bubble = bubbles[subject] {
            let time = bubble.sent + Patience.Desktop.collecting
            if time > now { return due.append(time) }
        }
        show(subject, NotificationContent(waiting), now)
        reports[subject] = nil
    }

    /// Whether a notification cannot be replaced yet because its number is not known. The reply arrives soon; should it
    /// never come, another notification is sent.
    private func awaitsNumber(_ subject: Subject, _ now: Instant, _ due: inout [Instant]) -> Bool {
        guard let bubble = bubbles[subject], bubble.number == nil else { return false }
        let time = bubble.sent + Patience.Desktop.number
        if time > now { due.append(time) }
        return time > now
    }

    private mutating func show(_ subject: Subject, _ content: NotificationContent, _ now: Instant) {
        let replaced = bubbles[subject]?.number ?? 0
        bubbles[subject] = Bubble(content: content, sent: now, number: nil)
        steps.append(.show(subject, content, replacing: replaced))
    }

    private static func isBefore(_ left: Subject, _ right: Subject) -> Bool {
        if case (.notice(let left, let first), .notice(let right, let second)) = (left, right) {
            return (left.uri, first) < (right.uri, second)
        }
        if case (.provider(let left), .provider(let right)) = (left, right) { return left < right }
        return left.rank < right.rank
    }
}

extension NotificationBoard.Subject {
    /// The folder of a notice.
    fileprivate var folder: ItemURI? {
        if case .notice(let folder, _) = self { folder } else { nil }
    }

    /// Its place in the order of notifications.
    fileprivate var rank: Int {
        switch self {
        case .notice: 0
        case .provider: 1
        case .summary: 2
        case .failure: 3
        case .answer: 4
        }
    }
}

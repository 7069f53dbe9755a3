import RoundelBus
import Support
import Testing

@testable import Desktop

/// Plays the notification daemon for a board: what it shows, and what became of each notification.
struct Screen {
    struct Shown: Equatable {
        let subject: NotificationBoard.Subject
        var content: NotificationContent
    }

    var board = NotificationBoard()
    var now = Instant(nanoseconds: 1_000_000_000)
    /// By the daemon's number.
    var shown: [UInt32: Shown] = [:]
    /// How often something new came up, replacements left out.
    var popUps = 0
    /// How often anything was sent.
    var sent = 0
    var timer: Instant?
    /// What outlives the program.
    var remembered: [NotificationBoard.Subject: FolderNotice.Urgency] = [:]
    var isThere = true
    /// Whether the daemon waits with its answers.
    var isSlow = false
    /// Whether it does not answer when it is looked for.
    var isSilent = false
    /// How often it was looked for.
    var searches = 0
    var unanswered: [(NotificationBoard.Subject, UInt32)] = []
    private var last: UInt32 = 0

    static func uri(_ path: String) -> ItemURI { (try? ItemURI("file://" + path)) ?? .root }

    static func notice(
        _ id: String, _ title: String = "T", urgency: FolderNotice.Urgency = .normal, count: UInt32 = 1
    ) -> FolderNotice {
        FolderNotice(
            id: id, title: "\(title) \(count)", count: count, urgency: urgency,
            actions: [.init(id: "act-" + id, label: "Act")])
    }

    /// - Parameter unknown: folders whose provider has said nothing.
    mutating func update(
        _ notices: [String: [FolderNotice]], questions: [ProviderID: FolderNotice] = [:], unknown: [String] = []
    ) {
        let byFolder = Dictionary(uniqueKeysWithValues: notices.map { (Self.uri($0.key), $0.value) })
        let silent = unknown.map(Self.uri)
        take(board.update(byFolder, questions: questions, isReported: { !silent.contains($0) }, now: now))
    }

    /// The program ends and is started again.
    mutating func restart() {
        board = NotificationBoard()
        board.recall(remembered)
        timer = nil
    }

    /// Does the steps; what the daemon says to them comes after all of them, as over a bus.
    mutating func take(_ steps: [NotificationBoard.Step]) {
        var answers: [(inout Screen) -> [NotificationBoard.Step]] = []
        for step in steps {
            switch step {
            case .connect:
                searches += 1
                answers.append { screen in
                    if screen.isSilent { return screen.board.silent(now: screen.now) }
                    return screen.isThere
                        ? screen.board.connected(now: screen.now) : screen.board.disconnected(now: screen.now)
                }
            case .show(let subject, let content, let replaced):
                let number = show(content, of: subject, replacing: replaced)
                if isSlow {
                    unanswered.append((subject, number))
                } else {
                    answers.append { $0.board.shown(subject, as: number, now: $0.now) }
                }
            case .close(let number):
                #expect(shown.removeValue(forKey: number) != nil, "closed what does not show")
                answers.append { $0.board.closed(number, now: $0.now) }
            case .remember(let told): remembered = told
            case .setTimer(let time):
                #expect(time != timer, "the same time was set again")
                timer = time
            }
        }
        for answer in answers { take(answer(&self)) }
    }

    private mutating func show(
        _ content: NotificationContent, of subject: NotificationBoard.Subject, replacing replaced: UInt32
    ) -> UInt32 {
        #expect(isThere, "sent to nobody")
        sent += 1
        if replaced == 0 { last += 1 }
        if replaced == 0 || shown[replaced] == nil { popUps += 1 }
        let number = replaced == 0 ? last : replaced
        shown[number] = Shown(subject: subject, content: content)
        return number
    }

    /// The daemon answers what it was asked.
    mutating func answer() {
        let waiting = unanswered
        unanswered = []
        for (subject, number) in waiting { take(board.shown(subject, as: number, now: now)) }
    }

    /// Lets so many seconds pass, as the board's pauses count them.
    mutating func wait(_ seconds: Double) { pass(Patience.pause(.seconds(seconds))) }

    /// Lets time pass, with the timer going off when it is due.
    mutating func pass(_ time: Duration) {
        let end = now + time
        while let time = timer, time <= end {
            now = max(now, time)
            timer = nil
            take(board.timePassed(now: now))
        }
        now = end
    }

    /// The person closes a notification, or it times out.
    mutating func dismiss(_ number: UInt32) {
        shown[number] = nil
        take(board.closed(number, now: now))
    }

    mutating func daemonLeaves() {
        isThere = false
        shown = [:]
        unanswered = []
        take(board.daemonChanged(now: now))
    }

    mutating func daemonComes() {
        isThere = true
        take(board.daemonChanged(now: now))
    }

    var titles: [String] { shown.sorted { $0.key < $1.key }.map(\.value.content.title) }
}

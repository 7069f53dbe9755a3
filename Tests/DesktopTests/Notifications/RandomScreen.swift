import RoundelBus
import Support
import TestSupport
import Testing

@testable import Desktop

/// Random notices, clicks and daemons, and what must hold after each step.
enum RandomScreen {
    private static let folders = ["/a", "/b", "/c", "/d", "/e", "/f"]
    private static let ids = ["conflicts", "errors", "no-space"]

    static func run(_ random: inout SeededRandom, _ place: String) {
        var screen = Screen()
        var notices: [String: [FolderNotice]] = [:]
        for step in 0..<120 {
            act(&screen, &notices, &random)
            check(screen, notices, "\(place), step \(step)")
        }
        rest(&screen, notices, place)
    }

    private static func act(
        _ screen: inout Screen, _ notices: inout [String: [FolderNotice]], _ random: inout SeededRandom
    ) {
        switch Int.random(in: 0..<11, using: &random) {
        case 0...3: change(&notices, &screen, &random)
        case 4...6: screen.wait(Double.random(in: 0...20, using: &random))
        case 7: if let number = screen.shown.keys.sorted().randomElement(using: &random) { dismiss(number, &screen) }
        case 8: if screen.isThere { screen.daemonLeaves() } else { screen.daemonComes() }
        case 9: screen.isSilent.toggle()
        default:
            screen.isSlow.toggle()
            screen.answer()
        }
    }

    private static func dismiss(_ number: UInt32, _ screen: inout Screen) {
        // A bus keeps the order: nobody hears of the end of what he does not know the number of.
        screen.isSlow = false
        screen.answer()
        if screen.shown[number] != nil { screen.dismiss(number) }
    }

    private static func change(
        _ notices: inout [String: [FolderNotice]], _ screen: inout Screen, _ random: inout SeededRandom
    ) {
        let folder = folders.randomElement(using: &random) ?? "/a"
        notices[folder] = ids.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.map { id in
            Screen.notice(
                id, folder, urgency: Bool.random(using: &random) ? .normal : .critical,
                count: UInt32.random(in: 1...3, using: &random))
        }
        screen.update(notices)
    }

    /// Never two notifications of one matter, and no more than there are matters.
    private static func check(_ screen: Screen, _ notices: [String: [FolderNotice]], _ place: String) {
        let subjects = screen.shown.values.map(\.subject)
        #expect(Set(subjects).count == subjects.count, "\(place): a matter shows twice")
        if screen.isThere || screen.shown.isEmpty { return }
        Issue.record("\(place): something shows without a daemon")
    }

    /// After a while without changes the screen holds what stands, and nothing is left to do.
    private static func rest(_ screen: inout Screen, _ notices: [String: [FolderNotice]], _ place: String) {
        screen.isSlow = false
        screen.isSilent = false
        screen.answer()
        // A daemon that was silent for long is asked after five minutes at the latest.
        screen.pass(Patience.pause(.seconds(400)) + Patience.Desktop.number)
        #expect(screen.timer == nil, "\(place): something is left to do")
        let standing = Set(
            notices.flatMap { folder, list in
                list.map { NotificationBoard.Subject.notice(Screen.uri(folder), $0.id) }
            })
        for shown in screen.shown.values {
            switch shown.subject {
            case .notice: #expect(standing.contains(shown.subject), "\(place): what is resolved shows")
            case .provider: Issue.record("\(place): nobody asked about a provider")
            case .summary: #expect(!standing.isEmpty, "\(place): a summary of nothing shows")
            case .failure, .answer: break
            }
        }
        for (subject, matter) in screen.board.matters {
            guard let told = matter.told else {
                let isThere = screen.isThere
                #expect(!isThere, "\(place): something was not told")
                continue
            }
            let shown = screen.shown.values.first { $0.subject == told.subject }
            if let shown, told.subject == subject {
                #expect(shown.content == NotificationContent(matter.notice), "\(place): an old text shows")
            }
        }
    }
}

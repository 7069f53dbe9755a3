import RoundelBus
import Support
import SystemPackage
import TestSupport
import Testing

@testable import Desktop

@Suite("D12: which notifications show")
struct NotificationBoardTests {
    @Test("A matter is told once, after a moment, and closed when it is resolved")
    func tellingOnce() {
        var screen = Screen()
        screen.update(["/a": [Screen.notice("conflicts")]])
        #expect(screen.titles.isEmpty)
        screen.wait(1)
        #expect(screen.titles == ["T 1"])
        #expect(screen.shown.values.first?.content.buttons == [.init(id: "act-conflicts", label: "Act")])
        for _ in 0..<10 {
            screen.update(["/a": [Screen.notice("conflicts")]])
            screen.wait(60)
        }
        #expect(screen.sent == 1 && screen.timer == nil)
        screen.update([:])
        #expect(screen.titles.isEmpty && screen.timer == nil)
    }

    @Test(
        "A restart of the service tells nothing again that is not resolved, and everything that is new or presses more")
    func restart() {
        var screen = Screen()
        screen.update(["/a": [Screen.notice("conflicts"), Screen.notice("errors")]])
        screen.wait(60)
        #expect(screen.sent == 2)
        screen.restart()
        screen.update([:], unknown: ["/a"])
        screen.wait(60)
        screen.update(["/a": [Screen.notice("conflicts", count: 3), Screen.notice("errors", urgency: .critical)]])
        screen.wait(60)
        #expect(screen.sent == 3)
        screen.update(["/a": [Screen.notice("conflicts"), Screen.notice("new", "N")]])
        screen.wait(60)
        #expect(screen.sent == 4)
        // Resolved while nobody looked, and back.
        screen.restart()
        screen.update([:])
        screen.wait(60)
        screen.update(["/a": [Screen.notice("conflicts")]])
        screen.wait(60)
        #expect(screen.sent == 5)
    }

    @Test("A provider's restart tells nothing again that the person closed; what showed comes back")
    func providerRestart() {
        var screen = Screen()
        let notices = ["/a": [Screen.notice("closed", "C"), Screen.notice("open", "O")]]
        screen.update(notices)
        screen.wait(60)
        if let number = screen.shown.first(where: { $0.value.content.title.hasPrefix("C") })?.key {
            screen.dismiss(number)
        }
        screen.update([:], unknown: ["/a"])
        #expect(screen.titles.isEmpty)
        screen.wait(60)
        screen.update(notices)
        screen.wait(60)
        #expect(screen.titles == ["O 1"])
        #expect(screen.sent == 3)
    }

    @Test("E8: a new provider is asked about once, also over a restart, and the question goes with the answer")
    func newProvider() throws {
        var screen = Screen()
        let questions = [try #require(ProviderID("cloud")): Screen.notice("roundel-new", "Q")]
        screen.update([:], questions: questions)
        screen.wait(60)
        #expect(screen.titles == ["Q 1"] && screen.shown.values.first?.content.buttons.count == 1)
        screen.restart()
        screen.update([:], questions: questions)
        screen.wait(60)
        #expect(screen.sent == 1)
        screen.update([:])
        screen.update([:], questions: questions)
        screen.wait(60)
        #expect(screen.sent == 2)
        screen.update([:])
        #expect(screen.remembered.isEmpty)
    }

    @Test("E8: the question about a new provider keeps its buttons when many folders have something to say")
    func newProviderAmongMany() throws {
        var screen = Screen()
        let folders = Dictionary(uniqueKeysWithValues: (0..<9).map { ("/\($0)", [Screen.notice("conflicts")]) })
        screen.update(folders, questions: [try #require(ProviderID("cloud")): Screen.notice("roundel-new", "Q")])
        screen.wait(60)
        #expect(screen.sent == 2)
        let question = screen.shown.values.first { $0.content.title == "Q 1" }
        #expect(question?.content.buttons.map(\.id) == ["act-roundel-new"])
    }

    @Test("What was told is kept in a file; damaged lines of it are passed over")
    func file() throws {
        let scratch = try TemporaryDirectory()
        let file = ToldMatters(folder: scratch.path.appending("deep"))
        #expect(file.load().isEmpty)
        let told: ToldMatters.Contents = [
            .notice(Screen.uri("/a%20b"), "an id\nwith %, / and ü"): .critical, .notice(Screen.uri("/c"), "x"): .low,
            .provider(try #require(ProviderID("cloud"))): .normal,
        ]
        try file.save(told)
        #expect(file.load() == told)
        let path = scratch.path.appending("deep/notified")
        let text = String(decoding: try #require(try SmallFile.read(path, limit: 1 << 20)), as: UTF8.self)
        let damaged = "\nx\n9 file:///c y\n1 file y\n1 file:///c %zz\n1 provider ../x\n"
        try SmallFile.replace(path, with: Array((damaged + text).utf8))
        #expect(file.load() == told)
        try file.save([:])
        #expect(file.load().isEmpty)
    }

    @Test("A thousand errors are one notification, replaced in place and not at each of them")
    func aThousandErrors() {
        var screen = Screen()
        for count in 1...1000 as ClosedRange<UInt32> {
            screen.update(["/a": [Screen.notice("errors", count: count)]])
            screen.wait(0.02)
        }
        screen.wait(60)
        #expect(screen.titles == ["T 1000"])
        #expect(screen.popUps == 1)
        #expect(screen.sent <= 6)
    }

    @Test("What is over before its moment has come is never told")
    func shortMatters() {
        var screen = Screen()
        screen.update(["/a": [Screen.notice("errors")]])
        screen.wait(0.5)
        screen.update([:])
        screen.wait(10)
        #expect(screen.sent == 0 && screen.timer == nil)
    }

    @Test("What was closed by hand or timed out is not told again before it was resolved, unless it presses more")
    func dismissing() {
        var screen = Screen()
        screen.update(["/a": [Screen.notice("errors")]])
        screen.wait(1)
        screen.dismiss(1)
        screen.update(["/a": [Screen.notice("errors", count: 7)]])
        screen.wait(600)
        #expect(screen.popUps == 1 && screen.titles.isEmpty)
        screen.update(["/a": [Screen.notice("errors", urgency: .critical, count: 7)]])
        screen.wait(1)
        #expect(screen.popUps == 2 && screen.titles == ["T 7"])
        screen.dismiss(2)
        screen.update([:])
        screen.update(["/a": [Screen.notice("errors")]])
        screen.wait(1)
        #expect(screen.titles.isEmpty)
        screen.wait(10)
        #expect(screen.popUps == 3 && screen.titles == ["T 1"])
    }

    @Test("A matter that comes and goes all the time is told at most once in ten seconds")
    func flapping() {
        var screen = Screen()
        for _ in 0..<300 {
            screen.update(["/a": [Screen.notice("errors")]])
            screen.wait(2)
            screen.update([:])
            screen.wait(1)
        }
        #expect(screen.popUps <= 91)
    }

    @Test("Up to three folders have a notification each; more at once have one for all, which goes with the last")
    func summary() {
        var screen = Screen()
        let notices = { (count: Int) in
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("/f\($0)", [Screen.notice("errors", "F\($0)")]) })
        }
        screen.update(notices(3))
        screen.wait(1)
        #expect(screen.titles == ["F0 1", "F1 1", "F2 1"])
        screen.update([:])
        screen.wait(60)
        screen.update(notices(40))
        screen.wait(1)
        #expect(screen.titles == ["40 synced folders need you"])
        #expect(screen.shown.values.first?.content.text.split(separator: "\n").count == 4)
        screen.update(notices(2))
        screen.wait(5)
        #expect(screen.titles == ["2 synced folders need you"] && screen.popUps == 4)
        screen.update([:])
        #expect(screen.titles.isEmpty && screen.timer == nil)
    }

    @Test("Without a daemon nothing is sent and nothing is tried; when one comes, what still stands is told")
    func withoutDaemon() {
        var screen = Screen()
        screen.isThere = false
        screen.update(["/a": [Screen.notice("errors")], "/b": [Screen.notice("conflicts", "B")]])
        for index in 0..<100 {
            screen.take(
                screen.board.ended(ActionReport(provider: "p", label: "Go", message: "\(index)"), now: screen.now))
        }
        screen.wait(1000)
        #expect(screen.sent == 0 && screen.timer == nil)
        screen.update(["/b": [Screen.notice("conflicts", "B")]])
        screen.daemonComes()
        #expect(screen.titles == ["B 1", "16 actions failed"])
        screen.daemonLeaves()
        screen.wait(100)
        screen.daemonComes()
        #expect(screen.popUps == 2)
    }

    @Test("What was on its way to a daemon that went away is told to the next one")
    func lostOnTheWay() {
        var screen = Screen()
        screen.isSlow = true
        screen.update(["/a": [Screen.notice("errors")]])
        screen.wait(1)
        screen.daemonLeaves()
        screen.isSlow = false
        screen.daemonComes()
        #expect(screen.titles == ["T 1"])
    }

    @Test("A daemon that does not answer is asked again, less and less often, and told what stands when it does")
    func silentDaemon() {
        var screen = Screen()
        screen.isSilent = true
        screen.update(["/a": [Screen.notice("errors")]])
        screen.wait(3600)
        #expect(screen.sent == 0)
        // After 1, 2, 4, … 256 s, then each five minutes.
        #expect(screen.searches == 20)
        screen.isSilent = false
        screen.wait(300)
        #expect(screen.titles == ["T 1"] && screen.timer == nil)
        // The next one that is silent is not waited for as long.
        screen.daemonLeaves()
        screen.isSilent = true
        screen.daemonComes()
        screen.update(["/a": [Screen.notice("errors"), Screen.notice("conflicts", "C")]])
        screen.wait(70)
        screen.isSilent = false
        screen.wait(64)
        #expect(screen.titles == ["C 1"])
    }

    @Test("Without anything to tell, a daemon that does not answer is not asked again")
    func nothingForSilentDaemon() {
        var screen = Screen()
        screen.isSilent = true
        screen.update(["/a": [Screen.notice("errors")]])
        screen.wait(10)
        screen.update([:])
        let searches = screen.searches
        screen.wait(3600)
        #expect(screen.searches == searches && screen.timer == nil)
    }

    @Test("What a daemon did not take is told after a moment; what else it shows is closed when it is resolved")
    func lostByDaemon() {
        var screen = Screen()
        screen.update(["/a": [Screen.notice("errors")]])
        screen.wait(1)
        screen.isSlow = true
        screen.update(["/a": [Screen.notice("errors"), Screen.notice("conflicts", "C")]])
        screen.wait(1)
        for (subject, number) in screen.unanswered {
            screen.shown[number] = nil
            screen.take(screen.board.lost(subject, now: screen.now))
        }
        screen.isSlow = false
        #expect(screen.titles == ["T 1"])
        screen.wait(1)
        #expect(screen.titles == ["T 1", "C 1"])
        screen.update([:])
        #expect(screen.titles.isEmpty)
    }

    @Test("Failures and summaries whose numbers do not come are told anew; should they come, one of each remains")
    func numbersDoNotCome() {
        var screen = Screen()
        screen.isSlow = true
        let folders = (0..<8).map { "/f\($0)" }
        func notices(_ count: Int) -> [String: [FolderNotice]] {
            Dictionary(uniqueKeysWithValues: folders.prefix(count).map { ($0, [Screen.notice("errors")]) })
        }
        screen.update(notices(4))
        screen.take(screen.board.ended(ActionReport(provider: "P", label: "Go", message: "No."), now: screen.now))
        screen.wait(1)
        screen.update(notices(8))
        screen.take(screen.board.ended(ActionReport(provider: "P", label: "Show", message: "No."), now: screen.now))
        screen.pass(Patience.Desktop.number * 2 / 3)
        #expect(screen.titles == ["“Go” failed", "4 synced folders need you"])
        screen.pass(Patience.Desktop.number * 2 / 3)
        #expect(screen.titles.suffix(2) == ["“Show” failed", "8 synced folders need you"])
        screen.isSlow = false
        screen.answer()
        #expect(screen.titles == ["“Show” failed", "8 synced folders need you"] && screen.timer == nil)
        screen.update([:])
        #expect(screen.titles == ["“Show” failed"])
    }

    @Test("What is resolved before the daemon has answered is closed when it has")
    func resolvedOnTheWay() {
        var screen = Screen()
        screen.isSlow = true
        screen.update(["/a": [Screen.notice("errors")]])
        screen.wait(1)
        screen.update([:])
        #expect(screen.titles == ["T 1"])
        screen.answer()
        #expect(screen.titles.isEmpty)
    }

    @Test("E7: actions that fail are told at once, several within a second together")
    func failedActions() {
        var screen = Screen()
        let fail = { (screen: inout Screen, label: String) in
            screen.take(
                screen.board.ended(ActionReport(provider: "P", label: label, message: "No."), now: screen.now))
        }
        fail(&screen, "Sync Now")
        #expect(screen.titles == ["“Sync Now” failed"])
        #expect(screen.shown.values.first?.content.text == "No.")
        for _ in 0..<5 { fail(&screen, "Show") }
        screen.wait(1)
        #expect(screen.titles == ["5 actions failed"] && screen.popUps == 1)
        screen.dismiss(1)
        fail(&screen, "")
        #expect(screen.titles == ["An action failed"])
    }

    @Test("F9: what an action answers is told under the words that were clicked, beside failures; the latest counts")
    func answers() {
        var screen = Screen()
        func end(_ label: String, _ message: String, hasFailed: Bool = false) {
            let report = ActionReport(provider: "P", label: label, message: message, hasFailed: hasFailed)
            screen.take(screen.board.ended(report, now: screen.now))
        }
        end("Why?", "It is a link.")
        end("Go", "No.", hasFailed: true)
        #expect(Set(screen.titles) == ["Why?", "“Go” failed"])
        end("Why?", "It is open.")
        end("History…", "Nothing.")
        screen.wait(1)
        #expect(Set(screen.titles) == ["History…", "“Go” failed"] && screen.popUps == 2)
        #expect(screen.shown.values.contains { $0.content.text == "Nothing." && $0.content.category == "transfer" })
    }

    @Test("Any history ends with one notification for each matter that stands and was not closed by hand")
    func randomHistories() {
        let seed = SeededRandom.chosenSeed("notifications")
        var random = SeededRandom(seed: seed)
        for history in 0..<150 { RandomScreen.run(&random, "seed \(seed), history \(history)") }
    }
}

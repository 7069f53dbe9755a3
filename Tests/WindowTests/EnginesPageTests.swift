import RoundelBus
import Testing

@testable import WindowModel

@Suite struct EnginesPageTests {
    private static func provider(
        _ id: String, name: String = "", enabled: Bool = true, isNew: Bool = false, running: Bool = true,
        folders: [String] = [], lastError: String = "", trouble: ProviderSummary.Trouble? = nil
    ) throws -> ProviderSummary {
        ProviderSummary(
            id: try #require(ProviderID(id)), name: name.isEmpty ? id : name, summary: "Does \(id)", icon: "",
            enabled: enabled, isNew: isNew, running: running, folders: try folders.map { try ItemURI($0) },
            lastError: lastError, trouble: trouble)
    }

    @Test("E8: new providers come first and have an answer instead of a switch; the others are sorted by name")
    func order() throws {
        let page = EnginesPage([
            try Self.provider("b", name: "beta"), try Self.provider("a", name: "Alpha"),
            try Self.provider("z", enabled: false, isNew: true, running: false),
        ])
        #expect(page.rows.map(\.name) == ["z", "Alpha", "beta"] && page.kind == .list)
        let new = page.rows[0]
        #expect(new.isNew && !new.isOn && new.summary == "Does z")
        #expect(new.state == "Just installed: it shows nothing before you turn it on")
        #expect(page.rows.dropFirst().allSatisfy { !$0.isNew && $0.isOn })
    }

    @Test func whatAProviderHasIsSaidAndWhatIsNotKnownIsNot() throws {
        let states = EnginesPage([
            try Self.provider("a", folders: ["file:///x", "file:///y"]), try Self.provider("b"),
            try Self.provider("c", running: false), try Self.provider("d", enabled: false),
        ]).rows.map(\.state)
        #expect(states == ["On, 2 folders", "On", "On, but it does not run", "Off: it shows no badges and menus"])
    }

    @Test("E10: one that does not answer, or answers wrongly, is named with what to do; one that is off is not blamed")
    func trouble() throws {
        let page = EnginesPage([
            try Self.provider("a", trouble: .silent), try Self.provider("b", trouble: .wrong),
            try Self.provider("c", running: false, lastError: "It could not be started."),
            try Self.provider("d", enabled: false, running: false, lastError: "Old."),
            try Self.provider("e", lastError: "Old, and it runs again."),
        ])
        let problems = page.rows.map(\.problem)
        #expect(problems[0]?.hasPrefix("It does not answer.") == true && problems[1]?.contains("wrong") == true)
        #expect(problems[2] == "It could not be started.")
        #expect(problems[3] == nil && problems[4] == nil)
        #expect(page.rows[0].spoken.contains("It does not answer."))
    }

    @Test func aServiceThatDoesNotAnswerIsNoEmptyList() {
        let page = EnginesPage(failure: WorkerAbsenceStub())
        #expect(page.kind == .silent && !page.notice.isEmpty && EnginesPage.waiting.kind == .waiting)
    }

    private struct WorkerAbsenceStub: Error {}

    @Test("Names and descriptions of manifests cannot hide what they are")
    func hostile() throws {
        let row = try #require(EnginesPage([try Self.provider("a", name: "Safe\u{202E}evil\n\u{1B}[2J")]).rows.first)
        #expect(!row.name.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\n" || $0 == "\u{1B}" })
    }
}

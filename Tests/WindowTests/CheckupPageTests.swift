import RoundelBus
import SystemPackage
import Testing

@testable import Setup
@testable import WindowModel

@Suite struct CheckupPageTests {
    @Test func whatNeedsTheUserComesFirstAndIsCounted() {
        let page = CheckupPage([
            Finding(.bus, .good, .busAnswers), Finding(.folders, .advice, .noFolder, remedy: .addFolder),
            Finding(.providers, .problem, .bundledOff, remedy: .turnOnBundled),
        ])
        #expect(page.rows.map(\.isProblem) == [true, false, false])
        #expect(page.rows.map(\.fix) == [.turnOnBundled, .addFolder, nil])
        #expect(page.rows.map { $0.fix?.label } == ["Turn On", "Add a Folder", nil])
        #expect(page.summary == "1 thing needs you." && page.kind == .list)
        #expect(CheckupPage([Finding(.bus, .good, .busAnswers)]).summary == "Roundel can do its work on this computer.")
    }

    @Test("What a service says is shown as it says it")
    func said() {
        let finding = Finding(
            .worker, .problem, .workerSilent("It is busy."),
            remedy: .setUp(command: "x", emblems: false))
        let row = CheckupPage([finding]).rows[0]
        #expect(row.text == "Syncing does not answer: It is busy.")
        #expect(row.fix == .setUp(emblems: false) && row.advice == nil)
        #expect(row.spoken.hasPrefix("Needs you"))
    }

    @Test("What only an administrator can do has advice and no button")
    func administrator() {
        let limit = Finding(
            .watches, .problem, .watchesExhausted(used: 8000, limit: 8192), remedy: .raiseWatchLimit(524_288))
        let row = CheckupPage([limit]).rows[0]
        #expect(row.fix == nil && row.advice?.contains("fs.inotify.max_user_watches") == true)
        #expect(row.advice?.contains("524288") == true)
    }

    @Test("A worker that was turned off for the user, or lacks its program, has no button that would do nothing")
    func obstacles() {
        func fix(_ obstacle: WorkerObstacle) -> CheckupFix? {
            CheckupPage([Finding(.worker, .problem, .workerKept(obstacle))]).rows[0].fix
        }
        #expect(fix(.masked) == nil && fix(.programMissing("/usr/bin")) == nil)
        #expect(fix(.keepsFailing) == .startWorker && fix(.failed(status: 1)) == .startWorker)
    }

    @Test("A provider that does not run leads to the sync engines")
    func provider() throws {
        let id = try #require(ProviderID("cloud"))
        let row = CheckupPage([Finding(.providers, .problem, .providerStopped(id, ""))]).rows[0]
        #expect(row.fix == .showEngine("cloud") && row.text == "The sync engine “cloud” is on and does not run.")
    }
}

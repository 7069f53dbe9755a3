import DBus
import RoundelBus
import Testing

@testable import Client
@testable import WindowModel

@Suite struct FoldersPageTests {
    static let now: Int64 = 1_790_000_000_000_000

    static func status(_ path: String, _ state: Badge, _ change: (inout SyncFolderStatus) -> Void = { _ in })
        -> SyncFolderStatus
    {
        var status = SyncFolderStatus(id: "1", uri: "file://" + path, state: state)
        status.text = "Up to date"
        change(&status)
        return status
    }

    static func row(_ path: String, _ state: Badge, _ change: (inout SyncFolderStatus) -> Void = { _ in }) throws
        -> FolderRow
    {
        FolderRow(try #require(FolderSummary(status(path, state, change))))
    }

    static func page(_ origin: Knowledge.Origin, _ folders: [SyncFolderStatus] = []) -> FoldersPage {
        FoldersPage(Knowledge(StatusReport(folders.compactMap { FolderSummary($0) }), origin), now: now)
    }

    @Test func aRowSaysWhatIsSyncedWhereAndHow() throws {
        let row = try Self.row("/srv/My%20Files", .synced) {
            $0.label = "Files"
            $0.remote = "https://cloud.example.org/dav"
        }
        #expect(row.name == "Files" && row.place == "/srv/My Files ↔ https://cloud.example.org/dav")
        #expect(row.sentence == "Up to date" && row.icon == "emblem-roundel-synced" && row.work == nil)
        #expect(row.isManaged && !row.isPaused && !row.needsUser)
        #expect(row.spoken == "Files, Up to date, /srv/My Files ↔ https://cloud.example.org/dav")
    }

    @Test("The progress is that of the work in hand, with its speed and the time that is left")
    func work() throws {
        let row = try Self.row("/a", .syncing) {
            $0.text = "Syncing 3 items"
            $0.progress = 25
            ($0.bytesDone, $0.bytesTotal, $0.rate, $0.remaining) = (1_000_000, 4_000_000, 500_000, 6)
        }
        #expect(row.work == FolderRow.Work(fraction: 0.25, text: "1.0 MB of 4.0 MB, 500 kB/s, about 6 seconds left"))
        #expect(try Self.row("/a", .syncing) { $0.progress = 50 }.work == FolderRow.Work(fraction: 0.5, text: ""))
    }

    @Test(
        "What an engine says of a folder is shown as it is, and its state where it says nothing",
        arguments: [
            ("Out of step. See: another --help", "Out of step. See: another --help"), ("", "Synced"),
            ("a\nb", "a\\nb"),
        ])
    func asItIs(text: String, shown: String) throws {
        #expect(try Self.row("/a", .synced) { $0.text = text }.sentence == shown)
    }

    @Test(arguments: FolderNeed.allCases)
    func everyNeedHasWordsWithoutACommand(need: FolderNeed) throws {
        let row = try Self.row("/a", .error) {
            $0.needs = WireWord(need)
            $0.text = "roundel sync --confirm-deletes"
        }
        #expect(row.needsUser && !row.sentence.isEmpty && !row.sentence.contains("roundel "))
    }

    @Test func aFolderOfAnotherProviderHasNoActionsOfAnEngine() throws {
        let row = FolderRow(FolderSummary(uri: try ItemURI("file:///other"), FolderStatus(state: .attention)))
        #expect(!row.isManaged && row.name == "other" && row.sentence == "Needs your attention")
        #expect(row.icon == "emblem-roundel-conflict")
    }

    @Test func aNameCannotBreakTheLineOrTurnItAround() throws {
        #expect(try Self.row("/a", .synced) { $0.label = "a\n\u{202E}b" }.name == "a\\n\\u{202E}b")
    }

    @Test func whatIsRememberedSaysHowOldItIs() {
        let page = Self.page(.remembered(Self.now - 7_200_000_000), [Self.status("/a", .synced)])
        #expect(page.kind == .list && page.notice == "As of 2 hours ago. Looking for news…")
        #expect(Self.page(.live, [Self.status("/a", .synced)]).notice == nil)
    }

    @Test func nothingIsSyncedOnlyIfTheServicesSaySo() {
        #expect(Self.page(.nothing).kind == .waiting && Self.page(.remembered(Self.now)).kind == .waiting)
        #expect(Self.page(.lost("Gone.")).kind == .silent && Self.page(.lost("Gone.")).notice == "Gone.")
        #expect(Self.page(.live).kind == .empty)
        var report = StatusReport([])
        report.absence = .late
        #expect(FoldersPage(Knowledge(report, .live), now: Self.now).kind == .silent)
    }
}

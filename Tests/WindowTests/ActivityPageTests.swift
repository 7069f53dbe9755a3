import RoundelBus
import Testing

@testable import WindowModel

@Suite struct ActivityPageTests {
    private static func entry(_ number: UInt64, _ path: String, _ action: SyncActivity.Action) -> SyncActivity {
        SyncActivity(
            sequence: number, time: FoldersPageTests.now, folder: "1", uri: "file://" + path, action: WireWord(action))
    }

    private static func names(_ page: ActivityPage, _ words: String, of item: String? = nil) throws -> [String] {
        let uri = try item.map { try ItemURI("file://" + $0) }
        return page.rows(matching: words, of: uri, now: FoldersPageTests.now).map(\.name)
    }

    @Test func theNewestComeFirstAndTheOldestGo() throws {
        var page = ActivityPage()
        page.add((1...200).map { Self.entry($0, "/f/\($0)", .uploaded) })
        page.add((201...400).map { Self.entry($0, "/f/\($0)", .uploaded) })
        let names = try Self.names(page, "")
        #expect(names.first == "400" && names.count == ActivityPage.limit && names.last == "101")
    }

    @Test("Each word that is looked for is in the name, the place or the action, whatever its case")
    func search() throws {
        var page = ActivityPage()
        page.add([
            Self.entry(1, "/f/Letters/a.odt", .uploaded), Self.entry(2, "/f/Letters/b.odt", .deletedRemote),
            Self.entry(3, "/f/c.odt", .downloaded),
        ])
        #expect(try Self.names(page, "letters") == ["b.odt", "a.odt"])
        #expect(try Self.names(page, "  LETTERS deleted ") == ["b.odt"])
        #expect(try Self.names(page, "c.odt letters").isEmpty)
    }

    @Test func theHistoryOfAFileGoesOnUnderTheNamesThatItHadBefore() throws {
        var page = ActivityPage()
        var moved = Self.entry(2, "/f/new", .moved)
        moved.oldURI = "file:///f/old"
        page.add([Self.entry(1, "/f/old", .uploaded), moved, Self.entry(3, "/f/other", .uploaded)])
        page.add([Self.entry(4, "/f/new", .downloaded)])
        #expect(try Self.names(page, "", of: "/f/new") == ["new", "new", "old"])
    }

    @Test func aFailureSaysWhy() throws {
        var page = ActivityPage()
        var failed = Self.entry(1, "/f/a", .error)
        failed.message = "No space is left on the remote."
        page.add([failed])
        let row = try #require(page.rows(matching: "", now: FoldersPageTests.now).first)
        #expect(row.isFailure && row.action == "No space is left on the remote.")
    }
}

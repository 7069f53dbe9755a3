import RoundelBus
import Testing

@testable import Client
@testable import WindowModel

@Suite struct ProblemsPageTests {
    private static let folder = FoldersPageTests.status("/f", .conflict) { $0.label = "Files" }

    static func page(
        _ folder: SyncFolderStatus = folder, _ found: FoundProblems? = FoundProblems(),
        _ origin: Knowledge.Origin = .live
    ) -> ProblemsPage {
        let report = StatusReport([folder].compactMap { FolderSummary($0) })
        return ProblemsPage(Knowledge(report, origin), found, now: FoldersPageTests.now)
    }

    private static func conflict(mine: Int64?, theirs: Int64?) -> SyncConflict {
        var conflict = SyncConflict(
            folder: "1", uri: "file:///f/d/a.png", copyURI: "file:///f/d/a%20(conflict).png", kind: WireWord(.edits))
        (conflict.copyModified, conflict.modified, conflict.copySize, conflict.size) = (mine, theirs, 1_500, 900)
        return conflict
    }

    @Test("Nobody is told that there are no problems before the services have said so")
    func waiting() {
        #expect(Self.page(FoldersPageTests.status("/f", .synced)).kind == .empty)
        #expect(Self.page(FoldersPageTests.status("/f", .synced), nil).kind == .waiting)
        #expect(Self.page(FoldersPageTests.status("/f", .synced), .init(), .lost("Gone.")).kind == .waiting)
    }

    @Test func heldBackDeletionsHaveBothAnswersTheSafeOneFirst() throws {
        let page = Self.page(
            FoldersPageTests.status("/f", .error) {
                ($0.label, $0.needs, $0.pendingDeletes) = ("Files", WireWord(.confirmDeletes), 29)
            })
        let need = try #require(page.needs.first)
        #expect(need.title == "Files: 29 deletions need your answer")
        #expect(need.answers == [.restoreItems, .deleteItems] && page.count == 1)
        #expect(need.answers.map(\.options.restoresDeleted) == [true, false])
        #expect(need.answers.map(\.options.confirmDeletes) == [false, true])
        #expect(need.answers.map(\.isDestructive) == [false, true])
    }

    @Test func aFolderThatCannotGoOnHasAdviceAndNoCommand() {
        for need in FolderNeed.allCases {
            let page = Self.page(FoldersPageTests.status("/f", .error) { $0.needs = WireWord(need) })
            let isListedItemByItem = need == .conflicts || need == .errors
            #expect(page.needs.isEmpty == isListedItemByItem)
            for shown in page.needs { #expect(!shown.answers.isEmpty && !shown.advice.contains("roundel ")) }
        }
    }

    @Test func aConflictSaysWhoWroteTheOtherVersionWhereThatIsKnown() throws {
        var conflict = Self.conflict(mine: nil, theirs: nil)
        func changed() throws -> [String?] {
            let page = Self.page(Self.folder, FoundProblems(conflicts: [conflict]))
            return try #require(page.conflicts.first).versions.map(\.changed)
        }
        #expect(try changed() == [nil, nil])
        conflict.author = "Ana\u{202e}"
        #expect(try changed()[1]?.hasPrefix("by Ana") == true && changed()[1]?.contains("\u{202e}") == false)
        conflict.isOwnAuthor = true
        #expect(try changed() == [nil, "by you"])
    }

    @Test func aConflictShowsBothVersionsAndWhichIsNewer() throws {
        let now = FoldersPageTests.now
        let found = FoundProblems(
            conflicts: [Self.conflict(mine: now - 1_000_000, theirs: now - 9_000_000)],
            problems: [
                SyncProblem(folder: "1", uri: "file:///f/d/a.png", state: .conflict, message: "The other version is…")
            ])
        let page = Self.page(Self.folder, found)
        let card = try #require(page.conflicts.first)
        #expect(page.items.isEmpty && page.count == 1)
        #expect(card.name == "a.png" && card.place == "Files › d")
        #expect(card.versions.map(\.choice) == [.mine, .theirs] && card.versions.map(\.isNewer) == [true, false])
        #expect(card.versions.map(\.size) == ["1.5 kB", "900 bytes"])
        #expect(card.versions.map(\.title) == ["This Computer (newer)", "Remote"])
        #expect(card.versions.map(\.picture?.displayName) == ["a (conflict).png", "a.png"] && !card.isComparable)
    }

    @Test func neitherVersionIsNewerThanOneOfAnUnknownTime() {
        for (mine, theirs) in [(nil, nil), (5, nil), (nil, 5), (5, 5)] as [(Int64?, Int64?)] {
            let page = Self.page(Self.folder, FoundProblems(conflicts: [Self.conflict(mine: mine, theirs: theirs)]))
            #expect(page.conflicts.first?.versions.map(\.isNewer) == [false, false])
        }
    }

    @Test func anItemHasItsPlaceAndTheReason() throws {
        let found = FoundProblems(
            problems: [
                SyncProblem(
                    folder: "1", uri: "file:///f/d/e/x", state: .error,
                    message: "Names like this are not synced."),
                SyncProblem(folder: "1", uri: "file:///f/y", state: .pending, message: ""),
            ], more: 3)
        let page = Self.page(Self.folder, found)
        #expect(page.items.map(\.place) == ["Files › d/e", "Files"])
        #expect(page.items.map(\.reason) == ["Names like this are not synced.", "Waiting to sync"])
        #expect(page.more == "and 3 more" && page.kind == .list)
    }
}

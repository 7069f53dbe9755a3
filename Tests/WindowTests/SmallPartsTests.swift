import RoundelBus
import Support
import Testing

@testable import WindowModel

@Suite struct SmallPartsTests {
    @Test func aPauseEndsInAnHourWhenTheDayEndsOrNever() throws {
        let now = Moment.now
        #expect(PauseLength.hour.end(after: now) == now + 3_600_000_000)
        #expect(PauseLength.forGood.end(after: now) == nil)
        let end = try #require(PauseLength.tomorrow.end(after: now))
        #expect(TimeText.text(end, "%H:%M:%S", in: .local) == "00:00:00")
        #expect(end > now && end <= now + 25 * 3_600_000_000)
    }

    @Test func theDifferenceOfTwoTextsIsShownInTheirOrder() {
        let difference = TextDifference(
            mine: Array("one\ntwo, mine\nthree\nfour\n".utf8), theirs: Array("zero\none\ntwo\nthree\n".utf8))
        #expect(
            difference
                == .lines([
                    .theirs("zero"), .both("one"), .mine("two, mine"), .theirs("two"), .both("three"), .mine("four"),
                ]))
        #expect(TextDifference(mine: [], theirs: Array("a".utf8)) == .lines([.theirs("a")]))
        #expect(TextDifference(mine: [0], theirs: []) == .noText)
        #expect(TextDifference(mine: [0xFF], theirs: []) == .noText)
    }

    @Test func aKeptVersionSaysWhatHappenedToIt() throws {
        var item = SyncTrashItem(
            id: "7", folder: "1", uri: "file:///f/d/a", reason: WireWord(.deleted), place: WireWord(.store),
            time: FoldersPageTests.now - 86_400_000_000 * 3)
        item.size = 2_000
        let row = try #require(VersionsPage([item], now: FoldersPageTests.now).rows.first)
        #expect(row.name == "a" && row.place == "/f/d" && row.id == "7")
        #expect(row.reason.hasPrefix("Deleted 20") && row.reason.hasSuffix(", 2.0 kB"))
    }
}

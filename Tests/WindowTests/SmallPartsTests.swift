import Client
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
        let row = try #require(VersionsPage([item], folders: [], now: FoldersPageTests.now).rows.first)
        #expect(row.name == "a" && row.place == "/f/d" && row.id == "7")
        #expect(row.reason.hasPrefix("Deleted 20") && row.reason.hasSuffix(", 2.0 kB"))
    }

    @Test func theVersionsOfAFileAreThoseOfTheEngineAndOfItsServer() throws {
        let file = try ItemURI("file:///f/d/a")
        let kept = ["file:///f/d/a", "file:///f/d/b"].map {
            SyncTrashItem(id: "7", folder: "1", uri: $0, reason: WireWord(.replaced), place: WireWord(.store), time: 5)
        }
        var version = SyncServerVersion(id: "9", time: FoldersPageTests.now - 86_400_000_000 * 3)
        (version.size, version.author) = (2_000, "an\u{202e}na")
        let page = VersionsPage(
            of: file, kept, server: [version], folders: [try ItemURI("file:///f")], now: FoldersPageTests.now)
        #expect(page.rows.map(\.keeper) == [.engine, .server] && page.rows.allSatisfy { $0.uri == file })
        let row = try #require(page.rows.last)
        #expect(row.restoreName.hasPrefix("Restore a of 20") && row.restoreName.hasSuffix("from the server"))
        #expect(row.reason.hasPrefix("Written 20") && row.reason.contains(", 2.0 kB, by an"))
        // An account cannot turn the words around, and nothing else went when it was written.
        #expect(!row.reason.contains("\u{202e}") && row.place == "On the server" && row.since.scopes.isEmpty)
    }

    @Test func allThatWentSinceIsRestoredOfADirectoryOrOfItsFolder() throws {
        let item = SyncTrashItem(
            id: "7", folder: "1", uri: "file:///f/d/a", reason: WireWord(.deleted), place: WireWord(.store), time: 5)
        func scopes(_ folders: String...) throws -> [String] {
            let page = VersionsPage([item], folders: try folders.map { try ItemURI($0) }, now: FoldersPageTests.now)
            let choice = try #require(page.rows.first).since
            #expect(choice.moment == 5)
            return choice.scopes.map { $0.uri.uri + " " + $0.label }
        }
        #expect(try scopes("file:///g", "file:///f") == ["file:///f/d In “d”", "file:///f In All of “f”"])
        #expect(try scopes("file:///f/d") == ["file:///f/d In All of “d”"])
        #expect(try scopes("file:///f/dd") == ["file:///f/d In “d”"])
    }

    @Test func whatCameOfARestorationIsSaid() {
        func outcome(_ change: (inout SyncRestoration) -> Void) -> String {
            var result = SyncRestoration()
            change(&result)
            return RestorationChoice.outcome(result)
        }
        #expect(outcome { _ in } == "There is nothing to restore.")
        #expect(outcome { $0.restored = 1 } == "1 item was restored.")
        #expect(
            outcome {
                ($0.restored, $0.failed) = (3, 2)
                $0.items = [ItemMessage(uri: "file:///f/a", message: "No space is left.")]
            } == "2 items could not be restored. No space is left.")
        #expect(
            outcome {
                ($0.restored, $0.unlisted) = (3, ["file:///f"])
            } == "Not everything of “f” came back: one of its sides does not answer.")
    }

    @Test(arguments: [
        ("file:///mnt/nas/my%20files", "/mnt/nas/my files"),
        ("webdav+https://anna@cloud.example.org/remote.php/dav/files/anna/My%20Docs", "My Docs on cloud.example.org"),
        ("webdav+https://cloud.example.org/nextcloud/remote.php/webdav/", "cloud.example.org"),
        ("webdav+http://127.0.0.1:8080/dav/x", "dav/x on 127.0.0.1:8080"),
        ("webdav+https://dav.example.org/files/%ff", "files/\\xFF on dav.example.org"),
        ("webdav+https://dav.example.org/%2e%2e/a", "%2e%2e/a on dav.example.org"),
        ("rclone:drive:Work/2026", "Work/2026 on drive"), ("rclone:drive:", "drive"), ("a script", "a script"),
        ("webdav+http://far.example.org/x", "webdav+http://far.example.org/x"), ("", ""),
    ])
    func aRemoteIsNamedByItsServerAndThePathThatPeopleSee(_ remote: String, _ words: String) {
        #expect(RemotePlace.words(remote) == words)
    }
}

import RoundelBus
import Testing

@testable import Client

/// What happened to an item is found under all the names that it had.
@Suite struct ItemHistoryTests {
    private func entry(
        _ number: UInt64, _ name: String, from old: String? = nil, _ action: SyncActivity.Action = .downloaded
    ) -> SyncActivity {
        var entry = SyncActivity(
            sequence: number, time: Int64(number) * 1_000_000, folder: "f", uri: "file:///s/" + name,
            action: WireWord(action))
        entry.oldURI = old.map { "file:///s/" + $0 }
        return entry
    }

    private func version(_ id: String, _ name: String, _ second: Int64) -> SyncTrashItem {
        SyncTrashItem(
            id: id, folder: "f", uri: "file:///s/" + name, reason: "replaced", place: "store", time: second * 1_000_000)
    }

    private func told(_ history: ItemHistory) -> [String] {
        history.events.map { event in
            switch event {
            case .activity(let entry): "\(entry.sequence)"
            case .kept(let version): version.id
            case .server(let version): version.id
            }
        }
    }

    @Test func earlierNamesCountUntilTheMoveAndNeighboursDoNot() throws {
        let log = [
            entry(1, "a"), entry(2, "ab"), entry(3, "b", from: "a", .moved), entry(4, "a"), entry(5, "b"),
            entry(6, "c", from: "b", .moved), entry(7, "d/c"),
        ]
        let kept = [version("y", "c", 7), version("x", "a", 1), version("z", "e", 2)]
        let history = ItemHistory(of: try ItemURI("file:///s/c"), log, kept)
        // What was called a afterwards is another item.
        #expect(told(history) == ["x", "1", "3", "5", "6", "y"])
        #expect(told(ItemHistory(of: try ItemURI("file:///s/c"), log, kept, limit: 2)) == ["6", "y"])
    }

    @Test func aDirectoryTellsOfEverythingInIt() throws {
        let log = [entry(1, "d/a"), entry(2, "d/e/b"), entry(3, "da"), entry(4, "d")]
        let history = ItemHistory(of: try ItemURI("file:///s/d"), log, [version("x", "d/gone", 2)])
        #expect(told(history) == ["1", "x", "2", "4"])
    }

    @Test func whatCameIntoADirectoryHasNoEarlierHistoryThere() throws {
        let log = [entry(1, "e/a"), entry(2, "d/a", from: "e/a", .moved), entry(3, "d/a")]
        #expect(told(ItemHistory(of: try ItemURI("file:///s/d"), log, [])) == ["2", "3"])
        #expect(told(ItemHistory(of: try ItemURI("file:///s/d/a"), log, [])) == ["1", "2", "3"])
    }

    @Test func versionsOfTheServerStandWhereTheyWereWritten() throws {
        let server = [SyncServerVersion(id: "s", time: 4_000_000), SyncServerVersion(id: "t", time: 1_000_000)]
        let history = ItemHistory(of: try ItemURI("file:///s/a"), [entry(3, "a")], [version("x", "a", 5)])
        #expect(told(history.adding(server: server)) == ["t", "3", "s", "x"])
        #expect(told(history.adding(server: server, limit: 2)) == ["s", "x"])
    }

    @Test func aVersionIsFoundByTheSecondInWhichItWasKept() throws {
        let kept = [version("x", "a", 5), version("y", "a", 9), version("z", "a/b", 7)]
        let history = ItemHistory(of: try ItemURI("file:///s/a"), [], kept)
        #expect(history.version(keptAt: 5)?.id == "x" && history.version(keptAt: 9)?.id == "y")
        #expect(history.version(keptAt: 7) == nil && history.version(keptAt: 6) == nil)
    }
}

import SyncCore
import Testing

@testable import SyncService

@Suite("How far a folder has come is told while the bytes of one file move, and no state does")
struct ToldProgressTests {
    private static let file = NodeID(7)

    /// For each of the changes, of an item and to a percentage, whether it is told.
    private func told(_ changes: [(NodeID, UInt8?)]) throws -> [Bool] {
        let name = try #require(EntryName("a"))
        var progress = ToldProgress()
        return changes.map { node, percent in
            progress.follow([
                StateChange(node: node, parent: .root, name: name, state: .syncing, progress: percent)
            ])
        }
    }

    @Test("Each new percentage is told once, and so is the end")
    func told() throws {
        #expect(
            try told([(.root, 0), (.root, 0), (.root, 40), (.root, 40), (.root, nil), (.root, nil)])
                == [true, false, true, false, true, false])
    }

    @Test("What concerns another item alone is not told of the folder")
    func others() throws {
        #expect(try told([(Self.file, 1), (.root, 40), (Self.file, 50)]) == [false, true, false])
        var progress = ToldProgress()
        let isTold = progress.follow([])
        #expect(!isTold)
    }
}

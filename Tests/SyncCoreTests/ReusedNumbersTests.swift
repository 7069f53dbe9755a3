import SimulatedWorld
import SyncCore
import Testing

/// File systems that give the number of what was deleted again, so that nothing tells two items apart by it.
@Suite("Numbers that are given again")
struct ReusedNumbersTests {
    @Test("D7: what was put in the place of a deleted item is not that item, though it has its number")
    func samePlace() throws {
        var folder = SimulatedFolder(reusesNumbers: true)
        folder.pace = 1_000_000
        for (content, path) in ["a", "b", "z"].enumerated() { folder.write(.local, path, content + 1) }
        try folder.sync()
        try folder.sync()
        // Two are gone here, so that it is waited whether more will be.
        folder.delete(.local, "b")
        folder.delete(.local, "a")
        try folder.notice(.local, ["a", "b"])
        folder.move(.remote, "a", "c")
        folder.write(.remote, "a", 4)
        try folder.notice(.remote, ["a", "c"])
        #expect(folder.contents(.local) == ["a": 4, "z": 3])
        try folder.notice(.local, ["a"])
        try folder.pass(seconds: 10)
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 4, "c": 1, "z": 3]) }
    }

    @Test("what has the number of a deleted item is durable together with that deletion")
    func durableInTurn() throws {
        var folder = SimulatedFolder(reusesNumbers: true)
        folder.write(.local, "d/a", 1)
        folder.write(.local, "b", 2)
        try folder.sync()
        try folder.sync()
        folder.losesWrites = true
        folder.delete(.local, "d/a")
        folder.losesWrites = false
        // The session is told of the other change alone.
        folder.write(.remote, "b", 3)
        try folder.notice(.remote, ["b"])
        #expect(folder.contents(.local) == ["b": 3, "d": 0])
        folder.cutPower()
        try folder.restart()
        for side in Side.allCases { #expect(folder.contents(side) == ["b": 3, "d": 0]) }
    }

    @Test(
        "what was made last is not taken for what had its number before, whichever is told first",
        arguments: [false, true])
    func madeInTurn(isFirstToldFirst: Bool) throws {
        var folder = SimulatedFolder(reusesNumbers: true)
        folder.write(.local, "a", 1)
        folder.write(.local, "b", 2)
        // Both are made, and what was made first is gone again before the session is told of any.
        folder.isHeld = { effect in if case .publish = effect { true } else { false } }
        try folder.sync()
        var made: [String] = []
        try folder.finishHeld(firstToldFirst: isFirstToldFirst) { folder, effect in
            guard case .publish(_, .remote, let path, _, _) = effect else { return }
            made.append(path.description)
            if made.count == 1 { folder.delete(.remote, path.description) }
        }
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.notice(.remote, ["a", "b"])
        try folder.pass(seconds: 10)
        let left = made == ["b", "a"] ? ["a": 1] : ["b": 2]
        for side in Side.allCases { #expect(folder.contents(side) == left) }
        #expect(folder.count { if case .stage(_, .remote, _, _) = $0 { true } else { false } } == 0 && made.count == 2)
    }
}

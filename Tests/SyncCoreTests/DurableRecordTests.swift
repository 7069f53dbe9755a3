import SimulatedWorld
import SyncCore
import Testing

/// What is recorded as synced is durable on both sides before: what a power cut took from one of them would look
/// deleted by a person.
@Suite struct DurableRecordTests {
    /// Whether the effect makes an item of a side durable.
    private static func makesDurable(_ effect: Effect, _ side: Side, _ path: String) -> Bool {
        guard case .syncRenames(side, let items) = effect else { return false }
        return items.contains { "\($0.path)" == path }
    }

    private static func isBarrier(_ effect: Effect) -> Bool {
        if case .syncRenames = effect { true } else { false }
    }

    @Test func whatAnEndedRunPutThereSurvivesAPowerCutOnceItCountsAsSynced() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.isHeld = Self.isBarrier
        try folder.sync()
        #expect(folder.contents(.remote) == ["a": 1], "it stands there, but nothing made it durable")
        folder.isHeld = { _ in false }
        try folder.restart()
        folder.cutPower()
        try folder.restart()
        #expect(folder.contents(.remote) == ["a": 1])
        #expect(folder.contents(.local) == ["a": 1])
        #expect(folder.kept.isEmpty, "nobody deleted anything")
    }

    @Test func aBarrierThatFailedIsAskedForAgain() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.answer = { Self.isBarrier($0) ? .failed(EffectFailure(.io)) : nil }
        #expect(throws: EffectFailure.self) { try folder.sync() }
        folder.answer = { _ in nil }
        try folder.restart()
        folder.cutPower()
        try folder.restart()
        #expect(folder.contents(.remote) == ["a": 1])
        #expect(folder.contents(.local) == ["a": 1])
    }

    @Test func aRemovalThatAPowerCutTookBackIsMadeAgain() throws {
        var folder = SimulatedFolder()
        for (content, path) in ["a", "b"].enumerated() { folder.write(.local, path, content + 1) }
        try folder.sync()
        try folder.sync()
        folder.delete(.local, "a")
        folder.isHeld = Self.isBarrier
        try folder.notice(.local, ["a"])
        #expect(folder.contents(.remote) == ["b": 2], "it is gone, but nothing made that durable")
        // Both sides are found without it.
        try folder.restart()
        folder.cutPower()
        folder.isHeld = { _ in false }
        try folder.restart()
        for side in Side.allCases { #expect(folder.contents(side) == ["b": 2]) }
    }

    @Test(arguments: Side.allCases) func whatIsBackWhereItCountedAsDeletedIsNotDeletedAgain(side: Side) throws {
        var folder = SimulatedFolder()
        for (content, path) in ["a", "d/b", "z"].enumerated() { folder.write(.local, path, content + 1) }
        try folder.sync()
        try folder.sync()
        folder.move(side, "a", "aside")
        folder.isHeld = Self.isBarrier
        try folder.notice(side, ["a"])
        #expect(folder.contents(side.other)["a"] == nil, "its deletion was followed, but that was not written down")
        folder.move(side, "aside", "a")
        folder.isHeld = { _ in false }
        try folder.restart()
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 1, "d": 0, "d/b": 2, "z": 3]) }
    }

    @Test func aFileThatWasMovedOutOfADirectoryOutlivesThatDirectoryInAPowerCut() throws {
        var folder = SimulatedFolder()
        for (content, path) in ["d/a", "y", "z"].enumerated() { folder.write(.local, path, content + 1) }
        try folder.sync()
        try folder.sync()
        folder.move(.remote, "d/a", "a")
        folder.isHeld = Self.isBarrier
        try folder.notice(.remote, ["d/a", "a"])
        #expect(folder.contents(.local) == ["a": 1, "d": 0, "y": 2, "z": 3], "nothing made the move durable yet")
        // What a person writes and deletes is durable at once.
        folder.write(.local, "y", 4)
        folder.delete(.local, "d")
        folder.cutPower()
        #expect(folder.contents(.local) == ["a": 1, "y": 4, "z": 3])
        folder.isHeld = { _ in false }
        try folder.restart()
        try folder.sync()
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 1, "y": 4, "z": 3]) }
    }

    @Test func whatIsBackAfterAPowerCutIsDeletedAndNoConflictWithANewFileOfItsName() throws {
        var folder = SimulatedFolder()
        for (content, path) in ["a", "z"].enumerated() { folder.write(.local, path, content + 1) }
        try folder.sync()
        try folder.sync()
        folder.delete(.remote, "a")
        folder.isHeld = Self.isBarrier
        try folder.notice(.remote, ["a"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local) == ["z": 2], "it is removed, and nothing made that durable")
        // A session that finds it gone on both sides comes to nothing as well.
        try folder.restart()
        try folder.pass(seconds: 10)
        folder.cutPower()
        #expect(folder.contents(.local) == ["a": 1, "z": 2])
        folder.write(.remote, "a", 5)
        folder.isHeld = { _ in false }
        try folder.restart()
        try folder.sync()
        try folder.sync()
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 5, "z": 2]) }
    }

    @Test func aFileThatWasMovedBeforeItsBarrierIsDurableOnceItCountsAsSynced() throws {
        var folder = SimulatedFolder()
        for (content, path) in ["a", "b"].enumerated() { folder.write(.local, path, content + 1) }
        try folder.sync()
        try folder.sync()
        folder.losesWrites = true
        folder.write(.local, "a", 3)
        folder.losesWrites = false
        folder.isHeld = Self.isBarrier
        try folder.notice(.local, ["a"])
        #expect(folder.contents(.remote)["a"] == 3)
        // The barrier is told the name, at which another file is by now.
        folder.move(.local, "a", "c")
        folder.move(.local, "b", "a")
        folder.isHeld = { _ in false }
        try folder.finish()
        folder.cutPower()
        try folder.restart()
        try folder.sync()
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 2, "c": 3]) }
    }

    @Test func aFileThatCameFromADirectoryWhereNobodySawItIsDurableOnceItCountsAsSynced() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "d/a", 1)
        try folder.sync()
        try folder.sync()
        folder.losesWrites = true
        folder.write(.local, "d/b", 2)
        folder.move(.local, "d/b", "c")
        folder.losesWrites = false
        folder.forgetEffects()
        try folder.notice(.local, ["c"])
        try folder.pass(seconds: 10)
        #expect(folder.effects.contains { Self.makesDurable($0, .local, "c") })
        #expect(!folder.effects.contains { Self.makesDurable($0, .local, "d") }, "it was never seen there")
        folder.cutPower()
        try folder.restart()
        for side in Side.allCases { #expect(folder.contents(side) == ["c": 2, "d": 0, "d/a": 1]) }
    }

    @Test func aFileIsDurableWhicheverOfItsNamesWasWritten() throws {
        var folder = SimulatedFolder(excludes: ["*~"])
        folder.write(.local, "a", 1)
        folder.link(.local, "a", "a~")
        try folder.sync()
        try folder.sync()
        folder.losesWrites = true
        folder.write(.local, "a~", 2)
        folder.losesWrites = false
        folder.forgetEffects()
        try folder.notice(.local, ["a"])
        try folder.pass(seconds: 10)
        #expect(folder.effects.contains { Self.makesDurable($0, .local, "a") })
        #expect(!folder.effects.contains { Self.makesDurable($0, .local, "a~") }, "it is not synced")
        folder.cutPower()
        try folder.restart()
        #expect(folder.contents(.local) == ["a": 2, "a~": 2])
        #expect(folder.contents(.remote) == ["a": 2])
    }

    @Test func whatIsEqualOnBothSidesIsMadeDurableBeforeItIsCommitted() throws {
        var folder = SimulatedFolder()
        for side in Side.allCases { folder.write(side, "d/a", 1) }
        folder.isHeld = Self.isBarrier
        try folder.sync()
        folder.store.crash()
        #expect(try folder.store.trees.count(in: .synced) <= 1, "nothing is committed yet")
        folder.isHeld = { _ in false }
        try folder.restart()
        for side in Side.allCases {
            for path in ["d", "d/a"] {
                #expect(folder.effects.contains { Self.makesDurable($0, side, path) }, "\(path) on \(side)")
            }
        }
        folder.store.crash()
        #expect(try folder.store.trees.count(in: .synced) == 3)
    }

    @Test(arguments: Side.allCases) func theSourceIsMadeDurableToo(side: Side) throws {
        var folder = SimulatedFolder()
        folder.write(side, "d/a", 1)
        try folder.sync()
        for path in ["d", "d/a"] {
            #expect(folder.effects.contains { Self.makesDurable($0, side, path) }, "\(path)")
        }
    }

    @Test func theDirectoryThatAPersonMovedOrDeletedFromIsMadeDurable() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "from/a", 1)
        folder.write(.local, "from/b", 2)
        folder.write(.local, "to/c", 3)
        try folder.sync()
        folder.move(.local, "from/a", "to/a")
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.effects.contains { Self.makesDurable($0, .local, "from") })
        folder.delete(.local, "from/b")
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.effects.contains { Self.makesDurable($0, .local, "from") })
    }

    @Test(arguments: Side.allCases) func theDirectoryThatTheSessionMovedFromIsMadeDurable(side: Side) throws {
        var folder = SimulatedFolder()
        for (content, path) in ["from/a", "from/b", "to/c"].enumerated() { folder.write(.local, path, content + 1) }
        try folder.sync()
        try folder.sync()
        folder.move(side.other, "from/a", "to/a")
        folder.forgetEffects()
        try folder.notice(side.other, ["from/a", "to/a"])
        try folder.pass(seconds: 10)
        for path in ["from", "to"] {
            #expect(folder.effects.contains { Self.makesDurable($0, side, path) }, "\(path)")
        }
        // A disk that persists but one of the two directories shows it where it was: it would look moved back by a person.
        folder.cutPower()
        try folder.restart()
        for side in Side.allCases {
            #expect(folder.contents(side) == ["from": 0, "from/b": 2, "to": 0, "to/a": 1, "to/c": 3])
        }
    }

    @Test func aPausedFolderSettlesToo() throws {
        var folder = SimulatedFolder()
        for side in Side.allCases { folder.write(side, "a", 1) }
        folder.isHeld = { if case .hashFile(.remote, _, _) = $0 { true } else { Self.isBarrier($0) } }
        try folder.sync()
        try folder.command(.pause)
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.status?.phase == .paused)
        try folder.command(.resume)
        folder.store.crash()
        #expect(try folder.store.trees.count(in: .synced) == 2)
    }
}

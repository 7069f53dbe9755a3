import SimulatedWorld
import SyncCore
import Testing

/// What becomes of an item that a side does not move: a copy and a removal, in this order, and nothing is lost.
@Suite("Moves that a side refuses")
struct RefusedMoveTests {
    private static func isStage(_ effect: Effect) -> Bool {
        if case .stage = effect { true } else { false }
    }

    private static func isRemoval(_ effect: Effect) -> Bool {
        if case .remove = effect { true } else { false }
    }

    private static func isMove(_ effect: Effect) -> Bool {
        if case .move = effect { true } else { false }
    }

    private static let across = Explanation(.movedAcross, .remote, "d/a", "e/a")

    /// Answers every move on a side with this failure.
    private func refuse(
        _ folder: inout SimulatedFolder, _ side: Side, _ reason: EffectFailure.Reason = .denied,
        _ message: Explanation = RefusedMoveTests.across
    ) {
        folder.answer = { effect in
            guard case .move(side, _, _, _, _) = effect else { return nil }
            return .failed(EffectFailure(reason, message))
        }
    }

    private func isEqual(_ folder: SimulatedFolder, _ expected: [String: Int]) -> Bool {
        folder.contents(.local) == expected && folder.contents(.remote) == expected
    }

    @Test(
        "contents that fail beside a refused move are tried again after pauses",
        arguments: [(EffectFailure.Reason.noSpace, 8), (.io, 8), (.busy, 45)])
    func failingContents(reason: EffectFailure.Reason, limit: Int) throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "e/x": 2])
        folder.answer = { effect in
            switch effect {
            case .move: .failed(EffectFailure(.denied, "It may not be moved."))
            case .stage: .failed(EffectFailure(reason, "It does not go."))
            default: nil
            }
        }
        folder.move(.local, "d/a", "e/a")
        folder.write(.local, "e/a", 5)
        try folder.sync()
        try folder.pass(seconds: 40)
        let stages = folder.count(Self.isStage)
        #expect(stages > 1 && stages <= limit, "\(stages)")
        folder.answer = { _ in nil }
        try folder.pass(seconds: 400)
        #expect(isEqual(folder, ["d": 0, "e": 0, "e/a": 5, "e/x": 2]) && folder.status?.state == .synced)
    }

    @Test(
        "contents of an item that is not moved go up within two seconds",
        arguments: [EffectFailure.Reason.nameClash, .denied, .io])
    func contents(reason: EffectFailure.Reason) throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "e/x": 2])
        refuse(&folder, .remote, reason, "It is not moved.")
        folder.move(.local, "d/a", "e/a")
        try folder.sync()
        try folder.pass(seconds: 100)
        for content in [5, 6] {
            folder.write(.local, "e/a", content)
            try folder.notice(.local, ["e/a"])
            try folder.pass(seconds: 2)
            #expect(folder.contents(.remote)["d/a"] == content)
        }
        #expect(folder.contents(.remote)["e/a"] == nil && folder.status?.state == .error)
    }

    @Test(
        "the old item goes only when the copy is there, also after a restart", arguments: Side.allCases, [false, true])
    func restarted(side: Side, isDirectory: Bool) throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "e/x": 2, "f/g/b": 3])
        refuse(&folder, side)
        let (from, to) = isDirectory ? ("f/g", "e/g") : ("d/a", "e/a")
        folder.isHeld = { effect in
            switch effect {
            case .publish(_, side, _, nil, _), .makeDirectory(side, _, _): true
            default: false
            }
        }
        folder.move(side.other, from, to)
        try folder.sync()
        try folder.pass(seconds: 20)
        #expect(folder.contents(side)[from] != nil && folder.contents(side)[to] == nil)
        try folder.restart()
        try folder.pass(seconds: 20)
        #expect(folder.contents(side)[from] != nil && folder.count(Self.isRemoval) == 0)
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 20)
        #expect(folder.contents(side) == folder.contents(side.other) && folder.contents(side)[to] != nil)
        #expect(folder.contents(side)[from] == nil && folder.status?.state == .synced)
        // Nothing is left of it.
        try folder.restart()
        #expect(try folder.store.trees.value(.copied) == nil)
    }

    @Test("what is moved back while its copy is on its way is the item again", arguments: Side.allCases, [false, true])
    func movedBack(side: Side, isDirectory: Bool) throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "e/x": 2, "f/g/b": 3])
        refuse(&folder, side)
        let (from, to) = isDirectory ? ("f/g", "e/g") : ("d/a", "e/a")
        folder.isHeld = { effect in
            switch effect {
            case .stage, .makeDirectory(side, _, _): true
            default: false
            }
        }
        folder.move(side.other, from, to)
        try folder.sync()
        try folder.pass(seconds: 20)
        folder.move(side.other, to, from)
        try folder.notice(side.other, [from, to])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.sync()
        try folder.pass(seconds: 100)
        #expect(isEqual(folder, ["d": 0, "d/a": 1, "e": 0, "e/x": 2, "f": 0, "f/g": 0, "f/g/b": 3]))
        #expect(folder.status?.state == .synced)
        // A directory is made at once, and goes another way back.
        if !isDirectory { #expect(folder.count(Self.isRemoval) == 0 && folder.kept.isEmpty) }
    }

    @Test("what is deleted while its copy cannot come is forgotten, and counts no more", arguments: Side.allCases)
    func deleted(side: Side) throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "e/x": 2])
        folder.answer = { effect in
            switch effect {
            case .move(side, _, _, _, _): .failed(EffectFailure(.denied, Self.across))
            case .publish(_, side, _, nil, _): .failed(EffectFailure(.nameClash, "Its name is taken."))
            default: nil
            }
        }
        folder.move(side.other, "d/a", "e/a")
        try folder.sync()
        try folder.pass(seconds: 20)
        #expect(folder.status?.counts.errors == 1)
        folder.delete(side, "d/a")
        try folder.notice(side, ["d/a"])
        try folder.pass(seconds: 20)
        #expect(folder.status?.counts.errors == 1 && folder.status?.counts.pending == 0)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 400)
        #expect(isEqual(folder, ["d": 0, "e": 0, "e/a": 1, "e/x": 2]) && folder.status?.state == .synced)
    }

    @Test("names that are exchanged come to rest where nothing is moved", arguments: Side.allCases, [false, true])
    func exchanged(side: Side, areDirectories: Bool) throws {
        var folder = try SimulatedFolder.synced(["a/x": 1, "b/y": 2, "c": 3, "d": 4])
        refuse(&folder, side)
        let (one, other) = areDirectories ? ("a", "b") : ("c", "d")
        folder.move(side.other, one, "aside")
        folder.move(side.other, other, one)
        folder.move(side.other, "aside", other)
        try folder.sync()
        try folder.pass(seconds: 100)
        let expected =
            areDirectories
            ? ["a": 0, "a/y": 2, "b": 0, "b/x": 1, "c": 3, "d": 4]
            : ["a": 0, "a/x": 1, "b": 0, "b/y": 2, "c": 4, "d": 3]
        #expect(isEqual(folder, expected), "\(folder.contents(side))")
        #expect(folder.status?.state == .synced)
    }

    @Test("a denial that passes within seconds is no reason for a copy, and a disk that cannot be written none at all")
    func passing() throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "e/x": 2])
        refuse(&folder, .remote, .denied, Explanation(.denied, .remote, "e/a"))
        folder.move(.local, "d/a", "e/a")
        try folder.sync()
        for _ in 0..<2 { try folder.pass(seconds: 1) }
        #expect(folder.count(Self.isMove) >= 2 && folder.count(Self.isStage) == 0)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 100)
        #expect(folder.contents(.remote) == folder.contents(.local) && folder.count(Self.isStage) == 0)
        refuse(&folder, .remote, .denied, Explanation(.readOnly, .remote, "d/a"))
        folder.move(.local, "e/a", "d/a")
        try folder.sync()
        try folder.pass(seconds: 1_000)
        #expect(folder.count(Self.isStage) == 0 && folder.count(Self.isRemoval) == 0)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 1_000)
        #expect(folder.contents(.remote) == folder.contents(.local) && folder.count(Self.isStage) == 0)
    }

    @Test("what is done another way is no error in the log")
    func log() throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "e/x": 2])
        refuse(&folder, .remote)
        folder.move(.local, "d/a", "e/a")
        try folder.sync()
        try folder.pass(seconds: 20)
        #expect(isEqual(folder, ["d": 0, "e": 0, "e/a": 1, "e/x": 2]))
        #expect(folder.activities.allSatisfy { $0.kind != .error })
    }

    @Test("a copy in conflict that is copied to another place stays in conflict", arguments: [false, true])
    func conflict(isCopy: Bool) throws {
        let copy = "a (conflict 2023-11-14 221330 TEST)"
        var folder = try SimulatedFolder.synced(["a": 1, "e/x": 2])
        folder.write(.local, "a", 3)
        folder.write(.remote, "a", 4)
        try folder.sync()
        try folder.pass(seconds: 10)
        let found = folder.contents(.local).keys.first { $0.hasPrefix("a (") } ?? copy
        refuse(&folder, .remote)
        folder.move(.local, isCopy ? found : "a", "e/moved")
        try folder.sync()
        try folder.pass(seconds: 20)
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(try folder.state("e/moved") == .conflict && folder.state(isCopy ? "a" : found) == .conflict)
        let node = try #require(try folder.node("e/moved"))
        try folder.command(.resolve(node, .mine))
        #expect(folder.contents(.local).values.sorted() == [0, 2, 3])
    }

    @Test("an item whose copy is at a place that is excluded then does not wait for it for ever")
    func excludedCopy() throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "e/x": 2])
        refuse(&folder, .remote)
        folder.isHeld = Self.isStage
        folder.move(.local, "d/a", "e/a")
        try folder.sync()
        try folder.command(.setExcludes(ExcludePatterns([Array("e/".utf8)])))
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 100)
        #expect(folder.contents(.local) == ["d": 0, "e": 0, "e/a": 1, "e/x": 2])
        #expect(folder.status?.state == .synced)
    }

    @Test("nothing is copied while something is missing whose fate is open")
    func missing() throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "d/b": 4, "e/x": 2])
        var isMissing = true
        folder.isHeld = { effect in
            if case .checkEntry(.local, let path, _) = effect { isMissing && path.description == "d/b" } else { false }
        }
        refuse(&folder, .remote)
        folder.move(.local, "d", "e/d")
        folder.move(.local, "e/d/b", "b")
        try folder.sync()
        try folder.pass(seconds: 10)
        isMissing = false
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 100)
        #expect(isEqual(folder, ["b": 4, "e": 0, "e/d": 0, "e/d/a": 1, "e/x": 2]))
        #expect(folder.status?.state == .synced)
    }
}

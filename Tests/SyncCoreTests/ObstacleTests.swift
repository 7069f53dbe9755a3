import SimulatedWorld
import SyncCore
import Testing

/// Moves that cannot be made as they were made on the other side, and what waits.
@Suite("What is in the way")
struct ObstacleTests {
    private static func isStage(_ effect: Effect) -> Bool {
        if case .stage = effect { true } else { false }
    }

    private static func isLocalMove(_ effect: Effect) -> Bool {
        if case .move(.local, _, _, _, _) = effect { true } else { false }
    }

    private func mounted(_ files: [String: Int]) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        folder.makeMount(.local)
        for (path, content) in files.sorted(by: { $0.key < $1.key }) { folder.write(.local, path, content) }
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    @Test("promise 6: names are exchanged within a mounted file system, which nothing can leave")
    func exchangeInAMount() throws {
        var folder = try mounted(["mount/a": 1, "mount/b": 2])
        folder.move(.remote, "mount/a", "aside")
        folder.move(.remote, "mount/b", "mount/a")
        folder.move(.remote, "aside", "mount/b")
        try folder.sync()
        #expect(folder.contents(.local) == ["mount": 0, "mount/a": 2, "mount/b": 1])
        #expect(folder.count(Self.isStage) == 0)
        #expect(folder.status?.state == .synced)
    }

    @Test("what was moved to where another file system is here is copied there, and goes from its old place")
    func movedIntoAMount() throws {
        var folder = try mounted(["a": 1, "d/b": 2, "z": 3])
        folder.move(.remote, "a", "mount/a")
        folder.move(.remote, "d", "mount/d")
        try folder.sync()
        #expect(folder.contents(.local) == ["mount": 0, "mount/a": 1, "mount/d": 0, "mount/d/b": 2, "z": 3])
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.kept == [1, 2])
        #expect(folder.status?.state == .synced)
    }

    @Test("what has no room in another file system stays where it is until there is some")
    func noRoomInAMount() throws {
        var folder = try mounted(["d/b": 1, "z": 2])
        folder.write(.local, "mount/d", 0, kind: .symlink)
        folder.move(.remote, "d", "mount/d")
        folder.write(.remote, "mount/d/new", 3)
        try folder.sync()
        #expect(folder.contents(.local) == ["d": 0, "d/b": 1, "d/new": 3, "mount": 0, "mount/d": 0, "z": 2])
        #expect(folder.contents(.remote) == ["mount": 0, "mount/d": 0, "mount/d/b": 1, "mount/d/new": 3, "z": 2])
        #expect(folder.status?.state == .error)
        folder.delete(.local, "mount/d")
        try folder.sync()
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.status?.state == .synced)
    }

    @Test("what was put into a directory that is copied to another file system is no older version there")
    func putIntoParted() throws {
        var folder = try mounted(["a": 1, "c/x": 2])
        folder.write(.local, "a", 3)
        folder.move(.local, "a", "c/b")
        folder.move(.remote, "c", "mount/c")
        try folder.sync()
        #expect(folder.contents(.local) == ["c": 0, "c/b": 3, "mount": 0, "mount/c": 0, "mount/c/x": 2])
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(folder.status?.state == .synced)
    }

    @Test("contents that were read while a file's new place was taken are not read again once it is free")
    func readBeforeThePlaceIsFree() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.write(.local, "b", 2)
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        folder.delete(.local, "b")
        folder.move(.local, "a", "b")
        folder.write(.local, "b", 3)
        folder.isHeld = Self.isStage
        try folder.sync()
        // What is ready does not wait any longer for the transfer: the place is free.
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote) == ["a": 1])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote) == ["b": 3])
        #expect(folder.count(Self.isStage) == 1)
        #expect(folder.status?.state == .synced)
    }

    @Test("names that were exchanged with those of another file system are exchanged")
    func exchangedWithAMount() throws {
        var folder = try mounted(["a": 1, "mount/a": 2])
        folder.move(.remote, "a", "aside")
        folder.move(.remote, "mount/a", "a")
        folder.move(.remote, "aside", "mount/a")
        try folder.sync()
        #expect(folder.contents(.local) == ["a": 2, "mount": 0, "mount/a": 1])
        #expect(folder.status?.state == .synced)
    }

    @Test("a directory that was put into one that was in it is not put back", arguments: Side.allCases)
    func insideOut(side: Side) throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a/b/x", 1)
        folder.write(.local, "b", 2)
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        // What has the name must go first.
        folder.move(side, "b", "c")
        folder.move(side, "a/b", "b")
        folder.move(side, "a", "b/a")
        try folder.sync()
        #expect(folder.contents(.local) == ["b": 0, "b/a": 0, "b/x": 1, "c": 2])
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(folder.count(Self.isStage) == 0)
        if side == .local { #expect(folder.count(Self.isLocalMove) == 0) }
    }

    @Test("D7: what is equal on both sides is known to be, also while something keeps it from its place")
    func equalElsewhere() throws {
        var folder = SimulatedFolder(excludes: ["d/"])
        folder.write(.local, "a", 1)
        try folder.sync()
        folder.move(.remote, "a", "d")
        folder.makeDirectory(.local, "d")
        // Nothing is known any more of what both sides agreed on.
        folder.restoreRemote()
        try folder.sync()
        folder.write(.remote, "d", 2)
        try folder.sync()
        #expect(folder.contents(.local) == ["a": 2, "d": 0])
        #expect(folder.contents(.remote) == ["d": 2])
    }

    @Test(
        "promise 5: of a directory that is back and cannot be listed nothing is taken for deleted",
        arguments: [EffectFailure.Reason.denied, .io, .changed, .notFound])
    func unlistable(reason: EffectFailure.Reason) throws {
        var folder = SimulatedFolder()
        for (path, content) in ["d/x": 1, "d/e/y": 2, "z": 3] { folder.write(.local, path, content) }
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        folder.answer = { effect in
            guard case .listDirectory(.remote, let path, _) = effect, path.names.count == 1 else { return nil }
            return .failed(EffectFailure(reason, "It cannot be listed."))
        }
        folder.move(.remote, "d", "f")
        folder.pace = 1_000
        try folder.notice(.remote, ["d"])
        try folder.notice(.remote, ["f"])
        try folder.pass(seconds: 100)
        #expect(folder.contents(.local).values.sorted() == [0, 0, 1, 2, 3])
        #expect(folder.contents(.remote) == ["f": 0, "f/x": 1, "f/e": 0, "f/e/y": 2, "z": 3])
        folder.answer = { _ in nil }
        folder.delete(.remote, "f/x")
        try folder.pass(seconds: 100)
        #expect(folder.contents(.local) == ["f": 0, "f/e": 0, "f/e/y": 2, "z": 3])
        #expect(folder.count(Self.isStage) == 0)
    }

    @Test("D6: what is in a directory that is excluded on one side is not deleted where it has another name")
    func excludedElsewhere() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "d/a", 1)
        try folder.sync()
        folder.move(.local, "d", "e")
        // It cannot get its name of the remote: agreed on is that both are one and what is in it, not where it belongs.
        folder.write(.local, "d", 0, kind: .symlink)
        folder.restoreRemote()
        try folder.sync()
        folder.write(.remote, "d/c", 5)
        try folder.sync()
        #expect(folder.contents(.local) == ["d": 0, "e": 0, "e/a": 1, "e/c": 5])
        try folder.command(.setExcludes(ExcludePatterns([Array("d".utf8)])))
        try folder.sync()
        #expect(folder.contents(.local) == ["d": 0, "e": 0, "e/a": 1, "e/c": 5])
        #expect(folder.contents(.remote) == ["d": 0, "d/a": 1, "d/c": 5, "e": 0, "e/a": 1, "e/c": 5])
    }

    @Test(
        "D7: what is in a directory that could not be listed comes, though it turned out to be the same as another one",
        arguments: Side.allCases)
    func unlistedAndUnited(side: Side) throws {
        var folder = SimulatedFolder()
        folder.write(side, "d/a", 1)
        folder.makeDirectory(side.other, "aside")
        folder.answer = { effect in
            guard case .listDirectory(side, let path, _) = effect, path.names.count == 1 else { return nil }
            return .failed(EffectFailure(.notFound, "It was gone for a moment."))
        }
        // Both are known before anything is done about them.
        folder.isHeld = { effect in
            guard case .listDirectory(side.other, let path, _) = effect else { return false }
            return path.names.count == 1
        }
        try folder.sync()
        folder.move(side.other, "aside", "d")
        try folder.notice(side.other, ["aside", "d"])
        folder.isHeld = { _ in false }
        try folder.finish()
        folder.answer = { _ in nil }
        try folder.pass(seconds: 100)
        #expect(folder.contents(side.other) == ["d": 0, "d/a": 1])
    }

    @Test(
        "D7: what is in a directory comes also where it is moved out of one that could not be listed",
        arguments: Side.allCases)
    func movedOutOfTheUnlisted(side: Side) throws {
        var folder = SimulatedFolder()
        folder.write(side, "d/e/a", 1)
        try folder.sync()
        folder.write(side, "d/e/b", 2)
        folder.move(side.other, "d/e", "f")
        folder.delete(side.other, "d")
        folder.answer = { effect in
            guard case .listDirectory(side, let path, _) = effect, path.description == "d" else { return nil }
            return .failed(EffectFailure(.changed, "It was another one for a moment."))
        }
        try folder.sync()
        try folder.pass(seconds: 100)
        for side in Side.allCases { #expect(folder.contents(side) == ["f": 0, "f/a": 1, "f/b": 2]) }
    }

    @Test("D7: what is in a directory comes also where that is copied to another file system before it could be listed")
    func unlistedAndParted() throws {
        var folder = try mounted(["d/a": 1])
        folder.move(.remote, "d", "mount/d")
        folder.write(.remote, "mount/d/b", 2)
        // What has its place waits for it, so that it is planned all the same.
        folder.write(.remote, "d", 3)
        folder.answer = { effect in
            guard case .listDirectory(.remote, let path, _) = effect, path.description == "mount/d" else { return nil }
            return .failed(EffectFailure(.io, "It cannot be read."))
        }
        try folder.notice(.remote, ["d", "mount/d"])
        folder.answer = { _ in nil }
        try folder.pass(seconds: 100)
        #expect(folder.contents(.local) == ["d": 3, "mount": 0, "mount/d": 0, "mount/d/a": 1, "mount/d/b": 2])
    }

    @Test("promise 5: a directory that could not be listed is tried again before what may be in it counts as deleted")
    func movedIntoTheUnlisted() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.makeDirectory(.local, "d")
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        folder.move(.local, "a", "d/b")
        folder.answer = { effect in
            guard case .listDirectory(.local, let path, _) = effect, path.names.count == 1 else { return nil }
            return .failed(EffectFailure(.denied, "It cannot be listed."))
        }
        try folder.notice(.local, ["d/unknown/item"])
        try folder.notice(.local, ["a"])
        folder.answer = { _ in nil }
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote) == ["d": 0, "d/b": 1])
        #expect(folder.count(Self.isStage) == 0)
    }

    @Test("an item that is left alone for a second is tried again, though the second is over when all else is done")
    func waitEndsUnnoticed() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.pace = 1_000_000
        folder.answer = { effect in
            guard case .syncContents = effect else { return nil }
            return .failed(EffectFailure(.busy, "It is busy."))
        }
        folder.isHeld = { if case .discard = $0 { true } else { false } }
        try folder.sync()
        try folder.pass(seconds: 2)
        folder.answer = { _ in nil }
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote) == ["a": 1])
    }

    @Test("D7: what is equal in a directory that cannot get its name is known to be: its next version is no conflict")
    func equalInAHeldUpDirectory() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "d/a", 1)
        try folder.sync()
        folder.move(.local, "d", "e")
        folder.write(.local, "d", 0, kind: .symlink)
        folder.restoreRemote()
        try folder.sync()
        #expect(folder.status?.state == .error)
        folder.write(.remote, "d/a", 7)
        try folder.sync()
        #expect(folder.contents(.local) == ["d": 0, "e": 0, "e/a": 7])
        #expect(folder.contents(.remote) == ["d": 0, "d/a": 7])
    }
}

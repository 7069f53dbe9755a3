import SimulatedWorld
import SyncCore
import Testing

/// What was looked at while people went on changing things: no conclusion outlives what it was drawn from.
@Suite("Looking while things change")
struct StaleSightTests {
    private static let failure = EffectFailure(.notFound, "It was not there for a moment.")

    private func isCheck(_ effect: Effect, _ path: String) -> Bool {
        guard case .checkEntry(.local, let checked, _) = effect else { return false }
        return checked.description == path
    }

    @Test("D6: a file is not deleted because its directory was renamed while it was looked at")
    func renamedMeanwhile() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "b/c", 1)
        try folder.sync()
        folder.write(.local, "b/c", 2)
        folder.move(.local, "b", "aside")
        // What is found at the old path comes after the directory was seen at its new one.
        let isCheck = isCheck
        folder.isHeld = { isCheck($0, "b/c") }
        try folder.notice(.local, ["b/c"])
        try folder.notice(.local, ["b", "aside"])
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.local)["aside/c"] == 2)
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(folder.count { if case .remove = $0 { true } else { false } } == 0)
    }

    @Test("an item that was moved on while its first move was looked into stays where it is")
    func movedOn() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        try folder.sync()
        folder.move(.local, "a", "b")
        // Whether it is at its old place still: that is told late.
        let isCheck = isCheck
        folder.isHeld = { isCheck($0, "a") }
        try folder.notice(.local, ["b"])
        folder.move(.local, "b", "c")
        try folder.notice(.local, ["unknown/item"])
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.local) == ["c": 1] && folder.contents(.remote) == ["c": 1])
    }

    @Test("a directory that could not be looked at for a moment is looked at again")
    func notThereForAMoment() throws {
        var folder = SimulatedFolder()
        folder.write(.remote, "d/a", 1)
        try folder.sync()
        folder.write(.remote, "d/a", 2)
        folder.answer = { effect in
            guard case .checkEntry(.remote, _, _) = effect else { return nil }
            return .failed(Self.failure)
        }
        try folder.notice(.remote, ["d/a"])
        folder.answer = { _ in nil }
        try folder.pass(seconds: 40)
        #expect(folder.contents(.local)["d/a"] == 2)
    }

    @Test("a listing that came short is repeated, and until then the directory is not up to date")
    func cameShort() throws {
        var folder = SimulatedFolder()
        folder.write(.remote, "d/a", 1)
        try folder.sync()
        folder.write(.remote, "d/b", 2)
        folder.answer = { effect in
            guard case .listDirectory(.remote, _, _) = effect else { return nil }
            return .listing([], isComplete: false)
        }
        try folder.notice(.remote, ["d/unknown/item"])
        #expect(folder.status?.state == .error)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 40)
        #expect(folder.contents(.local)["d/b"] == 2)
        #expect(folder.status?.state == .synced)
    }

    @Test("a file that was synced and is seen again before its next version could be told apart is not read for that")
    func seenAgainAtOnce() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        try folder.sync()
        try folder.pass(seconds: 1)
        try folder.sync()
        folder.forgetEffects()
        folder.shown = { result in
            guard case .listing(var entries, let isComplete, let tag) = result else { return result }
            for index in entries.indices { entries[index].version.isRacy = true }
            return .listing(entries, isComplete: isComplete, tag: tag)
        }
        // It is written as it was, so that what both sides have is recorded anew.
        folder.write(.local, "a", 1)
        try folder.sync()
        folder.shown = { $0 }
        try folder.pass(seconds: 1)
        try folder.sync()
        #expect(folder.count { if case .hashFile(.remote, _, _) = $0 { true } else { false } } == 0)
        folder.write(.remote, "a", 2)
        try folder.sync()
        #expect(folder.contents(.local) == ["a": 2])
    }

    @Test("D6: what is renamed and then deleted stays deleted, also while the renaming is being followed")
    func renamedAndDeleted() throws {
        var folder = SimulatedFolder()
        folder.write(.remote, "a", 1)
        try folder.sync()
        folder.move(.remote, "a", "b")
        folder.isHeld = { if case .syncRenames(.local, _) = $0 { true } else { false } }
        try folder.notice(.remote, ["a", "b"])
        #expect(folder.contents(.local) == ["b": 1])
        folder.delete(.remote, "b")
        try folder.notice(.remote, ["b"])
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.local).isEmpty && folder.contents(.remote).isEmpty)
    }

    @Test("a permission that is given and taken back stays taken back, also while it is being followed")
    func permittedAndForbidden() throws {
        var folder = SimulatedFolder()
        folder.write(.remote, "a", 1)
        folder.setPermissions(.remote, "a", 0o600)
        try folder.sync()
        folder.setPermissions(.remote, "a", 0o700)
        folder.isHeld = { if case .syncRenames(.local, _) = $0 { true } else { false } }
        try folder.notice(.remote, ["a"])
        folder.setPermissions(.remote, "a", 0o600)
        try folder.notice(.remote, ["a"])
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.permissions(.remote, "a") == "600" && folder.permissions(.local, "a") == "600")
    }

    @Test("D6: what stands aside while names are exchanged can be deleted")
    func deletedWhileItStandsAside() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.write(.local, "b", 2)
        try folder.sync()
        folder.move(.local, "a", "c")
        folder.move(.local, "b", "a")
        folder.move(.local, "c", "b")
        folder.isHeld = { if case .syncRenames(.remote, _) = $0 { true } else { false } }
        try folder.notice(.local, ["a", "b"])
        #expect(folder.contents(.remote).keys.contains { $0.hasPrefix(".roundel-move-") })
        folder.delete(.local, "a")
        folder.delete(.local, "b")
        try folder.notice(.local, ["a", "b"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        try folder.command(.confirmDeletes)
        #expect(folder.contents(.local).isEmpty && folder.contents(.remote).isEmpty)
    }

    @Test("of two looks at one directory the first does not undo the second")
    func toldInAnotherOrder() throws {
        var folder = SimulatedFolder()
        folder.write(.remote, "d/a", 1)
        try folder.sync()
        folder.isHeld = { if case .listDirectory(.remote, _, _) = $0 { true } else { false } }
        folder.write(.remote, "d/b", 2)
        try folder.notice(.remote, ["d/unknown/item"])
        try folder.notice(.remote, ["d/b"])
        #expect(folder.count { if case .checkEntry(.remote, _, _) = $0 { true } else { false } } == 0)
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.local)["d/b"] == 2)
    }

    @Test("a file that is written twice in one tick of the clock is compared, not taken for synced")
    func writtenTwiceInOneTick() throws {
        var folder = SimulatedFolder(grain: 2_000_000_000)
        folder.pace = 1_000
        folder.write(.local, "a", 11)
        folder.isHeld = { if case .syncContents = $0 { true } else { false } }
        try folder.sync()
        // Read already; of the same size, and at the same time as far as this clock tells.
        folder.write(.local, "a", 22, size: 11)
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote)["a"] == 22)
    }

    @Test("that the tick is over when the contents are placed does not hide a second write in it")
    func tickIsOver() throws {
        var folder = SimulatedFolder(grain: 1_000_000)
        folder.pace = 1_000
        folder.write(.local, "a", 11)
        folder.write(.local, "z", 1)
        // Another transfer takes longer, so that what was read waits.
        folder.isHeld = { effect in
            guard case .stage(_, _, let path, _) = effect else { return false }
            return path.description == "z"
        }
        try folder.sync()
        folder.write(.local, "a", 22, size: 11)
        folder.pace = 5_000_000
        try folder.notice(.local, ["a"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote)["a"] == 22)
    }

    @Test("what is told by the path that a directory had before its renaming was followed is found at its new one")
    func toldByTheFormerPath() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "p/d/a", 1)
        try folder.sync()
        folder.move(.remote, "p/d", "e")
        folder.write(.local, "p/d/b", 2)
        try folder.notice(.remote, ["p/d", "e"])
        #expect(folder.contents(.local)["e/b"] == 2)
        try folder.notice(.local, ["p/d/b"])
        #expect(folder.contents(.remote)["e/b"] == 2)
    }

    @Test("what was renamed so that it is not excluded any more is synced, also where its old place is excluded now")
    func movedOutOfTheExcluded() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "d/e.txt/a", 1)
        try folder.sync()
        folder.move(.remote, "d/e.txt", "f")
        try folder.command(.setExcludes(ExcludePatterns([Array("*.txt".utf8)])))
        try folder.finish()
        #expect(folder.contents(.local)["f/a"] == 1)
        #expect(folder.contents(.remote)["f/a"] == 1)
        #expect(folder.contents(.local)["d/e.txt/a"] == 1)
    }
}

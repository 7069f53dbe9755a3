import SimulatedWorld
import SyncCore
import Testing

/// A remote that is put back to an older state.
@Suite("A restored remote")
struct RestoredRemoteTests {
    /// A hundred files, of which some were edited and some added since the remote was backed up.
    private func folder(edited: Int, added: Int, on side: Side = .local) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for number in 1...100 { folder.write(.local, "f\(number)", number) }
        try folder.sync()
        folder.backUpRemote()
        for number in 1..<edited + 1 { folder.write(side, "f\(number)", 1_000 + number) }
        for number in 1..<added + 1 { folder.write(side, "new \(number)", 2_000 + number) }
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        folder.pace = 1_000_000
        return folder
    }

    private func isAsking(_ folder: SimulatedFolder) -> Bool { folder.status?.stopReason == .remoteRestored }

    @Test(
        "what is newer here is neither replaced nor deleted: the folder stops, then both sides are united",
        arguments: [(8, 0), (3, 4), (1, 6), (0, 6)], Side.allCases)
    func wholeTree(changes: (edited: Int, added: Int), side: Side) throws {
        var folder = try folder(edited: changes.edited, added: changes.added, on: side)
        let before = folder.contents(.local)
        folder.putRemoteBack()
        try folder.sync()
        #expect(isAsking(folder) && folder.status?.phase == .stopped && folder.status?.state == .error)
        #expect(folder.mutations == 0 && folder.contents(.local) == before)
        // What is edited meanwhile waits as well.
        folder.write(.local, "f50", 5_000)
        try folder.notice(.local, ["f50"])
        try folder.restart()
        #expect(isAsking(folder))
        #expect(folder.mutations == 0)
        try folder.command(.syncAnswering(.unite))
        #expect(folder.status?.stopReason == nil)
        #expect(folder.contents(.local) == folder.contents(.remote))
        let found = Set(folder.contents(.local).values)
        #expect(Set(before.values).subtracting([50]).isSubset(of: found) && found.contains(5_000))
        #expect(folder.count { if case .remove = $0 { true } else { false } } == 0)
        // That is the end of it.
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.mutations == 0 && folder.status?.stopReason == nil)
    }

    @Test("what was gone on both sides when the base is forgotten is in conflict with nothing any more")
    func goneInConflict() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.write(.remote, "a", 2)
        try folder.sync()
        try folder.sync()
        let copy = try #require(folder.contents(.local).keys.first { $0 != "a" })
        #expect(folder.status?.counts.conflicts == 2)
        for side in Side.allCases { folder.delete(side, copy) }
        // The session ends when that was seen, and before it is planned.
        folder.write(.local, "0", 3)
        folder.isHeld = { if case .stage = $0 { true } else { false } }
        try folder.restart()
        folder.isHeld = { _ in false }
        folder.restoreRemote()
        try folder.restart()
        try folder.sync()
        for side in Side.allCases { #expect(folder.contents(side) == ["0": 3, "a": 2]) }
        #expect(folder.status?.counts.conflicts == 0 && folder.status?.state == .synced)
    }

    @Test("files that return one by one are counted together before the first one is followed")
    func oneByOne() throws {
        var folder = try folder(edited: 12, added: 0)
        let before = folder.contents(.local)
        for number in 1...12 {
            folder.putRemoteBack(file: "f\(number)")
            try folder.notice(.remote, ["f\(number)"])
            try folder.pass(seconds: 2)
        }
        try folder.pass(seconds: 5)
        #expect(isAsking(folder))
        #expect(folder.mutations == 0 && folder.contents(.local) == before)
    }

    @Test("slower ones are counted over an hour")
    func slowly() throws {
        var folder = try folder(edited: 12, added: 0)
        for number in 1...12 {
            folder.putRemoteBack(file: "f\(number)")
            try folder.notice(.remote, ["f\(number)"])
            try folder.pass(seconds: 60)
        }
        #expect(isAsking(folder))
        #expect(folder.contents(.local).filter { $0.value > 1_000 }.count == 8)
    }

    @Test("one file that a person puts back is an ordinary change, also beside others")
    func oneFile() throws {
        var folder = try folder(edited: 3, added: 0)
        folder.putRemoteBack(file: "f2")
        for number in 20...40 { folder.write(.remote, "f\(number)", 3_000 + number) }
        folder.delete(.remote, "f60")
        try folder.sync()
        #expect(!isAsking(folder))
        #expect(folder.contents(.local)["f2"] == 2 && folder.contents(.local)["f30"] == 3_030)
        #expect(folder.contents(.local)["f60"] == nil && folder.contents(.local) == folder.contents(.remote))
        #expect(folder.kept.contains(1_002))
    }

    @Test("contents that return with a time of their own, as programs write them, are ordinary changes")
    func sameContents() throws {
        var folder = try folder(edited: 20, added: 0)
        for number in 1...20 { folder.write(.remote, "f\(number)", number) }
        try folder.sync()
        #expect(!isAsking(folder) && folder.contents(.local)["f7"] == 7)
    }

    @Test("the remote's older state is followed where the user wants that")
    func accepted() throws {
        var folder = try folder(edited: 8, added: 3)
        folder.putRemoteBack()
        try folder.command(.syncAnswering(.acceptRemote))
        #expect(!isAsking(folder))
        #expect(folder.contents(.local) == folder.contents(.remote) && folder.contents(.local).count == 100)
        #expect(folder.contents(.local)["f3"] == 3)
        #expect(Set(1_001...1_008).union(2_001...2_003).isSubset(of: Set(folder.kept)))
    }

    @Test("the folder goes on by itself when the newer state is back at the remote")
    func broughtForward() throws {
        var folder = try folder(edited: 8, added: 3)
        let before = folder.contents(.local)
        folder.putRemoteBack()
        try folder.sync()
        #expect(isAsking(folder))
        for number in 1...8 { folder.write(.remote, "f\(number)", 1_000 + number) }
        for number in 1...3 { folder.write(.remote, "new \(number)", 2_000 + number) }
        try folder.sync()
        #expect(!isAsking(folder) && folder.contents(.local) == before && folder.contents(.remote) == before)
    }

    @Test("deletions at a remote that is as it was are no restore")
    func onlyDeletions() throws {
        var folder = try folder(edited: 10, added: 10)
        for number in 1...10 { folder.delete(.remote, "new \(number)") }
        try folder.sync()
        #expect(!isAsking(folder) && folder.contents(.local).count == 100)
    }

    @Test(
        "a tree that was copied back, as it was, is what it was: nothing is deleted or transferred, and nobody is asked"
    )
    func copiedBack() throws {
        var folder = SimulatedFolder()
        for number in 1...30 { folder.write(.local, "d/e\(number % 3)/f\(number)", number) }
        try folder.sync()
        try folder.sync()
        let before = folder.contents(.local)
        folder.backUpRemote()
        folder.putRemoteBack()
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.mutations == 0 && folder.status?.phase == .idle && folder.status?.state == .synced)
        #expect(folder.contents(.local) == before)
        // From now on each is known again.
        folder.write(.remote, "d/e1/f1", 100)
        folder.move(.remote, "d/e2", "e")
        try folder.sync()
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.summary.downloaded == 1 && folder.summary.moved == 1)
    }

    @Test("D6: of a tree that was copied back without some files, these alone are gone")
    func copiedBackInPart() throws {
        var folder = SimulatedFolder()
        for number in 1...30 { folder.write(.local, "d/e/f\(number)", number) }
        try folder.sync()
        folder.backUpRemote()
        folder.write(.remote, "d/e/new", 31)
        try folder.sync()
        folder.putRemoteBack()
        folder.forgetEffects()
        try folder.sync()
        try folder.command(.syncAnswering(.acceptRemote))
        #expect(folder.count { if case .remove = $0 { true } else { false } } == 1)
        #expect(folder.contents(.local)["d/e/new"] == nil && folder.contents(.local)["d/e/f1"] == 1)
    }

    @Test("what is deleted from a tree that was copied back, while it is looked at, is gone")
    func deletedFromCopy() throws {
        var folder = SimulatedFolder()
        for path in ["d/e/a", "d/b"] { folder.write(.local, path, 1) }
        try folder.sync()
        folder.backUpRemote()
        folder.putRemoteBack()
        folder.isHeld = { effect in
            guard case .listDirectory(.remote, let path, _) = effect else { return false }
            return path.description == "d/e"
        }
        try folder.notice(.remote, ["d", "d/e"])
        folder.delete(.remote, "d/e")
        try folder.notice(.remote, ["d/e"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect([.local, .remote].allSatisfy { folder.contents($0) == ["d": 0, "d/b": 1] })
        #expect(try folder.node("d/e") == nil)
    }

    @Test("D6: a directory that was made anew without what was excluded in it is deleted like any other")
    func madeAnewWithoutTheExcluded() throws {
        var folder = SimulatedFolder(excludes: ["*.tmp"])
        for path in ["a", "d/e/x.tmp", "d/y.tmp"] { folder.write(.remote, path, 1) }
        try folder.sync()
        folder.delete(.remote, "d")
        folder.makeDirectory(.remote, "d")
        folder.makeDirectory(.remote, "d/e")
        try folder.notice(.remote, ["d", "d/e"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local) == ["a": 1, "d": 0, "d/e": 0])
        folder.delete(.local, "d")
        try folder.notice(.local, ["d"])
        try folder.pass(seconds: 10)
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 1]) }
    }

    @Test("a directory of a tree that was put back, and that cannot be listed, holds what it held")
    func unlistedDirectory() throws {
        var folder = SimulatedFolder()
        for path in ["a", "d/e/deep", "d/e/f/deeper"] { folder.write(.local, path, 200) }
        try folder.sync()
        folder.backUpRemote()
        folder.putRemoteBack()
        let before = folder.contents(.remote)
        folder.answer = { effect in
            guard case .listDirectory(.remote, let path, _) = effect, path.description == "d/e" else { return nil }
            return .failed(EffectFailure(.denied, Explanation(.denied, .remote, "d/e")))
        }
        try folder.sync()
        #expect(folder.contents(.local) == before && folder.contents(.remote) == before)
        #expect(try folder.state("d/e") == .error)
        folder.answer = { _ in nil }
        folder.delete(.remote, "d/e/deep")
        try folder.pass(seconds: 100)
        #expect(folder.contents(.local) == folder.contents(.remote) && folder.contents(.local)["d/e/deep"] == nil)
        #expect(folder.contents(.local)["d/e/f/deeper"] == 200 && folder.status?.state == .synced)
    }
}

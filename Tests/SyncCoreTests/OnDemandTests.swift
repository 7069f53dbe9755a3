import SimulatedWorld
import SyncCore
import TestSupport
import Testing

/// A folder on demand: which contents are here, and what is never lost by that.
@Suite("Contents on demand") struct OnDemandTests {
    private static func isStage(_ effect: Effect) -> Bool { effect.footprint.has(.stage) }

    /// A folder on demand in which the remote's files are placeholders, and at rest.
    private func described(_ files: [String: Int]) throws -> SimulatedFolder {
        var folder = SimulatedFolder(isOnDemand: true)
        folder.pace = 1_000_000
        for (path, content) in files.sorted(by: { $0.key < $1.key }) { folder.write(.remote, path, content) }
        try folder.sync()
        try folder.pass(seconds: 10)
        try folder.sync()
        #expect(folder.placeholders == files.keys.sorted() && folder.count(Self.isStage) == 0)
        folder.forgetEffects()
        return folder
    }

    private func expectSynced(_ folder: SimulatedFolder, _ files: [String: Int], transfers: Int = 0) {
        for side in Side.allCases { #expect(folder.contents(side) == files, "\(side)") }
        #expect(folder.count(Self.isStage) == transfers)
        let isAllAway = folder.placeholders.count == files.values.count { $0 > 0 } && !folder.placeholders.isEmpty
        #expect(folder.status?.state == (isAllAway ? .onlineOnly : .synced))
    }

    @Test("a new file of the remote comes as a placeholder, one of this computer is uploaded as ever")
    func new() throws {
        var folder = try described(["a": 1, "d/b": 2])
        folder.write(.local, "c", 3)
        try folder.sync()
        expectSynced(folder, ["a": 1, "d": 0, "d/b": 2, "c": 3], transfers: 1)
        #expect(folder.placeholders == ["a", "d/b"])
    }

    @Test("a placeholder is renamed, moved and deleted like a file, without a transfer")
    func likeFiles() throws {
        var folder = try described(["a": 1, "b": 2, "d/c": 3, "e": 4, "f": 5])
        folder.move(.local, "a", "a2")
        folder.move(.local, "b", "d/b")
        folder.move(.remote, "d/c", "c")
        folder.delete(.local, "e")
        folder.delete(.remote, "f")
        try folder.sync()
        expectSynced(folder, ["a2": 1, "d": 0, "d/b": 2, "c": 3])
        #expect(folder.placeholders == ["a2", "c", "d/b"])
    }

    @Test("a placeholder that was moved to where nobody can look is not deleted at the remote")
    func movedOutOfSight() throws {
        var folder = try described(["a": 1, "b": 2, "d/c": 3])
        folder.answer = { effect in
            switch effect {
            case .listDirectory(.local, let path, _) where path.description == "d",
                .checkEntry(.local, let path, _) where path.description.hasPrefix("d/"):
                .failed(EffectFailure(.noSpace, "broken"))
            default: nil
            }
        }
        folder.move(.local, "a", "d/a")
        folder.delete(.local, "b")
        try folder.sync()
        for _ in 0..<20 { try folder.pass(seconds: 600) }
        #expect(folder.contents(.remote) == ["a": 1, "b": 2, "d": 0, "d/c": 3])
        folder.answer = { _ in nil }
        try folder.pass(seconds: 600)
        try folder.sync()
        expectSynced(folder, ["d": 0, "d/a": 1, "d/c": 3])
    }

    @Test("what is edited at the remote stays a placeholder, of the new version")
    func edited() throws {
        var folder = try described(["a": 1, "b": 2])
        folder.write(.remote, "a", 3, size: 1)
        try folder.sync()
        expectSynced(folder, ["a": 3, "b": 2])
        #expect(folder.placeholders == ["a", "b"])
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.mutations == 0)
    }

    @Test("what is written to a placeholder is an edit of the version that it stands for")
    func written() throws {
        var folder = try described(["a": 1, "b": 2])
        folder.write(.local, "a", 3)
        folder.write(.local, "b", 4)
        folder.write(.remote, "b", 5)
        try folder.sync()
        #expect(folder.contents(.remote)["a"] == 3 && folder.contents(.remote)["b"] == 5)
        #expect(Set(folder.contents(.remote).values) == [3, 4, 5], "both versions of b are there")
        #expect(folder.contents(.local) == folder.contents(.remote))
    }

    @Test("what is wanted here is fetched, and stays up to date; what is in a directory follows that")
    func pinned() throws {
        var folder = try described(["a": 1, "d/b": 2, "d/c": 3])
        try folder.want(.alwaysHere, "d")
        expectSynced(folder, ["a": 1, "d": 0, "d/b": 2, "d/c": 3], transfers: 2)
        #expect(folder.placeholders == ["a"])
        folder.write(.remote, "d/b", 4)
        folder.write(.remote, "d/new", 5)
        folder.move(.local, "a", "d/a")
        try folder.sync()
        expectSynced(folder, ["d": 0, "d/a": 1, "d/b": 4, "d/c": 3, "d/new": 5], transfers: 5)
        #expect(folder.placeholders == [])
    }

    @Test("what is moved into a directory with all that is in it is wanted like that")
    func movedDirectory() throws {
        var folder = try described(["d/a": 1, "e/b": 2])
        try folder.want(.alwaysHere, "d")
        folder.move(.local, "e", "d/e")
        try folder.sync()
        expectSynced(folder, ["d": 0, "d/a": 1, "d/e": 0, "d/e/b": 2], transfers: 2)
        #expect(folder.placeholders == [])
    }

    @Test("what is wanted at the remote alone is freed once both sides hold it, and only then")
    func freed() throws {
        var folder = try described(["a": 1])
        folder.write(.local, "b", 2)
        try folder.sync()
        try folder.want(.remoteAlone, "b")
        #expect(folder.placeholders == ["a", "b"])
        folder.write(.local, "b", 3)
        folder.answer = { Self.isStage($0) ? .failed(EffectFailure(.io, "It does not go.")) : nil }
        try folder.sync()
        #expect(folder.placeholders == ["a"], "what was edited is here until the remote has it")
        folder.answer = { _ in nil }
        try folder.sync()
        #expect(folder.placeholders == ["a", "b"] && folder.contents(.remote)["b"] == 3)
    }

    @Test("a file that a program has open is freed once it is closed")
    func open() throws {
        var folder = SimulatedFolder(isOnDemand: true)
        folder.pace = 1_000_000
        folder.write(.local, "a", 1)
        try folder.sync()
        try folder.pass(seconds: 10)
        folder.open("a")
        try folder.want(.remoteAlone, "a")
        #expect(folder.placeholders == [])
        folder.open("a", isClosed: true)
        try folder.pass(seconds: 10)
        #expect(folder.placeholders == ["a"])
    }

    @Test("nothing is freed that the remote does not hold any more, though nobody was told")
    func lostThere() throws {
        var folder = SimulatedFolder(isOnDemand: true)
        folder.pace = 1_000_000
        folder.write(.local, "a", 1)
        try folder.sync()
        try folder.pass(seconds: 10)
        folder.write(.remote, "a", 2, size: 1)
        try folder.want(.remoteAlone, "a")
        #expect(folder.placeholders == [] || folder.contents(.local)["a"] == 2)
        #expect(folder.kept.contains(1), "the former version was replaced, not freed")
    }

    @Test("what may have been written once more within a tick of the clock is not freed before that is known")
    func writtenWithinGrain() throws {
        var folder = SimulatedFolder(grain: 2_000_000_000, isOnDemand: true)
        folder.pace = 1_000
        try folder.sync()
        try folder.want(.alwaysHere, "")
        folder.write(.remote, "a", 1, size: 5)
        try folder.pass(seconds: 10)
        try folder.sync()
        #expect(folder.contents(.local)["a"] == 1)
        folder.write(.local, "a", 2, size: 5)
        try folder.want(.remoteAlone, "")
        try folder.pass(seconds: 20)
        try folder.sync()
        #expect(folder.contents(.remote)["a"] == 2 && folder.placeholders == ["a"])
    }

    @Test("a placeholder of another file, of which the database knows nothing, does not stand for this one")
    func foreign() throws {
        var folder = try described(["a": 1])
        folder.store.backUp()
        folder.write(.remote, "b", 2, size: 1)
        try folder.sync()
        folder.delete(.local, "a")
        folder.move(.local, "b", "a")
        folder.store.restoreBackup()
        try folder.restart()
        try folder.sync()
        #expect(folder.contents(.local) == ["a": 1, "b": 2] && folder.contents(.remote) == ["a": 1, "b": 2])
        #expect(folder.placeholders == ["a", "b"])
    }

    @Test("without a base a placeholder is described anew, and stays if its contents are nowhere")
    func union() throws {
        var folder = try described(["a": 1, "b": 2])
        folder.store.lose()
        folder.delete(.remote, "b")
        try folder.restart()
        try folder.sync()
        #expect(folder.contents(.local) == ["a": 1, "b": 2] && folder.contents(.remote) == ["a": 1])
        #expect(try folder.state("b") == .error && folder.words("b")?.code == .contentsNowhere)
        folder.delete(.local, "b")
        try folder.sync()
        expectSynced(folder, ["a": 1])
    }

    @Test("a placeholder that the remote would have to copy to another file system stays there and says so")
    func acrossFileSystems() throws {
        var folder = try described(["d/a": 1])
        folder.makeMount(.remote)
        try folder.sync()
        folder.move(.local, "d", "mount/d")
        try folder.sync()
        #expect(folder.contents(.remote) == ["d": 0, "d/a": 1, "mount": 0])
        #expect(try folder.state("mount/d") == .error && folder.words("mount/d")?.code == .movedAcross)
        folder.move(.local, "mount/d", "d")
        try folder.sync()
        expectSynced(folder, ["d": 0, "d/a": 1, "mount": 0])
    }

    @Test(
        "what was here and cannot be moved here is here at its new place, and what was not is not",
        arguments: [false, true], [false, true])
    func refusedMove(isDirectory: Bool, isRestarted: Bool) throws {
        var folder = try described(["d/away": 1, "e/x": 2])
        folder.write(.local, "d/here", 3)
        try folder.sync()
        try folder.pass(seconds: 10)
        folder.answer = { effect in
            guard case .move(.local, _, _, _, _) = effect else { return nil }
            return .failed(EffectFailure(.denied, Explanation(.movedAcross, .local, "d", "e")))
        }
        folder.isHeld = { Self.isStage($0) }
        let moved = isDirectory ? ["d"] : ["d/away", "d/here"]
        for path in moved { folder.move(.remote, path, isDirectory ? "e/d" : "e/" + path.dropFirst(2)) }
        try folder.sync()
        try folder.pass(seconds: 20)
        #expect(folder.contents(.local)["d/here"] == 3, "it stays until it is at its new place")
        if isRestarted { try folder.restart() }
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 20)
        let top = isDirectory ? "e/d" : "e"
        #expect(folder.contents(.local) == folder.contents(.remote) && folder.contents(.local)[top + "/here"] == 3)
        #expect(folder.placeholders == ["e/x", top + "/away"].sorted() && folder.status?.state == .synced)
        #expect(try folder.store.trees.value(.brought) == nil)
        // It is no more wanted here than before.
        try folder.want(.remoteAlone, top + "/here")
        #expect(folder.placeholders == ["e/x", top + "/away", top + "/here"].sorted())
    }

    @Test("what was here and is moved to another file system is here at its new place")
    func hereAcrossFileSystems() throws {
        var folder = try described(["d/away": 1])
        folder.write(.local, "d/here", 2)
        folder.makeMount(.local)
        try folder.sync()
        try folder.pass(seconds: 10)
        folder.move(.remote, "d", "mount/d")
        try folder.sync()
        try folder.pass(seconds: 20)
        let files = ["mount": 0, "mount/d": 0, "mount/d/away": 1, "mount/d/here": 2]
        #expect(folder.contents(.local) == files && folder.contents(.remote) == files)
        #expect(folder.placeholders == ["mount/d/away"])
    }

    @Test(
        "nothing is deleted at the remote that got a name here which is not synced, while the remote has the only contents",
        arguments: [false, true])
    func excluded(isDirectory: Bool) throws {
        var folder = try described(["d/a": 1, "b": 2])
        folder.move(.local, isDirectory ? "d" : "d/a", isDirectory ? "x" : "d/x")
        try folder.command(.setExcludes(ExcludePatterns([Array("x".utf8)])))
        try folder.sync()
        try folder.pass(seconds: 100)
        #expect(folder.contents(.remote) == ["b": 2, "d": 0, "d/a": 1])
        #expect(folder.placeholders.contains("d/a") && folder.status?.counts.errors == 0)
    }

    @Test("what was filled just before a session ended is settled by the next one, and not by the one after that")
    func filledUnrecorded() throws {
        var folder = SimulatedFolder(grain: 2_000_000_000, isOnDemand: true)
        folder.pace = 1_000
        folder.write(.remote, "a", 1, size: 5)
        try folder.sync()
        folder.delete(.remote, "a")
        try folder.sync()
        folder.write(.remote, "b", 2, size: 5)
        try folder.pass(seconds: 10)
        try folder.sync()
        #expect(folder.placeholders == ["b"])
        folder.isHeld = { effect in
            if case .syncRenames(.local, _) = effect { true } else { false }
        }
        _ = try folder.demand(.here, "b")
        #expect(folder.placeholders == [])
        try folder.restart()
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.sync()
        try folder.pass(seconds: 10)
        folder.forgetEffects()
        try folder.restart()
        try folder.sync()
        try folder.pass(seconds: 10)
        #expect(folder.count(Self.isStage) == 0 && folder.contents(.remote) == ["b": 2])
    }

    @Test(
        "both versions of a conflict are fetched before one of them goes", arguments: [ConflictChoice.mine, .theirs])
    func chosen(choice: ConflictChoice) throws {
        var folder = try described(["a": 1])
        folder.write(.local, "a", 2)
        folder.write(.remote, "a", 3)
        try folder.sync()
        try folder.pass(seconds: 10)
        let copy = try #require(folder.contents(.local).first { $0.value == 2 }?.key)
        for path in ["a", copy] { try folder.want(.remoteAlone, path) }
        #expect(folder.placeholders == ["a", copy].sorted())
        let node = try #require(try folder.node(copy))
        try folder.command(.resolve(node, choice))
        try folder.pass(seconds: 10)
        try folder.sync()
        let (winner, loser) = choice == .mine ? (2, 3) : (3, 2)
        #expect(folder.contents(.remote) == ["a": winner] && folder.contents(.local) == ["a": winner])
        #expect(folder.kept.contains(loser) && folder.placeholders == ["a"])
    }

    @Test("an effect that a disk refuses is told, and nothing changes", arguments: ["fill", "free", "describe"])
    func refused(kind: String) throws {
        var folder = try described(["a": 1])
        folder.write(.local, "b", 2)
        try folder.sync()
        folder.answer = { effect in
            "\(effect)".hasPrefix(kind)
                ? .failed(EffectFailure(.denied, Explanation(.notOnDemand, .local, "a"))) : nil
        }
        folder.write(.remote, "c", 3)
        try folder.sync()
        try folder.want(.alwaysHere, "a")
        try folder.want(.remoteAlone, "b")
        #expect(folder.placeholders == (kind == "fill" ? ["a", "b", "c"] : kind == "free" ? ["c"] : ["b"]))
        #expect(folder.status?.counts.errors == 1)
        folder.answer = { _ in nil }
        try folder.sync()
        #expect(folder.placeholders == ["b", "c"] && folder.status?.state == .synced)
    }

    @Test("where all is wanted here, a folder on demand plans what any other does", arguments: 0..<5)
    func pinnedWhole(block: Int) throws {
        let first = SeededRandom.chosenSeed("OnDemandTests")
        for number in 0..<20 {
            let seed = first &+ UInt64(block * 20 + number)
            let plain = SimulatedScript(seed: seed, never: [.clients])
            let pinned = SimulatedScript(seed: seed, always: [.pinned], never: [.clients])
            let expected = try SimulatedHistory.run(plain, store: CrashableMemoryStore())
            #expect(try SimulatedHistory.run(pinned, store: CrashableMemoryStore()) == expected, "seed \(seed)")
        }
    }
}

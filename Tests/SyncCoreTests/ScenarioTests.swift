import SimulatedWorld
import SyncCore
import Testing

@Suite("What a session does")
struct ScenarioTests {
    private func words(_ folder: SimulatedFolder, _ path: String) throws -> Explanation {
        try #require(try folder.words(path))
    }

    private func synced(_ files: [String: Int]) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for (path, content) in files.sorted(by: { $0.key < $1.key }) { folder.write(.local, path, content) }
        try folder.sync()
        try #require(folder.contents(.local) == folder.contents(.remote))
        // A second look makes versions certain that were written just now.
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    @Test("D4: files go both ways, counted, and a second run is silent (promise 7)")
    func bothWays() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "here/a", 1)
        folder.write(.remote, "there/b", 2)
        try folder.sync()
        #expect(folder.contents(.local) == ["here": 0, "here/a": 1, "there": 0, "there/b": 2])
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(folder.summary.uploaded == 1 && folder.summary.downloaded == 1)
        #expect(try folder.state("here") == .synced)
        folder.forgetEffects()
        try folder.sync()
        try folder.restart()
        #expect(folder.mutations == 0)
        #expect(folder.summary.isSilent)
    }

    @Test("D13: a renamed folder is one move and no transfer, on either side (promise 6)", arguments: Side.allCases)
    func moves(side: Side) throws {
        var folder = try synced(["d/a": 1, "d/b": 2, "d/e/c": 3])
        let id = try folder.node("d/e/c")
        folder.move(side, "d", "new")
        try folder.sync()
        #expect(folder.contents(side.other) == ["new": 0, "new/a": 1, "new/b": 2, "new/e": 0, "new/e/c": 3])
        #expect(folder.mutations == 1)
        #expect(folder.summary.moved == 1)
        #expect(try folder.node("new/e/c") == id)
    }

    @Test("a renamed and edited file is moved and transferred")
    func movedAndEdited() throws {
        var folder = try synced(["a": 1])
        folder.move(.local, "a", "b")
        folder.write(.local, "b", 2)
        try folder.sync()
        #expect(folder.contents(.remote) == ["b": 2])
        #expect(folder.summary.moved == 1 && folder.summary.uploaded == 1)
    }

    @Test("names exchanged on one side are exchanged on the other, without a transfer", arguments: Side.allCases)
    func exchange(side: Side) throws {
        var folder = try synced(["a": 1, "b": 2, "c": 3])
        folder.move(side, "a", "aside")
        folder.move(side, "b", "a")
        folder.move(side, "c", "b")
        folder.move(side, "aside", "c")
        try folder.sync()
        #expect(folder.contents(side.other) == ["a": 2, "b": 3, "c": 1])
        #expect(folder.count { if case .stage = $0 { true } else { false } } == 0)
    }

    @Test("directories moved into each other end where the remote has them")
    func moveCycle() throws {
        var folder = try synced(["a/x": 1, "b/y": 2])
        folder.move(.local, "a", "b/a")
        folder.move(.remote, "b", "a/b")
        try folder.sync()
        #expect(folder.contents(.remote) == ["a": 0, "a/x": 1, "a/b": 0, "a/b/y": 2])
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.count { if case .stage = $0 { true } else { false } } == 0)
    }

    @Test("three directories moved into each other in a ring come to rest")
    func longMoveCycle() throws {
        var folder = try synced(["a/x": 1, "b/y": 2, "c/z": 3])
        folder.move(.local, "a", "b/a")
        folder.move(.remote, "b", "c/b")
        folder.move(.remote, "c", "a/c")
        try folder.sync()
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(Set(folder.contents(.local).values) == [0, 1, 2, 3])
    }

    @Test("directories moved into each other, of which one got the name of the other, come to rest")
    func moveCycleWithName() throws {
        var folder = try synced(["c/y": 2, "e/x": 1])
        try folder.command(.pause)
        folder.move(.local, "c", "e/b")
        try folder.notice(.local, ["c", "e/b"])
        folder.move(.local, "e", "c")
        folder.move(.remote, "e", "c/b")
        try folder.notice(.local, ["e", "c"])
        try folder.notice(.remote, ["e", "c/b"])
        try folder.command(.resume)
        try folder.pass(seconds: 100)
        for side in Side.allCases {
            #expect(folder.contents(side) == ["c": 0, "c/y": 2, "c/b": 0, "c/b/x": 1])
        }
        // The remote's order counts, so that nothing is to be done there.
        #expect(folder.count { if case .move(.remote, _, _, _, _) = $0 { true } else { false } } == 0)
        #expect(folder.count { if case .stage = $0 { true } else { false } } == 0)
    }

    @Test("moved to two places: the remote's counts")
    func movedTwice() throws {
        var folder = try synced(["a": 1])
        folder.move(.local, "a", "here")
        folder.move(.remote, "a", "there")
        try folder.sync()
        #expect(folder.contents(.local) == ["there": 1] && folder.contents(.remote) == ["there": 1])
    }

    @Test("what waits for a place that something not synced holds is transferred all the same, and moved later")
    func waitsForABlockedPlace() throws {
        var folder = try synced(["a": 1, "b": 2, "z": 9])
        folder.move(.remote, "a", "n")
        folder.move(.remote, "b", "a")
        folder.write(.local, "n", 0, kind: .symlink)
        folder.write(.local, "b", 7)
        try folder.sync()
        #expect(folder.contents(.remote) == ["n": 1, "a": 7, "z": 9])
        #expect(folder.contents(.local) == ["a": 1, "b": 7, "n": 0, "z": 9])
        #expect(try folder.state("a") == .error && folder.state("b") == .pending)
        folder.delete(.local, "n")
        try folder.sync()
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.summary.moved == 2 && folder.summary.uploaded == 0)
    }

    @Test("delete against edit: the edit survives", arguments: Side.allCases)
    func deleteAgainstEdit(side: Side) throws {
        var folder = try synced(["a": 1, "d/b": 2, "z": 9])
        folder.delete(side, "a")
        folder.delete(side, "d")
        folder.write(side.other, "a", 3)
        folder.write(side.other, "d/b", 4)
        try folder.sync()
        #expect(folder.contents(side) == ["a": 3, "d": 0, "d/b": 4, "z": 9])
        #expect(folder.contents(side.other) == folder.contents(side))
    }

    @Test("what the remote deletes goes to the trash, what it replaces to the replaced-store (promise 2)")
    func keptVersions() throws {
        var folder = try synced(["a": 1, "b": 2, "c": 3])
        folder.delete(.remote, "a")
        folder.write(.remote, "b", 4)
        try folder.sync()
        #expect(folder.contents(.local) == ["b": 4, "c": 3])
        #expect(folder.kept == [1, 2])
        #expect(folder.summary.deletedLocal == 1 && folder.summary.downloaded == 1)
    }

    @Test("a file that becomes a directory, and the other way round", arguments: Side.allCases)
    func typeChange(side: Side) throws {
        var folder = try synced(["a": 1, "d/b": 2, "z": 9])
        folder.delete(side, "a")
        folder.write(side, "a/new", 3)
        folder.delete(side, "d")
        folder.write(side, "d", 4)
        try folder.sync()
        #expect(folder.contents(side.other) == ["a": 0, "a/new": 3, "d": 4, "z": 9])
        #expect(folder.contents(side) == folder.contents(side.other))
    }

    @Test("equal new files on both sides are adopted, without a transfer")
    func adopt() throws {
        var folder = SimulatedFolder()
        for side in Side.allCases { folder.write(side, "d/a", 7) }
        try folder.sync()
        #expect(folder.mutations == 0)
        #expect(try folder.state("d/a") == .synced)
    }

    @Test("links are excluded and say so; so are files that match a pattern")
    func excluded() throws {
        var folder = SimulatedFolder(excludes: ["*.o", "build/"])
        folder.write(.local, "link", 0, kind: .symlink)
        folder.write(.local, "a.o", 1)
        folder.write(.local, "build/x", 2)
        folder.write(.local, "a", 3)
        folder.write(.remote, "r.o", 4)
        try folder.sync()
        #expect(folder.contents(.remote) == ["a": 3, "r.o": 4])
        #expect(folder.contents(.local)["r.o"] == nil)
        #expect(try folder.state("link") == .excluded && folder.state("a.o") == .excluded)
        #expect(try folder.state("build") == .excluded)
        let link = try #require(try folder.node("link"))
        #expect(try folder.session.presentation(of: link).message == Explanation(.symbolicLink))
    }

    @Test("an item that becomes excluded stays on both sides")
    func excludedLater() throws {
        var folder = try synced(["d/a.o": 1, "b": 2])
        try folder.command(.setExcludes(ExcludePatterns([Array("d/".utf8)])))
        folder.write(.local, "d/a.o", 5)
        folder.delete(.remote, "d/a.o")
        try folder.sync()
        #expect(folder.contents(.local) == ["d": 0, "d/a.o": 5, "b": 2])
        #expect(folder.contents(.remote) == ["d": 0, "b": 2])
        try folder.command(.setExcludes(ExcludePatterns()))
        #expect(folder.contents(.remote) == ["d": 0, "d/a.o": 5, "b": 2])
    }

    @Test("a directory that goes on one side stays on the other with what is excluded in it", arguments: Side.allCases)
    func excludedKeepsItsDirectory(side: Side) throws {
        var folder = SimulatedFolder(excludes: ["*.o"])
        folder.write(side.other, "d/a.o", 1)
        folder.write(side.other, "d/b", 2)
        folder.write(side, "z", 3)
        for _ in 0..<2 { try folder.sync() }
        folder.delete(side, "d")
        try folder.sync()
        #expect(folder.contents(side.other)["d/a.o"] == 1 && folder.contents(side.other)["d/b"] == nil)
        #expect(try folder.state("") == .synced)
    }

    @Test(
        "what was moved into a directory that is excluded then stays with what is excluded in it",
        arguments: Side.allCases)
    func movedIntoExcluded(side: Side) throws {
        var folder = try synced(["d/s/a.o": 1, "d/s/b": 2, "e/f": 3, "z": 4])
        folder.answer = { effect in if case .move = effect { .failed(EffectFailure(.busy)) } else { nil } }
        folder.move(side, "d", "e/d")
        try folder.notice(side, ["d", "e/d"])
        folder.answer = { _ in nil }
        try folder.command(.setExcludes(ExcludePatterns(["e", "*.o"].map { Array($0.utf8) })))
        try folder.pass(seconds: 100)
        #expect(folder.contents(side.other) == ["d": 0, "d/s": 0, "d/s/a.o": 1, "e": 0, "e/f": 3, "z": 4])
        let expected = ["d": 0, "d/s": 0, "e": 0, "e/d": 0, "e/d/s": 0, "e/d/s/a.o": 1, "e/d/s/b": 2, "e/f": 3, "z": 4]
        #expect(folder.contents(side) == expected)
        #expect(try folder.state("") == .synced)
    }

    @Test("what is seen in a directory that was excluded meanwhile is excluded with it")
    func excludedWhileLooking() throws {
        var folder = try synced(["b": 2])
        try folder.command(.pause)
        folder.write(.local, "d/a", 1)
        try folder.sync()
        folder.isHeld = { effect in
            if case .listDirectory = effect { return true }
            if case .checkEntry = effect { return true }
            return false
        }
        try folder.command(.setExcludes(ExcludePatterns([Array("d/".utf8)])))
        try folder.notice(.local, ["d/a"])
        folder.isHeld = { if case .checkEntry = $0 { true } else { false } }
        try folder.finish()
        #expect(try folder.state("d") == .excluded)
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.command(.resume)
        #expect(try folder.node("d/a") == nil && folder.state("") == .synced)
        #expect(folder.contents(.remote) == ["b": 2])
    }

    @Test("a paused folder begins nothing and says so")
    func paused() throws {
        var folder = try synced(["a": 1])
        try folder.command(.pause)
        folder.write(.local, "a", 2)
        try folder.sync()
        #expect(folder.mutations == 0)
        #expect(try folder.state("a") == .paused)
        try folder.command(.resume)
        #expect(folder.contents(.remote) == ["a": 2])
        #expect(try folder.state("a") == .synced)
    }

    @Test("D9: a failure is shown with its sentence and above, and tried again")
    func failure() throws {
        var folder = try synced(["d/a": 1])
        folder.write(.local, "d/a", 2)
        folder.answer = { effect in
            if case .publish = effect { return .failed(EffectFailure(.noSpace, "The remote is full.")) }
            return nil
        }
        try folder.sync()
        let id = try #require(try folder.node("d/a"))
        #expect(try folder.session.presentation(of: id).message == "The remote is full.")
        #expect(try folder.state("d") == .error && folder.summary.errors == 1)
        #expect(try folder.session.shortageOfSpace() == "The remote is full.")
        folder.answer = { _ in nil }
        try folder.sync()
        #expect(folder.contents(.remote)["d/a"] == 2)
        #expect(try folder.state("d") == .synced && folder.summary.errors == 0)
        #expect(try folder.session.shortageOfSpace() == nil)
    }

    @Test("a failure of any kind, that goes on, is shown with its reason", arguments: EffectFailure.Reason.allCases)
    func persistentFailure(reason: EffectFailure.Reason) throws {
        for message in [Explanation.nothing, "It is so."] {
            var folder = try synced(["a": 1])
            folder.pace = 1_000_000
            folder.write(.local, "a", 2)
            folder.answer = { effect in
                if case .publish = effect { return .failed(EffectFailure(reason, message)) }
                return nil
            }
            try folder.sync()
            #expect(try !words(folder, "a").isEmpty)
            try folder.pass(seconds: 100)
            #expect(folder.contents(.remote) == ["a": 1])
            #expect(try !words(folder, "a").isEmpty)
            #expect(try !folder.session.reason(of: .root).isEmpty)
            switch reason {
            case .busy, .unreachable, .notMounted: break
            case .putOff: #expect(folder.status?.state == .pending)
            case .changed, .notFound, .exists, .notEmpty, .nameClash, .denied, .noSpace, .io:
                #expect(folder.status?.state == .error && folder.status?.counts.errors == 1)
                #expect(try folder.presentation("a")?.message.isEmpty == false)
            }
            folder.answer = { _ in nil }
            try folder.pass(seconds: 1_000)
            #expect(folder.contents(.remote) == ["a": 2] && folder.status?.state == .synced)
            #expect(try words(folder, "a") == .nothing)
        }
    }

    @Test("what waits says why: paused, held back, under way, for another item, excluded, in a directory")
    func reasons() throws {
        var folder = try synced(["a": 1, "d/b": 2])
        try folder.command(.pause)
        folder.write(.local, "a", 3)
        try folder.notice(.local, ["a"])
        #expect(try words(folder, "a").code == .waitsPaused)
        try folder.command(.resume)
        #expect(try words(folder, "a") == .nothing)
        folder.loseRoot(.remote)
        folder.write(.local, "d/b", 4)
        try folder.sync()
        #expect(try folder.session.reason(of: .root) == "It is not there.")
        _ = folder.bringRootBack(.remote)
        try folder.sync()
        folder.write(.local, "a", 5)
        folder.isHeld = { effect in
            if case .stage = effect { true } else { false }
        }
        try folder.sync()
        #expect(try words(folder, "a").code == .waitsForTurn)
        folder.isHeld = { _ in false }
        try folder.finish()
        folder.write(.local, "x.tmp", 6)
        try folder.sync()
        #expect(try words(folder, "x.tmp").code == .excludedName)
        folder.write(.local, "d/b", 7)
        folder.answer = { effect in
            if case .stage = effect { return .failed(EffectFailure(.noSpace, "It is full.")) }
            return nil
        }
        try folder.sync()
        #expect(try words(folder, "d").code == .contentsWait)
        #expect(try words(folder, "d/b") == "It is full.")
    }

    @Test(
        "without a listing of a root nothing is called synced", arguments: Side.allCases,
        EffectFailure.Reason.allCases)
    func noListing(side: Side, reason: EffectFailure.Reason) throws {
        var folder = SimulatedFolder()
        folder.pace = 1_000_000
        folder.write(side, "a", 1)
        folder.answer = { effect in
            guard case .listDirectory(side, let path, _) = effect, path.isRoot else { return nil }
            return .failed(EffectFailure(reason, "It cannot be listed."))
        }
        try folder.sync()
        for _ in 0..<3 {
            let isCalledSynced =
                folder.status?.phase == .idle && folder.status?.state == .synced
                && folder.status?.isPartlyUnknown == false
            #expect(!isCalledSynced)
            if folder.status?.phase != .offline { #expect(folder.summary.errors == 1) }
            #expect(try !folder.session.reason(of: .root).isEmpty)
            try folder.pass(seconds: 40)
        }
        folder.answer = { _ in nil }
        try folder.pass(seconds: 100)
        #expect(folder.status?.state == .synced && folder.status?.isPartlyUnknown == false)
        #expect(folder.contents(side.other) == ["a": 1])
    }

    @Test(
        "a move that a side refuses for good is a copy and a removal, and what is written meanwhile goes up",
        arguments: [true, false], Side.allCases)
    func refusedMove(isDirectory: Bool, side: Side) throws {
        var folder = try synced(["d/a": 1, "d/b": 2, "e/x": 3])
        folder.pace = 1_000_000
        folder.answer = { effect in
            guard case .move(side, _, _, _, _) = effect else { return nil }
            return .failed(EffectFailure(.denied, Explanation(.movedAcross, side, "d", "e/d")))
        }
        if isDirectory { folder.move(side.other, "d", "e/d") } else { folder.move(side.other, "d/a", "e/a") }
        try folder.sync()
        try folder.pass(seconds: 10)
        #expect(folder.contents(side) == folder.contents(side.other))
        #expect(folder.contents(side)[isDirectory ? "e/d/a" : "e/a"] == 1)
        #expect(folder.status?.state == .synced)
    }

    @Test("out of what may not be changed an item is copied to its new place, and stays at the old, which is named")
    func movedOutOfReadOnly() throws {
        var folder = try synced(["d/a": 1, "e/x": 3])
        folder.pace = 1_000_000
        folder.answer = { effect in
            switch effect {
            case .move(.remote, _, let to, _, _):
                .failed(EffectFailure(.denied, Explanation(.denied, .remote, "\(to)")))
            case .remove(.remote, let path, _, _):
                .failed(EffectFailure(.denied, Explanation(.denied, .remote, "\(path)")))
            default: nil
            }
        }
        folder.move(.local, "d/a", "e/a")
        try folder.sync()
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote) == ["d": 0, "d/a": 1, "e": 0, "e/a": 1, "e/x": 3])
        let left = try folder.store.trees.nodes(inState: .error, after: .none, limit: 9)
        #expect(try left.map { try folder.session.reason(of: $0) } == [Explanation(.denied, .remote, "d/a")])
        folder.write(.local, "e/a", 4)
        try folder.sync()
        #expect(folder.contents(.remote)["e/a"] == 4)
        folder.answer = { _ in nil }
        try folder.sync()
        #expect(folder.contents(.remote) == folder.contents(.local) && folder.status?.state == .synced)
    }

    @Test("where the new place refuses, the item stays at the old until it is there")
    func movedIntoReadOnly() throws {
        var folder = try synced(["d/a": 1, "e/x": 3])
        folder.pace = 1_000_000
        folder.answer = { effect in
            switch effect {
            case .move(.remote, _, _, _, _), .publish(_, .remote, _, nil, _):
                .failed(EffectFailure(.denied, Explanation(.denied, .remote, "e/a")))
            default: nil
            }
        }
        folder.move(.local, "d/a", "e/a")
        try folder.sync()
        try folder.pass(seconds: 100)
        #expect(folder.contents(.remote) == ["d": 0, "d/a": 1, "e": 0, "e/x": 3])
        #expect(folder.status?.state == .error)
        folder.answer = { _ in nil }
        try folder.sync()
        #expect(folder.contents(.remote) == folder.contents(.local) && folder.status?.state == .synced)
    }

    @Test("a file that is open for writing waits, without blame")
    func busy() throws {
        var folder = try synced(["a": 1])
        folder.write(.local, "a", 2)
        folder.pace = 1_000_000
        folder.answer = { effect in
            if case .stage = effect { return .failed(EffectFailure(.busy, "It is open.")) }
            return nil
        }
        try folder.sync()
        #expect(try folder.state("a") == .pending)
        #expect(folder.contents(.remote) == ["a": 1])
        let waiting = folder.session.itemsTriedAgain(limit: 10)
        #expect(try waiting.map(\.node) == [folder.node("a")] && waiting.map(\.message) == ["It is open."])
        folder.answer = { _ in nil }
        try folder.pass(seconds: 2)
        #expect(folder.contents(.remote) == ["a": 2] && folder.session.itemsTriedAgain(limit: 10).isEmpty)
    }
}

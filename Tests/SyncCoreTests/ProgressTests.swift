import SimulatedWorld
import SyncCore
import Testing

@Suite("What is shown while items are synced")
struct ProgressTests {
    @Test("F8 D9: what waits for its turn is pending, what runs is syncing, and so is what holds it")
    func pendingAndSyncing() throws {
        var folder = SimulatedFolder()
        for name in ["a", "b", "c"] { folder.write(.local, "d/\(name)", 10) }
        folder.write(.local, "e/f", 10)
        try folder.syncUntilTransfers(running: 0)
        for path in ["d/a", "d/b", "d/c", "d", "e"] { #expect(try folder.state(path) == .pending) }
        try folder.finish()
        for path in ["d/a", "d/b", "d/c", "d", "e", ""] { #expect(try folder.state(path) == .synced) }

        for name in ["a", "b", "c"] { folder.write(.local, "d/\(name)", 20) }
        try folder.syncUntilTransfers(running: 1)
        let states = try ["d/a", "d/b", "d/c"].map { try folder.state($0) }
        #expect(states.filter { $0 == .syncing }.count == 1 && states.filter { $0 == .pending }.count == 2)
        #expect(try folder.state("d") == .syncing && folder.state("") == .syncing && folder.state("e") == .synced)
        #expect(folder.status?.counts.pending == 3)
    }

    @Test("a transfer that could not begin leaves its item pending")
    func busy() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 10)
        folder.answer = { effect in
            if case .stage = effect { return .failed(EffectFailure(.busy)) }
            return nil
        }
        try folder.sync()
        #expect(try folder.state("a") == .pending && folder.state("") == .pending)
    }

    @Test("what a side puts off is tried again after growing pauses, and shows why; what it is then does not")
    func putOff() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 10)
        let why = Explanation(Explanation.ForeignCode("locked", of: "webdav"), .remote, ["a"])
        folder.answer = { effect in
            if case .publish = effect { return .failed(EffectFailure(.putOff, why)) }
            return nil
        }
        try folder.sync()
        #expect(try folder.state("a") == .pending && folder.state("") == .pending)
        #expect(try folder.presentation("a")?.message == why)
        try folder.pass(seconds: 40)
        let attempts = folder.count { if case .stage = $0 { true } else { false } }
        #expect((4...8).contains(attempts), "\(attempts)")
        #expect(try folder.presentation("a")?.message == why)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 60)
        #expect(try folder.state("a") == .synced && folder.contents(.remote) == ["a": 10])
        #expect(try folder.presentation("a")?.message.isEmpty == true)
    }

    @Test("the progress of a folder is by bytes over everything in it, whatever is synced in it already")
    func overEverything() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "d/a", 60)
        folder.write(.remote, "d/sub/b", 20)
        try folder.sync()
        folder.write(.local, "d/sub/c", 20)
        try folder.syncUntilTransfers(running: 1)
        let shown = try #require(try folder.presentation("d"))
        #expect(shown.bytesTotal == 100 && shown.bytesDone == 80 && shown.progress == 80)
        #expect(try folder.presentation("d/sub")?.progress == 50)
        try folder.progress("d/sub/c", 10)
        #expect(try folder.presentation("d")?.progress == 90 && folder.presentation("d/sub")?.progress == 75)
        #expect(try folder.presentation("d/sub/c")?.progress == 50)
        try folder.finish()
        #expect(try folder.presentation("d")?.bytesTotal == 100 && folder.presentation("d")?.bytesDone == 100)
    }

    @Test("what is in a directory follows edits, moves, deletions and excludes")
    func sums() throws {
        var folder = SimulatedFolder()
        for (path, content) in [("a/x", 5), ("b/y", 7), ("b/z", 3)] { folder.write(.local, path, content) }
        try folder.sync()
        folder.move(.remote, "b", "a/b")
        folder.write(.local, "a/x", 50)
        try folder.sync()
        #expect(try folder.presentation("a")?.bytesTotal == 60 && folder.presentation("")?.bytesTotal == 60)
        folder.delete(.local, "a/b/y")
        try folder.sync()
        #expect(try folder.presentation("a")?.bytesTotal == 53)
        try folder.command(.setExcludes(ExcludePatterns([Array("x".utf8)])))
        #expect(try folder.presentation("a")?.bytesTotal == 3)
    }

    @Test("a store that was kept without sums gets them when it is opened")
    func summedUpLater() throws {
        var folder = SimulatedFolder()
        for (path, content) in [("a/x", 5), ("a/b/y", 7)] { folder.write(.local, path, content) }
        try folder.sync()
        let trees = folder.store.trees
        for path in ["", "a", "a/b"] {
            let id = try #require(try folder.node(path))
            var counts = try trees.counts(id)
            counts.bytes = 0
            try trees.setCounts(counts, for: id)
        }
        try trees.setValue(nil, for: .sizes)
        try trees.commit()
        try folder.restart()
        #expect(try folder.presentation("a/b")?.bytesTotal == 7 && folder.presentation("")?.bytesTotal == 12)
    }
}

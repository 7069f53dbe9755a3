import SimulatedWorld
import SyncCore
import Testing

@Suite("Safeguards")
struct SafeguardTests {
    private func folder(files: Int) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for number in 1...files { folder.write(.local, "f\(number)", number) }
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    private func isAsking(_ folder: SimulatedFolder) -> Bool {
        if case .confirmDeletes? = folder.status?.phase { true } else { false }
    }

    @Test(
        "a root that is gone or another one when its items are told to be gone: the folder stops, nothing is deleted",
        arguments: [false, true], Side.allCases)
    func rootGoesWithItsItems(isReplaced: Bool, side: Side) throws {
        var folder = SimulatedFolder()
        for (path, content) in [("a", 1), ("d/b", 2)] { folder.write(.local, path, content) }
        try folder.sync()
        folder.forgetEffects()
        folder.loseRoot(side, isReplaced: isReplaced)
        try folder.notice(side, ["a"])
        guard case .stopped? = folder.status?.phase else {
            Issue.record("the folder goes on: \(String(describing: folder.status))")
            return
        }
        try folder.sync()
        #expect(folder.mutations == 0)
        #expect(folder.contents(side.other) == ["a": 1, "d": 0, "d/b": 2])
        let isUntouched = folder.bringRootBack(side)
        #expect(isUntouched)
        try folder.sync()
        #expect(folder.mutations == 0)
        #expect(folder.contents(.local) == folder.contents(.remote) && folder.contents(.local).count == 3)
    }

    @Test(
        "another root is what the user says it is: the same, or one to unite with; no answer that came before counts",
        arguments: [SyncAnswers.sameRoot, .unite], Side.allCases)
    func adoptedRoot(answer: SyncAnswers, side: Side) throws {
        var folder = SimulatedFolder()
        for (path, content) in [("a", 1), ("d/b", 2)] { folder.write(.local, path, content) }
        try folder.sync()
        folder.loseRoot(side, isReplaced: true)
        folder.forgetEffects()
        try folder.command(.syncAnswering(answer))
        #expect(folder.status?.stopReason == (side == .local ? .rootReplaced : .remoteReplaced))
        #expect(folder.mutations == 0)
        try folder.sync()
        #expect(folder.mutations == 0)
        try folder.command(.syncAnswering(answer))
        try folder.sync()
        #expect(folder.status?.phase == .idle && folder.status?.state == .synced)
        let expected = answer == .unite ? ["a", "d", "d/b", "stranger"] : ["stranger"]
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.contents(.local).keys.sorted() == expected)
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.mutations == 0)
    }

    @Test(
        "a probe that looked before the root got its mark is no sign of another root; one that looked later is",
        arguments: [false, true])
    func markedMeanwhile(isLost: Bool) throws {
        func network(_ mark: String?) -> Token {
            RootIdentity(mark: mark.map { String(repeating: $0, count: 32) }, inode: 0, born: 0, keepsInode: false)
                .token
        }
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        var seen = network(nil)
        func show(_ folder: inout SimulatedFolder) {
            folder.shown = { [seen] result in
                switch result {
                case .roots(let local, .present(_, let generation, let tag)):
                    .roots(local: local, remote: .present(identity: seen, generation: generation, tag: tag))
                case .marked(network(nil)): .marked(network("a"))
                default: result
                }
            }
        }
        show(&folder)
        folder.isHeld = { if case .markRoot(.remote, _) = $0 { true } else { false } }
        try folder.sync()
        folder.isHeld = { effect in
            switch effect {
            case .probeRoots, .markRoot(.remote, _): true
            default: false
            }
        }
        try folder.sync()
        folder.isHeld = { if case .probeRoots = $0 { true } else { false } }
        try folder.finish()
        var probes = 0
        folder.isHeld = { effect in
            guard case .probeRoots = effect else { return false }
            probes += 1
            return probes > 1
        }
        try folder.finish()
        #expect(folder.status?.stopReason == nil)
        if !isLost { seen = network("a") }
        show(&folder)
        folder.isHeld = { _ in false }
        try folder.finish()
        folder.write(.local, "b", 2)
        try folder.sync()
        #expect(folder.status?.stopReason == (isLost ? .remoteReplaced : nil))
        #expect(folder.contents(.remote)["b"] == (isLost ? nil : 2))
    }

    @Test("the answer about one root is none about the next")
    func anotherStranger() throws {
        var folder = SimulatedFolder()
        for (path, content) in [("a", 1), ("d/b", 2)] { folder.write(.local, path, content) }
        try folder.sync()
        folder.loseRoot(.remote, isReplaced: true)
        try folder.sync()
        _ = folder.bringRootBack(.remote)
        folder.loseRoot(.local, isReplaced: true)
        folder.forgetEffects()
        try folder.command(.syncAnswering(.unite))
        #expect(folder.status?.stopReason == .rootReplaced)
        #expect(folder.mutations == 0)
    }

    @Test(
        "more than half and more than 20 deletions are asked about, and carried out when confirmed",
        arguments: Side.allCases)
    func massDeletion(side: Side) throws {
        var folder = try folder(files: 40)
        for number in 1...21 { folder.delete(side, "f\(number)") }
        try folder.sync()
        #expect(isAsking(folder))
        #expect(folder.mutations == 0)
        #expect(folder.contents(side.other).count == 40)
        try folder.command(.confirmDeletes)
        #expect(folder.contents(side.other).count == 19)
        #expect(!isAsking(folder))
    }

    @Test("fewer deletions are carried out")
    func fewDeletions() throws {
        var folder = try folder(files: 40)
        for number in 1...20 { folder.delete(.local, "f\(number)") }
        try folder.sync()
        #expect(folder.contents(.remote).count == 20 && folder.summary.deletedRemote == 20)
    }

    @Test("more than 1,000 are asked about, also if that is less than half")
    func manyDeletions() throws {
        var folder = try folder(files: 2_300)
        for number in 1...1_001 { folder.delete(.remote, "f\(number)") }
        try folder.sync()
        #expect(isAsking(folder))
        #expect(folder.contents(.local).count == 2_300)
    }

    @Test(
        "an emptied root stops the folder, whichever side; bringing the files back lets it go on",
        arguments: Side.allCases)
    func emptied(side: Side) throws {
        var folder = try folder(files: 3)
        for number in 1...3 { folder.move(side, "f\(number)", "x\(number)") }
        for number in 1...3 { folder.delete(side, "x\(number)") }
        try folder.sync()
        #expect(isAsking(folder))
        #expect(folder.contents(side.other).count == 3)
        for number in 1...3 { folder.write(side, "f\(number)", number) }
        try folder.sync()
        #expect(!isAsking(folder))
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.contents(.local).count == 3)
    }

    @Test("a root that is missing or another one stops the folder with a sentence", arguments: Side.allCases)
    func roots(side: Side) throws {
        var folder = try folder(files: 3)
        func roots(_ other: RootState) -> EffectResult {
            let local = RootState.present(identity: Token([1]), generation: .none)
            let remote = RootState.present(identity: Token([2]), generation: Token([1]))
            return .roots(local: side == .local ? other : local, remote: side == .remote ? other : remote)
        }
        for state in [RootState.missing("It is gone."), .present(identity: Token([9]), generation: .none)] {
            folder.answer = { if case .probeRoots = $0 { roots(state) } else { nil } }
            for number in 1...3 { folder.delete(side, "f\(number)") }
            try folder.sync()
            #expect(folder.status?.phase == .stopped)
            #expect(folder.status?.message.isEmpty == false)
            #expect(folder.mutations == 0 && folder.contents(side.other).count == 3)
        }
    }

    @Test("an incomplete or failed listing is never evidence of deletion (promise 5)", arguments: Side.allCases)
    func incomplete(side: Side) throws {
        var folder = try folder(files: 3)
        folder.answer = { effect in
            guard case .listDirectory(side, _, _) = effect else { return nil }
            return .listing([], isComplete: false)
        }
        try folder.sync()
        folder.answer = { effect in
            guard case .listDirectory(side, _, _) = effect else { return nil }
            return .failed(EffectFailure(.io, "The disk does not answer."))
        }
        try folder.sync()
        #expect(folder.mutations == 0)
        #expect(folder.contents(.local).count == 3 && folder.contents(.remote).count == 3)
        #expect(folder.status?.state == .error)
        folder.answer = { _ in nil }
        try folder.sync()
        #expect(folder.status?.state == .synced)
    }

    @Test("an item that an incomplete listing lacks is not deleted (promise 5)", arguments: Side.allCases)
    func lackingOne(side: Side) throws {
        var folder = try folder(files: 30)
        var isAsked = false
        folder.answer = { effect in
            if case .listDirectory(let listed, _, _) = effect { isAsked = listed == side }
            return nil
        }
        folder.shown = { result in
            guard isAsked, case .listing(let entries, _, tag: _) = result else { return result }
            return .listing(entries.filter { $0.name.description != "f1" }, isComplete: false)
        }
        try folder.sync()
        #expect(folder.mutations == 0)
        #expect(folder.contents(.local).count == 30 && folder.contents(.remote).count == 30)
        folder.shown = { $0 }
        try folder.sync()
        #expect(folder.mutations == 0 && folder.status?.state == .synced)
    }

    @Test("a lost database means union, never deletion (promise 4)")
    func lostDatabase() throws {
        var folder = try folder(files: 5)
        folder.delete(.local, "f1")
        folder.write(.remote, "f2", 50)
        folder.store.lose()
        try folder.restart()
        #expect(folder.contents(.local) == folder.contents(.remote))
        let found = Set(folder.contents(.local).values)
        #expect(found == [1, 2, 50, 3, 4, 5])
    }

    @Test("a remote restored from a backup deletes nothing")
    func restoredRemote() throws {
        var folder = try folder(files: 5)
        folder.delete(.remote, "f1")
        folder.write(.remote, "f2", 50)
        folder.restoreRemote()
        try folder.sync()
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(Set(folder.contents(.local).values) == [1, 2, 50, 3, 4, 5])
        #expect(folder.count { if case .remove = $0 { true } else { false } } == 0)
    }

    @Test("contents that could not be made durable are not renamed into place (promise 3)")
    func notDurable() throws {
        var folder = try folder(files: 1)
        folder.write(.local, "new", 9)
        folder.answer = { effect in
            if case .syncContents = effect { return .failed(EffectFailure(.io, "The disk failed.")) }
            return nil
        }
        try folder.sync()
        #expect(folder.contents(.remote)["new"] == nil)
        #expect(folder.count { if case .publish = $0 { true } else { false } } == 0)
    }

    @Test("the order of promise 3: stage, contents durable, rename, renames durable")
    func order() throws {
        var folder = try folder(files: 1)
        folder.write(.local, "new", 9)
        try folder.sync()
        let order = folder.effects.map(\.footprint).compactMap { footprint -> String? in
            switch footprint.barrier {
            case .contents: "contents"
            case .renames: "renames"
            case nil: footprint.has(.stage) ? "stage" : footprint.isChange ? "rename" : nil
            }
        }
        #expect(order == ["stage", "contents", "rename", "renames", "renames"])
    }
}

import SimulatedWorld
import Testing

@testable import SyncCore

/// What waits says why, and wakes nobody for nothing.
@Suite("Waiting")
struct WaitingTests {
    private static func isStage(_ effect: Effect) -> Bool {
        if case .stage = effect { true } else { false }
    }

    // MARK: Verification

    @Test(
        "of two versions of which nobody knows the good one, both stay, whichever side rotted",
        arguments: Side.allCases, [false, true])
    func doubt(side: Side, isPaused: Bool) throws {
        var folder = try SimulatedFolder.synced(["d/a": 1, "b": 2])
        folder.rot(side, "d/a", 7)
        let node = try #require(try folder.node("d/a"))
        if isPaused { try folder.command(.pause) }
        try folder.command(.doubt([node]))
        if isPaused {
            #expect(folder.contents(side)["d/a"] == 7 && folder.contents(side.other)["d/a"] == 1)
            #expect(try folder.state("d/a") == .paused)
            try folder.command(.resume)
        }
        try folder.pass(seconds: 10)
        for side in Side.allCases {
            let files = folder.contents(side)
            #expect(files.values.sorted() == [0, 1, 2, 7] && files["b"] == 2)
        }
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(try folder.state("d/a") == .conflict)
    }

    @Test("what is equal after all stays as it is")
    func doubtedInVain() throws {
        var folder = try SimulatedFolder.synced(["a": 1, "d/b": 2])
        let nodes = try ["a", "d", "d/b"].map { try #require(try folder.node($0)) }
        try folder.command(.doubt(nodes + [.root, NodeID(999)]))
        try folder.pass(seconds: 10)
        #expect(folder.mutations == 0 && folder.status?.state == .synced)
        folder.write(.local, "a", 3)
        try folder.sync()
        #expect(folder.contents(.remote)["a"] == 3 && folder.status?.state == .synced)
    }

    @Test("what was deleted meanwhile is not brought back by a doubt", arguments: Side.allCases)
    func doubtedAndDeleted(side: Side) throws {
        var folder = try SimulatedFolder.synced(["a": 1, "b": 2])
        let node = try #require(try folder.node("a"))
        folder.isHeld = { if case .remove = $0 { true } else { false } }
        folder.delete(side, "a")
        try folder.sync()
        try folder.command(.doubt([node]))
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local) == ["b": 2] && folder.contents(.remote) == ["b": 2])
    }

    // MARK: Attempts

    @Test("a file that does not fit is not sent again for each other one that is published")
    func doesNotFit() throws {
        var folder = try SimulatedFolder.synced(["big": 1, "small": 2])
        folder.answer = { effect in
            guard case .stage(_, _, let path, _) = effect, path.description == "big" else { return nil }
            return .failed(EffectFailure(.noSpace, "It is full."))
        }
        folder.write(.local, "big", 10)
        try folder.notice(.local, ["big"])
        for content in 0..<60 {
            folder.write(.local, "small", 100 + content)
            try folder.notice(.local, ["small"])
            try folder.pass(seconds: 1)
        }
        let stages = folder.count { effect in
            if case .stage(_, _, let path, _) = effect { path.description == "big" } else { false }
        }
        #expect(stages > 2 && stages <= 12, "\(stages)")
        folder.answer = { _ in nil }
        try folder.pass(seconds: 400)
        #expect(folder.contents(.remote) == ["big": 10, "small": 159])
    }

    @Test("new files make no room, so nothing that does not fit is tried again for them")
    func nothingMakesRoom() throws {
        var folder = try SimulatedFolder.synced(["big": 1])
        folder.answer = { effect in
            guard case .stage(_, _, let path, _) = effect, path.description == "big" else { return nil }
            return .failed(EffectFailure(.noSpace, "It is full."))
        }
        folder.write(.local, "big", 10)
        try folder.notice(.local, ["big"])
        for number in 0..<3 {
            folder.write(.local, "new\(number)", 100)
            try folder.notice(.local, ["new\(number)"])
        }
        let stages = folder.count { effect in
            if case .stage(_, _, let path, _) = effect { path.description == "big" } else { false }
        }
        #expect(stages == 1)
    }

    @Test("what is excluded is not tried again")
    func excluded() throws {
        var folder = try SimulatedFolder.synced(["a": 1])
        folder.answer = { effect in
            Self.isStage(effect) ? .failed(EffectFailure(.busy, "It is open.")) : nil
        }
        folder.write(.local, "a", 2)
        try folder.sync()
        #expect(folder.session.itemsTriedAgain(limit: 9).count == 1)
        try folder.command(.setExcludes(ExcludePatterns([Array("a".utf8)])))
        #expect(folder.session.itemsTriedAgain(limit: 9).isEmpty)
    }

    @Test("what is put off, or waits for another item, is no longer tried again soon")
    func postponed() {
        let now = Moment(instant: .now, unixSeconds: 0)
        var blocks = Blocks(pauses: SessionPauses())
        blocks.note(EffectFailure(.busy, "It is open."), of: .root, at: now)
        #expect(blocks.triedAgain.count == 1)
        blocks.postpone(.root, for: .seconds(60), at: now)
        #expect(blocks.triedAgain.isEmpty)
    }

    @Test("a shortage of space counts as one also where room was made")
    func shortage() {
        let now = Moment(instant: .now, unixSeconds: 0)
        var blocks = Blocks(pauses: SessionPauses())
        blocks.note(EffectFailure(.changed, Explanation(.noSpace, .local, "a")), of: .root, at: now)
        #expect(blocks.shortOfSpace == .root)
        blocks.note(EffectFailure(.changed, Explanation(.changed, .local, "a")), of: .root, at: now)
        #expect(blocks.shortOfSpace == nil)
    }

    @Test("an item that waited in vain and was then worked on waits anew")
    func vainWaits() {
        let now = Moment(instant: .now, unixSeconds: 0)
        var blocks = Blocks(pauses: SessionPauses())
        func waits() -> Bool { blocks.noteVainWait(of: .root, for: .seconds(1), at: now) }
        func wait() -> [Bool] { (0..<4).map { _ in waits() } }
        let few = [false, false, false, false]
        #expect(wait() == few)
        blocks.endVainWaits(of: .root)
        #expect(wait() == few)
        blocks.note(EffectFailure(.io), of: .root, at: now)
        #expect(wait() == few)
        #expect(waits())
    }

    @Test("a server's wish to be left alone is heard, but neither at once nor for ever", arguments: [0, Int64.max])
    func requestedWait(seconds: Int64) throws {
        let message = Explanation(.busy, .remote, "https://x/", "\(seconds)")
        #expect(message.requestedWait == .seconds(max(1, seconds)))
        var folder = try SimulatedFolder.synced(["a": 1])
        folder.answer = { effect in
            switch effect {
            case .probeRoots: .roots(local: .unreachable(message), remote: .unreachable(message))
            case .stage: .failed(EffectFailure(.unreachable, message))
            default: nil
            }
        }
        folder.write(.local, "a", 2)
        try folder.notice(.local, ["a"])
        #expect(folder.status?.phase == .offline)
        let before = folder.firings[.retry] ?? 0
        try folder.pass(seconds: 0.5)
        #expect((folder.firings[.retry] ?? 0) == before)
        folder.answer = { _ in nil }
        try folder.pass(seconds: seconds == 0 ? 2 : 301)
        #expect(folder.contents(.remote) == ["a": 2])
    }

    // MARK: What is told

    @Test("a conflict that failed and is then put off stays a conflict")
    func conflictPutOff() throws {
        var folder = try SimulatedFolder.synced(["a": 1])
        folder.write(.local, "a", 2)
        folder.write(.remote, "a", 3)
        try folder.sync()
        try folder.pass(seconds: 10)
        #expect(try folder.state("a") == .conflict)
        var reason = EffectFailure.Reason.io
        folder.answer = { effect in
            Self.isStage(effect) ? .failed(EffectFailure(reason, "It does not go.")) : nil
        }
        folder.write(.local, "a", 4)
        try folder.sync()
        #expect(try folder.state("a") == .error)
        reason = .putOff
        folder.answer = { effect in
            Self.isStage(effect) ? .failed(EffectFailure(reason, "It is locked.")) : nil
        }
        try folder.pass(seconds: 100)
        #expect(try folder.state("a") == .conflict)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 1_000)
        #expect(try folder.state("a") == .conflict && folder.contents(.remote)["a"] == 4)
    }

    @Test("what was locked is not called locked when it is done, busy, or in the next session")
    func locked() throws {
        var folder = try SimulatedFolder.synced(["a": 1])
        func answering(_ reason: EffectFailure.Reason, _ message: Explanation) -> (Effect) -> EffectResult? {
            { effect in
                if case .publish = effect { .failed(EffectFailure(reason, message)) } else { nil }
            }
        }
        folder.answer = answering(.putOff, "It is locked.")
        folder.write(.local, "a", 2)
        try folder.notice(.local, ["a"])
        #expect(try folder.words("a") == "It is locked." && folder.presentation("a")?.message == "It is locked.")
        folder.answer = answering(.busy, "It is open.")
        try folder.pass(seconds: 2)
        #expect(try folder.words("a") == "It is open.")
        folder.answer = answering(.putOff, "It is locked.")
        try folder.pass(seconds: 2)
        #expect(try folder.words("a") == "It is locked.")
        folder.isHeld = Self.isStage
        try folder.restart()
        #expect(try folder.words("a")?.code == .waitsForTurn)
    }

    @Test("the reason for which a side was away is none when it is back")
    func away() throws {
        var folder = try SimulatedFolder.synced(["a": 1])
        folder.answer = { effect in
            if case .publish = effect { .failed(EffectFailure(.unreachable, "It is away.")) } else { nil }
        }
        folder.write(.local, "a", 2)
        try folder.notice(.local, ["a"])
        #expect(folder.status?.phase == .offline)
        folder.answer = { _ in nil }
        folder.isHeld = Self.isStage
        try folder.pass(seconds: 40)
        #expect(folder.status?.phase != .offline)
        #expect(try folder.words("a")?.code == .waitsForTurn)
    }

    // MARK: Looks

    @Test("one check in the root that fails once is no error of the folder", arguments: Side.allCases)
    func failedCheck(side: Side) throws {
        var folder = try SimulatedFolder.synced(["a": 1, "d/b": 2])
        folder.answer = { effect in
            guard case .checkEntry(side, _, _) = effect else { return nil }
            return .failed(EffectFailure(.notFound, Explanation(.gone, side, "")))
        }
        folder.isHeld = { if case .listDirectory = $0 { true } else { false } }
        folder.write(side, "a", 3)
        try folder.notice(side, ["a"])
        #expect(folder.status?.state != .error && folder.status?.counts.errors == 0)
        folder.answer = { _ in nil }
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(side.other)["a"] == 3 && folder.status?.state == .synced)
    }

    @Test(
        "a directory that is there and cannot be listed says so, and is not looked at all the time",
        arguments: Side.allCases, [EffectFailure.Reason.notFound, .changed])
    func listedNever(side: Side, reason: EffectFailure.Reason) throws {
        var folder = try SimulatedFolder.synced(["d/a": 1])
        func isListing(_ effect: Effect) -> Bool {
            if case .listDirectory(side, let path, _) = effect { path.description == "d" } else { false }
        }
        folder.answer = { effect in
            isListing(effect) ? .failed(EffectFailure(reason, Explanation(.gone, side, "d"))) : nil
        }
        try folder.sync()
        try folder.pass(seconds: 60)
        #expect(folder.status?.state == .error && folder.status?.isPartlyUnknown == true)
        #expect(try folder.state("d") == .error && folder.words("d") == Explanation(.gone, side, "d"))
        folder.forgetEffects()
        try folder.pass(seconds: 600)
        #expect(folder.count(isListing) <= 20)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 60)
        #expect(folder.status?.state == .synced && folder.status?.isPartlyUnknown == false)
    }

    @Test("a new directory that cannot be listed is made on the other side all the same", arguments: Side.allCases)
    func newAndUnlisted(side: Side) throws {
        var folder = try SimulatedFolder.synced(["a": 1])
        folder.write(side, "d/b", 2)
        folder.answer = { effect in
            guard case .listDirectory(side, let path, _) = effect, path.description == "d" else { return nil }
            return .failed(EffectFailure(.notFound, Explanation(.gone, side, "d")))
        }
        try folder.sync()
        try folder.pass(seconds: 100)
        #expect(folder.contents(side.other)["d"] == 0)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 100)
        #expect(folder.contents(side.other) == ["a": 1, "d": 0, "d/b": 2] && folder.status?.state == .synced)
    }

    @Test("what is put off for long wakes the session ever less often")
    func wakeUps() throws {
        var folder = try SimulatedFolder.synced(["a": 1])
        folder.answer = { effect in
            if case .publish = effect { .failed(EffectFailure(.putOff, "It is locked.")) } else { nil }
        }
        folder.write(.local, "a", 2)
        try folder.notice(.local, ["a"])
        let before = folder.firings[.retry] ?? 0
        try folder.pass(seconds: 600)
        let count = (folder.firings[.retry] ?? 0) - before
        #expect(count > 3 && count <= 10, "\(count)")
    }

    // MARK: Every way

    private static let kinds = [
        "probeRoots", "listDirectory", "checkEntry", "hashFile", "stage", "syncContents", "publish", "makeDirectory",
        "setPermissions", "move", "displace", "remove",
    ]

    private static func kind(_ effect: Effect) -> String { String("\(effect)".prefix { $0 != "(" }) }

    private func checkReasons(_ folder: SimulatedFolder, _ what: String) throws {
        let reasons = try folder.reasons()
        #expect(reasons.allSatisfy { !$0.isEmpty }, "\(what): \(reasons)")
        if folder.status?.state != .synced || folder.status?.isPartlyUnknown == true {
            #expect(try !folder.session.reason(of: .root).isEmpty, "\(what): \(String(describing: folder.status))")
        }
    }

    @Test(
        "whatever fails, and however: what is not synced says why whenever the session rests, and is synced in the end",
        arguments: kinds, EffectFailure.Reason.allCases)
    func everyWay(kind: String, reason: EffectFailure.Reason) throws {
        // Each kind and each reason comes with each of them.
        let messages = [Explanation.nothing, "It is so.", Explanation(.denied, .remote, "e/b")]
        let turn = (Self.kinds.firstIndex(of: kind) ?? 0) + (EffectFailure.Reason.allCases.firstIndex(of: reason) ?? 0)
        let message = messages[turn % messages.count]
        let files = ["a": 1, "d/b": 2, "e/c": 3, "e/gone": 4, "both": 5, "same": 5, "z": 6, "t/u/v": 9]
        var folder = try SimulatedFolder.synced(files)
        folder.answer = { Self.kind($0) == kind ? .failed(EffectFailure(reason, message)) : nil }
        folder.write(.local, "a", 7)
        folder.write(.local, "same", 8, size: 5)
        folder.move(.local, "d/b", "e/b")
        folder.move(.remote, "t/u", "w")
        folder.delete(.remote, "e/gone")
        folder.write(.remote, "new/x", 10)
        folder.write(.local, "both", 11)
        folder.write(.remote, "both", 12)
        folder.setPermissions(.local, "z", 0o600)
        try folder.sync()
        for step in 0..<6 {
            try checkReasons(folder, "\(step)")
            try folder.pass(seconds: Double(1 << step))
        }
        folder.answer = { _ in nil }
        for _ in 0..<2 {
            try folder.pass(seconds: 1_000)
            try folder.sync()
            try checkReasons(folder, "end")
        }
        #expect(folder.contents(.local) == folder.contents(.remote))
        let all = Set(folder.contents(.local).values).union(folder.kept)
        #expect(all.isSuperset(of: [2, 3, 6, 7, 8, 9, 10, 11, 12]), "\(all)")
        #expect(folder.status?.counts.errors == 0 && folder.status?.counts.pending == 0)
    }
}

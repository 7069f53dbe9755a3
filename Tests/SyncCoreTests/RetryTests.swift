import SimulatedWorld
import SyncCore
import Testing

/// What failed is tried again, however long something else takes.
@Suite("Trying again")
struct RetryTests {
    @Test("D9: what may be tried again while something else is transferred is tried when that is through")
    func endedMeanwhile() throws {
        var folder = SimulatedFolder()
        folder.write(.remote, "a", 1)
        folder.write(.remote, "z", 2)
        folder.isHeld = { if case .stage(_, _, let path, _) = $0 { path.description == "z" } else { false } }
        folder.answer = { effect in
            guard case .publish = effect else { return nil }
            return .failed(EffectFailure(.denied, "The directory is closed."))
        }
        try folder.sync()
        try folder.pass(seconds: 1)
        #expect(folder.count { if case .publish = $0 { true } else { false } } == 1)
        // It may be tried again from now on, but the transfer goes on.
        try folder.pass(seconds: 100)
        folder.answer = { _ in nil }
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 1)
        #expect(folder.contents(.local) == ["a": 1, "z": 2])
    }

    @Test("An item that is refused again and again is one line of the log, and another one when the reason is another")
    func loggedOnce() throws {
        var folder = SimulatedFolder()
        folder.write(.remote, "a", 1)
        var reason = "The directory is closed."
        folder.answer = { effect in
            guard case .publish = effect else { return nil }
            return .failed(EffectFailure(.denied, Explanation(stored: reason)))
        }
        try folder.sync()
        for _ in 0..<6 { try folder.pass(seconds: 20) }
        #expect(folder.count { if case .publish = $0 { true } else { false } } > 3)
        #expect(folder.activities.filter { $0.kind == .error }.map(\.detail) == [reason])
        reason = "The disk is gone."
        folder.answer = { effect in
            guard case .publish = effect else { return nil }
            return .failed(EffectFailure(.io, Explanation(stored: reason)))
        }
        for _ in 0..<6 { try folder.pass(seconds: 60) }
        #expect(folder.activities.count { $0.kind == .error } == 2)
        folder.answer = { _ in nil }
        for _ in 0..<3 { try folder.pass(seconds: 600) }
        #expect(folder.contents(.local) == ["a": 1])
    }

    @Test("D9: of two sides, that one alone is looked through again which was away", arguments: Side.allCases)
    func oneSideWasAway(_ side: Side) throws {
        var folder = SimulatedFolder()
        folder.write(.local, "d/a", 1)
        try folder.sync()
        folder.forgetEffects()
        folder.answer = { effect in
            guard case .stage = effect else { return nil }
            return .failed(EffectFailure(.unreachable, Explanation(.unreachable, side, "d/b")))
        }
        folder.write(side.other, "d/b", 2)
        try folder.notice(side.other, ["d/b"])
        #expect(folder.status?.phase == .offline)
        // Of this one nobody tells.
        folder.write(side, "d/c", 3)
        folder.write(side.other, "d/e", 4)
        try folder.notice(side.other, ["d/e"])
        folder.answer = { _ in nil }
        try folder.pass(seconds: 60)
        #expect(folder.contents(.local) == ["d": 0, "d/a": 1, "d/b": 2, "d/c": 3, "d/e": 4])
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.count { if case .listDirectory(side, _, _) = $0 { true } else { false } } == 2)
        #expect(folder.count { if case .listDirectory(side.other, _, _) = $0 { true } else { false } } == 0)
    }
}

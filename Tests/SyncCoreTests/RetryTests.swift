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
}

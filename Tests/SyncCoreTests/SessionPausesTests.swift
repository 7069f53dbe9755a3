import SyncCore
import Testing

@Suite struct SessionPausesTests {
    @Test func everyPauseIsChanged() {
        let pauses = SessionPauses()
        let changed = pauses.mapped { $0 * 2 }
        let before = Mirror(reflecting: pauses).children.map { $0.value as? Duration }
        let after = Mirror(reflecting: changed).children.map { $0.value as? Duration }
        #expect(after == before.map { $0.map { $0 * 2 } } && !after.isEmpty && !after.contains(nil))
    }
}

import SimulatedWorld
import SyncCore
import Testing

@Suite struct StageNumberTests {
    @Test("D10: a session gives no number for staged contents again that an earlier one may have given")
    func followOn() throws {
        var session = SyncSession(
            store: CrashableMemoryStore().trees, configuration: SessionConfiguration(tag: "TEST"),
            stagesAfter: StageID(7))
        let now = Moment(instant: .now, unixSeconds: 1_700_000_000)
        let file = ListedEntry(
            name: try #require(EntryName("a")), kind: .file,
            version: Version(identity: Token([1]), tag: Token([2]), size: 3))
        let root = RootState.present(identity: Token([9]), generation: .none)
        var stages: [StageID] = []
        var events: [SessionEvent] = [.start]
        while !events.isEmpty {
            let actions = try session.handle(events, now: now)
            events = actions.compactMap { action in
                guard case .run(let id, let effect) = action else { return nil }
                if case .stage(let stage, _, _, _) = effect {
                    stages.append(stage)
                    return nil
                }
                if case .probeRoots = effect { return .effect(id, .roots(local: root, remote: root)) }
                if case .listDirectory(let side, _, _) = effect {
                    return .effect(id, .listing(side == .local ? [file] : [], isComplete: true))
                }
                return .effect(id, .failed(EffectFailure(.io)))
            }
        }
        #expect(stages == [StageID(8)])
    }
}

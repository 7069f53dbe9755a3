import SyncCore
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct RehearsalTests {
    @Test func aPlanThatCannotBeMadeToItsEndIsNone() async throws {
        let world = try EndpointWorld()
        try world.folder.write("a", to: "a")
        // Used on the loop alone from here on.
        nonisolated(unsafe) let store = try SQLiteStore(inMemory: ())
        let loop = DispatchControlLoop(label: "rehearsal")
        let rehearsal = Rehearsal(
            store: store, local: world.local, remote: world.remote, configuration: SessionConfiguration(tag: "TEST"),
            loop: loop)
        let result = await withCheckedContinuation { next in
            loop.post {
                rehearsal.start { next.resume(returning: $0) }
                // What is looked at now is told to a database that is gone.
                store.close()
            }
        }
        #expect(throws: (any Error).self) { try result.get() }
    }
}

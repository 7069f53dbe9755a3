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

    @Test func theScanOfAPausedFolderLosesNothing() async throws {
        var pauses = SessionPauses()
        // As short as a busy machine makes it beside the planning of the others.
        pauses.writtenItem = .milliseconds(1)
        let world = try FolderWorld(configuration: SessionConfiguration(tag: "TEST", isPaused: true, pauses: pauses))
        let files = (0..<40).flatMap { directory in (0..<5).map { "\(directory)/\($0)" } }
        for path in files { try world.folder.write(path, to: path) }
        let sync = world.sync
        let loop = world.loop
        loop.post { sync.start() }
        let planned: Result<[RehearsedStep], any Error> = await withCheckedContinuation { next in
            // As soon as something was merged, which is not committed before the scan ends.
            @Sendable func rehearse() {
                let isMerged = files.contains { (try? sync.store.localNode(at: RelativePath(text: $0))) != nil }
                guard isMerged else { return loop.post { rehearse() } }
                sync.rehearse { next.resume(returning: $0) }
            }
            loop.post { rehearse() }
        }
        let uploaded = try planned.get().filter { $0.kind == .upload }.map { "\($0.path)" }
        #expect(uploaded.sorted() == files.sorted())
        try world.wait("the scan ends") { !$0.runs.isEmpty }
        try world.run { $0.command(.resume) }
        try world.wait("it is synced") { $0.statuses.last?.phase == .idle && $0.statuses.last?.counts.pending == 0 }
        #expect(files.filter { (try? world.remote.read($0)) != $0 } == [])
    }
}

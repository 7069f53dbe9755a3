import Dispatch
import Support
import SyncCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// A session that ends while its database is sound, and one whose database is closed by who is told of its end.
@Suite struct NewSessionTests {
    private static var configuration: SessionConfiguration {
        var configuration = SessionConfiguration(tag: "TEST", pauses: Patience.Syncing.session)
        configuration.isOnDemand = true
        return configuration
    }

    /// How demands ended, in this order.
    private final class Ends: Sendable {
        private let ends = Mutex<[DemandEnd]>([])

        func note(_ report: DemandReport) {
            if case .ended(let end, _) = report { ends.withLock { $0.append(end) } }
        }

        var all: [DemandEnd] { ends.withLock { $0 } }
    }

    private func world(failures: Int) throws -> (world: FolderWorld, barriers: FailingBarriers) {
        let place = Mutex<FailingBarriers?>(nil)
        let world = try FolderWorld(configuration: Self.configuration) { remote in
            let barriers = FailingBarriers(remote, failures: failures)
            place.withLock { $0 = barriers }
            return barriers
        }
        for name in ["a", "b"] { try world.folder.write(name, to: name) }
        return (world, try #require(place.withLock { $0 }))
    }

    @Test(
        "After a barrier that failed a new session begins at once, and nothing is said; the second time in a row it waits",
        arguments: [1, 2])
    func barrierFailed(times: Int) throws {
        let (world, barriers) = try world(failures: times)
        try world.start()
        try world.wait("it is synced") { _ in world.remote.exists("a") && world.remote.exists("b") }
        try world.wait("it is done") { $0.statuses.last?.phase == .idle }
        #expect(barriers.remaining == 0)
        #expect(world.record.warnings.map(\.code) == Array(repeating: .unreachable, count: times - 1))
        #expect(world.record.statuses.contains { $0.phase == .stopped } == (times > 1))
        #expect(try world.syncNow().isSilent)
    }

    @Test("A demand that is made before the new session begins is worth making again")
    func demandedBetween() throws {
        let (world, barriers) = try world(failures: 1)
        let ends = Ends()
        let (sync, loop) = (world.sync, world.loop)
        loop.queue.sync {
            sync.onDemandReport = { id, report in
                ends.note(report)
                // Before the new session, which is begun by what is posted later.
                if id == DemandID(1), !ends.all.isEmpty {
                    loop.post { sync.command(.demand(DemandID(2), Demand(.away, .root))) }
                }
            }
        }
        // It is heard before the failure is: otherwise the other one, which it causes, may come after the new session.
        barriers.beforeFailure { loop.queue.sync { sync.command(.demand(DemandID(1), Demand(.away, .root))) } }
        try world.start()
        try world.wait("both ended") { _ in ends.all.count == 2 }
        #expect(ends.all == [.failed(DemandFailure(.interrupted)), .failed(DemandFailure(.interrupted))])
        #expect(world.record.warnings.isEmpty)
    }

    /// Stops a folder and closes its database when it is told something, as the worker does.
    ///
    /// @unchecked: confined to the loop.
    private final class Closer: SyncFolderDelegate, @unchecked Sendable {
        let closesAfterRun: Bool
        let closed = Mutex(false)
        /// What it is told after it has closed the database.
        let toldLater = Mutex<[String]>([])

        init(closesAfterRun: Bool) { self.closesAfterRun = closesAfterRun }

        func close(_ folder: SyncFolder) {
            folder.stop()
            folder.close()
            closed.withLock { $0 = true }
        }

        private func note(_ told: String) {
            guard closed.withLock({ $0 }) else { return }
            toldLater.withLock { $0.append(told) }
        }

        func syncFolder(_ folder: SyncFolder, changed states: [StateChange]) { note("states") }
        func syncFolder(_ folder: SyncFolder, status: SessionStatus) { note("status \(status.state)") }
        func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord]) { note("activities") }
        func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary) {
            note("run")
            if closesAfterRun { close(folder) }
        }
        func syncFolderDidStop(_ folder: SyncFolder) { note("stopped") }
        func syncFolder(_ folder: SyncFolder, warns warning: Explanation) { note("warning \(warning)") }
    }

    @Test(
        "Who is told of the end of a demand, or of a run, may stop the folder and close its database; nothing follows",
        arguments: [false, true])
    func closedMeanwhile(isRun: Bool) throws {
        let (world, _) = try world(failures: 0)
        let closer = Closer(closesAfterRun: isRun)
        let sync = world.sync
        world.loop.queue.sync {
            sync.delegate = closer
            sync.onDemandReport = { _, report in
                if case .ended = report, !isRun { closer.close(sync) }
            }
            sync.start()
            if !isRun { sync.command(.demand(DemandID(1), Demand(.away, .root))) }
        }
        try world.wait("it is closed") { _ in closer.closed.withLock { $0 } }
        world.loop.queue.sync {}
        #expect(closer.toldLater.withLock { $0 } == [])
        // What was done before is noted, and another object may go on with it.
        let store = try StoreFile.open(world.state.path.appending("trees.db")).store
        if isRun { #expect(try store.localNode(at: RelativePath(text: "a")) != nil) }
        store.close()
    }
}

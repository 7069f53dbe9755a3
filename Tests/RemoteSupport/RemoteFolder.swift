import Dispatch
import Support
package import SyncCore
package import SyncEngine
import Synchronization
package import SystemPackage
package import TestSupport

/// A folder of this computer that is synced with a remote, as the worker does it.
///
/// @unchecked: what both threads use is behind a lock.
package final class RemoteFolder: SyncFolderDelegate, @unchecked Sendable {
    private struct State {
        var runs = 0
        var last = RunSummary()
        var status: SessionStatus?
        var wasOffline = false
        var errors: [String] = []
        var isStopped = false
    }

    /// The folder.
    package let local: TemporaryDirectory
    private let state: TemporaryDirectory
    /// Notes large transfers.
    private let ledger: TransferLedger
    private let sync: SyncFolder
    private let loop = DispatchControlLoop(label: "remote-folder")
    private let seen = Mutex(State())
    private static let patience = Duration.seconds(240)

    /// A folder that begins to sync.
    ///
    /// - Parameters:
    ///   - fill: Puts into it what must be there when it begins: what is put there later may come after what the remote
    ///     holds at the same place.
    ///   - isUploadOnly: Whether items are only uploaded.
    ///   - former: The folder as another object synced it, which has stopped; nil for a new one.
    ///   - remote: Given the folder's name on it, and where large transfers are noted.
    package init(
        owner: String = "test", isUploadOnly: Bool = false, after former: RemoteFolder? = nil,
        fill: (TemporaryDirectory) throws -> Void = { _ in }, _ remote: (EntryName, TransferLedger) -> any Remote
    ) throws {
        local = try former?.local ?? TemporaryDirectory()
        try fill(local)
        state = try former?.state ?? TemporaryDirectory()
        ledger = TransferLedger(at: state["transfers.db"])
        guard let owner = EntryName(owner) else { throw Failure("no name") }
        var configuration = SessionConfiguration(tag: "TEST", pauses: Patience.Syncing.session)
        configuration.isUploadOnly = isUploadOnly
        sync = try SyncFolder(
            id: "test", path: local.path, storePath: state["trees.db"],
            local: DiskEndpoints.local(
                at: local.path, stateDirectory: state["area"], dataHome: state["data"], owner: owner,
                transfers: ledger),
            remote: remote(owner, ledger), configuration: configuration, transfers: ledger, loop: loop)
        sync.delegate = self
        let sync = sync
        loop.post { sync.start() }
    }

    /// Looks at both sides and syncs, which may take several runs until nothing is left to do; the sum of what was done.
    @discardableResult
    package func syncAll(answering answers: SyncAnswers = .confirmDeletes) async throws -> RunSummary {
        let deadline = ContinuousClock.now + Self.patience
        var last: RunSummary
        var isBeingWritten: Bool
        repeat {
            let before = await beginCounting(answers)
            try await wait { $0.runs > before }
            isBeingWritten = await isAnythingBeingWritten()
            last = seen.withLock { $0.last }
            if isBeingWritten { try await Task.sleep(for: .milliseconds(10)) }
        } while (isBeingWritten && ContinuousClock.now < deadline) || (!last.isSilent && last.errors == 0)
        return last
    }

    /// Looks at both sides and syncs; the number of runs that had ended before. A run that is under way goes on until
    /// it has done that as well, but one that ends on the loop before it hears of it knows nothing of what is there by
    /// now.
    private func beginCounting(_ answers: SyncAnswers) async -> Int {
        let sync = sync
        return await withCheckedContinuation { begun in
            loop.post { [self] in
                begun.resume(returning: seen.withLock { $0.runs })
                sync.command(.syncAnswering(answers))
            }
        }
    }

    /// Whether the folder waits for a local file to be written to its end: a child that another test starts has open
    /// what was open at that moment until its own program begins. When it is known, all is told of the run that has
    /// ended.
    private func isAnythingBeingWritten() async -> Bool {
        let sync = sync
        return await withCheckedContinuation { known in
            loop.post {
                known.resume(
                    returning: sync.itemsTriedAgain(limit: .max).contains { $0.message.code == .beingWritten })
            }
        }
    }

    /// The items that the remote puts off.
    package func putOff() async -> [(node: NodeID, message: Explanation)] {
        let sync = sync
        return await withCheckedContinuation { known in
            loop.post { known.resume(returning: sync.itemsPutOff(limit: .max)) }
        }
    }

    /// Looks at both sides and syncs, as far as they can be reached; does not wait for it.
    package func begin() {
        let sync = sync
        loop.post { sync.command(.syncAnswering(.confirmDeletes)) }
    }

    /// Begins nothing more, and gives up what is being transferred.
    package func holdBack() {
        let sync = sync
        loop.post {
            sync.command(.pause)
            sync.abandonTransfers()
        }
    }

    /// Ends ``holdBack()``.
    package func goOn() {
        let sync = sync
        loop.post { sync.command(.resume) }
    }

    /// What the folder shows now.
    package var status: SessionStatus? { seen.withLock { $0.status } }
    /// Whether it ever said that the remote cannot be reached.
    package var wasOffline: Bool { seen.withLock { $0.wasOffline } }
    /// What could not be synced, as it was logged.
    package var errors: [String] { seen.withLock { $0.errors } }

    /// Waits until the folder shows that.
    package func waitForStatus(_ condition: (SessionStatus) -> Bool) async throws {
        try await wait { $0.status.map(condition) ?? false }
    }

    /// Ends syncing, and closes what is kept of it.
    package func stop() async throws {
        let sync = sync
        loop.post { sync.stop() }
        try await wait { $0.isStopped }
        await withCheckedContinuation { closed in
            loop.post {
                sync.close()
                closed.resume()
            }
        }
    }

    /// Where the folder keeps what has arrived of large files.
    package var staging: FilePath { state["area/staging"] }

    /// After ``stop()``, when it is not synced any more: removes what large transfers have left.
    package func removePartials() async { await sync.removePartials() }

    /// What is noted of large transfers, as somebody else reads it after ``stop()``.
    package func notedTransfers() -> [TransferRecord] {
        TransferLedger(at: state["transfers.db"]).claimOthers().compactMap(\.record)
    }

    /// Threads of the tasks are few, and the remote needs them: none of them is held up meanwhile.
    private func wait(_ condition: (State) -> Bool) async throws {
        let deadline = ContinuousClock.now + Self.patience
        while !seen.withLock({ condition($0) }) {
            guard ContinuousClock.now < deadline else {
                throw Failure("nothing happens any more: \(seen.withLock { "\($0)" })")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func note(_ body: (inout State) -> Void) {
        seen.withLock { body(&$0) }
    }

    package func syncFolder(_ folder: SyncFolder, changed states: [StateChange]) {}
    package func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord]) {
        note { state in state.errors += activities.filter { $0.kind == "error" }.map { "\($0.detail)" } }
    }
    package func syncFolder(_ folder: SyncFolder, status: SessionStatus) {
        note { state in
            state.status = status
            if status.phase == .offline { state.wasOffline = true }
        }
    }
    package func syncFolder(_ folder: SyncFolder, warns warning: Explanation) {}
    package func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary) {
        note { state in
            state.runs += 1
            state.last = summary
        }
    }
    package func syncFolderDidStop(_ folder: SyncFolder) { note { $0.isStopped = true } }
}

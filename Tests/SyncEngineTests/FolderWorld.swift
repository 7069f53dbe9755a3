import Dispatch
import Support
import SyncCore
import Synchronization
import SystemPackage
import TestSupport

@testable import SyncEngine

/// A synced folder with a directory remote in temporary directories, driven as the worker drives it.
final class FolderWorld {
    let folder: TemporaryDirectory
    let remote: TemporaryDirectory
    let state: TemporaryDirectory
    let data: TemporaryDirectory
    let loop = DispatchControlLoop(label: "test")
    private(set) var sync: SyncFolder
    private let recorder: Recorder
    let configuration: SessionConfiguration
    private let wrapping: (any Remote) -> any Remote

    /// @unchecked: everything behind a lock.
    final class Recorder: SyncFolderDelegate, @unchecked Sendable {
        struct Record {
            var runs: [RunSummary] = []
            var statuses: [SessionStatus] = []
            var activities: [ActivityRecord] = []
            var warnings: [Explanation] = []
            var isStopped = false
        }

        let record = Mutex(Record())

        func syncFolder(_ folder: SyncFolder, changed states: [StateChange]) {}
        func syncFolder(_ folder: SyncFolder, status: SessionStatus) {
            record.withLock { $0.statuses.append(status) }
        }
        func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord]) {
            record.withLock { $0.activities += activities }
        }
        func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary) {
            record.withLock { $0.runs.append(summary) }
        }
        func syncFolderDidStop(_ folder: SyncFolder) {
            record.withLock { $0.isStopped = true }
        }
        func syncFolder(_ folder: SyncFolder, warns warning: Explanation) {
            record.withLock { $0.warnings.append(warning) }
        }
    }

    /// - Parameter wrapping: What stands between the folder and the directory remote.
    init(
        in parent: String? = nil, remoteIn remoteParent: String? = nil, stateIn stateParent: String? = nil,
        configuration: SessionConfiguration = SessionConfiguration(tag: "TEST", pauses: Patience.Syncing.session),
        wrapping: @escaping (any Remote) -> any Remote = { $0 }
    ) throws {
        folder = try TemporaryDirectory(in: parent)
        remote = try TemporaryDirectory(in: remoteParent ?? parent)
        state = try TemporaryDirectory(in: stateParent ?? parent)
        data = try TemporaryDirectory(in: parent)
        self.configuration = configuration
        self.wrapping = wrapping
        recorder = Recorder()
        sync = try Self.make(folder, remote, state, data, loop, configuration, wrapping)
        sync.delegate = recorder
    }

    private static func make(
        _ folder: TemporaryDirectory, _ remote: TemporaryDirectory, _ state: TemporaryDirectory,
        _ data: TemporaryDirectory, _ loop: DispatchControlLoop, _ configuration: SessionConfiguration,
        _ wrapping: (any Remote) -> any Remote
    ) throws -> SyncFolder {
        let local = DiskEndpoints.local(
            at: folder.path, stateDirectory: state.path.appending("area"), dataHome: data.path, owner: .constant("id"))
        let other = DiskEndpoints.remote(at: remote.path, owner: .constant("id"))
        return try SyncFolder(
            id: "id", path: folder.path, storePath: state.path.appending("trees.db"), local: local,
            remote: wrapping(other), configuration: configuration, loop: loop)
    }

    var record: Recorder.Record { recorder.record.withLock { $0 } }

    /// Starts, and waits until the first run ended.
    @discardableResult
    func start() throws -> RunSummary {
        try run { $0.start() }
    }

    /// Looks at everything, as `roundel sync --wait` does.
    @discardableResult
    func syncNow() throws -> RunSummary {
        try run { $0.command(.syncNow) }
    }

    /// Looks at everything again and again until `condition` holds, four minutes at most: a file that may still be
    /// written waits for some seconds where nobody can tell.
    func sync(until condition: () throws -> Bool) throws {
        let deadline = DispatchTime.now() + .seconds(240)
        while try !condition() {
            guard DispatchTime.now() < deadline else { throw Timeout(what: "it is synced", last: record.statuses.last) }
            try syncNow()
        }
    }

    /// Runs `body` on the loop and waits for the end of the run that it causes, or of several: what is taken for being
    /// written is looked at again. A child that another test starts has open what was open at that moment, until its
    /// own program begins.
    @discardableResult
    func run(_ body: @escaping @Sendable (SyncFolder) -> Void) throws -> RunSummary {
        let before = try runOnce(body)
        let deadline = DispatchTime.now() + .seconds(30)
        while isAnythingBeingWritten, DispatchTime.now() < deadline {
            usleepBriefly()
            _ = try runOnce { $0.command(.syncNow) }
        }
        return record.runs[before...].reduce(RunSummary()) { $0.followed(by: $1) }
    }

    /// The number of runs that had ended before. They are counted on the loop: a run that ends before `body` is heard
    /// there is not the one that it causes.
    private func runOnce(_ body: @escaping @Sendable (SyncFolder) -> Void) throws -> Int {
        let sync = sync
        let before = loop.queue.sync {
            let count = record.runs.count
            body(sync)
            return count
        }
        try wait("a run ends") { $0.runs.count > before }
        // The status is told after the end of a run, in the same turn of the loop.
        loop.queue.sync {}
        return before
    }

    private var isAnythingBeingWritten: Bool {
        let sync = sync
        return loop.queue.sync { sync.itemsTriedAgain(limit: .max).contains { $0.message.code == .beingWritten } }
    }

    /// Waits until `condition` holds, four minutes at most.
    func wait(_ what: String, _ condition: (Recorder.Record) -> Bool) throws {
        let deadline = DispatchTime.now() + .seconds(240)
        while !condition(record) {
            guard DispatchTime.now() < deadline else { throw Timeout(what: what, last: record.statuses.last) }
            usleepBriefly()
        }
    }

    struct Timeout: Error {
        var what: String
        var last: SessionStatus?
    }

    /// Stops, and opens the folder again with the same database.
    func restart() throws {
        try restart {
        } then: { _ in
        }
    }

    /// Stops, runs `between` while nobody has the database, opens the folder again and hands on what that returned.
    func restart<Result>(_ between: () throws -> Result, then: (Result) throws -> Void) throws {
        let sync = sync
        loop.post { sync.stop() }
        try wait("the folder stops") { $0.isStopped }
        loop.queue.sync { sync.store.close() }
        recorder.record.withLock { $0.isStopped = false }
        let result = try between()
        self.sync = try Self.make(folder, remote, state, data, loop, configuration, wrapping)
        self.sync.delegate = recorder
        try then(result)
    }

    /// The state of the item at a path.
    func state(_ path: String) throws -> ItemSyncState? {
        try loop.queue.sync {
            guard let node = try sync.store.localNode(at: RelativePath(text: path)) else { return nil }
            return try sync.presentation(of: node).state
        }
    }

    /// What is said of the item at a path.
    func message(_ path: String) throws -> Explanation {
        try loop.queue.sync {
            guard let node = try sync.store.localNode(at: RelativePath(text: path)) else { return .nothing }
            return try sync.presentation(of: node).message
        }
    }

    deinit {
        let sync = sync
        loop.queue.sync { sync.stop() }
    }
}

private func usleepBriefly() {
    let semaphore = DispatchSemaphore(value: 0)
    _ = semaphore.wait(timeout: .now() + .milliseconds(2))
}

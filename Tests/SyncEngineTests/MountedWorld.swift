import CLinux
import Dispatch
import Glibc
import MountProtocol
import MountSupport
import Support
import SyncCore
import Synchronization
import SystemPackage
import TestSupport

@testable import SyncEngine

/// A folder on demand that the real roundel-mount serves, with a directory remote, driven as the worker drives it.
/// Whatever this process opens there is opened by the worker: programs that read are processes of their own.
final class MountedWorld {
    let mount: MountedFolder
    let remote: TemporaryDirectory
    let state: TemporaryDirectory
    private let loop = DispatchControlLoop(label: "mounted")
    private let recorder = FolderWorld.Recorder()
    private(set) var contents: MountedContents
    private(set) var sync: SyncFolder
    private let fetcher: Fetcher

    /// What brings contents that programs wait for: all of it on the loop.
    ///
    /// @unchecked: everything behind a lock or on the loop.
    final class Fetcher: @unchecked Sendable {
        struct Record {
            var wanted: [RelativePath] = []
            var emptied: [RelativePath] = []
            var ends: [DemandID: DemandEnd] = [:]
            var lastDemand: UInt64 = 0
        }

        let record = Mutex(Record())
        let loop: DispatchControlLoop
        weak var sync: SyncFolder?
        weak var contents: MountedContents?
        private var fetches: [DemandID: FetchNumber] = [:]

        init(_ loop: DispatchControlLoop) { self.loop = loop }

        func number() -> DemandID {
            record.withLock { record in
                record.lastDemand += 1
                return DemandID(record.lastDemand)
            }
        }

        func take(_ report: ContentsReport) {
            switch report {
            case .wanted(let fetch, let path, _):
                record.withLock { $0.wanted.append(path) }
                loop.post { self.bring(path, for: fetch) }
            case .emptied(let path):
                record.withLock { $0.emptied.append(path) }
                loop.post { self.sync?.changed(.local, directories: [], items: [path], isOverflow: false) }
            case .connected, .disconnected, .withdrawn: break
            }
        }

        private func bring(_ path: RelativePath, for fetch: FetchNumber) {
            guard let sync, let node = try? sync.store.localNode(at: path) else {
                contents?.fail(fetch, .noSuchFileOrDirectory)
                return
            }
            let demand = number()
            fetches[demand] = fetch
            sync.command(.demand(demand, Demand(.here, node, isOpening: true)))
        }

        func take(_ id: DemandID, _ report: DemandReport) {
            guard case .ended(let end, _) = report else { return }
            record.withLock { $0.ends[id] = end }
            // What was filled has ended already, and this is ignored.
            if let fetch = fetches.removeValue(forKey: id) { contents?.fail(fetch, .ioError) }
        }
    }

    init() throws {
        mount = try MountedFolder()
        remote = try TemporaryDirectory(in: MountedFolder.place)
        state = try TemporaryDirectory(in: MountedFolder.place)
        fetcher = Fetcher(loop)
        contents = MountedContents(socket: FilePath(mount.socket))
        sync = try Self.make(mount, remote, state, loop, contents)
        try mount.mount()
        adopt()
    }

    private static func make(
        _ mount: MountedFolder, _ remote: TemporaryDirectory, _ state: TemporaryDirectory, _ loop: DispatchControlLoop,
        _ contents: MountedContents
    ) throws -> SyncFolder {
        let local = DiskEndpoints.local(
            at: FilePath(mount.path), stateDirectory: state.path.appending("area"),
            dataHome: state.path.appending("data"), owner: .constant("id"), contents: contents)
        let other = DiskEndpoints.remote(at: remote.path, owner: .constant("id"))
        var configuration = SessionConfiguration(tag: "TEST", pauses: Patience.Syncing.session)
        configuration.isOnDemand = true
        return try SyncFolder(
            id: "id", path: FilePath(mount.path), storePath: state.path.appending("trees.db"), local: local,
            remote: other, configuration: configuration, loop: loop)
    }

    private func adopt() {
        let fetcher = fetcher
        (fetcher.sync, fetcher.contents) = (sync, contents)
        sync.delegate = recorder
        contents.listen { [weak fetcher] in fetcher?.take($0) }
        sync.onDemandReport = { [weak fetcher] in fetcher?.take($0, $1) }
    }

    deinit {
        let sync = sync
        loop.queue.sync { sync.stop() }
        contents.hangUp()
    }

    var record: FolderWorld.Recorder.Record { recorder.record.withLock { $0 } }
    var wanted: [String] { fetcher.record.withLock { $0.wanted.map(\.description) } }
    var lastStatus: SessionStatus? { record.statuses.last }

    // MARK: Running

    @discardableResult
    func start() throws -> RunSummary { try run { $0.start() } }

    /// Looks at everything. Deletions are confirmed, however many there are.
    @discardableResult
    func syncNow() throws -> RunSummary { try run { $0.command(.syncAnswering(.confirmDeletes)) } }

    /// Has everything looked at, and does not wait for that.
    func beginSync() {
        let sync = sync
        loop.post { sync.command(.syncNow) }
    }

    @discardableResult
    private func run(_ body: @escaping @Sendable (SyncFolder) -> Void) throws -> RunSummary {
        let sync = sync
        let before = loop.queue.sync {
            let count = record.runs.count
            body(sync)
            return count
        }
        try wait("a run ends") { self.record.runs.count > before }
        loop.queue.sync {}
        return record.runs[before...].reduce(RunSummary()) { $0.followed(by: $1) }
    }

    /// Looks at everything again and again until `condition` holds.
    func sync(_ what: String, until condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(240)
        while try !condition() {
            guard ContinuousClock.now < deadline else { throw Failure("\(what): \(String(describing: lastStatus))") }
            try syncNow()
        }
    }

    func wait(_ what: String, _ condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(240)
        while try !condition() {
            guard ContinuousClock.now < deadline else { throw Failure("\(what): \(String(describing: lastStatus))") }
            usleep(2_000)
        }
    }

    /// Makes a demand and waits for its end.
    func demand(_ aim: Demand.Aim, _ path: String) throws -> DemandEnd? {
        let (sync, fetcher) = (sync, fetcher)
        let id = fetcher.number()
        let path = RelativePath(text: path)
        try loop.queue.sync {
            guard let node = try sync.store.localNode(at: path) else { throw Failure("not known: \(path)") }
            sync.command(.demand(id, Demand(aim, node)))
        }
        try wait("a demand ends") { fetcher.record.withLock { $0.ends[id] != nil } }
        return fetcher.record.withLock { $0.ends[id] }
    }

    func wish(_ wish: Wish, _ path: String) throws {
        let sync = sync
        let path = RelativePath(text: path)
        try loop.queue.sync {
            guard let node = try sync.store.localNode(at: path) else { throw Failure("not known: \(path)") }
            sync.command(.wish(wish, for: [node]))
        }
    }

    /// Ends the worker's session, does something, and begins another.
    func restart(_ between: () throws -> Void = {}) throws {
        let sync = sync
        loop.post { sync.stop() }
        try wait("the folder stops") { self.record.isStopped }
        loop.queue.sync { sync.store.close() }
        recorder.record.withLock { $0.isStopped = false }
        contents.hangUp()
        try between()
        contents = MountedContents(socket: FilePath(mount.socket))
        self.sync = try Self.make(mount, remote, state, loop, contents)
        adopt()
    }

    // MARK: Looking

    func status(_ name: String) -> clinux_status? {
        var status = clinux_status()
        return clinux_status(AT_FDCWD, mount(name), &status) == 0 ? status : nil
    }

    func exists(_ name: String) -> Bool { status(name) != nil }

    /// Whether the contents of a file are away: it has its mark and takes no room.
    func isAway(_ name: String) -> Bool { mount.isMarked(name) && status(name).map { $0.stored <= 4_096 } == true }

    /// What a program reads.
    func read(_ name: String) throws -> String {
        let outcome = try run(["cat", mount(name)])
        guard outcome.status == 0 else { throw Failure("cat \(name): \(outcome.errors)") }
        return outcome.output
    }

    /// Lets a program do something.
    @discardableResult
    func run(_ words: [String]) throws -> RunningProgram.Outcome {
        try RunningProgram(words, environment: RunningProgram.inheritedEnvironment).finish()
    }

    /// Writes a file as a program does.
    func write(_ text: String, to name: String) throws {
        let outcome = try run(["sh", "-c", "printf %s \"$1\" > \"$2\"", "sh", text, mount(name)])
        guard outcome.status == 0 else { throw Failure("write \(name): \(outcome.errors)") }
    }
}

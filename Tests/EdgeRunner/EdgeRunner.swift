import Dispatch
import Glibc
import SyncCore
import SyncEngine
import Synchronization
import SystemPackage

/// Syncs the directories `local` and `remote` of a directory, as the worker does but without a bus: the tests end it at
/// any moment, have its system calls fail, and read what it asks of the kernel.
///
///     edge-runner DIRECTORY STEP...
///
/// Each step is `start`, `sync`, `mine:PATH`, `theirs:PATH` or `stop`, and lasts until the run that it causes is over.
/// `moved-directory` and `moved-file` stand alone: a directory that was changed, or a file of which another has the name
/// then, is renamed before its barrier.
///
/// EDGE_PATIENCE says after how many seconds without the end of a run it ends, with the status 3. Without it that is so
/// long that a machine whose cores are all busy with something else does not reach it.
@main
enum EdgeRunner {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let place = arguments.first else { throw Unusable(what: "no directory") }
        let folder = FilePath(place)
        if arguments.dropFirst() == ["moved-directory"] { return try await changeAndMove(folder) }
        if arguments.dropFirst() == ["moved-file"] { return try await moveAndReplace(folder) }
        let runner = try Runner(in: folder)
        for step in arguments.dropFirst() { try runner.perform(step) }
    }

    /// Puts a file into a directory, which is renamed before what was changed in it is made durable.
    private static func changeAndMove(_ folder: FilePath) async throws {
        let local = Runner.local(in: folder)
        let remote = Runner.remote(in: folder)
        guard let name = EntryName("file"), let directory = EntryName("directory"),
            let source = try await local.entry(RelativePath([name]), in: .none)
        else { throw Unusable(what: "no file to copy") }
        let stage = StageID(1)
        let place = RelativePath([directory, name])
        let contents = try await local.open(RelativePath([name]), expecting: source.version)
        _ = try await remote.stage(stage, from: contents, near: place) { _ in true }
        try await remote.syncContents([stage])
        _ = try await remote.publish(stage, at: place, replacing: nil, permissions: nil)
        try rename([("directory", "moved")], in: folder.appending("remote"))
        try await remote.syncRenames([BarrierItem(RelativePath([directory]))])
    }

    /// Has a file made durable that was renamed since it was looked at, while another got its name.
    private static func moveAndReplace(_ folder: FilePath) async throws {
        let local = Runner.local(in: folder)
        guard let name = EntryName("file"), let entry = try await local.entry(RelativePath([name]), in: .none) else {
            throw Unusable(what: "no file")
        }
        try rename([("file", "moved"), ("other", "file")], in: folder.appending("local"))
        try await local.syncRenames([BarrierItem(RelativePath([name]), identity: entry.version.identity)])
    }

    private static func rename(_ names: [(old: String, new: String)], in directory: FilePath) throws {
        for name in names {
            guard Glibc.rename(directory.appending(name.old).string, directory.appending(name.new).string) == 0 else {
                throw Unusable(what: "cannot rename \(name.old)")
            }
        }
    }
}

struct Unusable: Error {
    var what: String
}

/// One folder and the thread that waits for it.
///
/// @unchecked: what both threads use is behind a lock.
final class Runner: SyncFolderDelegate, @unchecked Sendable {
    private struct State {
        var runs = 0
        var isStopped = false
    }

    private static let patience = DispatchTimeInterval.seconds(getenv("EDGE_PATIENCE").map { Int(atoi($0)) } ?? 180)
    private let loop = DispatchControlLoop(label: "edge-runner")
    private let folder: SyncFolder
    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    init(in place: FilePath) throws {
        folder = try SyncFolder(
            id: "edge", path: place.appending("local"), storePath: place.appending("state/trees.db"),
            local: Self.local(in: place), remote: Self.remote(in: place),
            configuration: SessionConfiguration(tag: "TEST", concurrency: 4), loop: loop)
        folder.delegate = self
    }

    static func local(in place: FilePath) -> any LocalEndpoint {
        DiskEndpoints.local(
            at: place.appending("local"), stateDirectory: place.appending("state/area"),
            dataHome: place.appending("data"), owner: owner)
    }

    static func remote(in place: FilePath) -> any Remote {
        DiskEndpoints.remote(at: place.appending("remote"), owner: owner)
    }

    private static let owner = EntryName("edge") ?? .root

    func perform(_ step: String) throws {
        let parts = step.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts[0], parts.count) {
        case ("start", 1):
            // Deletions are confirmed at once, which spares the wait for more of them.
            try run { folder in
                folder.start()
                folder.command(.syncAnswering(.confirmDeletes))
            }
        case ("sync", 1): try run { $0.command(.syncAnswering(.confirmDeletes)) }
        case ("mine", 2): try resolve(parts[1], .mine)
        case ("theirs", 2): try resolve(parts[1], .theirs)
        case ("stop", 1):
            let folder = folder
            loop.post { folder.stop() }
            try wait { $0.isStopped }
        default: throw Unusable(what: step)
        }
        print("done \(step)")
    }

    private func resolve(_ path: String, _ choice: ConflictChoice) throws {
        let path = RelativePath(path.split(separator: "/").compactMap { EntryName(String($0)) })
        // What is no conflict stays as it is; the run that follows ends all the same.
        try run { folder in
            if let node = try? folder.store.localNode(at: path) { folder.command(.resolve(node, choice)) }
            folder.command(.syncAnswering(.confirmDeletes))
        }
    }

    private func run(_ body: @escaping @Sendable (SyncFolder) -> Void) throws {
        let before = state.withLock { $0.runs }
        let folder = folder
        loop.post { body(folder) }
        try wait { $0.runs > before }
    }

    private func wait(_ condition: (State) -> Bool) throws {
        let deadline = DispatchTime.now() + Self.patience
        while !state.withLock({ condition($0) }) {
            guard news.wait(timeout: deadline) == .success else {
                print("nothing happens any more")
                exit(3)
            }
        }
    }

    func syncFolder(_ folder: SyncFolder, changed states: [StateChange]) {}
    func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord]) {
        for record in activities where record.kind == "error" { print("error \(record.detail)") }
    }
    func syncFolder(_ folder: SyncFolder, status: SessionStatus) {
        if status.phase == .stopped { print("stopped \(status.message)") }
    }
    func syncFolder(_ folder: SyncFolder, warns warning: Explanation) { print("warning \(warning)") }
    func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary) {
        print("run \(summary)")
        state.withLock { $0.runs += 1 }
        news.signal()
    }
    func syncFolderDidStop(_ folder: SyncFolder) {
        state.withLock { $0.isStopped = true }
        news.signal()
    }
}

import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// A directory tree on a disk or mounted share as a side of a folder.
///
/// Every path is resolved beneath an open root, so nothing outside it is reached. The root is opened when it is
/// needed, only if it still is the one that `root` saw last, and let go by `rest`: an idle folder keeps no file system
/// from being unmounted.
final class DiskEndpoint: Endpoint {
    /// Where a version goes that is replaced or removed.
    enum Disposal: Sendable {
        /// Removed ones go to the desktop's trash below this `$XDG_DATA_HOME`, replaced ones to the folder's store.
        case trash(dataHome: FilePath)
        /// Both go to the folder's store.
        case store
    }

    private struct State {
        var workspace: Workspace?
        var identity: Token?
        var staged: [StageID: StagedFile] = [:]
        var clock: FileClock?
        var lastMeasured: Int64 = 0
        /// What was announced to the store since renames were made durable last.
        var announced: [EntryName] = []
        /// Bytes in the store, of which some may be gone by now.
        var keptBytes: UInt64 = 0
    }

    let path: FilePath
    let disposal: Disposal
    /// For messages: "here" or "at the remote".
    let place: String
    let versions = FileVersions()
    /// Says whether a file is being written.
    let writers: @Sendable (Descriptor, FileSystemKind) -> WriterCheck.Answer
    /// Begins the names of this run's staged files; those of other installations and runs begin otherwise.
    let session: String
    private let owner: EntryName
    private let stateDirectory: FilePath?
    private let state = Mutex(State())

    /// A side at `path`, of which nothing is opened yet.
    ///
    /// - Parameters:
    ///   - stateDirectory: Where staged and replaced files stand if that is on the same file system.
    ///   - owner: The folder; staged files of others are left alone.
    ///   - writers: Says whether a file is being written.
    init(
        path: FilePath, stateDirectory: FilePath?, disposal: Disposal, place: String, owner: EntryName,
        writers: @escaping @Sendable (Descriptor, FileSystemKind) -> WriterCheck.Answer = WriterCheck.check
    ) {
        self.writers = writers
        self.path = path
        self.stateDirectory = stateDirectory
        self.disposal = disposal
        self.place = place
        self.owner = owner
        session = RandomName.component().description
    }

    /// The open root; opened anew if it was let go, and refused if it is not the one that was seen last.
    func workspace() throws(Errno) -> Workspace {
        try state.withLock { state throws(Errno) in
            if let workspace = state.workspace { return workspace }
            let directory = try DirectoryHandle(absolute: path)
            if let identity = state.identity, try RootIdentity.token(of: directory) != identity {
                throw .noSuchFileOrDirectory
            }
            if state.lastMeasured + 3_600 < Self.seconds() { state.clock = nil }
            let workspace = try Workspace(
                directory, path: path, stateDirectory: stateDirectory, disposal: disposal, owner: owner,
                session: session, knownClock: state.clock)
            if state.clock == nil {
                state.lastMeasured = Self.seconds()
                state.keptBytes = workspace.keptBytes
            }
            state.clock = workspace.clock
            versions.adopt(workspace)
            state.workspace = workspace
            return workspace
        }
    }

    func root() -> RootState {
        do throws(Errno) {
            let found = try DirectoryHandle(absolute: path)
            let identity = try RootIdentity.token(of: found)
            let status = try found.descriptor.status()
            state.withLock { state in
                if let own = try? state.workspace?.directory.descriptor.status(),
                    own.inode != status.inode || own.device != status.device
                {
                    state.workspace = nil
                }
                state.identity = identity
            }
            return .present(identity: identity, generation: .none)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
            return .missing("The folder \(path) is not there \(place). Bring it back or mount it.")
        } catch {
            return .unreachable("The folder \(path) cannot be opened \(place): \(error).")
        }
    }

    /// Gives the root a mark of its own, by which it is known from now on, if it has none and can carry one.
    func establishIdentity() throws(EffectFailure) {
        do throws(Errno) {
            try RootIdentity.establish(on: DirectoryHandle(absolute: path))
        } catch .readOnlyFileSystem, .permissionDenied, .notPermitted {
            // A root that cannot be written is known by its inode alone.
        } catch {
            throw EffectFailure(error, .root, in: place)
        }
    }

    func rest() {
        state.withLock { $0.workspace = nil }
    }

    func remember(_ file: StagedFile, as id: StageID) {
        state.withLock { $0.staged[id] = file }
    }

    func stagedFile(_ id: StageID) -> StagedFile? {
        state.withLock { $0.staged[id] }
    }

    /// A version is about to be kept under this name.
    func noteAnnounced(_ slot: EntryName) {
        state.withLock { $0.announced.append(slot) }
    }

    /// What was announced since renames were made durable last; `taking` forgets it.
    func announced(taking: Bool) -> [EntryName] {
        state.withLock { state in
            defer { if taking { state.announced = [] } }
            return state.announced
        }
    }

    /// So much more is kept; returns how much that makes.
    @discardableResult
    func countKept(_ bytes: UInt64) -> UInt64 {
        state.withLock { state in
            state.keptBytes = state.keptBytes.addingReportingOverflow(bytes).partialValue
            return state.keptBytes
        }
    }

    /// The store was looked through: so much is kept.
    func setKept(_ bytes: UInt64) {
        state.withLock { $0.keptBytes = bytes }
    }

    /// Whether one more file without a name can be kept open until it is published: at most a quarter of the
    /// descriptors that this process may have.
    func takesUnnamed(_ workspace: Workspace) -> Bool {
        guard workspace.kind == .local else { return false }
        return state.withLock { $0.staged.count } < Self.unnamedLimit
    }

    private static let unnamedLimit = DescriptorLimit.raised() / 4

    @discardableResult
    func forget(_ id: StageID) -> StagedFile? {
        state.withLock { $0.staged.removeValue(forKey: id) }
    }

    /// Seconds since 1970.
    static func seconds() -> Int64 { Int64(time(nil)) }

    /// Runs `body` in the open root, its errors told as failures about `path`.
    func attempt<Result>(
        _ path: RelativePath, _ body: (Workspace) throws(Errno) -> Result
    ) throws(EffectFailure) -> Result {
        do throws(Errno) {
            return try body(workspace())
        } catch {
            throw EffectFailure(error, path, in: place)
        }
    }

    /// The failure that something else than the expected version is there.
    func changed(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.changed, "“\(path)” changed meanwhile \(place).")
    }
}

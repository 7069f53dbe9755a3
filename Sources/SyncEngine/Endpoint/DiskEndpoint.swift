import Glibc
import Support
import SyncCore
import Synchronization
import SystemPackage

/// A directory tree on a disk or mounted share as a side of a folder.
///
/// Every path is resolved beneath an open root, so nothing outside it is reached. The root is opened when it is
/// needed, only if it still is the one that `root` saw last, and let go by `rest`: an idle folder keeps no file system
/// from being unmounted.
final class DiskEndpoint: LocalEndpoint {
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
        var keepsPermissions: Bool?
        var lastMeasured: Int64 = 0
        /// What kept versions age by, as it was when the root was let go.
        var lived: LivedTime?
        var unsynced = UnsyncedChanges()
        /// Bytes in the store, of which some may be gone by now.
        var keptBytes: UInt64 = 0
        /// Bytes of small files that were staged since it was asked last how much space there is.
        var unmeasuredBytes: Int64 = 0
    }

    let path: FilePath
    let disposal: Disposal
    /// Which of the two it is, for what is said of it.
    let side: Side
    let versions = FileVersions()
    /// Says whether a file is being written.
    let writers: @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer
    /// Begins the names of this run's staged files; those of other installations and runs begin otherwise.
    let session: String
    /// What transfers leave free.
    let floor: FreeSpaceFloor
    /// Notes large transfers to this side; nil where none is gone on with in a later run.
    let transfers: TransferLedger?
    private let owner: EntryName
    private let stateDirectory: FilePath?
    private let state = Mutex(State())
    /// The names of directories that are being listed in pages.
    let nameLists = NameLists()
    /// Where the contents of the other side's files with several names are.
    let linkedContents = LinkedContents()

    /// A side at `path`, of which nothing is opened yet.
    ///
    /// - Parameters:
    ///   - stateDirectory: Where staged and replaced files stand if that is on the same file system.
    ///   - owner: The folder; staged files of others are left alone.
    ///   - floor: What transfers leave free.
    ///   - transfers: Where large transfers to this side are noted; nil: none is gone on with in a later run.
    ///   - writers: Says whether a file is being written.
    init(
        path: FilePath, stateDirectory: FilePath?, disposal: Disposal, side: Side, owner: EntryName,
        leaving floor: FreeSpaceFloor = FreeSpaceFloor(), transfers: TransferLedger? = nil,
        writers: @escaping @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer = WriterCheck.check
    ) {
        self.writers = writers
        self.floor = floor
        self.transfers = transfers
        self.path = path
        self.stateDirectory = stateDirectory
        self.disposal = disposal
        self.side = side
        self.owner = owner
        session = RandomName.component().description
    }

    /// The open root; opened anew if it was let go, and refused if it is not the one that was seen last.
    func workspace() throws(Errno) -> Workspace {
        try state.withLock { state throws(Errno) in
            if let workspace = state.workspace { return workspace }
            let directory = try DirectoryHandle(absolute: path)
            var seen: RootMark.Look?
            if let identity = state.identity {
                let look = try RootMark.look(at: directory)
                guard RootIdentity.compare(known: identity, found: look.identity.token) == .same else {
                    throw .noSuchFileOrDirectory
                }
                seen = look
            }
            if state.lastMeasured + 3_600 < Self.seconds() { state.clock = nil }
            let workspace = try Workspace(
                directory, seen: seen, lived: state.clock == nil ? nil : state.lived, path: path,
                stateDirectory: stateDirectory, disposal: disposal, owner: owner,
                session: session, knownClock: state.clock,
                keepsPermissions: state.clock == nil ? nil : state.keepsPermissions, transfers: transfers)
            if state.clock == nil {
                state.lastMeasured = Self.seconds()
                state.keptBytes = workspace.keptBytes
            }
            state.clock = workspace.clock
            state.keepsPermissions = workspace.keepsPermissions
            versions.adopt(workspace)
            state.workspace = workspace
            return workspace
        }
    }

    /// What belongs to the file system that `directory`, at `path` below the root, is on: only there a file can be
    /// staged, exchanged and put away by a rename.
    func workspace(of directory: DirectoryHandle, at path: RelativePath) throws(Errno) -> Workspace {
        try workspace().workspace(of: directory, at: path) { root, prefix throws(Errno) in
            let place = prefix.withCString { self.path.pushing(FilePath(platformString: $0)) }
            let nested = try Workspace(
                root, path: place, stateDirectory: nil, disposal: disposal, owner: owner, session: session,
                knownClock: nil, prefix: prefix, transfers: transfers)
            versions.adopt(nested)
            return nested
        }
    }

    /// Every file system within the root on which something is kept, the root's own first.
    func workspaces() throws(Errno) -> [Workspace] {
        let own = try workspace()
        var found = [own]
        for point in MountedPlaces.points(below: path) {
            let area = point.appending(HiddenArea.name).appending(owner)
            guard (try? own.directory.status(at: area)) != nil, let root = try? own.directory.directory(at: point)
            else { continue }
            found.append(try workspace(of: root, at: point))
        }
        return found
    }

    /// Fails unless a file system is mounted at each of these places.
    func requireMounted(_ paths: [RelativePath]) throws(EffectFailure) {
        for path in paths {
            let status = try attempt(path) { workspace throws(Errno) in try workspace.directory.status(at: path) }
            guard status.isMountRoot else { throw EffectFailure(.notMounted, .notMounted, side, path) }
        }
    }

    func root() -> RootState {
        do throws(Errno) {
            let found = try DirectoryHandle(absolute: path)
            let identity = try RootMark.identity(of: found).token
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
            return .missing(Explanation(.rootMissing, side, "\(path)"))
        } catch {
            return .unreachable(Explanation(.rootUnusable, side, "\(path)", "\(error.rawValue)"))
        }
    }

    func mark(knownAs known: Token) throws(EffectFailure) -> Token {
        do throws(Errno) {
            let root = try DirectoryHandle(absolute: path)
            let found = try RootMark.identity(of: root).token
            // Another one stands there by now.
            guard RootIdentity.compare(known: known, found: found) == .same else { throw .noSuchFileOrDirectory }
            try RootMark.write(RootIdentity(known)?.mark, to: root)
            let identity = try RootMark.identity(of: root).token
            state.withLock { $0.identity = identity }
            return identity
        } catch {
            throw EffectFailure(error, .root, on: side)
        }
    }

    func rest() {
        nameLists.removeAll()
        state.withLock { state in
            state.lived = state.workspace?.lived ?? state.lived
            state.workspace = nil
            // What it holds would keep a file system from being unmounted; a batch that is done has synced it.
            state.unsynced = UnsyncedChanges()
        }
    }

    func remember(_ file: StagedFile, as id: StageID) {
        state.withLock { $0.staged[id] = file }
    }

    func stagedFile(_ id: StageID) -> StagedFile? {
        state.withLock { $0.staged[id] }
    }

    /// The entries of a directory are about to change.
    func noteChange(in directory: DirectoryHandle, at path: RelativePath) throws(EffectFailure) {
        let status = try attempt(path) { _ throws(Errno) in try directory.whereabouts() }
        state.withLock { $0.unsynced.note(UnsyncedChanges.DirectoryID(status)) }
    }

    /// Notes what else is about to change, and reads what was noted since renames were made durable last.
    func withUnsynced<Result>(_ body: (inout UnsyncedChanges) -> Result) -> Result {
        state.withLock { body(&$0.unsynced) }
    }

    /// So much more is kept; returns how much that makes.
    @discardableResult
    func countKept(_ bytes: UInt64) -> UInt64 {
        state.withLock { state in
            state.keptBytes = state.keptBytes.addingReportingOverflow(bytes).partialValue
            return state.keptBytes
        }
    }

    /// Whether it is to be asked how much space there is before so many bytes are written: always for a large file,
    /// and each time that so many small ones have come together.
    func isSpaceUnknown(for size: Int64) -> Bool {
        state.withLock { state in
            state.unmeasuredBytes = state.unmeasuredBytes.addingClamped(size)
            return size > FreeSpaceFloor.smallSize || state.unmeasuredBytes > Self.unmeasuredLimit
        }
    }

    /// There is space enough as of now.
    func spaceIsKnown() {
        state.withLock { $0.unmeasuredBytes = 0 }
    }

    private static let unmeasuredLimit: Int64 = 16 << 20

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
        let file = unstage(id)
        file?.claim?.forget()
        return file
    }

    /// The staged file is not in use any more.
    func unstage(_ id: StageID) -> StagedFile? { state.withLock { $0.staged.removeValue(forKey: id) } }

    /// The same for a file, if it is one that has an id.
    func forget(_ file: StagedFile) {
        let id = state.withLock { $0.staged.first { $0.value.status.inode == file.status.inode }?.key }
        if let id { forget(id) }
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
            throw EffectFailure(error, path, on: side)
        }
    }

    /// The failure that something else than the expected version is there.
    func changed(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.changed, .changed, side, path)
    }
}

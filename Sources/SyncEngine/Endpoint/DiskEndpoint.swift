import Glibc
import Support
import SyncCore
import Synchronization
import SystemPackage

/// A directory tree on a disk or mounted share as a side of a folder.
///
/// Every path is resolved beneath an open root, so nothing outside it is reached. The root is opened when it is needed,
/// provided that it is still the one that `root` last saw, and closed by `rest`: an idle folder must not keep a file
/// system from being unmounted.
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
        /// The clock by which kept versions age, as it was when the root was closed.
        var lived: LivedTime?
        var unsynced = UnsyncedChanges()
        /// Bytes in the store, some of which may be gone by now.
        var keptBytes: UInt64 = 0
        /// How many versions entered the store since it was last scanned.
        var keptSincePruned = 0
        /// Bytes of small files that were staged since free space was last measured.
        var unmeasuredBytes: Int64 = 0
    }

    let path: FilePath
    let disposal: Disposal
    /// The side, for error messages.
    let side: Side
    let versions = FileVersions()
    /// Checks whether a file is being written.
    let writers: @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer
    /// The prefix of the names of this run's staged files; other installations and runs use other prefixes.
    let session: String
    /// How much free space transfers must leave.
    let floor: FreeSpaceFloor
    /// Notes large transfers to this side; nil if transfers cannot be resumed after a restart.
    let transfers: TransferLedger?
    private let owner: EntryName
    private let stateDirectory: FilePath?
    private let state = Mutex(State())
    /// The names of directories that are being listed page by page.
    let nameLists = NameLists()
    /// Where the contents of the other side's multiply linked files are.
    let linkedContents = LinkedContents()
    /// How often kept versions made room for something else.
    let givenRoom = GivenRoom()

    /// A side at `path`. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - stateDirectory: Where staged and replaced files are kept if it is on the same file system.
    ///   - owner: The folder; staged files of other folders are left alone.
    ///   - floor: How much free space transfers must leave.
    ///   - transfers: Where large transfers to this side are noted; nil if transfers cannot be resumed after a restart.
    ///   - writers: Checks whether a file is being written.
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

    /// The open root. Opens it if it was closed, and refuses it if it is not the one that was last seen.
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

    /// The workspace of the file system that `directory`, at `path` below the root, is on: only within one file system
    /// can a rename stage, exchange and put away a file.
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

    /// Every file system within the root on which something is kept; the root's own comes first.
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
            // Another directory has taken its place.
            guard RootIdentity.mayMark(known: known, found: found) else { throw .noSuchFileOrDirectory }
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
            // Its open directories would keep a file system from being unmounted; a finished batch has synced them.
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

    /// Notes what else is about to change, and reads what was noted since renames were last made durable.
    func withUnsynced<Result>(_ body: (inout UnsyncedChanges) -> Result) -> Result {
        state.withLock { body(&$0.unsynced) }
    }

    /// Counts a version that enters the store.
    func countKept(_ version: FileStatus) {
        state.withLock { state in
            state.keptBytes = state.keptBytes.addingReportingOverflow(version.room).partialValue
            state.keptSincePruned += 1
        }
    }

    /// Whether the store may hold more than it should.
    func isStoreFull(_ limits: ReplacedStore.Limits) -> Bool {
        state.withLock { $0.keptBytes > limits.size || $0.keptSincePruned > limits.count / 10 }
    }

    /// Whether free space must be measured before writing this many bytes: always for a large file, and each time that
    /// enough small ones have accumulated.
    func isSpaceUnknown(for size: Int64) -> Bool {
        state.withLock { state in
            state.unmeasuredBytes = state.unmeasuredBytes.addingClamped(size)
            return size > FreeSpaceFloor.smallSize || state.unmeasuredBytes > Self.unmeasuredLimit
        }
    }

    /// Records that enough space was just measured.
    func spaceIsKnown() {
        state.withLock { $0.unmeasuredBytes = 0 }
    }

    private static let unmeasuredLimit: Int64 = 16 << 20

    /// Records how many bytes the store holds, after it was scanned.
    func setKept(_ bytes: UInt64) {
        state.withLock { state in
            state.keptBytes = bytes
            state.keptSincePruned = 0
        }
    }

    /// Whether one more unnamed file can be kept open until it is published: they may use a quarter of the descriptors
    /// that this process may have.
    func takesUnnamed(_ workspace: Workspace) -> Bool {
        guard workspace.kind.isLocal else { return false }
        return state.withLock { $0.staged.count } < Self.unnamedLimit
    }

    private static let unnamedLimit = DescriptorLimit.raised() / 4

    @discardableResult
    func forget(_ id: StageID) -> StagedFile? {
        let file = unstage(id)
        file?.claim?.forget()
        return file
    }

    /// Forgets a staged file that is no longer used.
    func unstage(_ id: StageID) -> StagedFile? { state.withLock { $0.staged.removeValue(forKey: id) } }

    /// The same for a file, if it has an id.
    func forget(_ file: StagedFile) {
        let id = state.withLock { $0.staged.first { $0.value.status.inode == file.status.inode }?.key }
        if let id { forget(id) }
    }

    /// Seconds since 1970.
    static func seconds() -> Int64 { Int64(time(nil)) }

    /// Runs `body` in the open root and converts its errors to failures about `path`.
    func attempt<Result>(
        _ path: RelativePath, _ body: (Workspace) throws(Errno) -> Result
    ) throws(EffectFailure) -> Result {
        do throws(Errno) {
            return try body(workspace())
        } catch {
            throw EffectFailure(error, path, on: side)
        }
    }

    /// The failure that something other than the expected version was found.
    func changed(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.changed, .changed, side, path)
    }
}

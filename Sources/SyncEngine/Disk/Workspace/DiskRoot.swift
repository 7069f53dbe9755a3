import SyncCore
import Synchronization
import SystemPackage

/// The root of a directory tree on a disk or mounted share.
///
/// Every path is resolved beneath it, so nothing outside it is reached. It is opened when it is needed, provided that
/// it is still the one that ``look()`` last saw, and closed by ``close()``: an idle folder must not keep a file system
/// from being unmounted.
final class DiskRoot: Sendable {
    private struct State {
        var workspace: Workspace?
        var identity: Token?
        var clock: FileClock?
        var keepsPermissions: Bool?
        var lastMeasured: Int64 = 0
        /// The clock by which kept versions age, as it was when the root was closed.
        var lived: LivedTime?
    }

    /// The side, for error messages.
    let side: Side
    let versions = FileVersions()
    /// The prefix of the names of this run's staged files; other installations and runs use other prefixes.
    let session = RandomName.component().description
    /// How much the store of replaced versions holds.
    let kept = KeptCount()
    private let path: FilePath
    private let owner: EntryName
    private let stateDirectory: FilePath?
    private let dataHome: FilePath?
    private let transfers: TransferLedger?
    /// The mounted folder that the root must be, if it is on demand.
    let contents: MountedContents?
    private let state = Mutex(State())

    /// A root at `path`. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - stateDirectory: Where staged and replaced files are kept if it is on the same file system.
    ///   - dataHome: `$XDG_DATA_HOME`, if the desktop's trash is used; nil if not.
    ///   - owner: The folder; staged files of other folders are left alone.
    ///   - transfers: Where large transfers to this side are noted; nil if none are.
    ///   - contents: The mounted folder that the root must be, if it is on demand.
    init(
        at path: FilePath, side: Side, owner: EntryName, stateDirectory: FilePath?, dataHome: FilePath?,
        transfers: TransferLedger?, contents: MountedContents? = nil
    ) {
        self.contents = contents
        (self.path, self.side, self.owner) = (path, side, owner)
        (self.stateDirectory, self.dataHome, self.transfers) = (stateDirectory, dataHome, transfers)
    }

    // MARK: Opening

    /// The open root. Opens it if it was closed, and refuses it if it is not the one that was last seen.
    func workspace() throws(Errno) -> Workspace {
        try state.withLock { state throws(Errno) in
            if let workspace = state.workspace { return workspace }
            let directory = try open()
            var seen: RootMark.Look?
            if let identity = state.identity {
                let look = try RootMark.look(at: directory)
                guard RootIdentity.compare(known: identity, found: look.identity.token) == .same else {
                    throw .noSuchFileOrDirectory
                }
                seen = look
            }
            if state.lastMeasured + 3_600 < KeptNote.now() { state.clock = nil }
            let workspace = try Workspace(
                directory, contents: contents, seen: seen, lived: state.clock == nil ? nil : state.lived, path: path,
                stateDirectory: stateDirectory, dataHome: dataHome, owner: owner, session: session,
                knownClock: state.clock, keepsPermissions: state.clock == nil ? nil : state.keepsPermissions,
                needed: neededPartials)
            if state.clock == nil {
                state.lastMeasured = KeptNote.now()
                kept.wasCounted(workspace.kept)
                _ = try? formerlyKept(besides: workspace)?.prune()
            }
            state.clock = workspace.clock
            state.keepsPermissions = workspace.keepsPermissions
            versions.adopt(workspace)
            state.workspace = workspace
            return workspace
        }
    }

    /// Opens the directory.
    ///
    /// - Throws: ENOTCONN for the directory beneath a folder that is to be mounted there, which is not what it holds.
    private func open() throws(Errno) -> DirectoryHandle {
        let directory = try DirectoryHandle(absolute: path)
        guard let contents else { return directory }
        let status = try directory.descriptor.status()
        guard status.inode == contents.root, try DiskKind(of: directory.descriptor) == .onDemand else {
            throw .socketNotConnected
        }
        return DirectoryHandle(directory.descriptor, mounted: status.device)
    }

    /// What is kept where the hidden area was before the folder became one on demand, or an ordinary one; nil for
    /// nothing.
    func formerlyKept() throws(Errno) -> ReplacedStore? { formerlyKept(besides: try workspace()) }

    private func formerlyKept(besides workspace: Workspace) -> ReplacedStore? {
        guard let stateDirectory, let used = try? workspace.area().identity else { return nil }
        let inside = RelativePath([HiddenArea.name, owner])
        let areas = [try? DirectoryHandle(absolute: stateDirectory), try? workspace.directory.directory(at: inside)]
        for case let area? in areas {
            guard let found = try? area.whereabouts(), found.inode != used.inode || found.device != used.device,
                let kept = ReplacedStore(in: area)
            else { continue }
            return kept
        }
        return nil
    }

    private func neededPartials() -> Set<EntryName> { transfers?.places(from: side.other) ?? [] }

    /// The workspace of the file system that `directory`, at `path` below the root, is on: only within one file system
    /// can a rename stage, exchange and put away a file.
    func workspace(of directory: DirectoryHandle, at path: RelativePath) throws(Errno) -> Workspace {
        try workspace().workspace(of: directory, at: path) { root, prefix throws(Errno) in
            let place = prefix.withCString { self.path.pushing(FilePath(platformString: $0)) }
            let nested = try Workspace(
                root, path: place, stateDirectory: nil, dataHome: dataHome, owner: owner, session: session,
                knownClock: nil, prefix: prefix, needed: neededPartials)
            versions.adopt(nested)
            return nested
        }
    }

    /// The workspace of the file system on which something at a path is, or will be.
    func workspace(near path: RelativePath) throws(Errno) -> Workspace {
        let (near, place) = try nearest(path.parent)
        return try workspace(of: near, at: place)
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

    /// Closes the root until it is needed again.
    func close() {
        state.withLock { state in
            state.lived = state.workspace?.lived ?? state.lived
            state.workspace = nil
        }
    }

    // MARK: Knowing it again

    /// What is at the path now. Only that root is opened from now on.
    func look() -> RootState {
        do throws(Errno) {
            let found = try open()
            let identity = try RootMark.identity(of: found).token
            let status = try found.descriptor.status()
            state.withLock { state in
                // One that does not answer any more is that of an earlier mount.
                let own = try? state.workspace?.directory.descriptor.status()
                if own?.inode != status.inode || own?.device != status.device { state.workspace = nil }
                state.identity = identity
            }
            return .present(identity: identity, generation: .none)
        } catch .socketNotConnected where contents != nil {
            return .unreachable(notMounted)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
            return .missing(Explanation(.rootMissing, side, "\(path)"))
        } catch {
            return .unreachable(Explanation(.rootUnusable, side, "\(path)", "\(error.rawValue)"))
        }
    }

    /// That the folder is on demand and not mounted.
    var notMounted: Explanation { Explanation(.notMountedYet, side, "\(path)") }

    /// Marks the root if it is the known one, and returns its identity.
    func mark(knownAs known: Token) throws(EffectFailure) -> Token {
        try EffectFailure.attempt(.root, on: side) { () throws(Errno) -> Token in
            let root = try open()
            let found = try RootMark.identity(of: root).token
            // Another directory has taken its place.
            guard RootIdentity.mayMark(known: known, found: found) else { throw .noSuchFileOrDirectory }
            try RootMark.write(RootIdentity(known)?.mark, to: root)
            let identity = try RootMark.identity(of: root).token
            state.withLock { $0.identity = identity }
            return identity
        }
    }

    /// The kind of the file system at the path, determined without writing anything there; nil if it cannot be opened.
    var currentKind: DiskKind? {
        guard let directory = try? DirectoryHandle(absolute: path) else { return nil }
        return try? DiskKind(of: directory.descriptor)
    }

    /// Fails unless a file system is mounted at each of these places.
    func requireMounted(_ paths: [RelativePath]) throws(EffectFailure) {
        for path in paths {
            let status = try attempt(path) { workspace throws(Errno) in try workspace.directory.status(at: path) }
            guard status.isMountRoot else { throw EffectFailure(.notMounted, .notMounted, side, path) }
        }
    }

    // MARK: Finding

    /// Runs `body` in the open root and converts its errors to failures about `path`.
    func attempt<Result>(
        _ path: RelativePath, _ body: (Workspace) throws(Errno) -> Result
    ) throws(EffectFailure) -> Result {
        try EffectFailure.attempt(path, on: side) { () throws(Errno) in try body(workspace()) }
    }

    /// The failure that something other than the expected version was found.
    func changed(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.changed, .changed, side, path)
    }

    /// The directory that holds the item at a path, and the item's name.
    func parent(of path: RelativePath) throws(EffectFailure) -> (DirectoryHandle, EntryName) {
        try attempt(path) { workspace throws(Errno) in try workspace.directory.parent(of: path) }
    }

    /// The workspace of the file system that an item's directory is on.
    func workspace(holding path: RelativePath, in parent: DirectoryHandle) throws(EffectFailure) -> Workspace {
        try attempt(path) { _ throws(Errno) in try workspace(of: parent, at: path.parent) }
    }

    /// The item at a path, if it is the expected one.
    func find(
        _ path: RelativePath, _ kind: EntryKind, expecting expected: Version
    ) throws(EffectFailure) -> FoundItem {
        let (parent, name) = try parent(of: path)
        let status = try attempt(path) { _ throws(Errno) in try parent.status(of: name) }
        guard versions.matches(status, expected, kind: kind) else { throw changed(path) }
        return FoundItem(parent: parent, name: name, status: status)
    }

    /// The directory at a path or, if it does not exist yet, its nearest existing ancestor.
    func nearest(_ path: RelativePath) throws(Errno) -> (DirectoryHandle, RelativePath) {
        let root = try workspace().directory
        var path = path
        while true {
            do throws(Errno) {
                return (try root.directory(at: path), path)
            } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
                // If the root is gone, opening its hidden area reports that.
                guard !path.isRoot else { return (root, path) }
                path = path.parent
            }
        }
    }
}

/// An item and where it was found.
struct FoundItem {
    var parent: DirectoryHandle
    var name: EntryName
    var status: FileStatus
}

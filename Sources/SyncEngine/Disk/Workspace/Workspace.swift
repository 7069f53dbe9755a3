import Glibc
import MountProtocol
import Support
import SyncCore
import Synchronization
import SystemPackage

/// The open root of a side, or of a file system mounted within it, and what the engine keeps on that file system.
final class Workspace: Sendable {
    let directory: DirectoryHandle
    /// Where the directory is below the side's root.
    let prefix: RelativePath
    let status: FileStatus
    let kind: DiskKind
    let clock: FileClock
    /// Whether the file system keeps the permission bits that it is given.
    let keepsPermissions: Bool
    let trash: DesktopTrash?
    /// The mounted folder that it is, if it is on demand.
    private let contents: MountedContents?
    private let owner: EntryName
    /// What the store of replaced versions held when it was last scanned; nothing if it was not.
    let kept: ReplacedStore.Amount
    private let opened: Result<HiddenArea, Errno>
    private let nested = Mutex<[MountKey: Workspace]>([:])

    private struct MountKey: Hashable {
        var mount: UInt64
        var device: UInt64
    }

    /// Opens the workspace of `directory`. The first time, when the clock is not known, it also removes the staged
    /// files of earlier runs, and replaced versions that are too old.
    ///
    /// A root that cannot be written has no hidden area, but can still be read.
    ///
    /// - Parameters:
    ///   - seen: What is known of the directory already.
    ///   - contents: The mounted folder that it is, if it is on demand.
    ///   - lived: The count of the area's clock when the area was last open.
    ///   - dataHome: `$XDG_DATA_HOME`, if the desktop's trash is wanted; nil if not.
    ///   - needed: The names of staged files of earlier runs that are still needed.
    init(
        _ directory: DirectoryHandle, contents: MountedContents? = nil, seen: RootMark.Look? = nil,
        lived: LivedTime? = nil, path: FilePath,
        stateDirectory: FilePath?, dataHome: FilePath?, owner: EntryName, session: String, knownClock: FileClock?,
        keepsPermissions known: Bool? = nil, prefix: RelativePath = .root, needed: () -> Set<EntryName>
    ) throws(Errno) {
        self.directory = directory
        self.contents = contents
        self.owner = owner
        self.prefix = prefix
        if let seen {
            (status, kind) = (seen.status, seen.kind)
        } else {
            (status, kind) = (try directory.descriptor.status(), try DiskKind(of: directory.descriptor))
        }
        var kept = ReplacedStore.Amount()
        opened = Result { () throws(Errno) -> HiddenArea in
            let area = try HiddenArea(for: directory, preferring: stateDirectory, owner: owner, lived: lived)
            if knownClock == nil {
                try area.removeLeftovers(except: session, needed())
                let replaced = ReplacedStore(area.replaced, agingBy: area.lived)
                try replaced.removeLeftovers()
                try replaced.finishDisplacements(below: directory, at: prefix)
                // A version that cannot be removed is no reason to sync nothing.
                kept = (try? replaced.prune()) ?? kept
            }
            return area
        }
        self.kept = kept
        if let knownClock {
            clock = knownClock
        } else {
            let staging = try? opened.get().staging()
            let name = RandomName.component(prefix: session)
            clock = Self.measure(kind, staging, name)
        }
        keepsPermissions = known ?? Self.keepsPermissions(kind, opened, session)
        trash = dataHome.flatMap { try? DesktopTrash(for: directory, at: path, dataHome: $0) }
    }

    private static func keepsPermissions(
        _ kind: DiskKind, _ opened: Result<HiddenArea, Errno>, _ session: String
    ) -> Bool {
        guard let staging = try? opened.get().staging() else { return PermissionBits.areKept(on: kind) }
        return PermissionBits.areKept(in: staging, name: RandomName.component(prefix: session))
    }

    private static func measure(_ kind: DiskKind, _ staging: DirectoryHandle?, _ name: EntryName) -> FileClock {
        guard let staging, let clock = try? FileClock(of: kind, measuredIn: staging, name: name) else {
            return FileClock(of: kind)
        }
        return clock
    }

    /// The hidden area; throws the reason if there is none.
    func area() throws(Errno) -> HiddenArea {
        try opened.get()
    }

    // MARK: Durability

    /// Makes everything on the file system durable, where that is one step; nil where it is not.
    var wholeSynchronization: (() throws(Errno) -> Void)? {
        guard kind.isLocal else { return nil }
        return { () throws(Errno) in try self.synchronizeFileSystem() }
    }

    /// Makes everything on the file system durable. The directory was opened before anything was written there, so that
    /// errors of writing back are reported.
    func synchronizeFileSystem() throws(Errno) {
        guard let contents else { return try directory.descriptor.synchronizeFileSystem() }
        // The kernel does not pass syncfs(2) on.
        try contents.perform(limit: Patience.Mount.durability) { .sync(request: $0) }
    }

    /// Where staged files are below the root of a mounted folder, which holds the hidden area itself.
    var stagingPath: RelativePath { HiddenArea.stagingPath(of: owner) }

    /// What the clock of the area has counted; nil if it was not read.
    var lived: LivedTime? { (try? opened.get())?.lived.counted }

    /// The store of replaced versions.
    func replaced() throws(Errno) -> ReplacedStore {
        let area = try area()
        return ReplacedStore(area.replaced, agingBy: area.lived)
    }

    /// Whether a file system mounted within the root was used.
    var hasNested: Bool { nested.withLock { !$0.isEmpty } }
    /// This workspace, and those of the file systems mounted within the root that were used.
    var all: [Workspace] { [self] + nested.withLock { Array($0.values) } }

    /// The workspace of the file system that `place`, the directory at `path`, is on: this one, or one that `open`
    /// makes from the root of the mount and its path.
    func workspace(
        of place: DirectoryHandle, at path: RelativePath,
        open: (DirectoryHandle, RelativePath) throws(Errno) -> Workspace
    ) throws(Errno) -> Workspace {
        let found = try place.whereabouts()
        if found.isOnSameMount(as: status) { return self }
        let key = MountKey(mount: found.mount, device: found.device)
        if let known = nested.withLock({ $0[key] }) { return known }
        var prefix = path
        while !prefix.isRoot, try directory.status(at: prefix.parent).isOnSameMount(as: found) {
            prefix = prefix.parent
        }
        let workspace = try open(try directory.directory(at: prefix), prefix)
        nested.withLock { $0[key] = workspace }
        return workspace
    }

    /// Whether it is the trash of a mounted folder, which is made within it: deleted items are not synced, whatever is
    /// chosen.
    private func isTrash(_ name: EntryName) -> Bool { contents != nil && name == DesktopTrash.ownName }

    /// Whether an entry of the directory at `path` is the engine's hidden area: by name in the root, by identity
    /// elsewhere.
    func isOwn(_ entry: DirectoryEntry, in path: RelativePath) -> Bool {
        if path.isRoot && (entry.name == HiddenArea.name || isTrash(entry.name)) { return true }
        guard case .success(let area) = opened else { return false }
        return entry.status.inode == area.identity.inode && entry.status.device == area.identity.device
    }
}

import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// The engine's own directory on a folder's file system, for staged files and replaced versions. It must be on that
/// file system, because only a rename within one file system shows a file completely or not at all.
///
/// A local folder uses the state directory if that is on the same file system. Otherwise, and for a remote directory
/// that several installations share, it is `.roundel` in the root, which no listing ever shows.
final class HiddenArea: Sendable {
    /// The name of the area within a root; never synced, whatever it contains.
    static let name = EntryName.constant(".roundel")
    /// The name of the directory for replaced versions in the area.
    fileprivate static let replacedName = EntryName.constant("replaced")
    private static let stagingName = EntryName.constant("staging")
    /// The names of the directories in the area.
    static let directories = [replacedName, stagingName]

    /// Where staged files are below a root that holds the area itself.
    static func stagingPath(of owner: EntryName) -> RelativePath { RelativePath([name, owner, stagingName]) }

    let replaced: DirectoryHandle
    /// The clock by which kept versions age.
    let lived: LivedClock
    /// The device and inode of the area, so that a scan of a folder that contains it skips it.
    let identity: FileStatus
    private let area: DirectoryHandle
    private let opened = Mutex<DirectoryHandle?>(nil)

    /// Opens the area for `root`; creates it if it is missing.
    ///
    /// - Parameters:
    ///   - state: A directory outside the folder to prefer; nil to use the root itself.
    ///   - owner: The folder that the area is for: several may share a root's hidden directory.
    ///   - lived: The count of its clock when the area was last open; nil if it is not known.
    init(
        for root: DirectoryHandle, preferring state: FilePath?, owner: EntryName, lived: LivedTime? = nil
    ) throws(Errno) {
        if let outside = try Self.outside(root, state) { area = outside } else { area = try Self.inside(root, owner) }
        identity = try area.whereabouts()
        replaced = try area.privateDirectory(Self.replacedName)
        self.lived = LivedClock(in: area, counted: lived)
    }

    /// The directory for staged files that have a name before they are published.
    func staging() throws(Errno) -> DirectoryHandle {
        if let known = opened.withLock({ $0 }) { return known }
        let directory = try area.privateDirectory(Self.stagingName)
        return opened.withLock { opened in
            // ``UnsyncedChanges`` distinguishes directories by their objects.
            if let known = opened { return known }
            opened = directory
            return directory
        }
    }

    private static func inside(_ root: DirectoryHandle, _ owner: EntryName) throws(Errno) -> DirectoryHandle {
        // It usually exists.
        if let area = try? root.directory(at: RelativePath([name, owner])) {
            try area.closeToOthers()
            return area
        }
        return try root.hiddenDirectory().privateDirectory(owner)
    }

    private static func outside(_ root: DirectoryHandle, _ state: FilePath?) throws(Errno) -> DirectoryHandle? {
        guard let state else { return nil }
        let area = try DirectoryHandle.creating(absolute: state)
        return try area.sharesFileSystem(with: root) ? area : nil
    }

    /// Removes what an interrupted run left in the staging directory. Nothing there was ever visible, and the user's
    /// own files are never there.
    ///
    /// - Parameters:
    ///   - session: The prefix of the names of the current run's files, which are kept.
    ///   - kept: Names of other files to keep.
    func removeLeftovers(except session: String, _ kept: Set<EntryName>) throws(Errno) {
        let staging = try staging()
        for name in try staging.names() where !name.description.hasPrefix(session) && !kept.contains(name) {
            // A directory left there is empty.
            if (try? staging.removeFile(name)) == nil { try? staging.removeDirectory(name) }
        }
    }
}

extension ReplacedStore {
    /// The store in an existing area; nil if there is none. Nothing is created.
    convenience init?(in area: DirectoryHandle) {
        guard let directory = try? area.directory(at: RelativePath([HiddenArea.replacedName])) else { return nil }
        self.init(directory, agingBy: LivedClock(in: area))
    }
}

extension DirectoryHandle {
    /// The engine's directory in this root, which everybody who may write in the root may use, whoever has made it and
    /// with whatever umask.
    func hiddenDirectory() throws(Errno) -> DirectoryHandle {
        let area = try directory(creating: HiddenArea.name, permissions: 0o777)
        let (own, root) = (try area.descriptor.status(), try descriptor.status())
        guard own.owner == geteuid() else { return area }
        // All of this fails where there are no permissions, or where the group is not one of this user's.
        if own.group != root.group { _ = fchown(area.descriptor.raw, uid_t.max, root.group) }
        let mode = root.mode & 0o3777 | 0o700
        if own.mode & 0o3777 != mode { try? area.descriptor.setMode(mode) }
        return area
    }

    /// Whether a file can be renamed from this directory into `other`.
    ///
    /// Comparing devices is not enough because of bind mounts, so the kernel is asked to rename a name that does not
    /// exist: it compares the mounts before it looks the name up.
    func sharesFileSystem(with other: DirectoryHandle) throws(Errno) -> Bool {
        guard try descriptor.status().device == other.descriptor.status().device else { return false }
        let name = RandomName.component()
        do throws(Errno) {
            try rename(name, to: name, in: other)
            return true
        } catch .noSuchFileOrDirectory {
            return true
        } catch .improperLink {
            return false
        }
    }
}

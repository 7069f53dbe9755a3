import SyncCore
import SystemPackage

/// Lists directories, looks at entries and opens files in a tree.
struct DiskReader: Sendable {
    private let root: DiskRoot
    private let writers: WriterGuard
    /// The names of directories that are being listed page by page.
    private let nameLists = NameLists()

    init(in root: DiskRoot, _ writers: WriterGuard) {
        (self.root, self.writers) = (root, writers)
    }

    /// Forgets the names that were read.
    func rest() { nameLists.removeAll() }

    /// Some entries of a part of a directory.
    func list(_ path: RelativePath, _ part: ListingPart) throws(EffectFailure) -> ListingPage {
        let (opened, own) = try root.attempt(path) { workspace throws(Errno) in
            let opened = try workspace.directory.directory(at: path)
            return (opened, try opened.descriptor.status())
        }
        if !part.identity.isEmpty, root.versions.version(of: own).identity != part.identity, !path.isRoot {
            throw root.changed(path)
        }
        let names = try root.attempt(path) { _ throws(Errno) in
            try nameLists.names(of: opened, at: path, own, after: part.after, limit: Self.entriesAtOnce)
        }
        var listed: [ListedEntry] = []
        listed.reserveCapacity(names.next.count)
        try root.attempt(path) { workspace throws(Errno) in
            for name in names.next {
                if let entry = try shownEntry(name, in: opened, at: path, workspace) { listed.append(entry) }
            }
        }
        return ListingPage(entries: listed, through: names.hasMore ? names.next.last : nil)
    }

    /// How many entries of a directory to return at once. Before they are merged, entries take many times the memory
    /// that they need afterwards.
    private static let entriesAtOnce = 512

    /// An entry of a directory; nil if it is the engine's own, or was removed after the names were read.
    private func shownEntry(
        _ name: EntryName, in directory: DirectoryHandle, at path: RelativePath, _ workspace: Workspace
    ) throws(Errno) -> ListedEntry? {
        let status: FileStatus
        do throws(Errno) {
            status = try directory.status(of: name)
        } catch .noSuchFileOrDirectory {
            return nil
        }
        if workspace.isOwn(DirectoryEntry(name: name, status: status), in: path) { return nil }
        return try listedEntry(name, status, in: directory)
    }

    /// One entry of the directory with this identity, or of any if it is empty; nil if nothing is there.
    func entry(_ path: RelativePath, in directory: Token) throws(EffectFailure) -> ListedEntry? {
        // If the root is missing, nothing is known about its contents.
        let workspace = try root.attempt(.root) { workspace throws(Errno) in workspace }
        let parent: DirectoryHandle
        let name: EntryName
        let own: FileStatus
        do throws(Errno) {
            (parent, name) = try workspace.directory.parent(of: path)
            own = try parent.descriptor.status()
        } catch {
            // If its parent directory is not at the path, nothing is known about an entry of a particular directory.
            let failure = EffectFailure(error, path.parent, on: root.side)
            if directory.isEmpty && failure.reason == .notFound { return nil }
            throw failure
        }
        guard directory.isEmpty || root.versions.version(of: own).identity == directory else {
            throw root.changed(path.parent)
        }
        do throws(Errno) {
            return try entry(name, of: parent, at: path, workspace)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
            return nil
        } catch {
            throw EffectFailure(error, path, on: root.side)
        }
    }

    private func entry(
        _ name: EntryName, of parent: DirectoryHandle, at path: RelativePath, _ workspace: Workspace
    ) throws(Errno) -> ListedEntry? {
        let status = try parent.status(of: name)
        guard try parent.spells(name, status),
            !workspace.isOwn(DirectoryEntry(name: name, status: status), in: path.parent)
        else { return nil }
        return try listedEntry(name, status, in: parent)
    }

    /// An entry with its version, according to the rules of its file system.
    private func listedEntry(
        _ name: EntryName, _ status: FileStatus, in parent: DirectoryHandle
    ) throws(Errno) -> ListedEntry {
        if let version = root.versions.knownVersion(of: status) {
            return ListedEntry(name: name, kind: status.kind, version: version, isMountRoot: status.isMountRoot)
        }
        var status = status
        if !root.versions.knows(status.device) {
            var directory = parent
            if status.isMountRoot && status.kind == .directory {
                // Opening the directory triggers an automount, so that the status is that of the mounted file system.
                directory = try parent.directory(at: RelativePath([name]))
                status = try directory.descriptor.status()
            }
            try root.versions.learn(status.device, DiskKind(of: directory.descriptor))
        }
        return ListedEntry(
            name: name, kind: status.kind, version: root.versions.version(of: status), isMountRoot: status.isMountRoot)
    }

    /// Opens a file for reading, if it has the expected version and is not open for writing.
    func open(_ path: RelativePath, expecting expected: Version) throws(EffectFailure) -> any ContentSource {
        let (file, status) = try writers.open(path, expecting: expected)
        return DiskSource(file: file, status: status, path: path, root: root)
    }
}

internal import Glibc
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// Takes away from this computer what the remote has as well, while nobody is logged in there. It blocks.
///
/// Nothing of it must be taken for deletions that are to be synced: so the folder's trees are thrown away, and both sides
/// are united at the next login. That this is to be done is noted before the first file goes.
struct FolderClearing: Sendable {
    /// A file that is here and equal at the remote, as it was when that was found out.
    struct File: Sendable {
        let path: RelativePath
        let size: Int64
        /// Of its version.
        let tag: Token
    }

    /// Where people see the folder.
    let folder: FilePath
    /// The directory that keeps what is here of a folder on demand; nil for an ordinary folder.
    let contents: FilePath?
    /// The folder's own directory of state.
    let state: FilePath
    /// What goes as well as placeholders; nil if only those go.
    let files: [File]?
    /// How many files have their contents here; counts only if only placeholders go.
    let filesHere: Int
    /// What was always kept on this computer, which it is again after the next login.
    let pins: [RelativePath]

    private static let note = "clearing"
    /// How many of the files that stay are named.
    private static let namedAtMost = 100
    private static let database = "trees.sqlite"

    /// Gives what was removed, or the error of the system.
    func run() -> Result<SyncClearedContents, Errno> {
        var cleared = SyncClearedContents()
        do throws(Errno) {
            try ReturningPins.note(pins, in: state)
            try Self.begin(in: state)
            if let contents {
                cleared.files = UInt64(clamping: try PlaceholderSweep(contents).remove(seenAt: folder))
            }
            try removeFiles(&cleared)
        } catch {
            return .failure(error)
        }
        // Otherwise whoever takes the folder up does it.
        try? Self.finish(in: state)
        return .success(cleared)
    }

    /// Notes that something of a folder is about to go which must not be taken for deletions.
    static func begin(in state: FilePath) throws(Errno) { try SmallFile.replace(state.appending(note), with: []) }

    /// Takes the notes back: the folder is forgotten, with its trees.
    static func forget(in state: FilePath) {
        _ = state.appending(note).withPlatformString { unlink($0) }
        ReturningPins.forget(in: state)
    }

    /// Throws the trees of a folder away if something of it was cleared. To be called before they are opened.
    ///
    /// - Throws: The error of the system if they are still there: they must not be opened then.
    static func finish(in state: FilePath) throws(Errno) {
        let note = state.appending(note)
        guard note.withPlatformString({ access($0, F_OK) }) == 0 else { return }
        for suffix in ["", "-wal", "-shm"] {
            let isGone = state.appending(database + suffix).withPlatformString { unlink($0) == 0 || errno == ENOENT }
            if !isGone { throw Errno(rawValue: errno) }
        }
        _ = note.withPlatformString { unlink($0) }
    }

    /// What was changed since stays, and so does what is not known to the folder yet.
    private func removeFiles(_ cleared: inout SyncClearedContents) throws(Errno) {
        guard let files else {
            cleared.left = UInt64(clamping: filesHere)
            return
        }
        let place = try UnchangedFiles(below: folder)
        var directories: Set<RelativePath> = []
        for file in files where place.remove(file.path, tag: file.tag) {
            cleared.files += 1
            cleared.bytes += UInt64(clamping: file.size)
            directories.insert(file.path.parent)
        }
        removeEmptied(directories, in: place)
        let remaining = place.remaining(naming: Self.namedAtMost)
        cleared.left = UInt64(clamping: remaining.count)
        if let uri = try? ItemURI(path: folder) {
            cleared.leftItems = remaining.first.compactMap { $0.uri(below: uri)?.uri }
        }
    }

    /// Removes directories that hold nothing any more, and those that hold nothing but them.
    private func removeEmptied(_ directories: Set<RelativePath>, in place: UnchangedFiles) {
        var next = directories
        while !next.isEmpty {
            let deepest = next.sorted { $0.names.count > $1.names.count }
            next = []
            for directory in deepest where !directory.isRoot {
                if place.removeDirectory(directory) { next.insert(directory.parent) }
            }
        }
    }
}

extension FolderItems {
    /// The files that are here and equal at the remote, as far as is known.
    func equalFiles(in store: SQLiteStore) -> [FolderClearing.File] {
        var equal: [FolderClearing.File] = []
        var directories: [(NodeID, RelativePath)] = [(.root, .root)]
        while let (directory, base) = directories.popLast() {
            var last: Node?
            while let page = try? store.children(of: directory, in: .local, after: last, limit: 1_000), !page.isEmpty {
                for item in page where !item.isMissing {
                    let path = base.appending(item.name)
                    if item.kind == .directory { directories.append((item.id, path)) }
                    guard item.kind == .file, let version = item.local, version.residence == .here else { continue }
                    guard isEqual(item, in: store) else { continue }
                    equal.append(.init(path: path, size: version.size, tag: version.tag))
                }
                last = page.last
            }
        }
        return equal
    }

    private func isEqual(_ item: Node, in store: SQLiteStore) -> Bool {
        guard (try? store.status(item.id)) == .some(nil), let base = (try? store.node(item.id, in: .synced)) ?? nil,
            let remote = (try? store.node(item.id, in: .remote)) ?? nil, !remote.isMissing
        else { return false }
        return base.local?.tag == item.local?.tag && base.remote?.tag == remote.remote?.tag
            && item.local?.isRacy == false
    }
}

import Glibc
import SyncCore
import SystemPackage

/// What was changed on a side since its renames were last made durable.
///
/// A barrier names items by path. The user may have renamed one of them meanwhile, so that another item or none is
/// found there. The changed directories show whether the barrier has reached them all.
struct UnsyncedChanges: Sendable {
    /// Identifies a directory independently of its path.
    struct DirectoryID: Hashable, Sendable {
        private let device: UInt64
        private let inode: UInt64

        init(_ status: FileStatus) {
            device = status.device
            inode = status.inode
        }
    }

    /// A directory of the engine's own, or a note in it about a version that is put away.
    struct Place: Sendable {
        fileprivate var name: EntryName?
        fileprivate var directory: DirectoryHandle

        /// Opens it; nil if it is a note that no longer exists because its version was put back.
        func open() throws(Errno) -> Descriptor? {
            guard let name else { return directory.descriptor }
            do throws(Errno) {
                return try directory.open(name, O_RDONLY)
            } catch .noSuchFileOrDirectory {
                return nil
            }
        }
    }

    /// A version that is about to be kept.
    private struct Announced: Sendable {
        var slot: EntryName
        var store: ReplacedStore
    }

    /// Directories of the tree in which entries were changed.
    private(set) var directories: Set<DirectoryID> = []
    /// Directories of the engine's own in which entries were changed: they are open anyway.
    private var own: [ObjectIdentifier: DirectoryHandle] = [:]
    private var notes: [Place] = []
    private var announced: [Announced] = []

    /// The names of announced versions: it is not certain yet that the right versions were put away under them.
    var slots: Set<EntryName> { Set(announced.map(\.slot)) }

    /// Notes that the entries of a directory change.
    mutating func note(_ directory: DirectoryID) { directories.insert(directory) }

    /// Notes that the entries of a directory of the engine's own change.
    mutating func note(own directory: DirectoryHandle) { own[ObjectIdentifier(directory)] = directory }

    /// Notes that a version is about to be kept under this name.
    mutating func note(announced slot: EntryName, in store: ReplacedStore) {
        announced.append(Announced(slot: slot, store: store))
        note(own: store.directory)
        notes.append(Place(name: ReplacedStore.note(slot), directory: store.directory))
    }

    /// Notes that something is put into the trash, with this note about it.
    mutating func note(trashed text: EntryName, in trash: DesktopTrash) {
        note(own: trash.files)
        note(own: trash.info)
        notes.append(Place(name: text, directory: trash.info))
    }

    /// Adds other changes to these.
    mutating func add(_ later: UnsyncedChanges) {
        directories.formUnion(later.directories)
        own.merge(later.own) { first, _ in first }
        notes += later.notes
        announced += later.announced
    }

    /// The changes outside of the tree.
    var places: [Place] {
        notes + own.values.map { Place(name: nil, directory: $0) }
    }
}

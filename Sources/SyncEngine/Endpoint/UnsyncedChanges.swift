import Glibc
import SyncCore
import SystemPackage

/// What was changed on a side since its renames were made durable last.
///
/// A barrier names items by their paths. A person may have renamed one of them meanwhile, so that another one is found
/// there or none: which directories were changed tells whether the barrier has reached them all.
struct UnsyncedChanges: Sendable {
    /// Which directory it is, wherever it is.
    struct DirectoryID: Hashable, Sendable {
        private let device: UInt64
        private let inode: UInt64

        init(_ status: FileStatus) {
            device = status.device
            inode = status.inode
        }
    }

    /// A directory of the engine's own, or a text in it about a version that goes.
    struct Place: Sendable {
        fileprivate var name: EntryName?
        fileprivate var directory: DirectoryHandle

        /// Opens it; nil if it is a text that is not there any more, as its version was put back.
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

    /// Directories of the tree whose entries were changed.
    private(set) var directories: Set<DirectoryID> = []
    /// Directories of the engine's own whose entries were changed: they are open anyhow.
    private var own: [ObjectIdentifier: DirectoryHandle] = [:]
    private var notes: [Place] = []
    private var announced: [Announced] = []

    /// The names of versions that were announced: nothing says yet that they are what was meant to go.
    var slots: Set<EntryName> { Set(announced.map(\.slot)) }

    /// The entries of a directory change.
    mutating func note(_ directory: DirectoryID) { directories.insert(directory) }

    /// The entries of a directory of the engine's own change.
    mutating func note(own directory: DirectoryHandle) { own[ObjectIdentifier(directory)] = directory }

    /// A version is about to be kept under this name.
    mutating func note(announced slot: EntryName, in store: ReplacedStore) {
        announced.append(Announced(slot: slot, store: store))
        note(own: store.directory)
        notes.append(Place(name: ReplacedStore.note(slot), directory: store.directory))
    }

    /// Something goes into the trash, with this text about it.
    mutating func note(trashed text: EntryName, in trash: DesktopTrash) {
        note(own: trash.files)
        note(own: trash.info)
        notes.append(Place(name: text, directory: trash.info))
    }

    /// What was changed later, too.
    mutating func add(_ later: UnsyncedChanges) {
        directories.formUnion(later.directories)
        own.merge(later.own) { first, _ in first }
        notes += later.notes
        announced += later.announced
    }

    /// What is not in the tree.
    var places: [Place] {
        notes + own.values.map { Place(name: nil, directory: $0) }
    }
}

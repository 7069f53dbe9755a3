package import RoundelBus

/// What the file system says of a folder.
package struct FolderFacts: Equatable, Sendable {
    /// What is found at the place of a folder.
    package enum Kind: Sendable {
        case directory, missing, file, symlink
    }

    /// The folder as its provider spells it.
    package var folder: ItemURI
    /// What is there now.
    package var kind: Kind
    /// The same place with its ancestors' symlinks resolved, all of them last; empty if there are none.
    package var spellings: [ItemURI]

    /// Facts as they were found.
    package init(folder: ItemURI, kind: Kind, spellings: [ItemURI] = []) {
        self.folder = folder
        self.kind = kind
        self.spellings = spellings
    }
}

/// A registered folder that the watcher follows.
package struct WatchedFolder: Hashable, Sendable {
    /// As its provider spells it.
    package var folder: ItemURI
    /// Whether the whole tree is watched and not the root alone.
    package var tree: Bool

    /// A folder to watch.
    package init(folder: ItemURI, tree: Bool) {
        self.folder = folder
        self.tree = tree
    }
}

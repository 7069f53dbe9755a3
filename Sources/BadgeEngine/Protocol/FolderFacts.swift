package import RoundelBus

/// What the file system reports about a folder.
package struct FolderFacts: Equatable, Sendable {
    /// What is at the place of a folder.
    package enum Kind: Sendable {
        case directory, missing, file, symlink
    }

    /// The folder in its provider's spelling.
    package var folder: ItemURI
    /// What is there now.
    package var kind: Kind
    /// The same place with symlinks in its ancestors resolved, completely in the last one; empty if there are none.
    package var spellings: [ItemURI]

    /// The facts as they were found.
    package init(folder: ItemURI, kind: Kind, spellings: [ItemURI] = []) {
        self.folder = folder
        self.kind = kind
        self.spellings = spellings
    }
}

/// A registered folder to watch.
package struct WatchedFolder: Hashable, Sendable {
    /// In its provider's spelling.
    package var folder: ItemURI
    /// Whether to watch the whole tree, not just the root.
    package var tree: Bool

    /// A folder to watch.
    package init(folder: ItemURI, tree: Bool) {
        self.folder = folder
        self.tree = tree
    }
}

/// Changes below one registered folder.
public struct FolderChanges: Equatable, Sendable {
    /// The registered folder.
    public var folder: ItemURI
    /// Directories to list again, without their subdirectories.
    public var directories: [ItemURI]
    /// Items that changed.
    public var items: [ItemURI]
    /// Whether changes were lost, so that the whole folder has to be scanned.
    public var overflow: Bool

    /// Creates a set of changes.
    public init(folder: ItemURI, directories: [ItemURI] = [], items: [ItemURI] = [], overflow: Bool = false) {
        self.folder = folder
        self.directories = directories
        self.items = items
        self.overflow = overflow
    }
}

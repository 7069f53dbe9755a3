/// Changes below one registered folder, as its provider spells it.
public struct FolderChanges: Equatable, Sendable {
    /// The registered folder.
    public var folder: ItemURI
    /// Directories to list again, not below them.
    public var directories: [ItemURI]
    /// Items that changed.
    public var items: [ItemURI]
    /// Changes were lost: the whole folder is to be scanned.
    public var overflow: Bool

    /// Some changes.
    public init(folder: ItemURI, directories: [ItemURI] = [], items: [ItemURI] = [], overflow: Bool = false) {
        self.folder = folder
        self.directories = directories
        self.items = items
        self.overflow = overflow
    }
}

/// A folder as a provider asks for it in SetFolders.
public struct FolderOffer: Hashable, Sendable {
    /// The folder as the provider spells it.
    public var folder: ItemURI
    /// Whether the service watches the whole tree and reports its changes.
    public var watch: Bool
    /// Shown to people; may be empty.
    public var label: String
    /// The name of an icon; may be empty.
    public var icon: String

    /// A folder with its options.
    public init(folder: ItemURI, watch: Bool = false, label: String = "", icon: String = "") {
        self.folder = folder
        self.watch = watch
        self.label = label
        self.icon = icon
    }
}

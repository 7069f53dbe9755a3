/// A folder that a provider registers with SetFolders.
public struct FolderOffer: Hashable, Sendable {
    /// The folder as the provider spells it.
    public var folder: ItemURI
    /// Whether the service watches the whole tree and reports its changes.
    public var watch: Bool
    /// The name shown to the user; may be empty.
    public var label: String
    /// The name of an icon; may be empty.
    public var icon: String

    /// Creates an offer of a folder with its options.
    public init(folder: ItemURI, watch: Bool = false, label: String = "", icon: String = "") {
        self.folder = folder
        self.watch = watch
        self.label = label
        self.icon = icon
    }
}

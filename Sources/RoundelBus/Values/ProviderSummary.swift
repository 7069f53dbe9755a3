/// A provider as the settings show it.
public struct ProviderSummary: Equatable, Sendable {
    /// A folder that shows nothing before a person consents, because it lies above or below another provider's.
    public struct Waiting: Equatable, Sendable {
        /// The folder as its provider spells it.
        public var folder: ItemURI
        /// The other provider.
        public var provider: ProviderID
        /// The other provider's folder, the first where there are several.
        public var other: ItemURI

        /// A folder and the one that it lies above or below.
        public init(folder: ItemURI, provider: ProviderID, other: ItemURI) {
            self.folder = folder
            self.provider = provider
            self.other = other
        }
    }

    /// Its id.
    public var id: ProviderID
    /// Shown to people.
    public var name: String
    /// The name of an icon.
    public var icon: String
    /// Whether the person lets it take part.
    public var enabled: Bool
    /// Whether it is registered now.
    public var running: Bool
    /// Its folders as it spells them.
    public var folders: [ItemURI]
    /// Those of its folders that wait for a person's consent.
    public var waiting: [Waiting]
    /// What went wrong last, a sentence; empty if nothing.
    public var lastError: String

    /// One row of List.
    public init(
        id: ProviderID, name: String, icon: String, enabled: Bool, running: Bool, folders: [ItemURI],
        waiting: [Waiting] = [], lastError: String
    ) {
        self.id = id
        self.name = name
        self.icon = icon
        self.enabled = enabled
        self.running = running
        self.folders = folders
        self.waiting = waiting
        self.lastError = lastError
    }
}

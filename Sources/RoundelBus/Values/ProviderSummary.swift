/// A provider as the settings show it.
public struct ProviderSummary: Equatable, Sendable {
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
    /// What went wrong last, a sentence; empty if nothing.
    public var lastError: String

    /// One row of List.
    public init(
        id: ProviderID, name: String, icon: String, enabled: Bool, running: Bool, folders: [ItemURI], lastError: String
    ) {
        self.id = id
        self.name = name
        self.icon = icon
        self.enabled = enabled
        self.running = running
        self.folders = folders
        self.lastError = lastError
    }
}

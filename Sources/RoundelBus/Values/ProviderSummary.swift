/// A provider for display in the settings.
public struct ProviderSummary: Equatable, Sendable {
    /// A folder without badges until the user consents, because it lies above or below another provider's.
    public struct Waiting: Equatable, Sendable {
        /// The folder as its provider spells it.
        public var folder: ItemURI
        /// The other provider.
        public var provider: ProviderID
        /// The other provider's folder; the first one if there are several.
        public var other: ItemURI

        /// Creates an entry for a folder and the one that it lies above or below.
        package init(folder: ItemURI, provider: ProviderID, other: ItemURI) {
            self.folder = folder
            self.provider = provider
            self.other = other
        }
    }

    /// How a provider fails again and again.
    public enum Trouble: String, Hashable, Sendable {
        /// It does not answer.
        case silent
        /// What it answers is wrong.
        case wrong
    }

    /// The ID of the provider.
    public var id: ProviderID
    /// The name shown to the user.
    public var name: String
    /// What it does, as its manifest says; empty if it does not say.
    public var summary: String
    /// The name of an icon.
    public var icon: String
    /// The app that it is, if it runs in a sandbox, such as `flatpak:org.example.Cloud`; empty if it does not.
    public var app: String
    /// Whether the user enabled it.
    public var enabled: Bool
    /// Whether it was just installed, or asks from a sandbox: it is off, and the user has not said yet whether it may be on.
    public var isNew: Bool
    /// Whether it is registered.
    public var running: Bool
    /// Its folders, with its own spelling.
    public var folders: [ItemURI]
    /// Its folders that wait for the user's consent.
    public var waiting: [Waiting]
    /// Where it can be called: the bus name of its manifest, otherwise its unique name; empty if it has no manifest and
    /// does not run.
    public var busName: String
    /// The objects of the interfaces that it offers, as it registered them or, while it does not run, as its manifest
    /// says.
    public var services: [String: String]
    /// A sentence about the last error; empty if there was none.
    public var lastError: String
    /// How it fails again and again; nil if it does not.
    public var trouble: Trouble?

    /// Creates one row of List.
    package init(
        id: ProviderID, name: String, summary: String = "", icon: String, app: String = "", enabled: Bool,
        isNew: Bool = false,
        running: Bool,
        folders: [ItemURI],
        waiting: [Waiting] = [], busName: String = "", services: [String: String] = [:], lastError: String,
        trouble: Trouble? = nil
    ) {
        self.id = id
        self.name = name
        self.summary = summary
        self.icon = icon
        self.app = app
        self.enabled = enabled
        self.isNew = isNew
        self.running = running
        self.folders = folders
        self.waiting = waiting
        self.busName = busName
        self.services = services
        self.lastError = lastError
        self.trouble = trouble
    }
}

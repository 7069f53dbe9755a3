/// What a provider says when it registers.
public struct Registration: Equatable, Sendable {
    /// The path of the object that implements `org.roundel.Provider1`.
    public var object: String
    /// As given; the engine checks its form.
    public var id: String
    /// Shown to people; the manifest's, or the id, where empty.
    public var name: String
    /// The name of an icon; the manifest's where empty.
    public var icon: String
    /// The toolbar button that it wishes for.
    public var toolbarItem: ToolbarItem?
    /// Interface name → path of the object that offers it.
    public var services: [String: String]

    /// The arguments of Register.
    public init(
        object: String, id: String, name: String = "", icon: String = "", toolbarItem: ToolbarItem? = nil,
        services: [String: String] = [:]
    ) {
        self.object = object
        self.id = id
        self.name = name
        self.icon = icon
        self.toolbarItem = toolbarItem
        self.services = services
    }
}

/// The toolbar button of a file manager.
public struct ToolbarItem: Hashable, Sendable {
    /// Shown beside or below the image.
    public var name: String
    /// The name of an icon.
    public var icon: String
    /// Shown when the pointer rests on it.
    public var tooltip: String

    /// A button.
    public init(name: String, icon: String, tooltip: String) {
        self.name = name
        self.icon = icon
        self.tooltip = tooltip
    }

    /// Roundel's own, in use unless exactly one provider gives one.
    public static let own = ToolbarItem(name: "Roundel", icon: "org.roundel.Roundel", tooltip: "Synced folders")
}

/// A folder as a provider asks for it in SetFolders.
public struct FolderOffer: Hashable, Sendable {
    /// The folder as the provider spells it.
    public var folder: ItemURI
    /// Whether the whole tree is to be watched and its changes told.
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

/// What the file system says of a folder.
public struct FolderFacts: Equatable, Sendable {
    /// What is found at the place of a folder.
    public enum Kind: Sendable {
        case directory, missing, file, symlink
    }

    /// The folder as its provider spells it.
    public var folder: ItemURI
    /// What is there now.
    public var kind: Kind
    /// The same place with its ancestors' symlinks resolved, all of them last; empty if there are none.
    public var spellings: [ItemURI]

    /// Facts as they were found.
    public init(folder: ItemURI, kind: Kind, spellings: [ItemURI] = []) {
        self.folder = folder
        self.kind = kind
        self.spellings = spellings
    }
}

/// The image of a badge.
public struct BadgeImage: Hashable, Sendable {
    /// What the image is for.
    public var badge: Badge
    /// Says the state in words.
    public var label: String
    /// The name of an icon.
    public var icon: String

    /// One row of SetBadgeImages.
    public init(badge: Badge, label: String, icon: String) {
        self.badge = badge
        self.label = label
        self.icon = icon
    }
}

/// The state of a whole folder.
public struct FolderStatus: Hashable, Sendable {
    /// 0 unknown, 1 idle, 2 syncing, 3 attention, 4 error, 5 paused; anything else counts as 0.
    public var state: UInt32
    /// For people; may be empty.
    public var text: String
    /// 0-100 or 255.
    public var progress: UInt8

    /// A state.
    public init(state: UInt32, text: String = "", progress: UInt8 = Progress.none) {
        self.state = state
        self.text = text
        self.progress = progress
    }

    /// Nothing is known.
    public static let unknown = FolderStatus(state: 0)
}

/// A registered folder that the watcher follows.
public struct WatchedFolder: Hashable, Sendable {
    /// As its provider spells it.
    public var folder: ItemURI
    /// Whether the whole tree is watched and not the root alone.
    public var tree: Bool

    /// A folder to watch.
    public init(folder: ItemURI, tree: Bool) {
        self.folder = folder
        self.tree = tree
    }
}

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

/// An installed manifest.
public struct Manifest: Equatable, Sendable {
    /// From the file's name.
    public var id: ProviderID
    /// Shown to people, in their language.
    public var name: String
    /// The name of an icon.
    public var icon: String
    /// The well-known name that starts the provider and proves its identity.
    public var busName: String
    /// The unique name that owns ``busName`` now; nil if none. Kept current by ``Event/manifests(_:)``.
    public var owner: String?
    /// To which selections all menus of the provider apply; nil: to all.
    public var rules: MenuRules?

    /// A manifest as it was read.
    public init(
        id: ProviderID, name: String, icon: String, busName: String, owner: String? = nil, rules: MenuRules? = nil
    ) {
        self.id = id
        self.name = name
        self.icon = icon
        self.busName = busName
        self.owner = owner
        self.rules = rules
    }
}

/// What survives a restart of the service.
public struct SavedState: Equatable, Sendable {
    /// A provider's part.
    public struct Provider: Equatable, Sendable {
        /// Whether the person lets it take part.
        public var enabled: Bool
        /// The folders that it had last.
        public var folders: [FolderOffer]

        /// One provider.
        public init(enabled: Bool, folders: [FolderOffer]) {
            self.enabled = enabled
            self.folders = folders
        }
    }

    /// Every provider that is known.
    public var providers: [ProviderID: Provider]

    /// A state.
    public init(providers: [ProviderID: Provider] = [:]) {
        self.providers = providers
    }
}

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

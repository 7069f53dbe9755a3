public import DBus

/// A registered folder, for hosts.
package struct HostedFolder: Equatable, Sendable {
    /// The folder as its provider spells it.
    package var folder: ItemURI
    /// Its provider.
    package var provider: ProviderID
    /// The provider's label for the user; may be empty.
    package var label: String
    /// The provider's icon name; may be empty.
    package var icon: String
    /// Its status.
    package var status: FolderStatus

    /// Creates a folder with its status.
    package init(
        folder: ItemURI, provider: ProviderID, label: String = "", icon: String = "", status: FolderStatus = .unknown
    ) {
        self.folder = folder
        self.provider = provider
        self.label = label
        self.icon = icon
        self.status = status
    }

    /// The name shown to the user: the label, or the folder's own name.
    package var displayName: String {
        label.isEmpty ? String(decoding: folder.name?.bytes ?? [UInt8(ascii: "/")], as: UTF8.self) : label
    }
}

/// A menu from the service.
public struct HostedMenu: Equatable, Sendable {
    /// Identifies the menu when an item is activated; valid for some minutes.
    public var id: UInt64
    /// Its items, with their IDs for hosts.
    public var items: [MenuItem]
    /// The display names of the providers whose items are missing, because they have not answered yet. As long as there
    /// are some, ``HostEvent/menuChanged(_:)`` follows.
    public var incomplete: [String]

    /// Creates a menu from a reply.
    package init(id: UInt64, items: [MenuItem], incomplete: [String] = []) {
        self.id = id
        self.items = items
        self.incomplete = incomplete
    }
}

/// The result of an action.
public struct FinishedAction: Equatable, Sendable {
    /// The menu in which it was chosen.
    public var menu: UInt64
    /// The item, with its ID for hosts.
    public var item: String
    /// The outcome.
    public var outcome: ActionOutcome
    /// A sentence for the user; may be empty.
    public var message: String
    /// The text for the clipboard, which the host puts there.
    public var clipboard: ClipboardText?

    /// Creates the result of one action.
    package init(
        menu: UInt64, item: String, outcome: ActionOutcome, message: String = "", clipboard: ClipboardText? = nil
    ) {
        self.menu = menu
        self.item = item
        self.outcome = outcome
        self.message = message
        self.clipboard = clipboard
    }
}

/// An interface that an item's provider implements itself.
public struct ItemService: Equatable, Sendable {
    /// The unique or well-known name of the provider on the bus.
    public let busName: String
    /// The object with the interface.
    public let object: ObjectPath
    /// The provider's ID; nil if the service does not say it.
    public let provider: ProviderID?
    /// The provider's name as shown to the user.
    public let providerName: String
}

/// A registered folder as hosts see it.
package struct HostedFolder: Equatable, Sendable {
    /// The folder as its provider spells it.
    package var folder: ItemURI
    /// Whose it is.
    package var provider: ProviderID
    /// Shown to people, as the provider gave it; may be empty.
    package var label: String
    /// The name of an icon, as the provider gave it; may be empty.
    package var icon: String
    /// How it is.
    package var status: FolderStatus

    /// A folder with its status.
    package init(
        folder: ItemURI, provider: ProviderID, label: String = "", icon: String = "", status: FolderStatus = .unknown
    ) {
        self.folder = folder
        self.provider = provider
        self.label = label
        self.icon = icon
        self.status = status
    }

    /// What people call it: the label, or the folder's own name.
    package var displayName: String {
        label.isEmpty ? String(decoding: folder.name?.bytes ?? [UInt8(ascii: "/")], as: UTF8.self) : label
    }
}

/// A menu that a host was given.
public struct HostedMenu: Equatable, Sendable {
    /// Names the menu when an item of it is chosen; valid for some minutes.
    public var id: UInt64
    /// Its items, with the ids that hosts use.
    public var items: [MenuItem]

    /// A menu as it was answered.
    public init(id: UInt64, items: [MenuItem]) {
        self.id = id
        self.items = items
    }
}

/// The end of an action.
public struct FinishedAction: Equatable, Sendable {
    /// The menu of which it was chosen.
    public var menu: UInt64
    /// The item, with the id that hosts use.
    public var item: String
    /// What became of it.
    public var outcome: ActionOutcome
    /// A sentence for a person; may be empty.
    public var message: String
    /// What the action has for the clipboard; the host puts it there.
    public var clipboard: ClipboardText?

    /// The end of one action.
    public init(
        menu: UInt64, item: String, outcome: ActionOutcome, message: String = "", clipboard: ClipboardText? = nil
    ) {
        self.menu = menu
        self.item = item
        self.outcome = outcome
        self.message = message
        self.clipboard = clipboard
    }
}

/// Where a menu opens.
public enum MenuKind: UInt32, CaseIterable, Sendable {
    /// On selected items.
    case items = 0
    /// On the background of a folder.
    case container = 1
    /// On an entry of the sidebar.
    case sidebar = 2
    /// From the toolbar button.
    case toolbar = 3
}

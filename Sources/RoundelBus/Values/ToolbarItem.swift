/// The toolbar button of a file manager.
public struct ToolbarItem: Hashable, Sendable {
    /// The text next to or below the image.
    public var name: String
    /// The name of an icon.
    public var icon: String
    /// The text shown when the pointer rests on it.
    public var tooltip: String

    /// Creates a button.
    public init(name: String, icon: String, tooltip: String) {
        self.name = name
        self.icon = icon
        self.tooltip = tooltip
    }

    /// Roundel's own button, used unless exactly one provider defines one.
    public static let own = ToolbarItem(name: "Roundel", icon: "org.roundel.Roundel", tooltip: "Synced folders")
}

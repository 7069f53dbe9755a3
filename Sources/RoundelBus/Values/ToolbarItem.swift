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

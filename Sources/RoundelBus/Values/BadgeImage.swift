/// The image of a badge.
public struct BadgeImage: Hashable, Sendable {
    /// The badge that the image represents.
    public var badge: Badge
    /// The state in words.
    public var label: String
    /// The name of an icon.
    public var icon: String

    /// Creates one row of SetBadgeImages.
    public init(badge: Badge, label: String, icon: String) {
        self.badge = badge
        self.label = label
        self.icon = icon
    }
}

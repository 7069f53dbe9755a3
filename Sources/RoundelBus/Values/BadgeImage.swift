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

public import BadgeService

/// Everything that the service shows on the desktop by itself, without a file manager.
public enum DesktopParts {
    /// Makes the parts and has them show what there is; they live as long as what this returns.
    public static func attach(to hub: BadgeHub) -> [AnyObject] {
        []
    }
}

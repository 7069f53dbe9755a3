package import BadgeService
internal import RoundelBus
internal import Support

/// Everything that the service shows on the desktop by itself, without a file manager.
package enum DesktopParts {
    /// Makes the parts and has them show what there is; they live as long as what this returns.
    package static func attach(to hub: BadgeHub) -> [AnyObject] {
        [
            part("tray") { try Tray(hub: hub) }, part("sidebar") { try CloudProviders(hub: hub) },
            part("notifications") { try Notifications(hub: hub) },
        ].compactMap { $0 }
    }

    /// A part that fails to start does not stop the others.
    private static func part(_ name: String, _ make: () throws -> AnyObject) -> AnyObject? {
        do {
            return try make()
        } catch {
            log(.error, "The \(name) is not served: \(error)")
            return nil
        }
    }
}

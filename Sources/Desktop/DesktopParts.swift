internal import BadgeEngine
package import BadgeService
internal import RoundelBus
internal import Support

/// Everything that the service shows on the desktop by itself, without a file manager.
package enum DesktopParts {
    /// Makes the parts and has them show what there is; they live as long as what this returns.
    package static func attach(to hub: BadgeHub) -> [AnyObject] {
        [
            part(Texts.trayNotServed) { try Tray(hub: hub) },
            part(Texts.sidebarNotServed) { try CloudProviders(hub: hub) },
            part(Texts.notificationsNotServed) { try Notifications(hub: hub) },
        ].compactMap { $0 }
    }

    /// A part that fails to start does not stop the others; `problem` says in the log what is missing, and why.
    private static func part(_ problem: (String) -> String, _ make: () throws -> AnyObject) -> AnyObject? {
        do {
            return try make()
        } catch {
            log(.error, problem("\(error)"))
            return nil
        }
    }
}

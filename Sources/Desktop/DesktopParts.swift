package import BadgeService
internal import RoundelBus
internal import Support

/// The parts of the desktop that the service itself shows, without a file manager.
package enum DesktopParts {
    /// Creates the parts and shows the current state; the parts live as long as the returned objects.
    package static func attach(to hub: BadgeHub) -> [AnyObject] {
        [
            part({ "The tray icon cannot be shown: \($0)" }) {
                try Tray(host: hub.localHost(named: "tray"), bus: hub.bus)
            },
            part({ "Menus cannot lead into the window: \($0)" }) { try WindowLead(hub: hub) },
            part({ "Folders cannot be shown in sidebars: \($0)" }) {
                try CloudProviders(host: hub.localHost(named: "sidebar"), bus: hub.bus)
            },
            part({ "Notifications cannot be shown: \($0)" }) {
                try Notifications(host: hub.localHost(named: "notifications"), bus: hub.bus, saver: hub.saver)
            },
        ].compactMap { $0 }
    }

    /// A part that fails to start does not stop the others; `problem` makes the log message from the reason.
    private static func part(_ problem: (String) -> String, _ make: () throws -> AnyObject) -> AnyObject? {
        do {
            return try make()
        } catch {
            log(.error, problem("\(error)"))
            return nil
        }
    }
}

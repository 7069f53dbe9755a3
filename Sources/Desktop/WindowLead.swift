internal import BadgeService
internal import Launching
internal import RoundelBus

/// Leads from the menus of file managers into Roundel's window.
final class WindowLead {
    private let opener: DesktopOpener
    private let window: InstalledWindow
    private var open = 0

    /// The maximum number of unanswered calls, because the bus reserves a place for each answer.
    private static let mostOpen = 16

    init(hub: BadgeHub) throws {
        opener = DesktopOpener(bus: hub.bus, name: "roundeld")
        window = try InstalledWindow(following: hub.bus) { [weak hub] in hub?.windowFound($0) }
        hub.windowShower = { [weak self] view, subject, options, finished in
            guard let self, open < Self.mostOpen else { return finished(false) }
            open += 1
            opener.showWindow(view, of: subject, options) { [weak self] isShown in
                self?.open -= 1
                finished(isShown)
            }
        }
    }
}

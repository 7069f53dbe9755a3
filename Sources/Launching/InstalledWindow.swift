package import DBus
internal import RoundelBus

/// Knows whether Roundel's window is installed, so that menus offer what it shows (D-Bus activation of the Desktop Entry
/// Specification).
package final class InstalledWindow {
    private let bus: Connection
    private var isAsking = false
    private var isKnown = false

    /// Asks the bus whether there is a window.
    package init(bus: Connection) {
        self.bus = bus
        look()
    }

    /// Whether the window is installed, as far as the bus has said. It is asked again each time, so that a window that is
    /// installed later is found.
    package var isThere: Bool {
        look()
        return isKnown
    }

    private func look() {
        guard !isAsking else { return }
        isAsking = true
        bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListActivatableNames") {
            [weak self] result in
            guard let self else { return }
            isAsking = false
            guard case .success(let reply) = result else { return }
            var reader = reply.reader
            isKnown = ((try? reader.readStringArray()) ?? []).contains(Names.window)
        }
    }
}

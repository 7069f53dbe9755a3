package import DBus
internal import RoundelBus

/// Knows whether Roundel's window is installed, so that menus offer what it shows (D-Bus activation of the Desktop Entry
/// Specification).
package final class InstalledWindow {
    private let bus: Connection
    private var isAsking = false
    private var isKnown = false
    private let onChange: (_ isThere: Bool) -> Void
    private var changes: Registration?

    /// Asks the bus whether there is a window.
    package init(bus: Connection) {
        self.bus = bus
        onChange = { _ in }
        look()
    }

    /// Asks the bus whether there is a window, and again whenever a program was installed or removed.
    /// - Parameter onChange: Called with the answer when it is another one than before; there is none at first.
    package init(following bus: Connection, onChange: @escaping (_ isThere: Bool) -> Void) throws {
        self.bus = bus
        self.onChange = onChange
        changes = try bus.subscribe(
            MatchRule(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
                member: "ActivatableServicesChanged")
        ) { [weak self] _ in self?.look() }
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
            let former = isKnown
            isKnown = ((try? reader.readStringArray()) ?? []).contains(Names.window)
            if isKnown != former { onChange(isKnown) }
        }
    }
}

internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// Announces changed properties of the Host interface once in each turn of the loop, however many changes there were.
final class PropertyAnnouncer {
    private let bus: Connection
    private let onAnnounced: (ChangedProperties) -> Void
    private var changed: ChangedProperties = []

    /// - Parameter onAnnounced: Called with the properties of each announcement, also those that are not on the bus.
    init(bus: Connection, onAnnounced: @escaping (ChangedProperties) -> Void) {
        self.bus = bus
        self.onAnnounced = onAnnounced
    }

    /// Records that these properties have changed.
    func announce(_ properties: ChangedProperties) {
        if changed.isEmpty { bus.loop.atEndOfTurn { [unowned self] in flush() } }
        changed.formUnion(properties)
    }

    private func flush() {
        let now = changed
        changed = []
        let names = HostInterface.names(of: now)
        do {
            if !names.isEmpty { try bus.emitPropertiesChanged(names, of: Names.host, at: Names.servicePath) }
        } catch {
            logUnsent("A change of properties could not be announced", error)
        }
        onAnnounced(now)
    }
}

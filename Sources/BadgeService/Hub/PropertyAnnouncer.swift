internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Announces changed properties of the Host interface once in each turn of the loop, however many changes there were.
final class PropertyAnnouncer {
    private unowned let hub: BadgeHub
    private var changed: ChangedProperties = []

    init(hub: BadgeHub) {
        self.hub = hub
    }

    /// Records that these properties have changed.
    func announce(_ properties: ChangedProperties) {
        if changed.isEmpty { hub.loop.atEndOfTurn { [unowned self] in flush() } }
        changed.formUnion(properties)
    }

    private func flush() {
        let now = changed
        changed = []
        let names = HostInterface.names(of: now)
        do {
            if !names.isEmpty { try hub.bus.emitPropertiesChanged(names, of: Names.host, at: Names.servicePath) }
        } catch {
            log(.warning, Texts.propertiesNotAnnounced("\(error)"))
        }
        hub.notifyLocalHosts(now)
        if now.contains(.folders) { hub.onRareWork?() }
    }
}

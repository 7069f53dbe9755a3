internal import DBus

/// A signal of the badge service to a host.
public enum HostEvent: Equatable, Sendable {
    /// Badges of items in an observed directory have changed.
    case badgesChanged(ItemURI, [ItemName: ItemBadge])
    /// An action of this host has finished.
    case actionFinished(FinishedAction)
    /// Items of this host's menu came late; this is the whole menu now, under its former id.
    case menuChanged(HostedMenu)
    /// All observations have ended: discard every badge and start again with the shown directories. Only calls of
    /// ``HostProxy/beginObserving(_:)`` with a later reply count.
    case reset

    /// The name of a signal.
    private enum Signal: String {
        case badgesChanged = "BadgesChanged"
        case actionFinished = "ActionFinished"
        case menuChanged = "MenuChanged"
        case reset = "Reset"
    }

    /// Decodes a signal of the Host interface; nil for one that this version does not know.
    init?(_ member: String, _ arguments: inout MessageReader) throws {
        switch Signal(rawValue: member) {
        case .badgesChanged:
            self = .badgesChanged(
                try arguments.readItemURI(), try ItemBadge.rows(of: try arguments.readColumns()))
        case .actionFinished:
            self = .actionFinished(
                FinishedAction(
                    menu: try arguments.readUInt64(), item: try arguments.readString(),
                    outcome: ActionOutcome(wire: try arguments.readUInt32()), message: try arguments.readString(),
                    clipboard: try? ClipboardText.read(from: try arguments.readVariantMap())))
        case .menuChanged: self = .menuChanged(try HostedMenu(reading: &arguments))
        case .reset: self = .reset
        case nil: return nil
        }
    }
}

extension HostProxy {
    /// The signals of the service to this host from now on. Replies to later calls come after the subscription began.
    ///
    /// The stream buffers up to 16,384 unread events; older ones are dropped.
    public func events() throws -> AsyncStream<HostEvent> {
        try bus.signals(
            MatchRule(sender: Names.service, path: Names.servicePath, interface: Names.host), buffering: 16_384,
            read: HostEvent.init)
    }

    /// The changes of the service's properties from now on.
    public func propertyChanges() throws -> AsyncStream<HostPropertyChanges> {
        let rule = MatchRule(
            sender: Names.service, path: Names.servicePath, interface: "org.freedesktop.DBus.Properties",
            member: "PropertiesChanged", arguments: [0: Names.host])
        return try bus.signals(rule) { _, arguments in
            arguments.skip()
            return HostPropertyChanges(
                changed: try arguments.readVariantMap(), invalidated: try arguments.readStringArray())
        }
    }

    /// The connection that owns the service's name: first the current one, then at each change; nil for none.
    public func owners() -> AsyncStream<String?> { bus.owners(of: Names.service) }
}

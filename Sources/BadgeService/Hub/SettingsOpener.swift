internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Makes providers show their settings.
final class SettingsOpener {
    private let bus: Connection
    private let busName: (ProviderID) -> String?
    /// The providers that were asked and have not responded.
    private var asked: Set<ProviderID> = []

    /// - Parameter busName: The bus name in the manifest of a provider; nil if it has none.
    init(bus: Connection, busName: @escaping (ProviderID) -> String?) {
        self.bus = bus
        self.busName = busName
    }

    /// Opens a provider's settings by the D-Bus activation of the Desktop Entry Specification.
    func open(_ id: ProviderID, for call: OpenCall) {
        guard asked.insert(id).inserted else {
            return call.fail(
                RoundelError(
                    .limitExceeded,
                    tr("The provider “{1}” has not yet shown the settings that were asked for before.", id.rawValue)))
        }
        guard let busName = self.busName(id),
            let path = try? ObjectPath("/" + busName.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined())
        else {
            asked.remove(id)
            return call.fail(RoundelError(.providerFailed, Self.noSettings(id)))
        }
        bus.call(
            busName, path, "org.freedesktop.Application", "ActivateAction",
            { writer in
                try writer.append("settings")
                try writer.append(value: .array(element: "v", []))
                try writer.append(map: [:])
            }
        ) { [unowned self] result in
            asked.remove(id)
            switch result {
            case .success: call.answer(.done)
            case .failure(let error):
                call.fail(RoundelError(.providerFailed, Self.noSettings(id, reason: error.message)))
            }
        }
    }

    /// OpenSettings for a provider that has no settings, or did not show them.
    private static func noSettings(_ provider: ProviderID, reason: String = "") -> String {
        if reason.isEmpty { return tr("The provider “{1}” has no settings to show.", provider.rawValue) }
        return tr("The provider “{1}” has no settings to show: {2}", provider.rawValue, reason)
    }
}

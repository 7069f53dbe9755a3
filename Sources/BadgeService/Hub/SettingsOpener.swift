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
                RoundelError(.limitExceeded, Texts.settingsAskedFor(id)))
        }
        guard let busName = self.busName(id),
            let path = try? ObjectPath("/" + busName.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined())
        else {
            asked.remove(id)
            return call.fail(RoundelError(.providerFailed, Texts.noSettings(id)))
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
                call.fail(
                    RoundelError(.providerFailed, Texts.noSettings(id, reason: error.message)))
            }
        }
    }
}

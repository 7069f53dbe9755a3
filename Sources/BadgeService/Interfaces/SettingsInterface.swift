internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// `org.roundel.Roundel1.Providers` on the bus: list, enable, disable and forget providers.
enum SettingsInterface {
    static func make(for hub: BadgeHub) -> Interface {
        let onID: [Interface.Argument] = [("id", "s"), ("options", "a{sv}")]
        let extra: [Interface.Argument] = [("extra", "a{sv}")]
        func method(_ name: String, _ request: @escaping (String) -> SettingsRequest) -> Interface.Method {
            Interface.Method(name, in: onID, out: extra) { [unowned hub] call in
                var reader = call.reader
                let id = try reader.readString()
                hub.sandboxes.check(call.sender) { [unowned hub] refusal in
                    if let refusal { return call.fail(DBusError(refusal)) }
                    feed(request(id), call, hub)
                }
            }
        }
        return Interface(
            Names.providers,
            methods: [
                Interface.Method(
                    "List", in: [("options", "a{sv}")], out: [("providers", "aa{sv}")] + extra
                ) { [unowned hub] call in
                    feed(.list, call, hub)
                },
                method("Enable") { .enable($0) },
                method("Disable") { .disable($0) },
                method("Forget") { .forget($0) },
                method("OpenSettings") { .openSettings($0) },
            ],
            signals: [Interface.Signal("Changed", extra)])
    }

    private static func feed(_ request: SettingsRequest, _ call: MethodCall, _ hub: BadgeHub) {
        hub.manifests?.reload()
        hub.whenManifestsAreKnown {
            hub.feed(.settings(SettingsCall(token: hub.keep(.bus(call)), request: request)))
        }
    }
}

internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// `org.roundel.Roundel1.Providers` on the bus: lists, enables, disables and forgets providers, and allows them folders
/// above or below those of others.
enum SettingsInterface {
    static func make(for hub: BadgeHub) -> Interface {
        let options: [Interface.Argument] = [("options", "a{sv}")]
        let extra: [Interface.Argument] = [("extra", "a{sv}")]
        func method(
            _ name: String, _ input: [Interface.Argument] = [("id", "s")],
            _ read: @escaping (inout MessageReader) throws -> SettingsRequest
        ) -> Interface.Method {
            Interface.Method(name, in: input + options, out: extra) { [unowned hub] call in
                var reader = call.reader
                let request = try read(&reader)
                hub.sandboxes.check(call.sender) { [unowned hub] refusal in
                    if let refusal { return call.fail(DBusError(refusal)) }
                    feed(request, call, hub)
                }
            }
        }
        return Interface(
            Names.providers,
            methods: [
                Interface.Method(
                    "List", in: options, out: [("providers", "aa{sv}")] + extra
                ) { [unowned hub] call in
                    feed(.list, call, hub)
                },
                method("Enable") { .enable(try $0.readString()) },
                method("Disable") { .disable(try $0.readString()) },
                method("Forget") { .forget(try $0.readString()) },
                method("Allow", onFolder) { .allow(try $0.readString(), try $0.readItemURI()) },
                method("Disallow", onFolder) { .disallow(try $0.readString(), try $0.readItemURI()) },
                method("OpenSettings") { .openSettings(try $0.readString()) },
            ],
            signals: [Interface.Signal("Changed", extra)])
    }

    private static let onFolder: [Interface.Argument] = [("id", "s"), ("folder_uri", "s")]

    private static func feed(_ request: SettingsRequest, _ call: MethodCall, _ hub: BadgeHub) {
        hub.whenManifestsAreRead(for: call.sender) { [unowned hub] in
            hub.feed(.settings(SettingsCall(token: hub.keep(.bus(call)), request: request)))
        }
    }
}

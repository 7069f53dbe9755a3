internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// `org.roundel.Roundel1.Providers` on the bus: lists, enables, disables and forgets providers, and allows them folders
/// above or below those of others.
struct SettingsInterface {
    /// Handles the calls.
    let driver: EngineDriver
    /// Refuses programs in a sandbox what is not a question.
    let sandboxes: SandboxGate
    /// Must be read before each call.
    let manifests: ManifestTable

    /// The interface for the bus.
    var exported: Interface {
        let options: [Interface.Argument] = [("options", "a{sv}")]
        let extra: [Interface.Argument] = [("extra", "a{sv}")]
        func method(
            _ name: String, _ input: [Interface.Argument] = [("id", "s")],
            _ read: @escaping (inout MessageReader) throws -> SettingsRequest
        ) -> Interface.Method {
            Interface.Method(name, in: input + options, out: extra) { [self] call in
                var reader = call.reader
                let request = try read(&reader)
                sandboxes.check(call.sender) { refusal in
                    if let refusal { return call.fail(DBusError(refusal)) }
                    submit(request, call)
                }
            }
        }
        return Interface(
            Names.providers,
            methods: [
                Interface.Method("List", in: options, out: [("providers", "aa{sv}")] + extra) { submit(.list, $0) },
                method("Enable") { .enable(try $0.readString()) },
                method("Disable") { .disable(try $0.readString()) },
                method("Forget") { .forget(try $0.readString()) },
                method("Allow", Self.onFolder) { .allow(try $0.readString(), try $0.readItemURI()) },
                method("Disallow", Self.onFolder) { .disallow(try $0.readString(), try $0.readItemURI()) },
                method("OpenSettings") { .openSettings(try $0.readString()) },
            ],
            properties: [.version], signals: [Interface.Signal("Changed", extra)])
    }

    private static let onFolder: [Interface.Argument] = [("id", "s"), ("folder_uri", "s")]

    private func submit(_ request: SettingsRequest, _ call: MethodCall) {
        manifests.whenRead(for: call.sender) { driver.submit(request, call) }
    }
}

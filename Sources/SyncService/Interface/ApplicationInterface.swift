internal import DBus
internal import Launching
internal import RoundelBus
internal import Support

/// The worker as an application of the Desktop Entry Specification, by which its settings are asked for: they are in
/// Roundel's window.
enum ApplicationInterface {
    private static let settings = "settings"
    private static let platform: [Interface.Argument] = [("platform_data", "a{sv}")]

    static func make(_ opener: DesktopOpener) -> Interface {
        Interface(
            "org.freedesktop.Application",
            methods: [
                .init("Activate", in: platform) { call in
                    var reader = call.reader
                    show(try reader.readVariantMap(), opener, call)
                },
                .init("Open", in: [("uris", "as")] + platform) { call in
                    var reader = call.reader
                    _ = try reader.readStringArray()
                    show(try reader.readVariantMap(), opener, call)
                },
                .init("ActivateAction", in: [("action_name", "s"), ("parameter", "av")] + platform) { call in
                    var reader = call.reader
                    let action = try reader.readString()
                    _ = try reader.readValue()
                    guard action == settings else {
                        throw DBusError(RoundelError(.unknownItem, tr("There is no action “{1}”.", action)))
                    }
                    show(try reader.readVariantMap(), opener, call)
                },
            ])
    }

    private static func show(_ platform: VariantMap, _ opener: DesktopOpener, _ call: MethodCall) {
        let options = ActivationOptions(activationToken: platform.string("activation-token"))
        opener.showWindow(nil, options) { isShown in
            if isShown { return call.reply() }
            call.fail(
                DBusError(
                    RoundelError(
                        .providerFailed,
                        tr("Roundel's window is not installed. Install roundel-window, or use the command roundel."))))
        }
    }
}

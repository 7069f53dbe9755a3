import DBus
import RoundelBus
import Setup
import Support

/// Roundel's window, or what shows the folders where it is not installed.
enum OwnWindow {
    /// Programs that run a command in a terminal of the user's choice, before which they want these words.
    private static let terminals = [["xdg-terminal-exec"], ["x-terminal-emulator", "-e"]]
    private static let status = ["roundel", "status", "--watch"]

    /// Has the bus open the window; without one, opens a terminal.
    static func open() async throws {
        let token = ProcessEnvironment.valid("XDG_ACTIVATION_TOKEN") ?? ProcessEnvironment.valid("DESKTOP_STARTUP_ID")
        let platform: VariantMap =
            token.map { ["activation-token": .string($0), "desktop-startup-id": .string($0)] } ?? [:]
        do {
            _ = try await Bus.open().call(
                Names.window, Names.windowPath, "org.freedesktop.Application", "Activate", [.map(platform)])
        } catch let error as DBusError where error.standard == .serviceUnknown {
            guard terminals.contains(where: { ChildProgram.start($0 + status) }) else {
                throw CommandFailure(
                    tr("Roundel's window is not installed. Install roundel-window, or see: {1}", "roundel status"))
            }
        }
    }
}

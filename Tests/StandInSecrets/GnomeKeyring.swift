import Glibc
import SystemPackage
public import TestSupport

/// The real `gnome-keyring-daemon` on a private bus, with an empty home and a login keyring that is unlocked.
public final class GnomeKeyring {
    private let home: TemporaryDirectory
    private let daemon: RunningProgram

    /// Whether it is installed. Under continuous integration it has to be.
    public static var isInstalled: Bool { program != nil || getenv("CI") != nil }

    private static var program: String? {
        let path = "/usr/bin/gnome-keyring-daemon"
        return access(path, X_OK) == 0 ? path : nil
    }

    /// The files that it keeps, which must not hold a secret in clear text.
    public var directory: TemporaryDirectory { home }

    /// Starts it and waits until it runs.
    public init(on bus: PrivateBus, unlocking: Bool = true) throws {
        home = try TemporaryDirectory()
        try home.makeDirectory("run")
        chmod(home["run"].string, 0o700)
        try home.write("the keyring's password", to: "password")
        var variables = RunningProgram.inheritedEnvironment.merging(bus.environment) { $1 }
        variables["HOME"] = home.path.string
        variables["XDG_DATA_HOME"] = home["data"].string
        variables["XDG_RUNTIME_DIR"] = home["run"].string
        let options = unlocking ? "--unlock" : ""
        daemon = try RunningProgram(
            [
                "sh", "-c",
                "exec \(Self.program ?? "gnome-keyring-daemon") --foreground --components=secrets \(options) "
                    + "--control-directory=\(home["run"]) < \(home["password"])",
            ], environment: variables)
        // It says where its control socket is before it has its name on the bus. Whoever asks for the name until then
        // has the bus start another one, whose keyring is locked.
        _ = try daemon.line()
        let script =
            "until busctl --user call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus NameHasOwner "
            + "s org.freedesktop.secrets | grep -q true; do sleep 0.02; done"
        guard try RunningProgram(["sh", "-c", script], environment: variables).wait() == 0 else {
            throw Failure("gnome-keyring has no name on the bus")
        }
    }

    deinit { daemon.kill() }
}

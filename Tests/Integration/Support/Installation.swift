import DBus
import Glibc
import RoundelBus
import TestSupport

/// A whole installation in a temporary directory: a bus of its own, XDG directories of its own, the built programs.
final class Installation {
    /// The temporary directory, with every symlink in its path resolved.
    let root: String
    private(set) var bus: RunningProgram
    let address: String
    /// Whether the time-outs of the programs are those of release builds.
    let letsTimeRunOut: Bool

    /// - Parameters:
    ///   - activates: whether the bus starts the services by itself.
    ///   - letsTimeRunOut: whether the test waits for a time-out to pass, which must then not grow with
    ///     `ROUNDEL_PATIENCE`.
    init(activates: Bool = false, letsTimeRunOut: Bool = false) throws {
        self.letsTimeRunOut = letsTimeRunOut
        var template = Array("/tmp/roundel-test.XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure("mkdtemp: \(errno)") }
        root = try Disk.resolved(String(cString: path))
        for folder in ["home", "run", "data/dbus-1/services", "data/roundel/providers", "config", "cache", "state"] {
            try Disk.makeDirectories(root + "/" + folder)
        }
        chmod(root + "/run", 0o700)
        bus = try Self.startBus(root, letsTimeRunOut)
        address = try bus.line().split(separator: ",").first.map(String.init) ?? ""
        if activates {
            try addService(Names.service, program: BuiltPrograms.path("roundeld"))
            try addService(Names.worker, program: BuiltPrograms.path("roundel-worker"))
            try addManifest(
                Names.workerProviderID, name: "Roundel", busName: Names.worker, object: "/org/roundel/SyncWorker1")
        }
    }

    private static func startBus(_ root: String, _ letsTimeRunOut: Bool) throws -> RunningProgram {
        let environment = environment(root, letsTimeRunOut).merging(["DBUS_FATAL_WARNINGS": "0"]) { $1 }
        let settings = root + "/bus.conf"
        try Disk.write(settings, busSettings(root))
        return try RunningProgram(
            [
                "dbus-daemon", "--config-file=\(settings)", "--nofork", "--nopidfile", "--nosyslog",
                "--print-address=1",
            ], environment: environment, errorFile: root + "/bus.log")
    }

    /// A session bus as `dbus-daemon --session` is one, but for the services of the system: those it finds in /usr/share
    /// whatever `XDG_DATA_DIRS` says, so that menus would depend on what is installed there.
    private static func busSettings(_ root: String) -> String {
        let limits = [
            "max_incoming_bytes": 1_000_000_000, "max_outgoing_bytes": 1_000_000_000, "max_message_size": 1_000_000_000,
            "service_start_timeout": 120_000, "auth_timeout": 240_000, "max_completed_connections": 100_000,
            "max_incomplete_connections": 10_000, "max_connections_per_user": 100_000,
            "max_pending_service_starts": 10_000, "max_names_per_connection": 50_000,
            "max_match_rules_per_connection": 50_000, "max_replies_per_connection": 50_000,
        ]
        return """
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(root)/bus</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(root)/data/dbus-1/services</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
              \(limits.map { "<limit name=\"\($0)\">\($1)</limit>" }.joined())
            </busconfig>
            """
    }

    /// Kills the bus, and starts one at the same address.
    func restartBus() throws {
        bus.kill()
        _ = try? Disk.remove(root + "/bus")
        bus = try Self.startBus(root, letsTimeRunOut)
        _ = try bus.line()
    }

    deinit {
        bus.kill()
        Disk.removeAll(root)
    }

    /// What every program of the installation gets.
    var environment: [String: String] {
        Self.environment(root, letsTimeRunOut).merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
    }

    /// Where a test may run a system bus of its own; there is none otherwise.
    var systemBus: String { Self.systemBus(root) }

    private static func systemBus(_ root: String) -> String { "unix:path=\(root)/system-bus" }

    private static func environment(_ root: String, _ letsTimeRunOut: Bool) -> [String: String] {
        var variables = [
            "HOME": root + "/home", "XDG_RUNTIME_DIR": root + "/run", "XDG_DATA_HOME": root + "/data",
            "XDG_CONFIG_HOME": root + "/config", "XDG_CACHE_HOME": root + "/cache", "XDG_STATE_HOME": root + "/state",
            "DBUS_SYSTEM_BUS_ADDRESS": systemBus(root), "XDG_DATA_DIRS": root + "/shared", "LC_ALL": "C.UTF-8",
            "PATH": root + "/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        ]
        for name in ["LD_LIBRARY_PATH", "ROUNDEL_LOG"] + RunningProgram.timeFactors {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        if letsTimeRunOut { variables["ROUNDEL_PATIENCE"] = nil }
        return variables
    }

    /// Makes the bus start a program for a name.
    func addService(_ name: String, program: String) throws {
        try Disk.write(
            "\(root)/data/dbus-1/services/\(name).service", "[D-BUS Service]\nName=\(name)\nExec=\(program)\n")
    }

    /// Puts a program before all others of its name.
    func addProgram(_ name: String, _ script: String) throws {
        try Disk.makeDirectories(root + "/bin")
        try Disk.write("\(root)/bin/\(name)", script)
        try Disk.makeExecutable("\(root)/bin/\(name)")
    }

    /// Installs a provider's manifest. Before the service starts, the person has turned the provider on.
    /// - Parameter isNew: whether the person is to be asked instead.
    func addManifest(
        _ id: String, name: String, busName: String, object: String, more: String = "", isNew: Bool = false
    ) throws {
        if !isNew {
            let file = root + "/state/roundel/providers"
            // A test may have made it impossible to keep what the person says.
            try? Disk.makeDirectories(root + "/state/roundel")
            let before = Disk.textIfThere(file) ?? "[Service]\nVersion=3\nAllowed=\n"
            try? Disk.write(file, before + "\n[\(id)]\nEnabled=true\n")
        }
        try Disk.write(
            "\(root)/data/roundel/providers/\(id).provider",
            "[Provider]\nName=\(name)\nBusName=\(busName)\nObjectPath=\(object)\n\(more)")
    }

    /// Says which names have which types of data, in lines of a `globs2` file.
    func addTypes(system: String, user: String) throws {
        for (place, lines) in [("shared", system), ("data", user)] {
            try Disk.makeDirectories("\(root)/\(place)/mime")
            try Disk.write("\(root)/\(place)/mime/globs2", lines)
        }
    }

    /// Installs the manifest of the bundled worker as it is distributed.
    func addBundledManifest() throws { try addManifest(ofSources: Names.workerProviderID) }

    /// Installs a manifest as it is distributed.
    func addManifest(ofSources id: String) throws {
        let sources = try Disk.resolved("\(#filePath)").split(separator: "/").dropLast(4).joined(separator: "/")
        let name = id + Names.manifestSuffix
        try Disk.write(
            "\(root)/data/\(Names.manifestFolder)/\(name)", try Disk.text("/\(sources)/dbus/providers/\(name)"))
    }

    /// Starts one of the built programs.
    /// - Parameter path: where it is, if not beside the tests.
    func start(
        _ program: String, _ arguments: [String] = [], from path: String? = nil, directory: String = "/",
        more: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            [path ?? BuiltPrograms.path(program)] + arguments,
            environment: environment.merging(more) { $1 }, errorFile: "\(root)/\(program).log", directory: directory)
    }

    /// Runs a program to its end; its standard error is its own.
    func run(_ program: String, _ arguments: [String], directory: String = "/") throws -> RunningProgram.Outcome {
        try run(bytes: program, arguments.map { Array($0.utf8) }, directory: directory)
    }

    /// Runs a program with arguments of any bytes to its end.
    func run(
        bytes program: String, _ arguments: [[UInt8]], directory: String = "/"
    ) throws -> RunningProgram.Outcome {
        let path = program.contains("/") ? program : BuiltPrograms.path(program)
        return try RunningProgram(
            [Array(path.utf8)] + arguments, environment: environment, directory: directory
        ).finish()
    }

    /// What the programs said on their standard errors, for the report of a failure.
    var logs: String {
        ["roundeld", "roundel-worker", "roundel-syncthing", "sample-provider"].compactMap { name in
            Disk.textIfThere("\(root)/\(name).log").map { "--- \(name)\n\($0)" }
        }.joined(separator: "\n")
    }
}

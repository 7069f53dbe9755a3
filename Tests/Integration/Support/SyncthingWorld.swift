import CLinux
import Glibc
import RoundelBus
import TestSupport

/// One device of Syncthing: the real program in a home of its own, reached on this computer alone.
final class SyncthingDevice {
    /// What is set in its configuration.
    struct Settings {
        var type = "sendreceive"
        var usesTLS = false
        var usesSocket = false
        var key = "the key of a test"
        /// Whether its log names each request that it answers.
        var logsRequests = false
    }

    let home: String
    let folder: String
    let id: String
    var settings: Settings
    private let environment: [String: String]
    fileprivate let port: UInt16
    private let guiPort: UInt16
    private var process: RunningProgram?
    private var other: (id: String, port: UInt16)?

    /// The folder's id, which both devices give it.
    static let folderID = "test folder"

    init(home: String, folder: String, settings: Settings, environment: [String: String]) throws {
        (self.home, self.folder, self.settings) = (home, folder, settings)
        // Without the process that watches it, whose death it would survive.
        var own = ["STMONITORED": "yes", "STNOUPGRADE": "1", "GOMAXPROCS": "1"]
        if settings.logsRequests { own["STTRACE"] = "api" }
        self.environment = environment.merging(own) { $1 }
        (port, guiPort) = (try Self.freePort(), try Self.freePort())
        try Disk.makeDirectories(folder)
        let made = try RunningProgram(
            ["syncthing", "generate", "--home=\(home)", "--no-default-folder"], environment: self.environment
        ).finish()
        // The first attribute of the first element that is a device.
        let line = try Disk.text(home + "/config.xml").split(separator: "\n").first { $0.contains("<device id=") }
        guard made.status == 0, let parts = line?.split(separator: "\""), parts.count > 1 else {
            throw Failure("syncthing generate: \(made)")
        }
        id = String(parts[1])
    }

    deinit { kill() }

    /// Lets it know the other device.
    func pair(with device: SyncthingDevice) throws {
        other = (device.id, device.port)
        try writeConfiguration()
    }

    private func writeConfiguration() throws {
        let other = other ?? (id, port)
        let off = [
            "globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled", "startBrowser",
            "crashReportingEnabled",
        ].map { "<\($0)>false</\($0)>" }.joined()
        let address = settings.usesSocket ? home + "/socket" : "127.0.0.1:\(guiPort)"
        try Disk.write(
            home + "/config.xml",
            """
            <configuration version="36">
            <folder id="\(Self.folderID)" label="Shared" path="\(folder)" type="\(settings.type)" rescanIntervalS="3600"
                fsWatcherEnabled="true" fsWatcherDelayS="1">
            <device id="\(id)"/><device id="\(other.id)"/><maxConflicts>10</maxConflicts></folder>
            <device id="\(id)" name="own"><address>tcp://127.0.0.1:\(port)</address></device>
            <device id="\(other.id)" name="other"><address>tcp://127.0.0.1:\(other.port)</address></device>
            <gui enabled="true" tls="\(settings.usesTLS)"><address>\(address)</address>
            <apikey>\(settings.key)</apikey></gui>
            <options><listenAddress>tcp://127.0.0.1:\(port)</listenAddress>\(off)<urAccepted>-1</urAccepted>
            <autoUpgradeIntervalH>0</autoUpgradeIntervalH><reconnectionIntervalS>1</reconnectionIntervalS>
            <progressUpdateIntervalS>1</progressUpdateIntervalS><stunServer></stunServer></options>
            </configuration>
            """)
    }

    func start() throws {
        let command = ["syncthing", "serve", "--home=\(home)", "--no-browser", "--no-restart", "--logfile=\(home)/log"]
        // Without the process that watches it, its log is what it prints.
        let keepsLog = ["sh", "-c", "exec \"$@\" >\"$0\"", home + "/requests"]
        process = try RunningProgram((settings.logsRequests ? keepsLog : []) + command, environment: environment)
    }

    func kill() {
        process?.kill()
        process = nil
    }

    /// Gives it another key while it does not run.
    func change(_ change: (inout Settings) -> Void) throws {
        kill()
        change(&settings)
        try writeConfiguration()
        try start()
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// The questions of a kind that it has answered: the last part of their path, such as `browse`. It has to log them.
    func answered(_ kind: String) throws -> Int {
        try Disk.text(home + "/requests").split(separator: "\n").count { $0.contains("/rest/db/\(kind)?") }
    }

    /// A port of the loopback interface that nobody has now.
    private static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 ? getsockname(socket, pointer, &length) : -1
            }
        }
        guard result == 0 else { throw Failure("no free port: \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// A badge service, the engine for Syncthing as it is installed, and two devices that share a folder. The first is the
/// person's own, whose configuration is where Syncthing keeps it.
final class SyncthingWorld {
    let world: World
    let own: SyncthingDevice
    let other: SyncthingDevice
    let host: HostClient

    /// Where this is false, tests are skipped; but in continuous integration they fail.
    static var isPossible: Bool { access("/usr/bin/syncthing", X_OK) == 0 || getenv("CI") != nil }

    /// - Parameters:
    ///   - directory: Where the own device keeps its configuration, below the installation.
    ///   - isTurnedOn: whether the person has turned the engine on.
    ///   - settings: of the own device.
    init(
        in directory: String = "config/syncthing", isTurnedOn: Bool = true, starts: Bool = true,
        _ settings: SyncthingDevice.Settings = .init()
    ) throws {
        world = try World(starts: false)
        let installation = world.installation
        try installation.addService("org.roundel.Syncthing1", program: BuiltPrograms.path("roundel-syncthing"))
        try installation.addManifest(ofSources: "syncthing")
        own = try SyncthingDevice(
            home: "\(installation.root)/\(directory)", folder: world.makeFolder("Shared"), settings: settings,
            environment: installation.environment)
        other = try SyncthingDevice(
            home: "\(installation.root)/other", folder: world.makeFolder("Other"), settings: .init(),
            environment: installation.environment)
        try own.pair(with: other)
        try other.pair(with: own)
        if starts { try own.start() }
        try other.start()
        try world.startService()
        host = try world.host()
        if isTurnedOn { try turnOn() }
    }

    deinit {
        own.kill()
        other.kill()
    }

    func turnOn() throws {
        let outcome = try roundel("providers", "enable", "syncthing")
        guard outcome.status == 0 else { throw Failure("enable: \(outcome)") }
        try host.awaitFolders([uri(own.folder)])
    }

    var directory: String { uri(own.folder) }

    @discardableResult
    func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        try world.installation.run("roundel", arguments)
    }

    /// Waits until the command line shows that the folder is in this state.
    func awaitState(_ state: String) throws {
        try world.until("the folder is \(state): \(String(describing: try? roundel("status")))") {
            try roundel("status", own.folder, "--json").output.value(of: "state") == state
        }
    }

    /// Waits until a host that asks is given this badge.
    func awaitBadge(_ name: String, _ badge: String) throws {
        try world.until("\(name) is \(badge): \(String(describing: try? host.badgesAskedOnce(directory, [name])))") {
            try host.badgesAskedOnce(directory, [name]).first?.badge == badge
        }
    }

    func await(_ device: SyncthingDevice, has name: String) throws {
        try world.until("\(name) arrives") { Disk.exists(device.path(name)) }
    }

    /// The engine's process; nil while it does not run.
    func engine() throws -> pid_t? { try world.process(of: "org.roundel.Syncthing1") }
}

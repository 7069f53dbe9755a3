import DBus
import Glibc
import RoundelBus
import TestSupport

/// An installation with its badge service, and the test's own connections to its bus, all on one loop and one thread:
/// so the order in which things arrive is the order in which they are noted.
final class World {
    let installation: Installation
    let loop: EventLoop
    private(set) var service: RunningProgram?
    private var connections: [Connection] = []

    /// How long anything may take before a test gives up: far longer than it takes where all cores are busy.
    static let patience = Duration.seconds(240)

    /// - Parameters:
    ///   - activates: whether the bus starts roundeld and the worker by itself.
    ///   - starts: whether roundeld is started now.
    ///   - letsTimeRunOut: as in `Installation`.
    init(activates: Bool = false, starts: Bool = true, letsTimeRunOut: Bool = false) throws {
        installation = try Installation(activates: activates, letsTimeRunOut: letsTimeRunOut)
        loop = try EventLoop()
        if starts { try startService() }
    }

    /// What most tests begin with: a world with a host and a provider that has one folder.
    /// - Parameter more: additional variables of the service's environment.
    static func withFolder(
        more: [String: String] = [:]
    ) throws -> (world: World, folder: String, provider: FakeProvider, host: HostClient) {
        let world = try World(starts: false)
        try world.startService(more: more)
        let folder = try world.makeFolder("Sync")
        return (world, folder, try world.provider("test", [folder]), try world.host())
    }

    deinit {
        for connection in connections { connection.close() }
        service?.kill()
    }

    // MARK: Places

    /// Makes a directory below the home directory and gives its path.
    @discardableResult
    func makeFolder(_ name: String) throws -> String {
        let path = "\(installation.root)/home/\(name)"
        try Disk.makeDirectories(path)
        return path
    }

    // MARK: Processes

    /// Starts roundeld and waits until it has its name.
    /// - Parameters:
    ///   - program: the path of another roundeld than the one beside the tests.
    ///   - more: additional variables of its environment.
    func startService(
        _ arguments: [String] = [], from program: String? = nil, more: [String: String] = [:]
    ) throws {
        let started = try installation.start("roundeld", arguments, from: program, more: more)
        let bus = try connections.first ?? connect()
        try until("roundeld has its name") {
            guard started.isRunning else { throw Failure("roundeld ended: \(installation.logs)") }
            return try owner(of: Names.service, asking: bus) == started.identifier
        }
        service = started
    }

    /// Kills roundeld and starts it again.
    func restartService() throws {
        service?.kill()
        try startService()
    }

    /// Kills the bus and starts one at the same address; the test's own connections end with it.
    func restartBus() throws {
        for connection in connections { connection.close() }
        connections = []
        try installation.restartBus()
    }

    private func owner(of name: String, asking bus: Connection) throws -> pid_t? {
        let reply = try? call(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
            [.string(name)])
        return reply?.first?.uint32.map { pid_t($0) }
    }

    /// The process that owns a bus name.
    func process(of name: String) throws -> pid_t? {
        try owner(of: name, asking: connections.first ?? connect())
    }

    /// The memory in KiB that roundeld has for itself.
    func privateMemory() throws -> Int {
        guard let service else { throw Failure("roundeld does not run") }
        let text = try Disk.text("/proc/\(service.identifier)/smaps_rollup")
        return text.split(separator: "\n").filter { $0.hasPrefix("Private_") }
            .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
    }

    // MARK: Connections

    func connect() throws -> Connection {
        let connection = try Connection.open(.address(installation.address), on: loop)
        connections.append(connection)
        return connection
    }

    /// A new host.
    func host() throws -> HostClient { try HostClient(self) }

    /// A new provider that has registered and has these folders.
    /// - Parameter announced: whether it has a manifest.
    func provider(
        _ id: String = "test", _ folders: [String] = [], watch: Bool = false, announced: Bool = false
    ) throws -> FakeProvider {
        let provider = try FakeProvider(self, id)
        if announced { try provider.announce() }
        try provider.register()
        if !folders.isEmpty { try provider.setFolders(folders, watch: watch) }
        return provider
    }

    /// Runs the loop until the condition holds; fails with `what` if it does not.
    func until(
        _ what: @autoclosure () -> String, within patience: Duration = World.patience, _ condition: () throws -> Bool
    ) throws {
        let deadline = Moment.now + patience
        while try !condition() {
            guard Moment.now < deadline else { throw Failure("waited in vain: \(what())\n\(installation.logs)") }
            loop.runOnce(timeout: .milliseconds(5))
        }
    }

    /// Calls a method and runs the loop until the answer is there.
    func call(
        _ bus: Connection, _ destination: String, _ path: ObjectPath, _ interface: String?, _ member: String,
        _ arguments: [DBusValue]
    ) throws -> [DBusValue] {
        var result: Result<[DBusValue], DBusError>?
        bus.call(
            destination, path, interface, member, timeout: Self.patience,
            { for argument in arguments { try $0.append(value: argument) } },
            { result = $0.flatMap { message in Result { () throws(DBusError) in try message.arguments() } } })
        try until("an answer to \(member)") { result != nil }
        return try result?.get() ?? []
    }
}

/// The URI of a path of the tests, which hold nothing that needs an escape.
func uri(_ path: String) -> String { "file://" + path }

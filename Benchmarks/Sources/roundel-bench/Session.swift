internal import CPeers
internal import Glibc

/// A session of its own: a bus, directories, and the programs that run in it.
final class Session {
    let directory: TemporaryDirectory
    let address: String
    private let options: Options
    private let busDaemon: Child
    private(set) var service: Child?
    private var children: [Child] = []

    init(_ options: Options) throws {
        self.options = options
        directory = try TemporaryDirectory()
        for name in ["home", "config", "data", "state", "runtime", "cache"] { _ = try directory.directory(name) }
        busDaemon = try Child([
            "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
            "--address=unix:path=\(directory.path)/bus", "--print-address=1",
        ])
        address = try busDaemon.receiveLine()
    }

    deinit { endPrograms() }

    /// Ends the badge service before the others.
    func endService() { service?.end() }

    func endPrograms() {
        for child in children.reversed() { child.end() }
        children = []
        service = nil
    }

    /// The environment of the programs: nothing of the user's.
    var environment: [String: String] {
        let path = directory.path
        return [
            "DBUS_SESSION_BUS_ADDRESS": address, "HOME": path + "/home", "XDG_CONFIG_HOME": path + "/config",
            "XDG_DATA_HOME": path + "/data", "XDG_STATE_HOME": path + "/state", "XDG_RUNTIME_DIR": path + "/runtime",
            "XDG_CACHE_HOME": path + "/cache",
        ]
    }

    /// Starts the badge service and waits for its name.
    /// - Returns: the time from before its start to the name, in nanoseconds.
    @discardableResult
    func startService() throws -> Double {
        let elapsed = try start([options.program("roundeld")], owning: "org.roundel.Roundel1")
        service = children.last
        return elapsed
    }

    /// Starts the badge service under callgrind.
    /// - Returns: the file that says how many instructions it ran, once it has ended.
    func startCountedService() throws -> String {
        let (report, program) = (directory.path + "/callgrind.out", directory.path + "/roundeld")
        // valgrind cannot read what Swift writes for debuggers.
        _ = try Child.output(["strip", "--strip-debug", "-o", program, options.program("roundeld")])
        let counter = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + report]
        _ = try start(counter + [program], owning: "org.roundel.Roundel1")
        service = children.last
        return report
    }

    /// - Parameter line: At the near end of which it is; nil for the harness' own network.
    func startWorker(at line: Line? = nil) throws -> Child {
        let command = [options.program("roundel-worker")]
        _ = try start(line?.near(command) ?? command, owning: "org.roundel.SyncWorker1")
        guard let worker = children.last else { throw Failure("no worker") }
        return worker
    }

    /// Starts a secret service with a keyring that is unlocked.
    func startKeyring() throws {
        let command = ["gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock"]
        _ = try start(command, owning: "org.freedesktop.secrets", typed: "the password of the keyring")
    }

    /// Runs the command line to its end.
    @discardableResult
    func roundel(_ arguments: [String], typed: String = "") throws -> String {
        try Child.output([options.program("roundel")] + arguments, environment: environment, typed: typed)
    }

    func startEcho() throws { _ = try start(Role.echo.command(address), owning: PEERS_ECHO_NAME) }

    /// Starts the sample provider with one folder and waits until the service has taken it.
    func startProvider(folders: [String], watches: Bool = false) throws -> Child {
        let command = Role.provider.command(watches ? "watch" : "plain") + folders
        let provider = try Child(command, environment: environment, isQuiet: false)
        children.append(provider)
        guard try provider.receive(1) == [UInt8(ascii: "r")] else { throw Failure("the provider was refused") }
        return provider
    }

    /// Starts a panel; it sends a byte for each item that it shows.
    func startPanel() throws -> Child {
        let panel = try Child(Role.panel.command(address), isQuiet: false)
        children.append(panel)
        return panel
    }

    func startInotifyReader(_ directory: String) throws -> Child {
        let reader = try Child(Role.inotify.command(directory), isQuiet: false)
        children.append(reader)
        _ = try reader.receive(1)
        return reader
    }

    func host() throws -> Host { try Host(address) }

    /// - Parameter typed: What the program reads before it owns the name.
    private func start(_ command: [String], owning name: String, typed: String? = nil) throws -> Double {
        let host = try Host(address)
        try host.check(peers_follow_name(host.bus, name))
        let start = now()
        let child = try Child(command, environment: environment, isQuiet: getenv("ROUNDEL_BENCH_LOG") == nil)
        children.append(child)
        if let typed {
            try child.send(Array(typed.utf8))
            child.closeInput()
        }
        var time: UInt64 = 0
        guard peers_await_name(host.bus, name, 10_000_000_000, &time) >= 0 else {
            throw Failure("\(command[0]) did not own \(name) in ten seconds")
        }
        return Double(time - start)
    }

    /// The facts of the running badge service.
    func serviceFacts() throws -> ProcessFacts {
        guard let service else { throw Failure("the badge service does not run") }
        return ProcessFacts(identifier: service.identifier)
    }
}

/// A connection that plays a host of badges.
final class Host {
    let bus: OpaquePointer
    static let service = "org.roundel.Roundel1"

    init(_ address: String) throws {
        var bus: OpaquePointer?
        guard peers_open(address, &bus) >= 0, let bus else { throw Failure(String(cString: peers_failure())) }
        self.bus = bus
    }

    deinit { peers_close(bus) }

    func check(_ code: Int32) throws {
        if code < 0 { throw Failure(String(cString: peers_failure())) }
    }

    func observe(_ path: String) throws {
        guard try isObserving(path) else { throw Failure("\(path) is not monitored") }
    }

    /// Observes a directory, if the folder that it is in is known already.
    func isObserving(_ path: String) throws -> Bool {
        var isMonitored = false
        try check(peers_observe(bus, "file://" + path, &isMonitored))
        return isMonitored
    }

    func ping(_ service: String = Host.service) throws -> Double {
        var time: UInt64 = 0
        try check(peers_ping(bus, service, &time))
        return Double(time)
    }

    /// The time of one RequestBadges.
    func request(_ path: String, _ names: NameColumn, from service: String = Host.service) throws -> Double {
        var time: UInt64 = 0
        var badged = 0
        try check(peers_request(bus, service, "file://" + path, names.pointers, names.count, &time, &badged))
        lastBadged = badged
        return Double(time)
    }

    func uniqueName() throws -> String {
        guard let name = peers_unique_name(bus) else { throw Failure("no name on the bus") }
        return String(cString: name)
    }

    /// How many badges the last answer held.
    private(set) var lastBadged = 0

    /// When the signal for a directory was read; `directory` as it is in the signal.
    func awaitChange(_ directory: String) throws -> UInt64 {
        var time: UInt64 = 0
        try check(peers_await_change(bus, directory, 5_000_000_000, &time))
        return time
    }

    func watchesUsed() throws -> Int {
        var count: UInt64 = 0
        try check(peers_watches_used(bus, &count))
        return Int(count)
    }
}

/// Names as C wants them, made once.
final class NameColumn {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    let count: Int

    init(_ names: [String]) {
        count = names.count
        pointers = .allocate(capacity: names.count)
        for (index, name) in names.enumerated() { pointers[index] = strdup(name) }
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}

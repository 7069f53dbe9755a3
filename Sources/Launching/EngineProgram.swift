package import DBus
internal import Glibc
internal import RoundelBus
internal import Support

/// What an ``EngineProgram`` runs on the session bus.
package protocol RunningEngine: AnyObject {
    /// Begins; the program has its name on the bus.
    func start() throws
    /// Ends what goes on. The bus is there still.
    func stop()
}

/// An engine as a program: arguments, bus name, loop, end.
package struct EngineProgram {
    private let name: String
    private let busName: String
    private let help: String

    /// - Parameters:
    ///   - name: What the program is called.
    ///   - busName: The name that it takes on the session bus, and ends without.
    ///   - help: What it prints when a person asks how it is used.
    package init(_ name: String, busName: String, help: String) {
        self.name = name
        self.busName = busName
        self.help = help
    }

    /// Runs until the process gets a signal to end, or loses the bus; returns the exit status.
    package func run(arguments: [String], _ engine: (Connection) throws -> any RunningEngine) -> Int32 {
        switch arguments.first {
        case nil: break
        case "--version":
            print("\(name) \(roundelRelease)")
            return 0
        case "--help", "-h":
            print(help)
            return 0
        case let argument?:
            log(.error, "There is no option “\(argument)”; try --help.")
            return 64
        }
        do {
            return try serve(engine)
        } catch {
            log(.error, "\(name) cannot start: \((error as? DBusError)?.message ?? "\(error)")")
            return 1
        }
    }

    private func serve(_ make: (Connection) throws -> any RunningEngine) throws -> Int32 {
        let loop = try EventLoop()
        let signals = try loop.watchSignals([SIGTERM, SIGINT, SIGHUP]) { _ in loop.stop() }
        defer { signals.cancel() }
        let bus = try Connection.openSessionBus(on: loop)
        bus.onDisconnect = { loop.stop() }
        bus.onNameLost = { [busName] in if $0 == busName { loop.stop() } }
        var status: Int32 = 0
        let engine = try make(bus)
        bus.requestName(busName, flags: [.doNotQueue]) { [name] result in
            do {
                if case .success(let reply) = result, reply.isOwner { return try engine.start() }
                log(.error, "\(name) is running already on this bus.")
            } catch {
                log(.error, "\(name) cannot start: \((error as? DBusError)?.message ?? "\(error)")")
            }
            status = 1
            loop.stop()
        }
        loop.run()
        engine.stop()
        bus.close()
        // A disk that does not answer must not keep the process.
        exit(status)
    }
}

internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support

/// The engine as a program: arguments, bus name, loop, end.
package enum SyncthingProgram {
    /// Runs until the process gets a signal to end or loses its bus name; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        switch arguments.first {
        case nil: break
        case "--version":
            print("roundel-syncthing \(roundelRelease)")
            return 0
        case "--help", "-h":
            print(
                tr(
                    """
                    Usage: roundel-syncthing [--version]

                    Shows the folders of Syncthing in file managers. The session bus starts it once it is turned on:
                    roundel providers enable syncthing
                    """))
            return 0
        case let argument?:
            log(.error, "There is no option “\(argument)”; try --help.")
            return 64
        }
        do {
            return try serve()
        } catch {
            log(.error, "The engine cannot start: \((error as? DBusError)?.message ?? "\(error)")")
            return 1
        }
    }

    private static func serve() throws -> Int32 {
        let loop = try EventLoop()
        let signals = try loop.watchSignals([SIGTERM, SIGINT, SIGHUP]) { _ in loop.stop() }
        defer { signals.cancel() }
        let bus = try Connection.openSessionBus(on: loop)
        var status: Int32 = 0
        bus.onDisconnect = { loop.stop() }
        bus.onNameLost = { if $0 == SyncthingEngine.busName { loop.stop() } }
        let engine = try SyncthingEngine(on: bus)
        bus.requestName(SyncthingEngine.busName, flags: [.doNotQueue]) { result in
            if case .success(let reply) = result, reply.isOwner { return }
            log(.error, "Another engine for Syncthing is running already on this bus.")
            status = 1
            loop.stop()
        }
        try engine.start()
        loop.run()
        engine.stop()
        bus.close()
        return status
    }
}

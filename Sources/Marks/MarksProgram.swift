internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The engine as a program: arguments, bus name, loop, end.
package enum MarksProgram {
    /// Runs until the process gets a signal to end, or loses the bus; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        switch arguments.first {
        case nil: break
        case "--version":
            print("roundel-marks \(roundelRelease)")
            return 0
        case "--help", "-h":
            print(
                tr(
                    """
                    Usage: roundel-marks [--version]

                    Shows what scripts say of folders, on the session bus. Say it with: roundel mark, roundel run
                    """))
            return 0
        case let argument?:
            log(.error, "There is no option “\(argument)”; try --help.")
            return 64
        }
        do {
            return try serve()
        } catch {
            log(.error, "The engine for scripts cannot start: \((error as? DBusError)?.message ?? "\(error)")")
            return 1
        }
    }

    private static func serve() throws -> Int32 {
        let loop = try EventLoop()
        let signals = try loop.watchSignals([SIGTERM, SIGINT, SIGHUP]) { _ in loop.stop() }
        defer { signals.cancel() }
        let bus = try Connection.openSessionBus(on: loop)
        bus.onDisconnect = { loop.stop() }
        var status: Int32 = 0
        let state = BaseDirectories().state ?? "/"
        let engine = try MarksEngine(on: bus, file: state.appending("roundel").appending("marks"))
        bus.requestName(MarksProxy.busName, flags: [.doNotQueue]) { result in
            do {
                if case .success(let reply) = result, reply.isOwner { return try engine.start() }
                log(.error, "Another engine for scripts is running already on this bus.")
            } catch {
                log(.error, "\(error)")
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

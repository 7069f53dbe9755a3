internal import CLinux
internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SyncEngine

/// The sync worker as a program: arguments, lock, bus name, loop, end.
package enum WorkerProgram {
    /// Runs until the process gets a signal to end or loses its bus name; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        switch arguments.first {
        case nil: break
        case "--version":
            print("roundel-worker \(roundelRelease)")
            return 0
        case "--help", "-h":
            print(
                tr(
                    """
                    Usage: roundel-worker [--check | --version]

                    The sync worker of Roundel, on the session bus. --check says what keeps it from starting.
                    """))
            return 0
        case "--check": return check()
        case let argument?:
            log(.error, "There is no option “\(argument)”; try --help.")
            return 64
        }
        do {
            return try serve()
        } catch {
            log(.error, "The sync worker cannot start: \(sentence(error))")
            return 1
        }
    }

    /// Prints why the worker cannot start, for `roundel status` and `roundel doctor`: whoever asks the bus for the worker
    /// is only told that it did not start. Returns 1 then.
    private static func check() -> Int32 {
        do {
            let places = WorkerPlaces()
            // What stays wrong is told rather than that another worker is just about to end.
            _ = try SettingsFile(places.settings)
            let lock = try StateLock(directory: places.state)
            defer { withExtendedLifetime(lock) {} }
            return 0
        } catch {
            print(tr("The sync worker cannot start: {1}", sentence(error)))
            return 1
        }
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? WorkerError)?.message ?? (error as? DBusError)?.message
            ?? (error as? StateLock.Failure).map(Self.noLock) ?? "\(error)"
    }

    /// Ends the process after a while in any case, without waiting for a thread blocked by a file system that does not
    /// respond, or for the loop itself. Effects that run need no longer unless they are blocked. Interrupted work is left
    /// as after a crash, which loses nothing.
    private static func endWithoutWaiting() {
        try? DetachedThread.start("end") {
            let (seconds, attoseconds) = Patience.Worker.end.components
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            nanosleep(&time, nil)
            log(.warning, "A file system does not answer; the worker ends without waiting for it.")
            _exit(0)
        }
    }

    private static func serve() throws -> Int32 {
        clinux_share_heaps()
        let lock = try StateLock(directory: WorkerPlaces().state)
        defer { withExtendedLifetime(lock) {} }
        let loop = try EventLoop()
        var end: () -> Void = { loop.stop() }
        // Before the threads of the watcher and the runners start, because they inherit the blocked signals.
        let signals = try loop.watchSignals([SIGTERM, SIGINT, SIGHUP]) { _ in end() }
        defer { signals.cancel() }
        let bus = try Connection.openSessionBus(on: loop)
        let service = try Worker(loop: loop, bus: bus)
        var status: Int32 = 0
        end = {
            end = {}
            endWithoutWaiting()
            service.stop { loop.stop() }
        }
        bus.onDisconnect = {
            log(.info, "Session ended; stopping.")
            end()
        }
        bus.onNameLost = { name in
            if name == Names.worker { end() }
        }
        try service.start(offering: WorkerInterfaces.make(for: service) + [ApplicationInterface.make(service.opener)])
        bus.requestName(Names.worker, flags: [.doNotQueue]) { result in
            if case .success(let reply) = result, reply.isOwner { return }
            log(.error, "Another sync worker is running already on this bus.")
            status = 1
            end()
        }
        loop.run()
        bus.close()
        return status
    }

    private static func noLock(_ failure: StateLock.Failure) -> String {
        switch failure {
        case .held(let directory):
            tr(
                """
                Another roundel-worker already works with {1}. End it, or set XDG_STATE_HOME to another directory.
                """, ShownPath.short(directory))
        case .system(let directory, let error):
            tr(
                "The state directory {1} cannot be used: {2}. Make it one that you can write, then try again.",
                ShownPath.short(directory), "\(error)")
        }
    }
}

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
            print(Words.usage)
            return 0
        case "--check": return check()
        case let argument?:
            log(.error, Words.noOption(argument))
            return 64
        }
        do {
            return try serve()
        } catch {
            log(.error, Words.cannotStart(sentence(error)))
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
            print(Words.cannotStart(sentence(error)))
            return 1
        }
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? WorkerError)?.message ?? (error as? DBusError)?.message
            ?? (error as? StateLock.Failure).map(Words.noLock) ?? "\(error)"
    }

    /// Ends the process after a while in any case, without waiting for a thread blocked by a file system that does not
    /// respond, or for the loop itself. Effects that run need no longer unless they are blocked. Interrupted work is left
    /// as after a crash, which loses nothing.
    private static func endWithoutWaiting() {
        try? DetachedThread.start("end") {
            let (seconds, attoseconds) = Patience.Worker.end.components
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            nanosleep(&time, nil)
            log(.warning, Words.notWaitedFor)
            _exit(0)
        }
    }

    private static func serve() throws -> Int32 {
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
            log(.info, Words.sessionEnded)
            end()
        }
        bus.onNameLost = { name in
            if name == Names.worker { end() }
        }
        try service.start(offering: WorkerInterfaces.make(for: service))
        bus.requestName(Names.worker, flags: [.doNotQueue]) { result in
            if case .success(let reply) = result, reply.isOwner { return }
            log(.error, Words.anotherWorker)
            status = 1
            end()
        }
        loop.run()
        bus.close()
        return status
    }
}

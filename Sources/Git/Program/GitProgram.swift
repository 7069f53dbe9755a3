internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The engine as a program: arguments, bus name, loop, end.
package enum GitProgram {
    /// Runs until the process gets a signal to end, or loses the bus; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        switch arguments.first {
        case nil: break
        case "--version":
            print("roundel-git \(roundelRelease)")
            return 0
        case "--help", "-h":
            print(
                tr(
                    """
                    Usage: roundel-git [--version]

                    Shows the states of git in file managers, on the session bus. Turn it on with: roundel git add PATH
                    """))
            return 0
        case let argument?:
            log(.error, "There is no option “\(argument)”; try --help.")
            return 64
        }
        do {
            return try serve()
        } catch {
            log(.error, "The engine for git cannot start: \((error as? DBusError)?.message ?? "\(error)")")
            return 1
        }
    }

    private static var places: GitEngine.Places {
        let directories = BaseDirectories()
        let session = ProcessEnvironment.valid("XDG_RUNTIME_DIR").map { FilePath($0) } ?? directories.state ?? "/"
        return GitEngine.Places(
            folders: (directories.configuration ?? "/").appending("roundel").appending("git.folders"),
            versions: session.appending("roundel-git"), data: directories.data ?? "/")
    }

    private static func serve() throws -> Int32 {
        let loop = try EventLoop()
        let signals = try loop.watchSignals([SIGTERM, SIGINT, SIGHUP]) { _ in loop.stop() }
        defer { signals.cancel() }
        let bus = try Connection.openSessionBus(on: loop)
        bus.onDisconnect = { loop.stop() }
        var status: Int32 = 0
        let engine = try GitEngine(on: bus, places: places)
        bus.requestName(GitNames.bus, flags: [.doNotQueue]) { result in
            do {
                if case .success(let reply) = result, reply.isOwner { return try engine.start() }
                log(.error, "Another engine for git is running already on this bus.")
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

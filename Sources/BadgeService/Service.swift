internal import BadgeEngine
internal import CLinux
internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support

/// The badge service as a program: arguments, bus name, loop, end.
package enum Service {
    /// Runs until the process gets a signal to end or loses its name; returns the exit status.
    /// - Parameter attach: Called once, when the service owns its name; its result is kept while the service runs.
    package static func run(arguments: [String], attach: @escaping (BadgeHub) -> [AnyObject]) -> Int32 {
        var replaces = false
        for argument in arguments {
            switch argument {
            case "--replace": replaces = true
            case "--version":
                print("roundeld \(roundelRelease)")
                return 0
            case "--help", "-h":
                print(
                    tr(
                        """
                        Usage: roundeld [--replace] [--version]

                        The badge service of Roundel, on the session bus.
                        """))
                return 0
            default:
                log(.error, "There is no option “\(argument)”; try --help.")
                return 64
            }
        }
        do {
            return try serve(replaces: replaces, attach)
        } catch {
            log(.error, "The badge service cannot start: \(sentence(error))")
            return 1
        }
    }

    private static func serve(
        replaces: Bool, _ attach: @escaping (BadgeHub) -> [AnyObject]
    ) throws -> Int32 {
        clinux_keep_freed_heap()
        let loop = try EventLoop()
        // Before the watcher's thread starts, because it inherits the blocked signals.
        var isOwner = false
        var end = { loop.stop() }
        let signals = try loop.watchSignals([SIGTERM, SIGINT, SIGHUP]) { _ in end() }
        defer { signals.cancel() }
        let bus = try Connection.openSessionBus(on: loop)
        bus.takesTurns = true
        var status: Int32 = 0
        bus.onDisconnect = {
            log(.info, "Session ended; stopping.")
            end()
        }
        bus.onNameLost = { name in
            guard name == Names.service else { return }
            isOwner = false
            log(.info, "Another badge service has taken over.")
            end()
        }
        let settling = loop.makeTimer { clinux_release_heap() }
        let settle = { settling.set(after: Patience.Badges.settling) }
        let hub = try BadgeHub(bus: bus, onRareWork: settle)
        end = { [unowned hub] in
            if isOwner { hub.serviceEnds() }
            hub.saver.whenIdle(within: Patience.Badges.savingAtEnd) { loop.stop() }
        }
        var attached: [AnyObject] = []
        // This comes last: when the bus grants the name, it has already answered the hub's questions about the
        // providers, and callers find everything ready.
        requestName(on: bus, replaces: replaces) { isGranted in
            guard isGranted else {
                status = 1
                return loop.stop()
            }
            isOwner = true
            hub.serviceBegan()
            attached = attach(hub)
            settle()
        }
        loop.run()
        bus.close()
        withExtendedLifetime((hub, attached)) {}
        return status
    }

    /// Requests the bus name; calls `onReply` on the loop with whether this process owns it. Logs a refusal.
    private static func requestName(on bus: Connection, replaces: Bool, _ onReply: @escaping (Bool) -> Void) {
        let flags: NameFlags =
            replaces ? [.allowReplacement, .replaceExisting, .doNotQueue] : [.allowReplacement, .doNotQueue]
        bus.requestName(Names.service, flags: flags) { result in
            switch result {
            case .success(let reply) where reply.isOwner: return onReply(true)
            case .success:
                log(.error, "A badge service is running already; --replace takes its place.")
            case .failure(let error):
                log(.error, "The bus does not give the name \(Names.service): \(error.message)")
            }
            onReply(false)
        }
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? DBusError)?.message ?? "\(error)"
    }
}

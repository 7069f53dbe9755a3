import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// The worker and a machine that is about to sleep, played by a stand-in for logind on a system bus of the test's own.
@Suite struct SleepTests {
    /// A system bus with a logind that gives locks and writes them down.
    private final class StandInLogind {
        private let daemon: RunningProgram
        private let bus: Connection
        private(set) var asked: [[String]] = []
        /// The other ends of the locks that were given.
        private var locks: [Int32] = []

        static let name = "org.freedesktop.login1"
        static let path: ObjectPath = "/org/freedesktop/login1"
        static let manager = "org.freedesktop.login1.Manager"

        init(_ world: World) throws {
            daemon = try RunningProgram(
                [
                    "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
                    "--address=\(world.installation.systemBus)", "--print-address=1",
                ], environment: RunningProgram.inheritedEnvironment)
            bus = try Connection.open(.address(try daemon.line()), on: world.loop)
            _ = try bus.export(interface, at: Self.path)
            var isOwner = false
            bus.requestName(Self.name) { result in isOwner = (try? result.get().isOwner) ?? false }
            try world.until("logind is there") { isOwner }
        }

        deinit {
            bus.close()
            for lock in locks { close(lock) }
            daemon.kill()
        }

        private var interface: Interface {
            Interface(
                Self.manager,
                methods: [
                    Interface.Method(
                        "Inhibit", in: [("what", "s"), ("who", "s"), ("why", "s"), ("mode", "s")], out: [("fd", "h")]
                    ) { [unowned self] call in
                        asked.append(try call.message.arguments().compactMap(\.string))
                        var ends: [Int32] = [0, 0]
                        // Closed in the programs of other tests, which would keep the lock; pipe(2) cannot do that.
                        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
                        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure("socketpair: \(errno)") }
                        locks.append(ends[0])
                        call.reply { try $0.append(fileDescriptor: ends[1]) }
                        close(ends[1])
                    }
                ], signals: [Interface.Signal("PrepareForSleep", [("start", "b")])])
        }

        /// Locks that nobody has given back.
        var held: Int {
            locks.count { lock in
                var end = pollfd(fd: lock, events: Int16(POLLIN), revents: 0)
                return poll(&end, 1, 0) == 0
            }
        }

        func sleep(_ isComing: Bool) throws {
            try bus.emit(Self.path, Self.manager, "PrepareForSleep") { try $0.append(isComing) }
        }
    }

    @Test("E4: a sleep is delayed while something is in flight, and not after")
    func delayed() throws {
        let world = try World(starts: false)
        let logind = try StandInLogind(world)
        let sync = try SyncWorld(files: ["a": "a", "b": "b"], in: world)
        try world.until("a lock was asked for") { !logind.asked.isEmpty }
        #expect(logind.asked[0] == ["sleep", "Roundel", "Files are being synced", "delay"])
        try world.until("the lock is given back") { logind.held == 0 }
        let before = logind.asked.count
        try sync.write("a", "edited")
        #expect(try sync.sync().status == 0)
        try world.until("a lock was asked for again") { logind.asked.count > before }
        try world.until("the lock is given back again") { logind.held == 0 }
    }

    @Test(
        "E4: before a sleep nothing more is begun and a transfer is abandoned; it goes on afterwards",
        .enabled(if: SilentMount.isPermitted, "mounting needs root and /dev/fuse"))
    func abandoned() throws {
        let world = try World(starts: false)
        let logind = try StandInLogind(world)
        let sync = try SyncWorld(adds: false, in: world)
        // It takes two megabytes in a second.
        let mount = try HangingMount(try world.makeFolder("Behind"), at: sync.remote, in: world)
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        let size = 24 << 20
        try Disk.write(sync.path("big"), [UInt8](repeating: 7, count: size))
        try sync.roundel("sync", sync.local)
        // Seen where they arrive: it is done in a dozen seconds, and a command may take some of them.
        try world.until("bytes are moving") { sync.stagedBytes(in: mount.source) > 0 }
        try world.until("there is a lock") { logind.held > 0 }
        let asleep = Moment.now
        try logind.sleep(true)
        try world.until("the lock is given back") { logind.held == 0 }
        try world.until("nothing is transferred any more") {
            try sync.roundel("status", "--json", sync.local).output.contains("\"transfers\":[]")
        }
        #expect(!Disk.exists(sync.remote + "/big"))
        let asked = logind.asked.count
        try sync.write("other", "other")
        for _ in 0..<10 { _ = try sync.roundel("status") }
        let isHeld = !Disk.exists(sync.remote + "/other") && logind.asked.count == asked
        // A machine that stays up for a minute after it said so is taken to be awake, which is told apart here.
        #expect(isHeld || asleep.duration(to: .now) > .seconds(55))
        try logind.sleep(false)
        try world.until("the other file is there") { Disk.exists(sync.remote + "/other") }
        try world.until("the large file is there") { Disk.exists(sync.remote + "/big") }
        #expect(try Disk.read(sync.remote + "/big").count == size)
        withExtendedLifetime(mount) {}
    }

    @Test(
        "E4: a program that waits for contents is let go before a sleep, and gets them afterwards",
        .enabled(
            if: SilentMount.isPermitted && OnDemandWorld.isPossible, "mounting needs root and /dev/fuse"))
    func waitingProgram() throws {
        let world = try World(starts: false)
        let logind = try StandInLogind(world)
        let folder = try OnDemandWorld(remote: [:], adds: false, in: world)
        // It gives two megabytes in a second.
        let mount = try HangingMount(try world.makeFolder("Behind"), at: folder.sync.remote, in: world)
        let size = 24 << 20
        try Disk.write(mount.source + "/film", [UInt8](repeating: 7, count: size))
        #expect(
            try folder.sync.roundel("add", folder.sync.local, folder.sync.remote, "--on-demand", "--wait").status == 0)
        try folder.await("film", .online)
        let reading = try folder.reading("film")
        try world.until("there is a lock") { logind.held > 0 }
        try logind.sleep(true)
        let outcome = try reading.finish()
        // The one if it waited already, the other if it came when nobody brings contents any more.
        let words = ["Input/output error", "Network is unreachable"]
        #expect(outcome.status == 1 && words.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
        try world.until("the lock is given back") { logind.held == 0 }
        try logind.sleep(false)
        try world.until("the contents can be had again") {
            let outcome = try folder.reading("film").finish()
            return outcome.status == 0 && outcome.output.utf8.count == size
        }
        withExtendedLifetime(mount) {}
    }

    @Test("Without a system bus, or with one that goes, syncing goes on")
    func noBus() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        #expect(try sync.remoteTexts() == ["a": "a"])
        let world = try World(starts: false)
        var logind: StandInLogind? = try StandInLogind(world)
        let other = try SyncWorld(files: ["a": "a"], in: world)
        try world.until("a lock was asked for") { logind?.asked.isEmpty == false }
        logind = nil
        try other.write("a", "edited")
        #expect(try other.sync().status == 0)
        #expect(try other.remoteTexts() == ["a": "edited"])
    }
}

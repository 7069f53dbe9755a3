import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// A folder behind a network and a connection that is metered now and then, as a stand-in for NetworkManager says on a
/// system bus of the test's own. The network leads to a directory: by one of rclone's remotes, or by rclone as a server.
@Suite(.enabled(if: access("/usr/bin/rclone", X_OK) == 0, "needs rclone"))
struct MeteredTests {
    private final class Scene {
        let world: World
        let sync: SyncWorld
        let manager: StandInNetworkManager
        private let daemon: RunningProgram
        private let bus: Connection
        private var server: RunningProgram?

        /// A folder that is synced, on a connection that is not metered.
        ///
        /// - Parameter isServer: Whether the remote is a server.
        init(isServer: Bool = false) throws {
            world = try World(starts: false)
            daemon = try RunningProgram(
                [
                    "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
                    "--address=\(world.installation.systemBus)", "--print-address=1",
                ], environment: RunningProgram.inheritedEnvironment)
            bus = try Connection.open(.address(try daemon.line()), on: world.loop)
            manager = try StandInNetworkManager(on: bus, .no)
            manager.begin()
            sync = try SyncWorld(adds: false, in: world)
            try Disk.makeDirectories(world.installation.root + "/config/rclone")
            try Disk.write(
                world.installation.root + "/config/rclone/rclone.conf",
                "[cloud]\ntype = alias\nremote = \(sync.remote)\n")
            try sync.write("first", "first")
            let remote = isServer ? try startServer() : "rclone:cloud:"
            let added = try sync.roundel("add", sync.local, remote, "--wait")
            guard added.status == 0 else { throw Failure("add: \(added)\n\(world.installation.logs)") }
        }

        deinit {
            bus.close()
            daemon.kill()
            server?.kill()
        }

        /// Starts a WebDAV server that lets everybody in; gives its address.
        private func startServer() throws -> String {
            let log = world.installation.root + "/server.log"
            server = try RunningProgram(
                ["/usr/bin/rclone", "serve", "webdav", sync.remote, "--addr", "127.0.0.1:0"],
                environment: world.installation.environment, errorFile: log)
            let mark = "http://127.0.0.1:"
            try world.until("the server listens") { Disk.textIfThere(log)?.contains(mark) ?? false }
            let text = try Disk.text(log)
            guard let found = text.firstRange(of: mark) else { throw Failure(text) }
            return "webdav+" + mark + text[found.upperBound...].prefix { $0 != "/" } + "/"
        }

        func status() throws -> String { try sync.roundel("status", "--json", sync.local).output }

        func awaitStatus(_ what: String, _ condition: (String) -> Bool) throws {
            try world.until(what) { condition(try status()) }
        }

        /// Waits until the folder waits for another connection, with so many items.
        func awaitHold(items: Int = 0) throws {
            try awaitStatus("the folder waits with \(items) items") {
                $0.value(of: "text") == MeteredTests.sentence && $0.value(of: "state") == "paused"
                    && $0.value(of: "items_total") == "\(items)"
            }
        }

        func isThere(_ name: String) -> Bool { Disk.exists(sync.remote + "/" + name) }

        func awaitThere(_ name: String) throws { try world.until("\(name) is on the remote") { isThere(name) } }
    }

    private static let sentence = "Waiting for a connection that is not metered"

    @Test(
        "D4: on a metered connection nothing is transferred before there is another one, or no NetworkManager any more")
    func waits() throws {
        let scene = try Scene()
        #expect(scene.isThere("first"))
        try scene.manager.set(.guessYes)
        try scene.awaitHold()
        try scene.sync.write("second", "second")
        try scene.awaitHold(items: 1)
        #expect(!scene.isThere("second"))
        try scene.manager.set(.no)
        try scene.awaitThere("second")
        try scene.awaitStatus("all is well") { $0.value(of: "state") == "synced" }
        try scene.manager.set(.yes)
        // Before anything is written: the worker may hear of that first.
        try scene.awaitHold()
        try scene.sync.write("third", "third")
        try scene.awaitHold(items: 1)
        scene.manager.end()
        try scene.awaitThere("third")
    }

    @Test("D4: who asks for a sync gets one, for that run, and who allows it for good gets it always")
    func regardless() throws {
        let scene = try Scene()
        try scene.manager.set(.yes)
        try scene.awaitHold()
        try scene.sync.write("second", "second")
        try scene.awaitHold(items: 1)
        let run = try scene.sync.sync(scene.sync.local)
        #expect(run.status == 0 && run.uploaded == 1 && run.state == "synced", "\(run)")
        #expect(scene.isThere("second"))
        try scene.awaitHold()
        try scene.sync.write("third", "third")
        try scene.awaitHold(items: 1)
        #expect(!scene.isThere("third"))
        let shown = try scene.sync.roundel("limit", scene.sync.local)
        #expect(shown.output.contains("It waits for a connection that is not metered."), "\(shown)")
        #expect(try scene.sync.roundel("limit", scene.sync.local, "--metered", "sync").status == 0)
        try scene.awaitThere("third")
        try scene.awaitStatus("all is well") { $0.value(of: "state") == "synced" }
        #expect(try scene.sync.roundel("limit", scene.sync.local, "--metered", "wait").status == 0)
        try scene.awaitHold()
    }

    @Test("D4: a folder that begins on a metered connection waits as well, and a paused one stays paused")
    func begins() throws {
        let scene = try Scene()
        try scene.manager.set(.yes)
        try scene.awaitHold()
        scene.sync.killWorker()
        try scene.sync.write("second", "second")
        try scene.sync.startWorker()
        try scene.awaitHold(items: 1)
        #expect(!scene.isThere("second"))
        #expect(try scene.sync.roundel("pause", scene.sync.local).status == 0)
        try scene.awaitStatus("it is paused") { $0.value(of: "text") == "Paused, 1 item waiting" }
        try scene.manager.set(.no)
        #expect(try scene.sync.roundel("resume", scene.sync.local).status == 0)
        try scene.awaitThere("second")
    }

    @Test("D4: what is being transferred when the connection becomes metered is abandoned, and done later")
    func abandoned() throws {
        let scene = try Scene(isServer: true)
        #expect(try scene.sync.roundel("limit", scene.sync.local, "--up", "1M").status == 0)
        let length = 64 << 20
        try Disk.write(scene.sync.path("large"), [UInt8](repeating: 7, count: length))
        try scene.world.until("it is on its way") { !scene.sync.staged().isEmpty }
        try scene.manager.set(.yes)
        try scene.awaitHold(items: 1)
        // It would go on for a minute, and the server writes a part each second.
        var (size, since) = (scene.sync.stagedBytes(), ContinuousClock.now)
        try scene.world.until("it is given up") {
            let now = scene.sync.stagedBytes()
            if now != size { (size, since) = (now, .now) }
            return now == 0 || ContinuousClock.now - since > .seconds(5)
        }
        #expect(!scene.isThere("large"))
        #expect(try scene.sync.roundel("limit", scene.sync.local, "--none").status == 0)
        try scene.manager.set(.no)
        try scene.awaitThere("large")
        #expect(try Disk.read(scene.sync.remote + "/large").count == length)
    }

    @Test("F11: how far a folder has come is told to the tray while one large file is on its way")
    func progress() throws {
        let scene = try Scene(isServer: true)
        let host = try scene.world.host()
        /// In percent; nil before anything is known of it.
        func told() throws -> UInt8? {
            guard case .dictionary(_, _, let entries) = try host.property("FolderStatus") else { return nil }
            for entry in entries where entry.key.string == uri(scene.sync.local) {
                if case .structure(let values) = entry.value, case .byte(let percent)? = values.last, percent <= 100 {
                    return percent
                }
            }
            return nil
        }
        #expect(try scene.sync.roundel("limit", scene.sync.local, "--up", "1M").status == 0)
        try Disk.write(scene.sync.path("large"), [UInt8](repeating: 7, count: 64 << 20))
        // It takes a minute, and not one item changes its state meanwhile.
        try scene.world.until("it has come to a percent") { (try told() ?? 0) >= 1 }
        let first = try #require(try told())
        try scene.world.until("it comes further") { (try told() ?? 0) > first }
        #expect(try scene.sync.roundel("limit", scene.sync.local, "--none").status == 0)
        try scene.awaitThere("large")
        try scene.world.until("nothing is on its way any more") { try told() == nil }
    }

    @Test("D10: a new limit holds for what is being transferred")
    func limited() throws {
        let scene = try Scene(isServer: true)
        #expect(try scene.sync.roundel("limit", scene.sync.local, "--up", "20k").status == 0)
        let size = 16 << 20
        try Disk.write(scene.sync.path("large"), [UInt8](repeating: 7, count: size))
        try scene.world.until("it is on its way") { !scene.sync.staged().isEmpty }
        let staged = scene.sync.staged()
        // The rest would take a quarter of an hour.
        #expect(try scene.sync.roundel("limit", scene.sync.local, "--none").status == 0)
        try scene.awaitThere("large")
        #expect(try scene.sync.staged() != staged && Disk.read(scene.sync.remote + "/large").count == size)
    }
}

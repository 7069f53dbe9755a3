import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Folders that scripts speak of: `roundel mark` and `roundel run` over the bus.
@Suite struct MarksTests {
    private let world: World
    private let host: HostClient
    private let folder: String

    init() throws {
        world = try World(starts: false)
        try world.installation.addService("org.roundel.Marks1", program: BuiltPrograms.path("roundel-marks"))
        try world.installation.addManifest(ofSources: "marks")
        try world.startService()
        host = try world.host()
        folder = try world.makeFolder("Backup")
        try Disk.write(folder + "/a", "1")
        try Disk.makeDirectories(folder + "/deep/er")
        try Disk.write(folder + "/deep/er/b", "1")
    }

    @discardableResult
    private func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        try world.installation.run("roundel", arguments)
    }

    private var home: String { String(folder.dropLast("/Backup".utf8.count)) }

    private func shows(_ directory: String, _ badges: [String: String]) throws {
        var seen: [String: String] = [:]
        try world.until("\(badges); seen: \(seen)") {
            let rows = try host.badgesAskedOnce(uri(directory), badges.keys.sorted())
            seen = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.badge) })
            return seen == badges
        }
    }

    @Test("After a run that succeeded, what changes waits, and so do the directories that hold it, until the next run")
    func changes() throws {
        #expect(try roundel("run", folder, "--", "true").status == 0)
        try host.awaitFolders([uri(folder)])
        for place in [home, folder, folder + "/deep"] { try host.begin(uri(place)) }
        try shows(folder, ["a": "synced", "deep": "synced"])
        try shows(home, ["Backup": "synced"])
        try Disk.write(folder + "/deep/er/b", "2")
        try host.await(uri(folder), "deep", "pending")
        try host.await(uri(home), "Backup", "pending")
        try shows(folder + "/deep", ["er": "pending"])
        try shows(folder, ["a": "synced", "deep": "pending"])
        #expect(try roundel("run", folder, "--", "true").status == 0)
        try host.await(uri(folder), "deep", "synced")
        try host.await(uri(home), "Backup", "synced")
        try Disk.remove(folder + "/a")
        try host.await(uri(home), "Backup", "pending")
    }

    @Test("A command's exit status and last line are passed on, and shown; what was not done stays waiting")
    func failure() throws {
        try host.begin(uri(home))
        let ended = try roundel(
            "run", folder, "--", "sh", "-c", "echo begun; echo 1 >&2; echo 'disk full' >&2; exit 23")
        #expect(ended.status == 23 && ended.output == "begun\n" && ended.errors == "1\ndisk full\n", "\(ended)")
        try host.awaitFolders([uri(folder)])
        try host.begin(uri(home))
        try host.begin(uri(folder))
        try shows(home, ["Backup": "error"])
        try shows(folder, ["a": "pending"])
        let status = try roundel("status", folder, "--json").output
        #expect(status.value(of: "state") == "error" && status.value(of: "message") == "disk full", "\(status)")
        #expect(try roundel("run", folder, "--", "/no/such/program").status == 1)
        #expect(try roundel("run", folder, "--", "sh", "-c", "kill -9 $$").status == 137)
    }

    @Test("While a command runs its folder is syncing; killed with its runner it has failed; marks stay over a restart")
    func running() throws {
        let go = world.installation.root + "/go"
        let command = "while [ ! -e '\(go)' ]; do sleep 0.05; done"
        let runner = try world.installation.start("roundel", ["run", folder, "--", "sh", "-c", command])
        try host.awaitFolders([uri(folder)])
        try host.begin(uri(home))
        try shows(home, ["Backup": "syncing"])
        #expect(try roundel("mark", folder, "--state", "syncing", "--progress", "40").status == 0)
        try world.until("the progress shows") {
            try host.badgesAskedOnce(uri(home), ["Backup"]) == [Row(name: "Backup", badge: "syncing", progress: 40)]
        }
        try Disk.write(go, "")
        try world.until("it ends") { !runner.isRunning }
        try shows(home, ["Backup": "synced"])
        try Disk.remove(go)
        let second = try world.installation.start("roundel", ["run", folder, "--", "sh", "-c", command])
        try shows(home, ["Backup": "syncing"])
        second.kill()
        try shows(home, ["Backup": "error"])
        try Disk.write(go, "")
        #expect(try roundel("mark", folder, "--state", "synced", "--message", "all well").status == 0)
        try shows(home, ["Backup": "synced"])
        if let engine = try world.process(of: "org.roundel.Marks1") { kill(engine, SIGKILL) }
        try world.until("the state is there again") {
            try roundel("status", folder, "--json").output.value(of: "text") == "all well"
        }
        #expect(try roundel("remove", folder).status == 0)
        try host.awaitFolders([])
    }

    @Test("Without a badge service a command runs all the same; a state that there is not is refused")
    func alone() throws {
        #expect(try roundel("mark", folder, "--state", "great").status == 64)
        #expect(try roundel("mark", folder + "/a", "--state", "synced").status == 1)
        world.installation.bus.kill()
        let ended = try roundel("run", folder, "--", "sh", "-c", "echo done")
        #expect(ended.status == 0 && ended.output == "done\n", "\(ended)")
    }
}

import RoundelBus
import TestSupport
import Testing

/// A worker that cannot start: a person reads why.
@Suite struct WorkerStartTests {
    @Test(
        "Status, doctor and every other command say why the worker does not start, and end with 1",
        arguments: ["state", "settings", "link"])
    func reason(cause: String) throws {
        let installation = try Installation(activates: true)
        let root = installation.root
        let reason: String
        switch cause {
        case "state":
            Disk.removeAll(root + "/state/roundel")
            try Disk.write(root + "/state/roundel", "a file in the place of the directory")
            reason = "The state directory \(root)/state/roundel/worker cannot be used"
        case "settings":
            try Disk.makeDirectories(root + "/config/roundel")
            try Disk.write(root + "/config/roundel/folders.json", "{")
            reason = "The settings \(root)/config/roundel/folders.json cannot be read"
        default:
            try Disk.makeDirectories(root + "/config/roundel")
            try Disk.link(root + "/config/roundel/folders.json", to: root + "/not-mounted/list")
            reason = "“\(root)/config/roundel/folders.json” is a symbolic link"
        }
        for command in [
            ["status"], ["status", "--json"], ["status", root], ["list"], ["sync", "--wait"], ["verify"],
        ] {
            var outcome = try installation.run("roundel", command)
            // The worker that the bus has started may not have ended yet.
            let end = Moment.now + World.patience
            while outcome.errors.contains("already works with"), Moment.now < end {
                outcome = try installation.run("roundel", command)
            }
            #expect(outcome.status == 1, "\(command): \(outcome)")
            #expect(outcome.errors.contains(reason), "\(command): \(outcome)")
            #expect(!outcome.output.contains("No folder is synced"), "\(command)")
        }
        let doctor = try installation.run("roundel", ["doctor"])
        #expect(doctor.status == 1)
        #expect(doctor.output.contains(reason), "\(doctor)")
        let lines = doctor.output.split(separator: "\n").map(String.init)
        let line = try #require(lines.firstIndex { $0.contains(reason) })
        #expect(line + 1 == lines.count || !lines[line + 1].contains("setup"), "a remedy that does nothing")
    }

    @Test("Where the worker starts, nothing keeps it from that")
    func fine() throws {
        let installation = try Installation(activates: true)
        #expect(try installation.run("roundel-worker", ["--check"]).status == 0)
        let status = try installation.run("roundel", ["status"])
        #expect(status.status == 0 && status.output.contains("No folder is synced"))
    }
}

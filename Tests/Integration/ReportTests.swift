import TestSupport
import Testing

/// `roundel report`: what a bug report needs, and nothing of what is synced.
@Suite struct ReportTests {
    @Test("A report tells of the folder and its remote, and has no name of theirs, from the journal neither")
    func noNames() throws {
        let world = try World(starts: false)
        let sync = try SyncWorld(adds: false, in: world)
        let (local, remote) = (try world.makeFolder("Scheidung Müller"), try world.makeFolder("Geheimarchiv"))
        let file = "\(local)/Unterhalt.txt"
        try Disk.write(file, "x")
        let added = try sync.roundel("add", local, remote, "--wait")
        #expect(added.status == 0, "\(added)")
        // The journal of a person, in which a service wrote of that file.
        let programs = try world.makeFolder("programs")
        try Disk.write(
            "\(programs)/journalctl",
            """
            #!/bin/sh
            echo '{"MESSAGE":"roundel-worker: \(file): Permission denied","PRIORITY":"4",\
            "_SYSTEMD_USER_UNIT":"roundel-worker.service","__REALTIME_TIMESTAMP":"1795860000000000"}'

            """)
        try Disk.makeExecutable("\(programs)/journalctl")
        let path = world.installation.environment["PATH"] ?? "/usr/bin:/bin"
        let report = try world.installation.start("roundel", ["report"], more: ["PATH": "\(programs):\(path)"]).finish()
        #expect(report.status == 0, "\(report)")
        let text = report.output
        #expect(text.contains("Folders: 1\n- directory, on ") && text.contains(", synced"), "\(text)")
        #expect(text.contains("roundel-worker warning: <path>: Permission denied"), "\(text)")
        for secret in ["Scheidung", "Müller", "Geheimarchiv", "Unterhalt", world.installation.root] {
            #expect(!text.contains(secret), "\(secret) in \(text)")
        }
        let saved = "\(programs)/report.txt"
        #expect(try sync.roundel("report", "--output", saved).status == 0)
        #expect(try Disk.text(saved).hasPrefix("Roundel "))
        // What is there already may be somebody's.
        #expect(try sync.roundel("report", "--output", saved).status == 1)
    }
}

import Glibc
import RoundelBus
import TestSupport
import Testing

/// The service's program is replaced while file managers and the worker run.
@Suite struct UpgradeTests {
    @Test("F13: the service is replaced three times in its own file: the worker and a running host go on by themselves")
    func replacedProgram() throws {
        let world = try World(starts: false)
        try world.installation.addBundledManifest()
        // As a package manager does it: the new program takes the name of the old one, which runs on without a name.
        let program = world.installation.root + "/roundeld"
        func install() throws {
            try Disk.write(program + "~new", Disk.read(BuiltPrograms.path("roundeld")))
            try Disk.makeExecutable(program + "~new")
            try Disk.move(program + "~new", program)
        }
        let sync = try SyncWorld(files: ["a": "a"], in: world)
        try sync.awaitBadge("a", "synced")
        let watch = try world.installation.start("roundel", ["badge", "--watch", sync.path("a")])
        try watch.lines { $0.hasPrefix("synced") }
        for round in 1...3 {
            let old = try #require(world.service)
            try install()
            try world.startService(["--replace"], from: program)
            #expect(try old.wait() == 0)
            try sync.awaitBadge("a", "synced")
            // It is told what changes under the new service, although nobody started it again. It may still be on its way
            // to that service, so the change is one that stays until it was told.
            try sync.roundel("pause", sync.local)
            try sync.write("a", "edited \(round)")
            try watch.lines { $0.hasPrefix("paused") }
            try sync.roundel("resume", sync.local)
            try watch.lines { $0.hasPrefix("synced") }
            #expect(sync.worker?.isRunning == true && watch.isRunning, "round \(round)")
        }
    }
}

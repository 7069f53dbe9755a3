import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// A file system that never answers, in the way of one of the two services.
@Suite(.enabled(if: SilentMount.isPermitted, "mounting needs root and /dev/fuse")) struct SilentMountTests {
    @Test("The badge service tells what vanishes while a file system inside a shown folder does not answer")
    func insideAShownFolder() throws {
        let world = try World(letsTimeRunOut: true)
        let folder = try world.makeFolder("Sync")
        try Disk.makeDirectory(folder + "/silent")
        for name in ["a", "b"] { try Disk.write("\(folder)/\(name)", "x") }
        let mount = try SilentMount(at: folder + "/silent")
        let provider = try world.provider("test", [folder], watch: true)
        let directory = uri(folder)
        provider.know(directory, ["a": "synced", "b": "synced", "silent": "synced", "gone": "synced"])
        let host = try world.host()
        try host.begin(directory)
        try world.until("the badges are there") {
            try host.badges(directory, ["a", "b", "silent"]).map(\.badge) == ["synced", "synced", "synced"]
        }
        _ = try host.badges(directory, ["gone"])
        try Disk.remove(folder + "/a")
        try host.await(directory, "a", "")
        try world.until("the folder is named") {
            try host.property("WatchStatus")?.map?["unreliable"]?.strings == [directory]
        }
        #expect(try host.badges(directory, ["b", "silent"]).map(\.badge) == ["synced", "synced"])
        withExtendedLifetime(mount) {}
    }

    @Test("F1, D4: A folder that appears after it was looked for and before it is watched is reported to its provider")
    func appearsBeforeItsWatch() throws {
        let world = try World()
        let (silent, own) = (try world.makeFolder("Silent"), try world.makeFolder("Own"))
        let later = world.installation.root + "/home/Later"
        let other = try world.provider("other", [own], watch: true)
        let provider = try world.provider("test")
        let mount = try SilentMount(at: silent)
        // The answer, and with it every watch, waits for the folder that does not answer.
        provider.bus.call(
            Names.service, Names.servicePath, Names.registry, "SetFolders",
            { writer in
                try writer.append(value: FakeProvider.offers([later, silent].map(uri), watch: true))
                try writer.append(map: [:])
            }, { _ in })
        _ = try world.call(provider.bus, Names.service, Names.servicePath, "org.freedesktop.DBus.Peer", "Ping", [])
        // The watcher does what it is asked one after the other: the folder was looked for, and is missing.
        try other.call("Flush", [.string(uri(own))])
        try Disk.makeDirectory(later)
        try Disk.write(later + "/there already", "x")
        try provider.await("ItemsChanged")
        #expect(provider.calls("ItemsChanged")[0].subject == uri(later))
        #expect(provider.calls("ItemsChanged")[0].arguments.dropFirst(3).first == .bool(true))
        withExtendedLifetime(mount) {}
    }

    @Test("A remote that does not answer says so and stops no other folder, at the start and later; the worker ends")
    func silentRemote() throws {
        let sync = try SyncWorld(files: ["a": "a"], letsTimeRunOut: true)
        let (other, far) = (try sync.world.makeFolder("Other"), try sync.world.makeFolder("Far"))
        try Disk.write(other + "/x", "x")
        #expect(try sync.roundel("add", other, far, "--wait").status == 0)
        sync.killWorker()
        for side in [far, other] {
            let mount = try SilentMount(at: side)
            try sync.startWorker()
            try sync.write("a", "edited while \(side) is silent")
            try sync.world.until("the other folder is synced") {
                try sync.remoteTexts()["a"] == "edited while \(side) is silent"
            }
            try sync.world.until("it says that it does not answer") {
                try sync.roundel("status", "--json", other).output.contains("does not answer")
            }
            #expect(try sync.roundel("sync", sync.local, "--wait").status == 0)
            // A new folder is compared with the silent one, which is said instead of waited for.
            let third = try sync.world.makeFolder("Third")
            let added = try sync.roundel("add", third, try sync.world.makeFolder("ThirdFar"))
            #expect(added.status == 1 && "\(added)".contains("does not answer"))
            let worker = try #require(sync.worker)
            kill(worker.identifier, SIGTERM)
            try sync.world.until("the worker has ended") { !worker.isRunning }
            sync.killWorker()
            withExtendedLifetime(mount) {}
        }
        try sync.startWorker()
        try Disk.write(other + "/x", "edited")
        try sync.world.until("it goes on") { Disk.textIfThere(far + "/x") == "edited" }
    }

    @Test(
        "E4: SIGTERM ends the worker within five seconds while a remote does not answer, in whatever it is",
        arguments: [false, true])
    func ends(inTransfer: Bool) throws {
        let sync = try SyncWorld(files: ["a": "a"], letsTimeRunOut: true)
        var silent: SilentMount?
        var hanging: HangingMount?
        if inTransfer {
            let (folder, far) = (try sync.world.makeFolder("Other"), try sync.world.makeFolder("Far"))
            hanging = try HangingMount(try sync.world.makeFolder("Behind"), at: far, in: sync.world)
            #expect(try sync.roundel("add", folder, far, "--wait").status == 0)
            try Disk.write(folder + "/big", [UInt8](repeating: 7, count: 24 << 20))
            try sync.roundel("sync", folder)
            let source = hanging?.source
            try sync.world.until("bytes are moving") { sync.stagedBytes(in: source) > 0 }
            hanging?.hang()
        } else {
            sync.killWorker()
            silent = try SilentMount(at: sync.remote)
            try sync.startWorker()
            try sync.world.until("it does not answer") {
                try sync.roundel("status", "--json", sync.local).output.contains("does not answer")
            }
        }
        let worker = try #require(sync.worker)
        let begun = Moment.now
        worker.signal(SIGTERM)
        // A request that a server has read is waited for in the kernel, so the name counts: the next worker can begin.
        try sync.world.until("the worker has left the bus") { try sync.world.process(of: Names.worker) == nil }
        // The promise is five seconds; a machine whose cores are all busy has a minute. Without it this takes for ever.
        #expect(begun.duration(to: .now) < .seconds(60))
        if !inTransfer { try sync.world.until("its process has ended") { !worker.isRunning } }
        hanging?.answer()
        withExtendedLifetime((silent, hanging)) {}
        try worker.wait()
    }

    @Test(
        "A folder that nobody can watch is looked through by itself, on either side, and says so",
        arguments: [true, false])
    func unwatched(isLocal: Bool) throws {
        let sync = try SyncWorld(adds: false)
        let mount = try UnwatchedMount(at: isLocal ? sync.local : sync.remote)
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        func text() throws -> String { try sync.roundel("status", "--json", sync.local).output.value(of: "text") ?? "" }
        try sync.world.until("it says so") {
            let status = try sync.roundel("status", "--json", sync.local).output
            let text = status.value(of: "text") ?? ""
            return text.hasPrefix("Up to date as of ") && text.contains("looked through every")
                && Int(status.value(of: "rescan_interval") ?? "") != nil
        }
        try Disk.write("\(mount.path)/new", "made unseen")
        // The shortest pause between two looks is a minute.
        for patience in 1... {
            do {
                try sync.world.until("it is on the other side", within: .seconds(30)) {
                    Disk.textIfThere("\(isLocal ? sync.remote : sync.local)/new") == "made unseen"
                }
                break
            } catch  where patience < 8 {
                #expect(try text() != "Up to date")
            }
        }
    }
}

import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// The engine for Syncthing with two real devices that share a folder.
@Suite(.enabled(if: SyncthingWorld.isPossible, "needs syncthing"))
struct SyncthingTests {
    @Test("The engine is off until the person turns it on, and off again when they turn it off")
    func turnedOn() throws {
        let pair = try SyncthingWorld(isTurnedOn: false)
        #expect(try pair.engine() == nil)
        #expect(try pair.host.folders().isEmpty)
        try pair.turnOn()
        #expect(try pair.engine() != nil)
        #expect(try pair.roundel("providers", "disable", "syncthing").status == 0)
        try pair.host.awaitFolders([])
    }

    @Test("A file that arrives is synced when it is there, and one that was changed here when the other device has it")
    func arriving() throws {
        let pair = try SyncthingWorld()
        try Disk.write(pair.own.path("mine"), "mine")
        #expect(try pair.host.begin(pair.directory))
        try pair.awaitBadge("mine", "synced")
        try pair.await(pair.other, has: "mine")
        try pair.awaitState("synced")

        try Disk.write(pair.other.path("theirs"), "theirs")
        try pair.await(pair.own, has: "theirs")
        try pair.awaitBadge("theirs", "synced")

        // Without the other device a change waits, and the host is told by itself when it has arrived there.
        pair.other.kill()
        pair.host.clear()
        try Disk.write(pair.own.path("mine"), "changed")
        try pair.host.await(pair.directory, "mine", "pending")
        try pair.awaitState("pending")
        try pair.other.start()
        try pair.host.await(pair.directory, "mine", "synced")
        #expect(try Disk.text(pair.other.path("mine")) == "changed")
        try pair.awaitState("synced")
    }

    @Test("A directory of many files is listed with few questions, not with one for each")
    func manyFiles() throws {
        var settings = SyncthingDevice.Settings()
        settings.logsRequests = true
        let pair = try SyncthingWorld(settings)
        try Disk.makeDirectories(pair.own.path("many"))
        let names = (0..<1_000).map { "f\($0)" }
        for name in names { try Disk.write(pair.own.path("many/" + name), "") }
        try Disk.write(pair.own.path(".stignore"), "many/x*\n")
        for name in names { try Disk.write(pair.own.path("many/x" + name), "") }
        try pair.world.until("all arrive") { names.allSatisfy { Disk.exists(pair.other.path("many/" + $0)) } }
        try pair.awaitState("synced")
        let before = try pair.own.answered("file")
        #expect(try pair.host.begin(pair.directory + "/many"))
        let rows = try pair.host.badges(pair.directory + "/many", names + names.map { "x" + $0 })
        #expect(rows.prefix(1_000).allSatisfy { $0.badge == "synced" })
        #expect(rows.dropFirst(1_000).allSatisfy { $0.badge == "excluded" })
        let asked = try pair.own.answered("file") - before
        #expect(asked < 20, "\(asked) questions about single files")
    }

    @Test("A large file shows how far it has come, and its directory that something in it is on its way")
    func progress() throws {
        let pair = try SyncthingWorld()
        try pair.awaitState("synced")
        try Disk.makeDirectories(pair.own.path("d"))
        try pair.await(pair.other, has: "d")
        #expect(try pair.host.begin(pair.directory))
        #expect(try pair.host.begin(pair.directory + "/d"))
        try pair.awaitBadge("d", "synced")
        pair.host.clear()
        var block = [UInt8](repeating: 0, count: 1 << 20)
        let file = open(pair.other.path("d/large"), O_WRONLY | O_CREAT, 0o644)
        for number in 0..<192 {
            block[0] = UInt8(number)
            #expect(write(file, block, block.count) == block.count)
        }
        close(file)
        try pair.await(pair.own, has: "d/large")
        try pair.host.await(pair.directory, "d", "synced")
        #expect(pair.host.told(pair.directory).contains { $0.name == "d" && $0.badge == "syncing" })
    }

    @Test("Two versions of a file are a conflict on both, in status and in the list, until one is deleted")
    func conflict() throws {
        let pair = try SyncthingWorld()
        try Disk.write(pair.own.path("a.txt"), "first")
        try pair.await(pair.other, has: "a.txt")
        #expect(try pair.host.begin(pair.directory))
        try pair.awaitBadge("a.txt", "synced")
        pair.own.kill()
        try Disk.write(pair.other.path("a.txt"), "theirs")
        try Disk.write(pair.own.path("a.txt"), "mine")
        try pair.own.start()
        func copies() throws -> [String] { try Disk.names(pair.own.folder).filter { $0.hasPrefix("a.sync-conflict-") } }
        try pair.world.until("there is a conflict copy") { try !copies().isEmpty }
        let copy = try #require(try copies().first)
        try pair.awaitBadge("a.txt", "conflict")
        try pair.awaitBadge(copy, "conflict")
        try pair.awaitState("conflict")
        let listed = try pair.roundel("conflicts")
        #expect(listed.status == 2 && listed.output.contains(copy), "\(listed)")
        #expect(try pair.roundel("problems", pair.own.folder).output.contains(copy))
        try Disk.remove(pair.own.path(copy))
        try pair.awaitBadge("a.txt", "synced")
        try pair.awaitState("synced")
        #expect(try pair.roundel("conflicts").status == 0)
    }

    @Test("What Syncthing ignores is not synced, whether it knows the file or not")
    func ignored() throws {
        let pair = try SyncthingWorld()
        try Disk.write(pair.own.path("known.log"), "1")
        try pair.await(pair.other, has: "known.log")
        #expect(try pair.host.begin(pair.directory))
        try pair.awaitBadge("known.log", "synced")
        try Disk.write(pair.own.path(".stignore"), "*.log\n*.tmp\n")
        try Disk.write(pair.own.path("new.tmp"), "2")
        #expect(try pair.roundel("sync", pair.own.folder).status == 0)
        try pair.awaitBadge("new.tmp", "excluded")
        try pair.awaitBadge("known.log", "excluded")
        try pair.awaitBadge(".stignore", "excluded")
    }

    @Test("A folder is paused and resumed from the command line and from its menu")
    func paused() throws {
        let pair = try SyncthingWorld()
        try Disk.write(pair.own.path("a"), "a")
        #expect(try pair.host.begin(pair.directory))
        try pair.awaitBadge("a", "synced")
        // A pause that never ended would be another one than was asked for.
        let timed = try pair.roundel("pause", pair.own.folder, "--for", "1h")
        #expect(timed.status == 1 && timed.errors.contains("cannot pause a folder for a time"), "\(timed)")
        #expect(try pair.roundel("pause", pair.own.folder).status == 0)
        try pair.awaitState("paused")
        try pair.awaitBadge("a", "paused")
        #expect(try pair.roundel("sync", pair.own.folder).status == 1)
        try choose("resume", in: pair)
        try pair.awaitState("synced")
        try pair.awaitBadge("a", "synced")
        try choose("rescan", in: pair)
    }

    /// Chooses an item in the menu of the folder's background, and waits until it is done.
    private func choose(_ item: String, in pair: SyncthingWorld) throws {
        var found: (menu: UInt64, item: String)?
        try pair.world.until("the menu has \(item)") {
            let menu = try pair.host.menu(1, pair.directory)
            let children = menu.items.flatMap { $0.maps("children") ?? [] }
            found = children.compactMap { $0.string("id") }.first { $0.hasSuffix("/" + item) }.map { (menu.id, $0) }
            return found != nil
        }
        let chosen = try #require(found)
        _ = try pair.host.call("Activate", [.uint64(chosen.menu), .string(chosen.item)])
        try pair.host.await(.finished(chosen.menu, chosen.item, 0, ""))
    }

    @Test("A Syncthing that is killed leaves nothing synced, says so, and harms no other engine; then it goes on")
    func killed() throws {
        let pair = try SyncthingWorld()
        let sample = try pair.world.makeFolder("Sample")
        try Disk.write(sample + "/letter", "letter")
        let provider = try pair.world.installation.start("sample-provider", [sample])
        defer { provider.kill() }
        try pair.host.awaitFolders([uri(sample), pair.directory])
        try Disk.write(pair.own.path("a"), "a")
        #expect(try pair.host.begin(pair.directory))
        #expect(try pair.host.begin(uri(sample)))
        #expect(try pair.host.badges(uri(sample), ["letter"]).first?.badge == "synced")
        try pair.awaitBadge("a", "synced")
        pair.host.clear()
        pair.own.kill()
        try pair.host.await(pair.directory, "a", "")
        #expect(try pair.roundel("status", pair.own.folder).output.contains("Syncthing is not running"))
        #expect(try pair.roundel("pause", pair.own.folder).status == 1)
        #expect(try pair.host.badges(uri(sample), ["letter"]).first?.badge == "synced")
        #expect(pair.host.told(uri(sample)).isEmpty)
        try pair.own.start()
        try pair.host.await(pair.directory, "a", "synced")
        #expect(try pair.engine() != nil)
    }

    @Test("An engine that is killed is started again, and shows what there is")
    func engineKilled() throws {
        let pair = try SyncthingWorld()
        try Disk.write(pair.own.path("a"), "a")
        #expect(try pair.host.begin(pair.directory))
        try pair.awaitBadge("a", "synced")
        let engine = try #require(try pair.engine())
        kill(engine, SIGKILL)
        try pair.world.until("another engine runs") { try pair.engine().map { $0 != engine } ?? false }
        try pair.awaitBadge("a", "synced")
    }

    @Test("Another key is read again, and the certificate and the socket of the configuration are used")
    func interface() throws {
        let pair = try SyncthingWorld(in: "state/syncthing")
        try Disk.write(pair.own.path("a"), "a")
        #expect(try pair.host.begin(pair.directory))
        try pair.awaitBadge("a", "synced")
        for change in [\SyncthingDevice.Settings.usesTLS, \.usesSocket] {
            pair.host.clear()
            try pair.own.change { settings in
                settings.key += " changed"
                settings[keyPath: change].toggle()
            }
            try pair.host.await(pair.directory, "a", "synced")
        }
        #expect(!pair.world.installation.logs.contains("the key of a test"))
    }

    @Test("Without a Syncthing the engine says so, and finds it when there is one")
    func absent() throws {
        let pair = try SyncthingWorld(starts: false)
        let status = try pair.roundel("status", pair.own.folder)
        #expect(status.output.contains("Syncthing is not running"), "\(status)")
        #expect(try pair.host.begin(pair.directory))
        try Disk.write(pair.own.path("a"), "a")
        try pair.awaitBadge("a", "")
        try pair.own.start()
        try pair.awaitBadge("a", "synced")
    }

    @Test("What was changed in a folder that only receives is reverted from its menu")
    func receiveOnly() throws {
        var settings = SyncthingDevice.Settings()
        settings.type = "receiveonly"
        let pair = try SyncthingWorld(settings)
        try Disk.write(pair.other.path("a"), "theirs")
        try pair.await(pair.own, has: "a")
        #expect(try pair.host.begin(pair.directory))
        try pair.awaitBadge("a", "synced")
        try Disk.write(pair.own.path("a"), "mine")
        try pair.awaitBadge("a", "syncthing.changed-here")
        try choose("revert", in: pair)
        try pair.world.until("the change is gone") { Disk.textIfThere(pair.own.path("a")) == "theirs" }
        try pair.awaitBadge("a", "synced")
    }

    @Test("What was changed elsewhere, in a folder that only sends, is overridden from its menu")
    func sendOnly() throws {
        var settings = SyncthingDevice.Settings()
        settings.type = "sendonly"
        let pair = try SyncthingWorld(settings)
        try Disk.write(pair.own.path("a"), "mine")
        try pair.await(pair.other, has: "a")
        #expect(try pair.host.begin(pair.directory))
        try pair.awaitBadge("a", "synced")
        try Disk.write(pair.other.path("a"), "theirs")
        try pair.awaitBadge("a", "syncthing.changed-elsewhere")
        try choose("override", in: pair)
        try pair.world.until("the change is overridden") { Disk.textIfThere(pair.other.path("a")) == "mine" }
        try pair.awaitBadge("a", "synced")
    }
}

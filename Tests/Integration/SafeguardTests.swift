import Glibc
import RoundelBus
import TestSupport
import Testing

/// What stops the worker rather than losing a file.
@Suite struct SafeguardTests {
    private static func files(_ count: Int) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("f\($0)", "\($0)") })
    }

    @Test("Deleting more than half and more than 20 stops and asks, on either side", arguments: [true, false])
    func massDeletion(isLocal: Bool) throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        try sync.deleteTogether(isLocal: isLocal)
        let stopped = try sync.sync()
        #expect(stopped.status == 2)
        #expect(stopped.needs == "confirm-deletes")
        #expect(stopped.deletedLocal == 0 && stopped.deletedRemote == 0)
        #expect(try (isLocal ? sync.remoteTexts() : sync.localTexts()).count == 30)
        try sync.world.until("it says how many wait") {
            try sync.roundel("status", "--json").output.value(of: "pending_deletes") == "26"
        }
        #expect(try sync.sync("--confirm-deletes").status == 0)
        #expect(try sync.remoteTexts().count == 5)
        #expect(try sync.localTexts() == sync.remoteTexts())
    }

    @Test(
        "Deletions that were held back are put back from the other side, and transferred once",
        arguments: [true, false])
    func putBack(isLocal: Bool) throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        try sync.deleteTogether(isLocal: isLocal)
        #expect(try sync.sync().needs == "confirm-deletes")
        try sync.world.until("it says what to do") {
            let status = try sync.roundel("status", sync.local)
            return status.status == 2 && status.output.contains("roundel sync --restore-deleted")
        }
        let outcome = try sync.sync("--restore-deleted")
        #expect(outcome.status == 0 && outcome.needs == nil, "\(outcome)")
        #expect(outcome.deletedLocal == 0 && outcome.deletedRemote == 0)
        #expect(outcome.downloaded == (isLocal ? 25 : 0) && outcome.uploaded == (isLocal ? 0 : 25), "\(outcome)")
        #expect(try sync.localTexts() == SyncWorld.heldTogether)
        #expect(try sync.remoteTexts() == SyncWorld.heldTogether)
        #expect(try sync.sync().isSilent)
    }

    @Test(
        "A run that is told to put back what deletions took away does so, whether or not it was asked before",
        arguments: [true, false])
    func putBackAtOnce(isLocal: Bool) throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        try sync.deleteTogether(isLocal: isLocal)
        let outcome = try sync.sync("--restore-deleted")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try sync.localTexts() == SyncWorld.heldTogether && sync.remoteTexts() == SyncWorld.heldTogether)
        let both = try sync.roundel("sync", "--restore-deleted", "--confirm-deletes")
        #expect(both.status == 64)
    }

    @Test(
        "A run that is told to carry out deletions does so, whether or not it was asked before",
        arguments: [true, false])
    func confirmedAtOnce(isLocal: Bool) throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        try sync.deleteTogether(isLocal: isLocal)
        let outcome = try sync.sync("--confirm-deletes")
        #expect(outcome.status == 0)
        #expect(isLocal ? outcome.deletedRemote == 26 : outcome.deletedLocal == 26)
        #expect(try sync.remoteTexts().count == 5)
        #expect(try sync.localTexts() == sync.remoteTexts())
    }

    @Test(
        "Deletions that trickle in are counted together before the first one is carried out", arguments: [true, false])
    func slowDeletion(isLocal: Bool) throws {
        let sync = try SyncWorld(files: Self.files(90))
        let (side, other) = isLocal ? (sync.local, sync.remote) : (sync.remote, sync.local)
        for number in 0..<70 {
            try Disk.remove("\(side)/f\(number)")
            usleep(60_000)
        }
        // A busy machine may show the worker some quiet in between: then the few that came before are carried out. How
        // many wait where nothing stands still is told by SlowDeletionTests.
        var gone = 0
        try sync.world.until("it asks") {
            let status = try sync.roundel("status", "--json").output
            gone = try 90 - Disk.tree(other).count
            return status.value(of: "needs") == "confirm-deletes"
                && status.value(of: "pending_deletes") == "\(70 - gone)"
        }
        #expect(gone < 45)
        for number in 0..<70 { try Disk.write("\(side)/f\(number)", "\(number)") }
        #expect(try sync.sync().status == 0)
        #expect(try sync.localTexts() == Self.files(90) && sync.remoteTexts() == Self.files(90))
    }

    @Test("Fewer deletions need no confirmation")
    func fewDeletions() throws {
        let sync = try SyncWorld(files: Self.files(30))
        for number in 0..<14 { try Disk.remove(sync.path("f\(number)")) }
        #expect(try sync.sync().status == 0)
        #expect(try sync.remoteTexts().count == 16)
    }

    @Test("A root that is missing, emptied or replaced stops the folder and deletes nothing", arguments: 0..<6)
    func root(how: Int) throws {
        let sync = try SyncWorld(files: ["a": "a", "b": "b"])
        let isLocal = how < 3
        let (root, other) = isLocal ? (sync.local, sync.remote) : (sync.remote, sync.local)
        let before = try Disk.tree(other)
        switch how % 3 {
        case 0: try Disk.move(root, root + "-gone")
        case 1:
            // Whatever the folder holds of the worker's own goes too, as it does where a mount is not there.
            try Disk.move(root, root + "-gone")
            try Disk.makeDirectory(root)
        default:
            try Disk.move(root, root + "-gone")
            try Disk.makeDirectory(root)
            try Disk.write(root + "/stranger", "s")
        }
        let outcome = try sync.sync()
        #expect(outcome.status == 2)
        #expect(outcome.state == "error")
        let missing = isLocal ? "root-missing" : "remote-missing"
        let replaced = isLocal ? "root-replaced" : "remote-replaced"
        #expect(outcome.needs == (how % 3 == 0 ? missing : replaced))
        #expect(try Disk.tree(other) == before)
        try sync.awaitBadge("", "error")
        Disk.removeAll(root)
        try Disk.move(root + "-gone", root)
        try sync.world.until("it goes on") { try sync.sync().status == 0 }
        #expect(try sync.localTexts() == ["a": "a", "b": "b"])
        #expect(try sync.remoteTree() == sync.localTree())
    }

    @Test("A root that was emptied of everything deletes nothing without being asked")
    func emptied() throws {
        let sync = try SyncWorld(files: ["a": "a", "b": "b", "d/c": "c"])
        // While nobody looks: the first that is seen to be gone, while the others are still there, is carried out.
        sync.killWorker()
        for name in ["a", "b", "d/c"] { try Disk.remove(sync.path(name)) }
        rmdir(sync.path("d"))
        try sync.startWorker()
        let outcome = try sync.sync()
        #expect(outcome.status == 2)
        #expect(outcome.needs == "confirm-deletes")
        #expect(try sync.remoteTexts() == ["a": "a", "b": "b", "d/c": "c"])
    }

    private static let backedUp = Dictionary(
        uniqueKeysWithValues: files(40).map { ("d/\($0.key)", $0.value) })

    /// A folder of which eight files were edited and three added since its remote was backed up with `cp -a`; the
    /// remote is then emptied and put back from there, in a moment each: of what goes by and by, the first may be
    /// deleted here before anybody can tell.
    private static func restored() throws -> (sync: SyncWorld, newer: [String: String]) {
        let sync = try SyncWorld(files: backedUp)
        let backup = sync.world.installation.root + "/backup"
        try shell("cp -a '\(sync.remote)/d' '\(backup)'")
        for number in 0..<8 { try sync.write("d/f\(number)", "edited \(number)") }
        for number in 0..<3 { try sync.write("d/new\(number)", "new \(number)") }
        #expect(try sync.sync().status == 0)
        let newer = try sync.localTexts()
        #expect(try sync.remoteTexts() == newer && newer.count == 43)
        try Disk.move(sync.remote + "/d", sync.remote + "-gone")
        try Disk.move(backup, sync.remote + "/d")
        return (sync, newer)
    }

    private static func shell(_ script: String) throws {
        let run = try RunningProgram(["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        guard try run.wait() == 0 else { throw Failure("\(script) failed") }
    }

    @Test("A remote that was put back to an older state stops the folder; both sides are then united")
    func restoredRemote() throws {
        let (sync, newer) = try Self.restored()
        try sync.world.until("it asks") {
            try sync.roundel("status", "--json").output.value(of: "needs") == "remote-restored"
        }
        let outcome = try sync.sync()
        #expect(outcome.status == 2 && outcome.needs == "remote-restored" && outcome.state == "error")
        #expect(try sync.localTexts() == newer)
        #expect(try sync.remoteTexts() == Self.backedUp)
        sync.killWorker()
        try sync.startWorker()
        #expect(try sync.sync().needs == "remote-restored")
        #expect(try sync.localTexts() == newer)
        let united = try sync.sync("--unite")
        #expect(united.status == 2 && united.needs == "conflicts")
        #expect(united.deletedLocal == 0 && united.deletedRemote == 0)
        let texts = try sync.localTexts()
        #expect(Set(newer.values).union(Self.backedUp.values).isSubset(of: texts.values))
        #expect(texts["d/new1"] == "new 1" && texts["d/f3"] == "3")
        #expect(try sync.remoteTree() == sync.localTree())
    }

    @Test("A remote that was put back to an older state is followed where that is meant")
    func acceptedRemote() throws {
        let (sync, newer) = try Self.restored()
        #expect(try sync.sync().needs == "remote-restored")
        #expect(try sync.localTexts() == newer)
        #expect(try sync.sync("--accept-remote").status == 0)
        #expect(try sync.localTexts() == Self.backedUp && sync.remoteTexts() == Self.backedUp)
    }

    @Test("A root that is replaced by a symlink is not followed")
    func symlinkedRoot() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let other = try sync.world.makeFolder("Other")
        try Disk.write(other + "/secret", "s")
        try Disk.move(sync.local, sync.local + "-gone")
        try Disk.link(sync.local, to: other)
        #expect(try sync.sync().status == 2)
        #expect(try sync.remoteTexts() == ["a": "a"])
        #expect(try Disk.names(other) == ["secret"])
    }

    @Test("A lost or damaged database means union", arguments: [true, false])
    func lostDatabase(isDamaged: Bool) throws {
        let sync = try SyncWorld(files: ["a": "a", "b": "b", "gone": "x"])
        sync.killWorker()
        try sync.write("a", "edited")
        try Disk.remove(sync.path("gone"))
        try sync.writeRemote("c", "c")
        let state = sync.world.installation.root + "/state/roundel/worker"
        let folder = try #require(try Disk.names(state).first { $0 != "lock" && !$0.contains(".") })
        for name in try Disk.names("\(state)/\(folder)") where name.hasPrefix("trees.sqlite") {
            if isDamaged {
                try Disk.write("\(state)/\(folder)/\(name)", String(repeating: "no database ", count: 2000))
            } else {
                try Disk.remove("\(state)/\(folder)/\(name)")
            }
        }
        try sync.startWorker()
        try sync.world.until("both sides are equal") {
            let status = try sync.sync().status
            return try status != 1 && sync.remoteTree() == sync.localTree()
        }
        let texts = try sync.localTexts()
        #expect(Set(texts.values) == ["a", "edited", "b", "c", "x"])
        #expect(texts["gone"] == "x")
    }

    @Test("F13: a second worker on the same state directory refuses")
    func secondWorker() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let other = try World()
        let second = try other.installation.start(
            "roundel-worker", more: ["XDG_STATE_HOME": sync.world.installation.root + "/state"])
        #expect(try second.wait() != 0)
        let said = try Disk.text(other.installation.root + "/roundel-worker.log")
        #expect(said.contains("<3>"))
        try sync.write("a", "edited")
        #expect(try sync.sync().status == 0)
    }

    @Test("A full disk at the remote is said and loses nothing; with space it goes on", .enabled(if: Mount.isPossible))
    func fullRemote() throws {
        let mount = try Mount(size: "2m")
        let sync = try SyncWorld(adds: false, files: ["small": "s"])
        #expect(try sync.roundel("add", sync.local, mount.path, "--wait").status == 0)
        let big = [UInt8](repeating: 7, count: 4 << 20)
        try Disk.write(sync.path("big"), big)
        let outcome = try sync.sync()
        #expect(outcome.status == 2)
        #expect(outcome.state == "error")
        #expect(outcome.needs == "disk-full")
        try sync.awaitBadge("big", "error")
        #expect(try Disk.tree(mount.path).keys.sorted() == ["small"])
        #expect(try Disk.read(sync.path("big")) == big)
        try sync.awaitBadge("small", "synced")
        try mount.remount("size=16m")
        try sync.world.until("it goes on") { try sync.sync().status == 0 }
        #expect(try Disk.read(mount.path + "/big") == big)
    }

    @Test(
        "A transfer that would leave too little free waits and says so, small changes and deletions go on, and with space it goes on by itself",
        .enabled(if: Mount.isPossible))
    func nearlyFull() throws {
        let mount = try Mount(size: "400m")
        let sync = try SyncWorld(adds: false, files: ["small": "s", "gone": "g"])
        sync.killWorker()
        let settings = sync.world.installation.root + "/config/roundel/folders.json"
        try Disk.makeDirectories(sync.world.installation.root + "/config/roundel")
        try Disk.write(settings, #"{"tag":"TEST","folders":[],"keepFree":\#(380 << 20)}"#)
        try sync.startWorker()
        #expect(try sync.roundel("add", sync.local, mount.path, "--wait").status == 0)
        let big = [UInt8](repeating: 7, count: 30 << 20)
        try Disk.write(sync.path("big"), big)
        let outcome = try sync.sync()
        #expect(outcome.status == 2 && outcome.needs == "disk-full")
        try sync.world.until("it says why") {
            try sync.roundel("status", "--json", sync.local).output.contains("is nearly full")
        }
        #expect(!Disk.exists(mount.path + "/big"))
        try sync.write("small", "edited")
        try Disk.remove(sync.path("gone"))
        try sync.world.until("small changes go on") {
            Disk.textIfThere(mount.path + "/small") == "edited" && !Disk.exists(mount.path + "/gone")
        }
        try mount.remount("size=800m")
        try sync.world.until("it goes on by itself") { Disk.exists(mount.path + "/big") }
        #expect(try Disk.read(mount.path + "/big") == big)
    }

    @Test(
        "A download that would leave too little free here waits and says so, and with space it goes on by itself",
        .enabled(if: Mount.isPossible))
    func nearlyFullHere() throws {
        let mount = try Mount(size: "400m")
        let sync = try SyncWorld(adds: false)
        sync.killWorker()
        let settings = sync.world.installation.root + "/config/roundel/folders.json"
        try Disk.makeDirectories(sync.world.installation.root + "/config/roundel")
        try Disk.write(settings, #"{"tag":"TEST","folders":[],"keepFree":\#(380 << 20)}"#)
        try sync.startWorker()
        try sync.writeRemote("small", "s")
        #expect(try sync.roundel("add", mount.path, sync.remote, "--wait").status == 0)
        let big = [UInt8](repeating: 7, count: 30 << 20)
        try Disk.write(sync.remote + "/big", big)
        let outcome = try sync.sync()
        #expect(outcome.status == 2 && outcome.needs == "disk-full" && outcome.downloaded == 0)
        try sync.world.until("it says why") {
            try sync.roundel("status", "--json", mount.path).output
                .contains("The disk of this computer is nearly full")
        }
        #expect(!Disk.exists(mount.path + "/big"))
        try sync.writeRemote("small", "edited")
        try sync.world.until("small changes go on") { Disk.textIfThere(mount.path + "/small") == "edited" }
        try mount.remount("size=800m")
        try sync.world.until("it goes on by itself") { Disk.exists(mount.path + "/big") }
        #expect(try Disk.read(mount.path + "/big") == big)
        #expect(try sync.roundel("remove", mount.path).status == 0)
    }

    @Test("A read-only remote is said and loses nothing", .enabled(if: Mount.isPossible))
    func readOnlyRemote() throws {
        let mount = try Mount(size: "2m")
        let sync = try SyncWorld(adds: false, files: ["a": "a"])
        #expect(try sync.roundel("add", sync.local, mount.path, "--wait").status == 0)
        // What the worker wrote may be open for a moment still.
        try sync.world.until("it can be read-only") { (try? mount.remount("ro")) != nil }
        try sync.write("a", "edited")
        try sync.write("b", "b")
        let outcome = try sync.sync()
        #expect(outcome.status == 2)
        #expect(outcome.state == "error")
        #expect(try sync.localTexts() == ["a": "edited", "b": "b"])
        #expect(try Disk.text(mount.path + "/a") == "a")
        try mount.remount("rw")
        try sync.world.until("it goes on") { try sync.sync().status == 0 }
        #expect(try Disk.text(mount.path + "/a") == "edited")
    }
}

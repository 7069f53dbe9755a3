import Glibc
import RoundelBus
import TestSupport
import Testing

/// What syncing replaced and deleted, after the folder is no longer synced, and all of it since a moment.
@Suite struct TrashTests {
    /// A folder with a version in each of the three places: replaced here, deleted here, deleted on the remote.
    private static func withVersions(letsTimeRunOut: Bool = false) throws -> SyncWorld {
        let sync = try SyncWorld(
            files: ["a": "first", "d/b": "b", "d/e": "e", "c": "c", "stays": "stays"], letsTimeRunOut: letsTimeRunOut)
        try sync.writeRemote("a", "second")
        try Disk.remove("\(sync.remote)/d/b")
        try sync.sync()
        try Disk.remove(sync.path("c"))
        try sync.sync()
        #expect(try sync.localTexts() == ["a": "second", "d/e": "e", "stays": "stays"])
        #expect(try kept(sync) == 3)
        return sync
    }

    private static func kept(_ sync: SyncWorld) throws -> Int {
        try sync.roundel("trash", "--json").output.matches(of: /"id":/).count
    }

    private static func settings(_ sync: SyncWorld) throws -> String {
        try Disk.text("\(sync.world.installation.root)/config/roundel/folders.json")
    }

    private static func restartWorker(_ sync: SyncWorld) throws {
        sync.killWorker()
        try sync.startWorker()
    }

    // MARK: A folder that was removed

    @Test("D7: what is kept outlives `roundel remove`, which says so, and goes back where the folder was")
    func removed() throws {
        let sync = try Self.withVersions()
        let removed = try sync.roundel("remove", sync.local)
        #expect(removed.status == 0 && removed.output.contains("3 replaced or deleted versions (7 bytes) are kept"))
        for _ in 0..<2 {
            let listed = try sync.roundel("trash", "--json").output
            #expect(listed.matches(of: /"removed":true/).count == 3, "\(listed)")
            for place in ["store", "desktop", "remote"] { #expect(listed.contains("\"place\":\"\(place)\"")) }
            try Self.restartWorker(sync)
        }
        #expect(try sync.roundel("trash", "restore", sync.path("a")).output.contains("/Sync/a (restored).\n"))
        #expect(try sync.roundel("trash", "restore", sync.path("d")).status == 0)
        let onRemote = try sync.roundel("trash", "restore", sync.path("c"))
        #expect(onRemote.status == 0 && onRemote.output.contains("Remote/c.") && !onRemote.output.contains("next sync"))
        #expect(
            try sync.localTexts() == ["a": "second", "a (restored)": "first", "d/b": "b", "d/e": "e", "stays": "stays"])
        #expect(try sync.remoteTexts() == ["a": "second", "c": "c", "d/e": "e", "stays": "stays"])
        #expect(try Self.kept(sync) == 0 && Self.settings(sync).contains("\"removed\""))
        try Self.restartWorker(sync)
        try sync.world.until("a folder of which nothing is kept is forgotten") {
            try !Self.settings(sync).contains("\"removed\"")
        }
        #expect(try sync.roundel("trash", "restore", sync.path("a")).errors.contains("not in a synced folder"))
    }

    @Test("What is kept of a folder is found after `roundel remove`, also if its database could not be used then")
    func removedWithoutDatabase() throws {
        let sync = try Self.withVersions()
        sync.killWorker()
        let id = try #require(try Self.settings(sync).firstMatch(of: /"id" : "(f[0-9a-f]+)"/)?.1)
        let state = "\(sync.world.installation.root)/state/roundel/worker/\(id)"
        for name in try Disk.names(state) where name.hasPrefix("trees.sqlite") { try Disk.remove("\(state)/\(name)") }
        // No database can be opened or made there.
        try Disk.makeDirectory("\(state)/trees.sqlite")
        try sync.startWorker()
        try sync.world.until("it says so") {
            try sync.roundel("status", "--json", sync.local).output.contains("\"error\"")
        }
        let removed = try sync.roundel("remove", sync.local)
        #expect(removed.output.contains("3 replaced or deleted versions (7 bytes) are kept"), "\(removed)")
        let listed = try sync.roundel("trash", "--json").output
        #expect(listed.matches(of: /"removed":true/).count == 3, "\(listed)")
        #expect(try sync.roundel("trash", "restore", sync.path("a")).output.contains("/Sync/a (restored).\n"))
    }

    @Test("Nothing is remembered of a folder of which nothing is kept")
    func removedWithout() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let removed = try sync.roundel("remove", sync.local, "--json")
        #expect(removed.output.hasSuffix("\"kept\":0,\"kept_bytes\":0,\"kept_partial\":false}\n"))
        try sync.world.until("it is forgotten") { try !Self.settings(sync).contains("\"removed\"") }
    }

    @Test("A folder that was added again lists what was kept before beside its own, once, and gets it back synced")
    func addedAgain() throws {
        let sync = try Self.withVersions()
        try sync.roundel("remove", sync.local)
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        #expect(try Self.kept(sync) == 3)
        for name in ["a", "c", "d/b"] { #expect(try sync.roundel("trash", "restore", sync.path(name)).status == 0) }
        try sync.sync()
        let all = ["a": "second", "a (restored)": "first", "c": "c", "d/b": "b", "d/e": "e", "stays": "stays"]
        #expect(try sync.localTexts() == all && sync.remoteTexts() == all)
    }

    @Test("Where the folder is gone, or another one has its place, a place is asked for", arguments: [false, true])
    func placeGone(another: Bool) throws {
        let sync = try Self.withVersions()
        try sync.roundel("remove", sync.local)
        try Disk.move(sync.local, sync.local + "-moved")
        try Disk.move(sync.remote, sync.remote + "-moved")
        if another {
            for place in [sync.local, sync.remote] { try Disk.makeDirectory(place) }
        }
        let refused = try sync.roundel("trash", "restore", sync.path("a"))
        #expect(refused.status == 1 && refused.errors.contains("--to"), "\(refused)")
        #expect(try !another || (Disk.names(sync.local).isEmpty && Disk.names(sync.remote).isEmpty))
        let target = try sync.world.makeFolder("Rescued")
        for name in ["a", "d/b"] {
            let restored = try sync.roundel("trash", "restore", "--to", target, sync.path(name))
            #expect(restored.status == 0 && restored.output.contains("Rescued/\(name)."), "\(restored)")
        }
        #expect(try Disk.text(target + "/a") == "first" && Disk.text(target + "/d/b") == "b")
        // The remote is not there either, which is said; when it is back so is what it keeps.
        #expect(try sync.roundel("trash").errors.contains("does not answer"))
        if another { Disk.removeAll(sync.remote) }
        try Disk.move(sync.remote + "-moved", sync.remote)
        #expect(try sync.roundel("trash", "restore", "--to", target, sync.path("c")).status == 0)
        #expect(try Disk.text(target + "/c") == "c" && Self.kept(sync) == 0)
    }

    @Test("What is restored to another file system comes whole, with its permissions, and is kept no longer")
    func anotherFileSystem() throws {
        let sync = try SyncWorld(files: ["d/a": "old"])
        #expect(chmod(sync.path("d/a"), 0o640) == 0)
        try sync.sync()
        try sync.writeRemote("d/a", "newer")
        try sync.sync()
        var template = Array("/dev/shm/roundel-test.XXXXXX".utf8CString)
        let target = String(cString: try #require(mkdtemp(&template)))
        defer { Disk.removeAll(target) }
        #expect(try sync.roundel("trash", "restore", "--to", target, sync.path("d/a")).status == 0)
        #expect(try Disk.text(target + "/d/a") == "old" && Disk.names(target + "/d") == ["a"])
        var status = stat()
        #expect(lstat(target + "/d/a", &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try Self.kept(sync) == 0)
    }

    @Test("What is kept of a removed folder ages on, and when nothing is left the folder is forgotten")
    func ages() throws {
        let sync = try SyncWorld(files: ["a": "first", "b": "b"])
        try sync.writeRemote("a", "second")
        try sync.sync()
        try Disk.remove(sync.path("b"))
        try sync.sync()
        try sync.roundel("remove", sync.local)
        #expect(try Self.kept(sync) == 2)
        sync.killWorker()
        let id = try #require(try Self.settings(sync).firstMatch(of: /"id" : "(f[0-9a-f]+)"/)?.1)
        let areas = ["\(sync.world.installation.root)/state/roundel/worker/\(id)", "\(sync.remote)/.roundel/\(id)"]
        // The machine has run for 31 days since.
        for area in areas {
            let text = try Disk.text(area + "/lived")
            let seconds = try #require(text.firstMatch(of: /Seconds=(\d+)/).flatMap { Int($0.1) })
            try Disk.write(area + "/lived", text.replacing(/Seconds=\d+/, with: "Seconds=\(seconds + 31 * 86_400)"))
        }
        try sync.startWorker()
        try sync.world.until("the folder is forgotten") { try !Self.settings(sync).contains("\"removed\"") }
        try sync.world.until("its directories are gone") { areas.allSatisfy { (try? Disk.names($0)) == nil } }
        #expect(try sync.localTexts() == ["a": "second"])
    }

    @Test("`roundel trash delete` deletes for good what is kept, here and on the remote, and nothing else")
    func deleted() throws {
        let sync = try Self.withVersions()
        let one = try sync.roundel("trash", "delete", sync.path("a"))
        #expect(one.status == 0 && one.output == "1 kept version (5 bytes) was deleted.\n")
        try sync.roundel("remove", sync.local)
        let rest = try sync.roundel("trash", "delete", sync.local, "--json")
        #expect(rest.output == #"{"deleted":1,"bytes":1,"desktop":1,"partial":false}"# + "\n")
        let left = try sync.roundel("trash", "--json").output
        #expect(left.contains("\"place\":\"desktop\"") && left.matches(of: /"id":/).count == 1)
        #expect(try sync.localTexts() == ["a": "second", "d/e": "e", "stays": "stays"])
        #expect(try sync.remoteTexts() == sync.localTexts())
        #expect(try sync.roundel("trash", "delete", "/").status == 1)
    }

    @Test(
        "A remote that does not answer does not keep a folder from being removed, and it is said that it was not asked",
        .enabled(if: SilentMount.isPermitted, "mounting needs root and /dev/fuse"))
    func silentRemote() throws {
        let sync = try Self.withVersions(letsTimeRunOut: true)
        let mount = try SilentMount(at: sync.remote)
        let removed = try sync.roundel("remove", sync.local)
        #expect(removed.status == 0 && removed.output.contains("is not counted"), "\(removed)")
        #expect(try Self.settings(sync).contains("\"removed\""))
        withExtendedLifetime(mount) {}
    }

    // MARK: Everything since a moment

    /// A moment after everything up to now: what is kept is dated in seconds.
    private static func moment(_ world: World) throws -> String {
        let before = time(nil)
        try world.until("the next second") { time(nil) > before }
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let day = "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    @Test("D7: all that was replaced or deleted since a moment comes back as it was then, whole directories included")
    func since() throws {
        let sync = try SyncWorld(files: [
            "a": "first", "d/x": "x", "d/e/y": "y", "keep": "keep", "far/z": "z", "s": "s",
        ])
        try sync.writeRemote("a", "second")
        try sync.sync()
        let moment = try Self.moment(sync.world)
        for text in ["the third", "and the fourth"] {
            try sync.writeRemote("a", text)
            try sync.sync()
        }
        Disk.removeAll("\(sync.remote)/d")
        try sync.sync()
        Disk.removeAll(sync.path("far"))
        try Disk.remove(sync.path("keep"))
        try sync.sync()
        #expect(try sync.localTexts() == ["a": "and the fourth", "s": "s"])
        let run = try sync.roundel("trash", "restore", "--all", "--since", moment, sync.local)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("items were restored.") && run.output.contains("1 of them is beside"), "\(run)")
        try sync.sync()
        let all = [
            "a": "and the fourth", "a (restored)": "second", "d/x": "x", "d/e/y": "y", "keep": "keep", "far/z": "z",
            "s": "s",
        ]
        #expect(try sync.localTexts() == all)
        #expect(try sync.remoteTexts() == all)
        #expect(try sync.sync().isSilent)
        // What stood before the moment, and what came in between, is kept still.
        let left = try sync.roundel("trash").output
        #expect(left.split(separator: "\n").count == 2, "\(left)")
        let nothing = try sync.roundel("trash", "restore", "--all", "--since", try Self.moment(sync.world))
        #expect(nothing.status == 0 && nothing.output.hasPrefix("Nothing is kept"))
    }

    @Test("What cannot come back is named, with 2; below a directory nothing outside it comes back")
    func sinceInTheWay() throws {
        let sync = try SyncWorld(files: ["d/x": "x", "e/y": "y", "e/z": "z", "keep": "keep"])
        Disk.removeAll("\(sync.remote)/d")
        Disk.removeAll("\(sync.remote)/e")
        try sync.sync()
        #expect(try sync.localTexts() == ["keep": "keep"])
        try sync.write("d", "a file")
        try sync.sync()
        let below = try sync.roundel("trash", "restore", "--all", "--since", "1h", sync.path("e/y"))
        #expect(below.status == 0 && below.output == "1 item was restored.\n")
        let run = try sync.roundel("trash", "restore", "--all", "--since", "1h")
        #expect(run.status == 2 && run.output.contains("1 item could not be restored."), "\(run)")
        #expect(run.output.contains("/Sync/d/x  "))
        #expect(try sync.localTexts() == ["d": "a file", "e/y": "y", "e/z": "z", "keep": "keep"])
    }

    @Test("Of a removed folder all comes back, to the place that is named")
    func sinceOfRemoved() throws {
        let sync = try Self.withVersions()
        try sync.roundel("remove", sync.local)
        let target = try sync.world.makeFolder("Rescued")
        let run = try sync.roundel("trash", "restore", "--all", "--since", "1d", "--to", target, sync.local, "--json")
        #expect(run.status == 0)
        #expect(run.output == #"{"restored":3,"beside":0,"failed":0,"items":[],"unlisted":[]}"# + "\n")
        #expect(
            try Disk.tree(target).compactMapValues { $0.map { String(decoding: $0, as: UTF8.self) } } == [
                "a": "first", "c": "c", "d/b": "b",
            ])
        #expect(try Self.kept(sync) == 0)
    }
}

import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Folders on demand over the real interface, with the real worker and a real mount.
@Suite(.enabled(if: OnDemandWorld.isPossible, "no FUSE"))
struct OnDemandTests {
    private static let film = String(repeating: "film ", count: 20_000)

    @Test("D2, D3: what the remote has is shown with its size and date, and comes when it is opened")
    func opening() throws {
        let folder = try OnDemandWorld(remote: ["film": Self.film, "d/note": "note"], local: ["own": "own"])
        try folder.await("film", .online)
        try folder.await("own", .here)
        let here = try folder.status(folder.sync.path("film"))
        let there = try folder.status(folder.sync.remote + "/film")
        #expect(here.st_size == there.st_size && here.st_mtim.tv_sec == there.st_mtim.tv_sec && here.st_blocks == 0)
        let all = try folder.attributes("film")
        #expect(all.string("state") == "online-only" && all.uint64("bytes-online") == UInt64(Self.film.utf8.count))
        #expect(all.uint64("files-online") == 1 && all.bool("pinned") == false)
        #expect(try folder.attributes("").string("contents") == "partly")
        #expect(try folder.read("film") == Self.film)
        try folder.await("film", .here)
        // A program is told of changes in the mounted folder, and so is the worker.
        try folder.sync.write("d/mine", "mine")
        try folder.world.until("it is uploaded") { Disk.textIfThere(folder.sync.remote + "/d/mine") == "mine" }
        #expect(try Disk.text(folder.sync.remote + "/own") == "own")
    }

    @Test("D5, D9: contents are freed, fetched and kept by calls; what is refused says why")
    func calls() throws {
        let folder = try OnDemandWorld(remote: ["a": "aaa", "d/b": "bb", "d/c": "c"], local: ["own": "own"])
        let items = { (names: [String]) in DBusValue.strings(names.map { uri(folder.sync.path($0)) }) }
        let fetched = try folder.call("Fetch", items(["a", "d", "d/b"]))[0].map
        #expect(fetched?.uint64("files") == 3 && fetched?.uint64("bytes") == 6 && fetched?.uint64("failed") == 0)
        #expect(try Disk.text(folder.sync.path("d/b")) == "bb")
        let freed = try folder.call("Free", items(["d"]))[0].map
        #expect(freed?.uint64("files") == 2 && freed?.uint64("bytes") == 3)
        try folder.await("d", .online)
        #expect(try folder.refusal("Pin", items(["d/b"])) == nil)
        try folder.await("d/b", .here)
        #expect(try folder.attributes("d/b").bool("pinned") == true)
        #expect(try folder.refusal("Free", items(["d/b"])) == "Pinned")
        #expect(try folder.refusal("Unpin", items(["d/b"])) == nil)
        let file = open(folder.sync.path("d/b"), O_RDONLY | O_CLOEXEC)
        #expect(try folder.refusal("Free", items(["d/b"])) == "InUse")
        close(file)
        #expect(try folder.refusal("Free", items(["d/b"])) == nil)
        #expect(try folder.refusal("Fetch", items(["no such file"])) == "NotSynced")
        #expect(try folder.refusal("Fetch", .strings(["file:///elsewhere"])) == "UnknownFolder")
        #expect(try folder.refusal("Fetch", .strings(["elsewhere"])) == "InvalidUri")
        try folder.call(
            "SetRule", .string(uri(folder.sync.local)), .map(["free-below": .uint64(1), "free-unused": .uint64(60)]))
        try folder.call("SetRule", .string(uri(folder.sync.local)), .map(["free-unused": .uint64(0)]))
        let rule = try folder.call("Rule", .string(uri(folder.sync.local)))[0].map
        #expect(rule?.uint64("free-below") == 1 && rule?.uint64("free-unused") == 0)
    }

    @Test("A folder becomes one on demand and an ordinary one again; files of both kinds stay what they are")
    func turning() throws {
        let folder = try OnDemandWorld(remote: ["film": Self.film], local: ["own": "own"], adds: false)
        #expect(try folder.sync.roundel("add", folder.sync.local, folder.sync.remote, "--wait").status == 0)
        let place = DBusValue.string(uri(folder.sync.local))
        #expect(try folder.refusal("Rule", place) == "NotOnDemand")
        let before = try folder.status(folder.sync.path("own"))
        try folder.call("SetOnDemand", place, .bool(true))
        #expect(folder.isMounted)
        #expect(try folder.status(folder.sync.path("own")).st_ino == before.st_ino)
        try folder.await("film", .here)
        #expect(try folder.sync.sync().isSilent)
        try folder.sync.writeRemote("new", "new")
        #expect(try folder.sync.sync().status == 0)
        try folder.await("new", .online)
        try folder.call("Free", .strings([uri(folder.sync.path("film"))]))
        try folder.call("SetOnDemand", place, .bool(false))
        #expect(!folder.isMounted)
        #expect(try folder.sync.localTexts() == ["film": Self.film, "own": "own", "new": "new"])
        #expect(try folder.sync.sync().isSilent)
        // To set what is set is no error.
        try folder.call("SetOnDemand", place, .bool(false))
        // What was fetched for that is not kept for good.
        try folder.call("SetOnDemand", place, .bool(true))
        #expect(try folder.refusal("Free", .strings([uri(folder.sync.path("film"))])) == nil)
        try folder.await("film", .online)
    }

    @Test("A folder in which a program works does not become one on demand")
    func inUse() throws {
        let folder = try OnDemandWorld(remote: [:], local: ["own": "own"], adds: false)
        #expect(try folder.sync.roundel("add", folder.sync.local, folder.sync.remote, "--wait").status == 0)
        let program = try RunningProgram(
            ["/bin/sleep", "600"], environment: RunningProgram.inheritedEnvironment, directory: folder.sync.local)
        #expect(try folder.refusal("SetOnDemand", .string(uri(folder.sync.local)), .bool(true)) == "InUse")
        program.kill()
        #expect(!folder.isMounted)
        #expect(try Disk.text(folder.sync.path("own")) == "own")
    }

    @Test("Who opens what cannot be reached gets ENETUNREACH, and one notice says which programs wanted what")
    func offline() throws {
        let world = try World(starts: false)
        let notifications = try StandInNotifications(world)
        let folder = try OnDemandWorld(remote: ["a": "a", "b": "b"], in: world)
        try folder.await("a", .online)
        try Disk.move(folder.sync.remote, folder.sync.remote + "-gone")
        // Until then, what is open of it can still be read.
        try world.until("the remote is missed") {
            try folder.sync.roundel("status", "--json").output.contains("remote-missing")
        }
        for name in ["a", "b"] {
            let outcome = try folder.reading(name).finish()
            #expect(outcome.status == 1 && outcome.errors.contains("Network is unreachable"), "\(outcome)")
        }
        try world.until("a notice") {
            notifications.shown.contains { $0.title.contains("could not be opened") && $0.text.contains("“cat”") }
        }
        #expect(notifications.shown.count { $0.title.contains("could not be opened") } <= 2)
        try Disk.move(folder.sync.remote + "-gone", folder.sync.remote)
        _ = try folder.sync.sync()
        try world.until("it is read") { try folder.reading("a").finish().output == "a" }
        try world.until("the notice is gone") { notifications.closed > 0 }
    }

    @Test("A program that waits when the worker is killed gets an error; the next worker brings contents again")
    func killedWorker() throws {
        let folder = try OnDemandWorld(remote: ["film": Self.film])
        try folder.await("film", .online)
        folder.sync.worker?.signal(SIGSTOP)
        let reading = try folder.reading("film")
        try folder.world.until("it waits") { try self.isWaiting(reading.identifier) }
        folder.sync.killWorker()
        let outcome = try reading.finish()
        #expect(outcome.status == 1, "\(outcome)")
        #expect(folder.isMounted)
        let without = try folder.reading("film").finish()
        #expect(without.status == 1 && without.errors.contains("Network is unreachable"), "\(without)")
        try folder.sync.startWorker()
        try folder.world.until("it is read") { try folder.reading("film").finish().output == Self.film }
    }

    private func isWaiting(_ process: pid_t) throws -> Bool {
        Disk.textIfThere("/proc/\(process)/wchan")?.contains("fuse") == true
            || Disk.textIfThere("/proc/\(process)/syscall")?.hasPrefix("257 ") == true
    }

    @Test("A folder whose program is killed is mounted again, and nothing is deleted meanwhile")
    func killedMount() throws {
        let folder = try OnDemandWorld(remote: ["film": Self.film, "d/note": "note"])
        try folder.await("film", .online)
        let program = try #require(try folder.mountProgram())
        kill(program, SIGKILL)
        try folder.world.until("it is mounted again") {
            let other = try folder.mountProgram()
            return other != nil && other != program && Disk.exists(folder.sync.path("film"))
        }
        try folder.world.until("it is read") { try folder.reading("film").finish().output == Self.film }
        try folder.sync.write("new", "new")
        try folder.world.until("it is uploaded") { Disk.textIfThere(folder.sync.remote + "/new") == "new" }
        #expect(try folder.sync.remoteTexts() == ["film": Self.film, "d/note": "note", "new": "new"])
    }

    @Test("A folder that is removed keeps what is here as ordinary files")
    func removing() throws {
        let folder = try OnDemandWorld(remote: ["film": Self.film, "d/note": "note"], local: ["own": "own"])
        try folder.await("film", .online)
        #expect(try folder.read("d/note") == "note")
        try folder.await("d/note", .here)
        let remove = { (options: VariantMap) in
            try folder.world.call(
                folder.bus, Names.worker, Names.workerPath, EngineInterface.folders.name, "RemoveFolder",
                [.string(uri(folder.sync.local)), .map(options)])
        }
        do {
            _ = try remove([:])
            Issue.record("it was removed")
        } catch let error as DBusError {
            #expect(shortName(error) == "PlaceholdersLeft")
        }
        #expect(folder.isMounted)
        let extra = try remove(["drop-placeholders": .bool(true)])[0].map
        #expect(extra?.uint64("dropped") == 1)
        #expect(!folder.isMounted)
        #expect(try folder.sync.localTexts() == ["d/note": "note", "own": "own"])
        #expect(try folder.sync.remoteTexts() == ["film": Self.film, "d/note": "note", "own": "own"])
    }

    @Test("Menus offer to download, free and keep, and do so")
    func menus() throws {
        let world = try World(starts: false)
        let notifications = try StandInNotifications(world)
        let folder = try OnDemandWorld(remote: ["film": Self.film, "d/note": "note"], in: world)
        try folder.await("film", .online)
        let host = try folder.world.host()
        let selection = [uri(folder.sync.path("film"))]
        func labels() throws -> [String] {
            try host.menu(MenuKind.items.rawValue, uri(folder.sync.local), selection).items.compactMap {
                $0.string("label")
            }
        }
        func choose(_ id: String) throws {
            var menu: UInt64 = 0
            try folder.world.until("an item \(id)") {
                let found = try host.menu(MenuKind.items.rawValue, uri(folder.sync.local), selection)
                menu = found.id
                return found.items.contains { $0.string("id") == "roundel/\(id)" }
            }
            _ = try host.call("Activate", [.uint64(menu), .string("roundel/\(id)")])
        }
        try folder.world.until("the menu") { try labels().prefix(2) == ["Download", "Always Keep on This Computer"] }
        try choose("download")
        try folder.await("film", .here)
        try folder.world.until("a notice") {
            notifications.shown.contains { $0.title == "1 file downloaded (100 kB)" }
        }
        try folder.world.until("the menu") { try labels().prefix(1) == ["Free Up Space (100 kB)"] }
        try choose("free-up")
        try folder.await("film", .online)
        try choose("pin")
        try folder.await("film", .here)
        try choose("unpin")
        try folder.world.until("it is not kept") { try folder.attributes("film").bool("pinned") == false }
    }

    @Test("What comes back from the trash without its contents is put back on the remote, with no transfer")
    func returned() throws {
        // Of which so many stay that nobody is asked about what is deleted.
        let rest = Dictionary(uniqueKeysWithValues: (0..<9).map { ("rest\($0)", "rest") })
        let all = rest.merging(["film": Self.film, "d/e/note": "note", "lost": "lost"]) { $1 }
        let folder = try OnDemandWorld(remote: all)
        for name in ["film", "d/e/note", "lost"] { try folder.await(name, .online) }
        let trash = folder.sync.path(".Trash-\(geteuid())/files/")
        try Disk.makeDirectories(trash)
        for name in ["film", "d", "lost"] { try Disk.move(folder.sync.path(name), trash + name) }
        try folder.world.until("all is deleted") { try folder.sync.remoteTexts() == rest }
        #expect(try folder.sync.roundel("trash", "delete", folder.sync.path("lost")).status == 0)
        for name in ["film", "d", "lost"] { try Disk.move(trash + name, folder.sync.path(name)) }
        try folder.world.until("it is there again") {
            try folder.sync.remoteTexts() == all.filter { $0.key != "lost" }
        }
        for name in ["film", "d/e/note"] {
            try folder.world.until("\(name) is synced") {
                try folder.attributes(name).string("state") == "online-only"
            }
            try folder.await(name, .online)
        }
        let log = try folder.sync.roundel("activity", "--json").output
        #expect(!log.contains("\"uploaded\"") && !log.contains("\"downloaded\""), "\(log)")
        let why = try folder.sync.roundel("why", folder.sync.path("lost")).output
        #expect(why.contains("they are gone"), "\(why)")
        #expect(try folder.read("film") == Self.film)
    }

    @Test("A program that goes through many files waits until a person says whether it may")
    func manyFiles() throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<130).map { ("f\(1_000 + $0)", "text \($0)") })
        let world = try World(starts: false)
        let notifications = try StandInNotifications(world)
        let folder = try OnDemandWorld(remote: many, in: world)
        try folder.await("f1000", .online)
        let program = try RunningProgram(
            ["/bin/cat"] + many.keys.sorted().map { folder.sync.path($0) },
            environment: RunningProgram.inheritedEnvironment.merging(["LC_ALL": "C"]) { $1 })
        try world.until("a question") { !notifications.shown.isEmpty }
        let question = notifications.shown[0]
        #expect(question.title.hasPrefix("“cat” wants to download "))
        let stop = try #require(question.buttons.firstIndex(of: "Stop"))
        try notifications.press(question.buttons[stop - 1])
        let outcome = try program.finish()
        #expect(outcome.status == 1 && outcome.errors.contains("Operation canceled"), "\(outcome)")
        #expect(outcome.output.split(separator: "text ").count == 100)
    }
}

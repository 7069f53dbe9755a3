import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// The worker end to end: what a person does, and what becomes of it on both sides.
@Suite struct WorkerTests {
    /// How many files went each way. The run that `add --wait` waits for may not be all of them: a new folder begins by
    /// itself where the command is slow to ask for it.
    private func transfers(_ sync: SyncWorld) throws -> [String: Int] {
        let activity = try sync.roundel("activity", "--json").output
        return [
            "uploaded": activity.matches(of: /"action":"uploaded"/).count,
            "downloaded": activity.matches(of: /"action":"downloaded"/).count,
        ]
    }

    @Test("F1: a folder that is added is uploaded whole, and every item shows synced")
    func add() throws {
        let sync = try SyncWorld(adds: false, files: ["a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "c"])
        try Disk.makeDirectory(sync.path("empty"))
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        #expect(try transfers(sync) == ["uploaded": 3, "downloaded": 0])
        #expect(try sync.remoteTree() == sync.localTree())
        for name in ["", "a.txt", "d", "d/e/c.txt", "empty"] { try sync.awaitBadge(name, "synced") }
        #expect(try sync.sync().isSilent)
        #expect(try sync.roundel("add", sync.local, sync.remote).status == 1)
        #expect(try sync.roundel("add", sync.path("d"), sync.remote + "2").status != 0)
    }

    @Test("Without a folder there is nothing to verify, and that is said")
    func verifiesNothing() throws {
        let sync = try SyncWorld(adds: false)
        let run = try sync.roundel("verify")
        #expect(run.status == 1 && run.errors.contains("No folder is synced, so nothing can be compared."))
    }

    @Test("What both sides hold is united, nothing is deleted; equal files are not transferred")
    func union() throws {
        let sync = try SyncWorld(adds: false, files: ["a": "a", "same": "same"])
        try sync.writeRemote("b", "b")
        try sync.writeRemote("same", "same")
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        #expect(try transfers(sync) == ["uploaded": 1, "downloaded": 1])
        #expect(try sync.localTexts() == ["a": "a", "b": "b", "same": "same"])
        #expect(try sync.remoteTree() == sync.localTree())
    }

    @Test("D4: an edit on either side is on the other after sync; an edit made just before is included")
    func edit() throws {
        let sync = try SyncWorld(files: ["a": "one", "b": "one"])
        for number in 0..<5 {
            try sync.write("a", "edit \(number)")
            try sync.sync()
            #expect(try sync.remoteTexts()["a"] == "edit \(number)")
        }
        try Disk.replace(sync.path("a"), "saved as editors do")
        try sync.writeRemote("b", "from there")
        try sync.sync()
        #expect(try sync.remoteTexts() == ["a": "saved as editors do", "b": "from there"])
        #expect(try sync.localTexts() == sync.remoteTexts())
        #expect(try sync.sync().isSilent)
    }

    @Test("An edit is synced without being asked for")
    func byItself() throws {
        let sync = try SyncWorld(files: ["a": "one"])
        try sync.write("a", "two")
        try sync.write("new/deep/b", "b")
        try sync.world.until("the edits are at the remote") {
            try sync.remoteTexts() == ["a": "two", "new/deep/b": "b"]
        }
        try sync.writeRemote("c", "c")
        try sync.world.until("the remote's edit is here") { try sync.localTexts()["c"] == "c" }
    }

    @Test("F7: a host is told of an item that is deleted and made again, and of one that was not there when it asked")
    func badgesOfItemsThatComeAndGo() throws {
        let sync = try SyncWorld(files: ["a": "one"])
        let host = try sync.world.host()
        let directory = uri(sync.local)
        try host.begin(directory)
        try sync.world.until("the badge is there") {
            try host.badges(directory, ["a", "later"]).map(\.badge) == ["synced", ""]
        }
        for round in 1...3 {
            for name in ["a", "later"] {
                if Disk.exists(sync.path(name)) {
                    try Disk.remove(sync.path(name))
                    try host.await(directory, name, "")
                    try sync.sync()
                }
                try sync.write(name, "\(round)")
                try host.await(directory, name, "synced")
            }
        }
    }

    @Test("D13: a rename, of a file or of a folder with everything in it, transfers nothing")
    func rename() throws {
        let sync = try SyncWorld(files: ["a": "a", "d/b": "b", "d/e/c": "c"])
        try sync.roundel("pause", sync.local)
        try Disk.move(sync.path("a"), sync.path("z"))
        try Disk.move(sync.path("d"), sync.path("moved"))
        try Disk.move(sync.path("moved/e/c"), sync.path("c"))
        try sync.roundel("resume", sync.local)
        try sync.sync()
        #expect(try sync.remoteTexts() == ["z": "a", "moved/b": "b", "c": "c"])
        #expect(try sync.remoteTree() == sync.localTree())
        let activity = try sync.roundel("activity", "--json").output
        #expect(activity.matches(of: /"action":"moved"/).count >= 3)
        #expect(activity.matches(of: /"action":"uploaded"/).count == 3)
        #expect(!activity.contains("downloaded"))
    }

    @Test("What the remote deletes goes to the trash and can be restored; what is deleted here is deleted there")
    func delete() throws {
        let sync = try SyncWorld(files: ["a": "a", "b": "b", "c": "c"])
        try Disk.remove(sync.path("a"))
        try Disk.remove(sync.remote + "/b")
        try sync.sync()
        #expect(try sync.localTexts() == ["c": "c"])
        #expect(try sync.remoteTexts() == ["c": "c"])
        let trash = try sync.roundel("trash", "list", "--json").output
        #expect(trash.contains(uri(sync.path("b"))))
        #expect(trash.value(of: "reason") == "deleted")
        #expect(trash.contains("\"place\":\"remote\"") && trash.contains("\"place\":\"desktop\""))
        #expect(try sync.roundel("trash", "restore", sync.path("b")).status == 0)
        try sync.sync()
        #expect(try sync.localTexts() == ["b": "b", "c": "c"])
        #expect(try sync.remoteTexts() == ["b": "b", "c": "c"])
        #expect(try sync.roundel("trash", "restore", sync.path("nothing")).status == 1)
        #expect(try sync.roundel("trash", "restore", sync.path("a")).output.contains("on the remote"))
        try sync.sync()
        #expect(try sync.localTexts() == ["a": "a", "b": "b", "c": "c"])
        #expect(try sync.remoteTree() == sync.localTree())
    }

    @Test("A deleted directory comes back from the remote with all that was in it")
    func deletedDirectory() throws {
        let sync = try SyncWorld(files: ["d/a": "a", "d/e/b": "b", "c": "c", "f": "f"])
        Disk.removeAll(sync.path("d"))
        try sync.sync()
        #expect(try sync.remoteTexts() == ["c": "c", "f": "f"])
        #expect(try sync.roundel("trash", "restore", sync.path("d"), "--json").output.contains("\"count\":4"))
        try sync.sync()
        #expect(try sync.localTexts() == ["d/a": "a", "d/e/b": "b", "c": "c", "f": "f"])
        #expect(try sync.remoteTree() == sync.localTree())
    }

    @Test("A version that the remote replaces can be restored")
    func replaced() throws {
        let sync = try SyncWorld(files: ["a": "precious"])
        try sync.writeRemote("a", "newer")
        try sync.sync()
        #expect(try sync.localTexts() == ["a": "newer"])
        #expect(try sync.roundel("trash", "list", "--json").output.value(of: "reason") == "replaced")
        #expect(try sync.roundel("trash", "restore", sync.path("a")).status == 0)
        try sync.sync()
        #expect(try sync.localTexts().values.sorted() == ["newer", "precious"])
        #expect(try sync.remoteTree() == sync.localTree())
    }

    @Test("A long list of what is kept comes in parts, each item once")
    func listInParts() throws {
        let names = (0..<7).map { "f\($0)" }
        let sync = try SyncWorld(files: Dictionary(uniqueKeysWithValues: names.map { ($0, "first") }))
        for name in names { try sync.writeRemote(name, "the second") }
        try sync.sync()
        let bus = try sync.world.connect()
        var (listed, next): ([String], String?) = ([], nil)
        for _ in 0..<4 {
            let options: VariantMap = ["limit": .uint32(2)].merging(next.map { ["after": .string($0)] } ?? [:]) { $1 }
            let reply = try sync.world.call(
                bus, Names.worker, Names.workerPath, EngineInterface.trash.name, "ListTrash",
                [.string(""), .map(options)])
            let part = reply.first?.maps?.compactMap { $0.string("uri") } ?? []
            #expect(part.count <= 2)
            listed += part
            next = reply.last?.map?.string("next")
        }
        #expect(next == nil)
        #expect(listed.sorted() == names.map { uri(sync.path($0)) })
    }

    @Test("Of several versions the one whose id is given is restored, not the newest")
    func chosenVersion() throws {
        let sync = try SyncWorld(files: ["a": "first"])
        for text in ["the second", "and the third"] {
            try sync.writeRemote("a", text)
            try sync.sync()
            #expect(try sync.localTexts() == ["a": text])
        }
        let bus = try sync.world.connect()
        func ask(_ member: String, _ arguments: [DBusValue]) throws -> [DBusValue] {
            try sync.world.call(bus, Names.worker, Names.workerPath, EngineInterface.trash.name, member, arguments)
        }
        let listed = try ask("ListTrash", [.string(""), .map([:])]).first?.maps ?? []
        let oldest = try #require(listed.first { $0.uint64("size") == 5 })
        let options: VariantMap = ["id": .string(try #require(oldest.string("id")))]
        _ = try ask("RestoreTrash", [.string(uri(sync.path("a"))), .map(options)])
        try sync.sync()
        #expect(try sync.localTexts().values.sorted() == ["and the third", "first"])
        #expect(throws: DBusError.self) {
            _ = try ask("RestoreTrash", [.string(uri(sync.path("a"))), .map(["id": .string("store:none")])])
        }
    }

    @Test(
        "D7: a conflict keeps both versions and is resolved by either path",
        arguments: ["mine", "theirs", "both"], [true, false])
    func conflict(how: String, byCopy: Bool) throws {
        let sync = try SyncWorld(files: ["a.txt": "base"])
        try sync.makeConflict("a.txt")
        let copy = try sync.conflictCopy()
        #expect(try sync.localTexts() == ["a.txt": "theirs", copy: "mine"])
        #expect(try sync.remoteTree() == sync.localTree())
        #expect(copy.hasPrefix("a (conflict ") && copy.hasSuffix(").txt"))
        for name in ["a.txt", copy, ""] { try sync.awaitBadge(name, "conflict") }
        let conflicts = try sync.roundel("conflicts", "--json", sync.local).output
        #expect(conflicts.value(of: "uri") == uri(sync.path("a.txt")))
        #expect(try sync.roundel("status").status == 2)
        #expect(try sync.roundel("resolve", sync.path(byCopy ? copy : "a.txt"), how).status == 0)
        #expect(try sync.sync().status == 0)
        let expected = ["mine": ["a.txt": "mine"], "theirs": ["a.txt": "theirs"]]
        #expect(try sync.localTexts() == expected[how] ?? ["a.txt": "theirs", copy: "mine"])
        #expect(try sync.remoteTree() == sync.localTree())
        for name in ["a.txt", ""] { try sync.awaitBadge(name, "synced") }
        #expect(try sync.roundel("resolve", sync.path("a.txt"), how).status == 1)
        if let reason = ["mine": "replaced", "theirs": "deleted"][how] {
            let kept = try sync.roundel("trash", "list", "--json").output
            #expect(kept.contains("\"reason\":\"\(reason)\""))
        }
    }

    @Test("A decision on a conflict that cannot be carried out fails with the reason, and the conflict stays")
    func refusedDecision() throws {
        let sync = try SyncWorld(files: ["a": "base"])
        let copy = try sync.makeUndecidableConflict()
        let refused = try sync.roundel("resolve", sync.path("a"), "mine")
        #expect(refused.status == 1 && refused.errors.contains("/\(copy)"), "\(refused)")
        #expect(try sync.sync().needs == "conflicts")
        #expect(try sync.localTexts() == ["a/b": "theirs", "a/\(copy)": "mine"])
        #expect(try sync.roundel("resolve", sync.path("a"), "both").status == 0)
    }

    @Test("A decision waits for a remote that is away and in a paused folder, which is said", arguments: [true, false])
    func waitingDecision(isPaused: Bool) throws {
        let sync = try SyncWorld(files: ["a.txt": "base"])
        try sync.makeConflict("a.txt")
        if isPaused { try sync.roundel("pause", sync.local) } else { try Disk.move(sync.remote, sync.remote + "-away") }
        let waits = try sync.roundel("resolve", sync.path("a.txt"), "mine")
        #expect(
            waits.status == 2 && waits.output.contains("is resolved when its folder can be synced again"), "\(waits)")
        if isPaused {
            try sync.roundel("resume", sync.local)
        } else {
            try Disk.move(sync.remote + "-away", sync.remote)
        }
        #expect(try sync.sync().status == 0)
        #expect(try sync.localTexts() == ["a.txt": "mine"] && sync.remoteTexts() == ["a.txt": "mine"])
    }

    @Test("A decision waits for a remote that is away before anybody noticed it, which is said")
    func decisionWithoutRemote() throws {
        let sync = try SyncWorld(adds: false, files: ["a.txt": "base"])
        let mount = try UnwatchedMount(at: sync.remote)
        let remote = mount.path + "/here"
        try Disk.makeDirectory(remote)
        #expect(try sync.roundel("add", sync.local, remote, "--wait").status == 0)
        try sync.roundel("pause", sync.local)
        try sync.write("a.txt", "mine")
        try Disk.write(remote + "/a.txt", "theirs")
        try sync.roundel("resume", sync.local)
        #expect(try sync.sync(sync.local).needs == "conflicts")
        try Disk.move(remote, remote + "-away")
        let waits = try sync.roundel("resolve", sync.path("a.txt"), "mine")
        #expect(waits.status == 2, "\(waits)")
        #expect(waits.output.contains("is resolved when its folder can be synced again"))
        try Disk.move(remote + "-away", remote)
        #expect(try sync.sync(sync.local).status == 0)
        #expect(try sync.localTexts() == ["a.txt": "mine"] && Disk.text(remote + "/a.txt") == "mine")
    }

    @Test("Delete against edit: the edit survives on both sides", arguments: [true, false])
    func deleteAgainstEdit(editedHere: Bool) throws {
        let sync = try SyncWorld(files: ["a": "base", "b": "b"])
        try sync.roundel("pause", sync.local)
        if editedHere {
            try sync.write("a", "edited")
            try Disk.remove(sync.remote + "/a")
        } else {
            try Disk.remove(sync.path("a"))
            try sync.writeRemote("a", "edited")
        }
        try sync.roundel("resume", sync.local)
        try sync.sync()
        #expect(try sync.localTexts().values.contains("edited"))
        #expect(try sync.remoteTree() == sync.localTree())
    }

    @Test("F8: an excluded item is not synced and says so; without the pattern it is synced again")
    func exclude() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        #expect(try sync.roundel("exclude", sync.local, "*.log").status == 0)
        try sync.write("x.log", "log")
        try sync.sync()
        #expect(try sync.remoteTexts() == ["a": "a"])
        try sync.awaitBadge("x.log", "excluded")
        #expect(try sync.roundel("exclude", sync.local, "--json").output.contains("\"*.log\""))
        #expect(try sync.roundel("exclude", sync.local, "--remove", "*.log").status == 0)
        try sync.sync()
        #expect(try sync.remoteTexts() == ["a": "a", "x.log": "log"])
        try sync.awaitBadge("x.log", "synced")
    }

    @Test("F8: an own pattern with ! takes back what a bundled or an earlier one excludes")
    func takenBack() throws {
        let sync = try SyncWorld(files: ["a": "a", "b.tmp": "b", "c.log": "c", "d/e.log": "e"])
        #expect(try sync.remoteTexts() == ["a": "a", "c.log": "c", "d/e.log": "e"])
        #expect(try sync.roundel("exclude", sync.local, "!*.tmp", "*.log", "!/d/e.log").status == 0)
        try sync.sync()
        #expect(try sync.remoteTexts()["b.tmp"] == "b")
        try sync.awaitBadge("c.log", "excluded")
        for name in ["b.tmp", "d/e.log"] { try sync.awaitBadge(name, "synced") }
        let listed = try sync.roundel("exclude", sync.local).output
        #expect(listed.contains("*.tmp  (bundled)\n") && listed.hasSuffix("!*.tmp\n*.log\n!/d/e.log\n"))
        for text in ["#comment", "[a", ""] {
            #expect(try sync.roundel("exclude", sync.local, text).status == 1, "\(text)")
        }
    }

    @Test("Symlinks and special files are excluded and say so")
    func special() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        try Disk.link(sync.path("link"), to: "/etc/passwd")
        mkfifo(sync.path("fifo"), 0o600)
        try sync.sync()
        #expect(try sync.remoteTexts() == ["a": "a"])
        for name in ["link", "fifo"] { try sync.awaitBadge(name, "excluded") }
    }

    @Test("F8: pause stops syncing and shows paused, over a restart of the worker; resume goes on")
    func pause() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        #expect(try sync.roundel("pause", sync.local).status == 0)
        try sync.write("a", "edited")
        try sync.awaitBadge("a", "paused")
        #expect(try sync.sync(sync.local).status == 1)
        sync.killWorker()
        try sync.startWorker()
        try sync.awaitBadge("a", "paused")
        #expect(try sync.remoteTexts() == ["a": "a"])
        #expect(try sync.roundel("resume", sync.local).status == 0)
        try sync.sync()
        #expect(try sync.remoteTexts() == ["a": "edited"])
        try sync.awaitBadge("a", "synced")
    }

    @Test("F8: a pause for a time says until when and ends by itself, also if the worker did not run when it was over")
    func pauseForATime() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let long = try sync.roundel("pause", sync.local, "--for", "2d")
        #expect(long.status == 0 && long.output.contains("” is paused until 20"), "\(long)")
        try sync.write("a", "edited")
        try sync.awaitBadge("a", "paused")
        let status = try sync.roundel("status", sync.local).output
        #expect(status.contains("Paused until 20") && status.contains("1 item waiting"), "\(status)")
        #expect(try sync.roundel("list", "--json").output.value(of: "paused_until")?.hasSuffix("Z") == true)
        // The new pause replaces the old one.
        #expect(try sync.roundel("pause", "--for", "2s").status == 0)
        try sync.world.until("the folder goes on") { try sync.remoteTexts() == ["a": "edited"] }
        #expect(try sync.roundel("list", "--json").output.value(of: "paused") == "false")
        #expect(try sync.roundel("pause", sync.local, "--for", "1s").status == 0)
        sync.killWorker()
        try sync.write("a", "edited again")
        sleep(2)
        try sync.startWorker()
        try sync.world.until("the folder goes on") { try sync.remoteTexts() == ["a": "edited again"] }
    }

    @Test("A pause of no length, or until a moment that is past, is wrong usage and pauses nothing")
    func pauseForNoTime() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let both = ["--for", "1h", "--until", "18:00"]
        for options in [["--for", "30"], ["--until", "2020-01-01"], ["--until", "soon"], both] {
            let refused = try sync.world.installation.run("roundel", ["pause", sync.local] + options)
            #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
            #expect(refused.errors.hasPrefix("roundel: "), "\(refused)")
        }
        #expect(try sync.roundel("list", "--json").output.value(of: "paused") == "false")
    }

    @Test("What happened to a file is told with its kept versions, each of which its command puts back")
    func history() throws {
        let sync = try SyncWorld(files: ["a": "first"])
        for text in ["second", "third one"] {
            try sync.writeRemote("a", text)
            try sync.sync()
        }
        try Disk.move(sync.path("a"), sync.path("b"))
        try sync.sync()
        let told = try sync.roundel("history", sync.path("b")).output
        #expect(told.matches(of: /uploaded/).count == 1 && told.matches(of: /downloaded/).count == 2, "\(told)")
        #expect(told.matches(of: /kept/).count == 4 && told.contains("a -> b"), "\(told)")
        #expect(!told.contains("store:"), "\(told)")
        // The size tells the versions apart, also where both were kept in the same second.
        let line = try #require(told.split(separator: "\n").first { $0.contains("--kept") })
        let moment = try #require(line.split(separator: "'").last.map(String.init))
        #expect(try sync.roundel("trash", "restore", sync.path("a"), "--kept", moment).status == 0)
        #expect(["first", "second"].contains(try Disk.text(sync.path("a"))))
        let none = try sync.roundel("trash", "restore", sync.path("a"), "--kept", "2001-01-01 00:00:00")
        #expect(none.status == 1 && none.errors.contains("No version of"), "\(none)")
    }

    @Test("E7: an item's place on the remote is printed, and opened as its menu does")
    func openOnRemote() throws {
        let sync = try SyncWorld(files: ["a": "a", "d/b": "b"])
        #expect(try sync.roundel("open", "--print", sync.path("d/b")).output == sync.remote + "/d/b\n")
        #expect(try sync.roundel("open", "--print", sync.local).output == sync.remote + "\n")
        let manager = try StandInFileManager(sync.world)
        let opening = try sync.world.installation.start("roundel", ["open", sync.path("d/b")])
        try sync.world.until("the file manager is asked") { !manager.calls.isEmpty }
        let opened = try opening.finish()
        #expect(opened.status == 0 && opened.output == sync.remote + "/d/b was opened.\n", "\(opened)")
        #expect(manager.calls == [.init(method: "ShowItems", uris: [uri(sync.remote + "/d/b")], startup: "")])
        try sync.roundel("pause", sync.local)
        try sync.write("new", "n")
        try sync.awaitBadge("new", "paused")
        let missing = try sync.roundel("open", sync.path("new"))
        #expect(missing.status == 1 && missing.errors.contains("is not on the remote"), "\(missing)")
        for verb in ["open", "share"] {
            #expect(try sync.roundel(verb, "/etc").errors.contains("not in a synced folder"), "\(verb)")
        }
        // A directory has nothing to share.
        let unshared = try sync.roundel("share", sync.path("d/b"), "--json")
        #expect(unshared.status == 1 && unshared.errors.hasPrefix(#"{"error":{"code":"not-offered""#), "\(unshared)")
    }

    @Test("badge --watch prints a line at each change")
    func badgeWatch() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let watch = try sync.world.installation.start("roundel", ["badge", "--watch", sync.path("a")])
        try watch.lines { $0.hasPrefix("synced") }
        // A badge that does not stay may be gone before anybody is told of it.
        try sync.roundel("pause", sync.local)
        try sync.write("a", "edited")
        try watch.lines { $0.hasPrefix("paused") }
        try sync.roundel("resume", sync.local)
        try watch.lines { $0.hasPrefix("synced") }
        watch.signal(SIGINT)
        #expect([0, 130].contains(try watch.wait()))
    }

    @Test("F9: the menu offers what the state allows, and its actions do it")
    func menu() throws {
        let sync = try SyncWorld(files: ["a.txt": "base"])
        // On a busy machine the worker may miss the time that a menu has; it is asked again then.
        func awaitMenu(_ item: String, _ arguments: String...) throws -> String {
            var shown = ""
            try sync.world.until("\(item) in the menu of \(arguments); the last was \(shown)") {
                shown = try sync.world.installation.run("roundel", ["menu"] + arguments).output
                return shown.contains(item)
            }
            return shown
        }
        let plain = try awaitMenu("roundel/sync-now", "items", sync.path("a.txt"), "--json")
        #expect(!plain.contains("resolve-mine"))
        try sync.world.until("the action is done") {
            try sync.roundel("do", "roundel/sync-now", sync.path("a.txt")).status == 0
        }
        #expect(try sync.roundel("do", "roundel/nothing", sync.path("a.txt")).status == 1)
        try sync.makeConflict("a.txt")
        _ = try awaitMenu("roundel/resolve-mine", "items", sync.path("a.txt"), "--json")
        var done = ""
        try sync.world.until("the conflict is resolved; the last was \(done)") {
            done = try sync.roundel("do", "roundel/resolve-mine", sync.path("a.txt"), "--json").output
            return done.value(of: "outcome") != nil
        }
        #expect(done.value(of: "outcome") == "done")
        try sync.sync()
        #expect(try sync.remoteTexts() == ["a.txt": "mine"])
        for kind in ["container", "sidebar"] { _ = try awaitMenu("roundel/", kind, sync.local) }
        #expect(try sync.roundel("menu", "toolbar").status == 0)
    }

    @Test("A dry run says which steps it would do, also none")
    func dryRun() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        #expect(try sync.roundel("sync", "--dry-run", "--json", sync.local).output.contains("\"steps\":[]"))
        try sync.roundel("pause", sync.local)
        try sync.write("b", "four")
        try sync.world.until("the new file is a step") {
            let said = try sync.roundel("sync", "--dry-run", "--json", sync.local).output
            return said.value(of: "action") == "upload" && said.value(of: "bytes") == "4"
        }
    }

    @Test("list, status, activity and ls say what is")
    func reports() throws {
        let sync = try SyncWorld(files: ["a": "a", "d/b": "b"])
        #expect(try sync.roundel("list", "--json").output.value(of: "uri") == uri(sync.local))
        // What was just done is heard of, and looked at, a moment later.
        var status = try sync.roundel("status", "--json")
        try sync.world.until("it says that all is synced") {
            status = try sync.roundel("status", "--json")
            return status.output.value(of: "state") == "synced" && status.output.value(of: "watching") == "true"
        }
        #expect(status.status == 0)
        #expect(try sync.roundel("activity", "--json").output.matches(of: /"action":"uploaded"/).count == 2)
        try sync.world.until("the listing has the badges") {
            let listing = try sync.roundel("ls", sync.local).output
            return listing.contains("a") && listing.contains("d/") && listing.contains("synced")
        }
        #expect(try sync.roundel("remove", sync.local).status == 0)
        #expect(try sync.roundel("list", "--json").output.value(of: "uri") == nil)
        #expect(try sync.localTexts() == sync.remoteTexts())
        #expect(try sync.roundel("nonsense").status == 64)
    }

    @Test("A folder that was moved is relocated, another one is not taken for it")
    func relocate() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let moved = sync.world.installation.root + "/home/Moved"
        let other = try sync.world.makeFolder("Other")
        try Disk.move(sync.local, moved)
        #expect(try sync.roundel("relocate", sync.local, other).status == 1)
        #expect(try sync.roundel("relocate", sync.local, moved).status == 0)
        #expect(try sync.roundel("list", "--json").output.value(of: "label") == "Moved")
        try Disk.write(moved + "/b", "b")
        #expect(try sync.sync().status == 0)
        #expect(try sync.remoteTexts() == ["a": "a", "b": "b"])
    }

    @Test(
        "A folder that went to another disk is relocated there; a copy is not while the original stands",
        .enabled(if: Mount.isPossible))
    func relocateToAnotherDisk() throws {
        let sync = try SyncWorld(files: ["a": "a", "d/b": "b", "d/c": "c"])
        let disk = try Mount(size: "8m")
        let moved = disk.path + "/Moved"
        #expect(system("cp -r '\(sync.local)' '\(moved)'") == 0)
        let refused = try sync.roundel("relocate", sync.local, moved)
        #expect(refused.status == 1 && refused.errors.contains("copy"))
        // In a moment: what goes by and by is deleted on the remote before the folder itself is missing.
        try Disk.move(sync.local, sync.local + "-gone")
        try Disk.remove(moved + "/d/c")
        try Disk.write(moved + "/d/b", "edited")
        let outcome = try sync.roundel("relocate", sync.local, moved)
        #expect(outcome.status == 0, "\(outcome)")
        try sync.world.until("it goes on where it was") { try sync.remoteTexts() == ["a": "a", "d/b": "edited"] }
        #expect(try Set(Disk.tree(moved).keys) == ["a", "d", "d/b"])
    }

    @Test("Names are bytes: what is no UTF-8, newlines, 255 bytes and both normalisations reach the other side")
    func names() throws {
        let sync = try SyncWorld()
        let names: [[UInt8]] = [
            [0xFF, 0xFE, 0x61], Array("new\nline".utf8), Array(repeating: 0x78, count: 255), Array("ä".utf8),
            Array("a\u{308}".utf8), Array(" -rf * ".utf8), [0x5C, 0x22, 0x27, 0x01],
        ]
        for (number, name) in names.enumerated() {
            try Disk.write(Array(sync.local.utf8) + [0x2F] + name, [UInt8(number)])
        }
        #expect(try sync.sync().status == 0)
        #expect(try sync.remoteTree().count == names.count)
        #expect(try sync.remoteTree() == sync.localTree())
        try sync.world.until("all have their badges") {
            let badges = try sync.world.installation.run(
                bytes: "roundel", [Array("badge".utf8)] + names.map { Array(sync.local.utf8) + [0x2F] + $0 })
            return badges.output.matches(of: #/(?m)^synced/#).count == names.count
        }
    }
}

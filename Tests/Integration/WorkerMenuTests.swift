import DBus
import RoundelBus
import Support
import TestSupport
import Testing

/// The worker's menus as a person meets them, and what their items do.
@Suite struct WorkerMenuTests {
    /// An item's label, with its children's in parentheses; `-` before what is disabled, `--` for a separator.
    private func labels(_ items: [VariantMap]) -> [String] {
        items.map { item in
            if item.string("type") == "separator" { return "--" }
            let children = labels(item.maps("children") ?? [])
            let label = (item.bool("enabled") ?? true ? "" : "-") + (item.string("label") ?? "?")
            return children.isEmpty ? label : "\(label) (\(children.joined(separator: ", ")))"
        }
    }

    private func labels(_ sync: SyncWorld, _ kind: UInt32, _ target: String, _ names: [String] = []) throws -> [String]
    {
        let selection = names.map { uri(sync.path($0)) }
        return labels(try sync.world.host().menu(kind, target, selection).items)
    }

    /// A menu, which has to have an item.
    private func menu(
        _ host: HostClient, _ kind: UInt32, _ target: String, _ selection: [String] = [], with id: String
    ) throws -> (id: UInt64, items: [VariantMap]) {
        let menu = try host.menu(kind, target, selection)
        guard holds("roundel/" + id, menu.items) else { throw Failure("no \(id) in \(labels(menu.items))") }
        return menu
    }

    /// Whether a menu or one below it has an item of this id.
    private func holds(_ id: String, _ items: [VariantMap]) -> Bool {
        items.contains { $0.string("id") == id || holds(id, $0.maps("children") ?? []) }
    }

    /// Chooses an item and waits for the end of what it does; gives the outcome and its message.
    @discardableResult
    private func choose(
        _ host: HostClient, _ id: String, _ kind: UInt32, _ target: String, _ selection: [String] = [],
        options: VariantMap = [:]
    ) throws -> (outcome: UInt32, message: String) {
        let menu = try menu(host, kind, target, selection, with: id)
        return try choose(host, id, of: menu.id, options: options)
    }

    /// The same from a menu that is there.
    private func choose(
        _ host: HostClient, _ id: String, of menu: UInt64, options: VariantMap = [:]
    ) throws -> (outcome: UInt32, message: String) {
        _ = try host.call("Activate", [.uint64(menu), .string("roundel/" + id)], options: options)
        var end: (UInt32, String)?
        try host.world.until("\(id) has ended") {
            for case .finished(menu, _, let outcome, let message) in host.inbox { end = (outcome, message) }
            return end != nil
        }
        return end ?? (99, "")
    }

    @Test("F9: the menus of a folder at rest: items, background, sidebar, toolbar")
    func atRest() throws {
        let sync = try SyncWorld(files: ["a.txt": "a", "d/b": "b"])
        let root = uri(sync.local)
        let item = ["History…", "Show in Remote Folder", "Exclude from Syncing", "Sync Now"]
        #expect(try labels(sync, 0, root, ["a.txt"]) == item)
        #expect(try labels(sync, 0, root, ["d"]) == item)
        #expect(try labels(sync, 0, root, ["a.txt", "d"]) == ["Exclude from Syncing", "Sync Now"])
        let pause = "Pause Syncing (For an Hour, Until Tomorrow, Until I Resume)"
        let folder = ["Sync Now", pause, "Open Remote Folder"]
        #expect(try labels(sync, 1, root) == folder)
        #expect(try labels(sync, 1, root + "/d") == folder)
        #expect(try labels(sync, 2, root) == folder)
        #expect(try labels(sync, 0, uri(sync.world.installation.root + "/home"), [""]) == folder)
        let toolbar = ["Open Folder", "Open Remote Folder", "Sync Now", pause]
        #expect(try labels(sync, 3, "") == toolbar)
        #expect(try labels(sync, 3, root, ["a.txt"]) == Array(item.prefix(3)) + ["--"] + toolbar)
    }

    @Test("F9: what makes no sense at the moment is disabled or not there")
    func whatMakesNoSense() throws {
        let sync = try SyncWorld(files: ["a.txt": "a", "b.log": "b"])
        let root = uri(sync.local)
        try sync.roundel("exclude", sync.local, "*.log")
        try Disk.link(sync.path("link"), to: "/etc/passwd")
        try sync.awaitBadge("b.log", "excluded")
        try sync.awaitBadge("link", "excluded")
        for name in ["b.log", "link"] {
            #expect(
                try labels(sync, 0, root, [name])
                    == ["Why Is This Not Synced?", "-Show in Remote Folder", "Sync Now"], "\(name)")
        }
        try sync.roundel("pause", sync.local)
        try sync.write("new", "n")
        try sync.awaitBadge("new", "paused")
        #expect(
            try labels(sync, 0, root, ["new"]) == [
                "Why Is This Not Synced?", "-Show in Remote Folder", "Exclude from Syncing", "-Sync Now",
            ])
        #expect(try labels(sync, 1, root) == ["-Sync Now", "Resume Syncing", "Open Remote Folder"])
    }

    @Test("D7: the ways out of a conflict are named in words and do what they say, from one file or from both")
    func conflict() throws {
        let sync = try SyncWorld(files: ["a.txt": "base"])
        try sync.makeConflict("a.txt")
        let root = uri(sync.local)
        let names = ["a.txt", try sync.conflictCopy()]
        #expect(names[1].contains(" \(ComputerName.label) ") || ComputerName.label.isEmpty, "\(names[1])")
        for (selection, start) in [
            ([names[0]], "Keep This One (from the remote folder, today "),
            ([names[1]], "Keep This One (from this computer, today "),
            (names, "Keep the One from this computer, today "),
        ] {
            let menu = try labels(sync, 0, root, selection).first ?? ""
            #expect(menu.hasPrefix("Resolve Conflict (" + start) && menu.contains(", Keep Both"), "\(menu)")
            #expect(menu.contains(", 4 bytes") && menu.contains(", 6 bytes"), "\(menu)")
        }
        let host = try sync.world.host()
        let end = try choose(host, "resolve-mine", 0, root, names.map { uri(sync.path($0)) })
        #expect(end == (0, ""))
        // The action has ended when its work is done.
        #expect(try sync.localTexts() == ["a.txt": "mine"] && sync.remoteTexts() == ["a.txt": "mine"])
    }

    @Test("D7: an installed program shows both versions side by side; without one nothing offers it")
    func compare() throws {
        let world = try World(starts: false)
        try world.installation.addProgram("meld", "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$HOME/compared\"\n")
        let sync = try SyncWorld(files: ["a.txt": "base"], in: world)
        try sync.makeConflict("a.txt")
        let copy = try sync.conflictCopy()
        let host = try world.host()
        for name in ["a.txt", copy] {
            #expect(try choose(host, "compare", 0, uri(sync.local), [uri(sync.path(name))]) == (0, ""))
            let compared = world.installation.root + "/home/compared"
            try world.until("it runs") {
                (try? Disk.text(compared)) == sync.path("a.txt") + "\n" + sync.path(copy) + "\n"
            }
            try Disk.remove(compared)
        }
    }

    @Test("F9: why an item is not synced, and what was done with one, is answered in words")
    func questions() throws {
        let sync = try SyncWorld(files: ["a.txt": "a", "d/b": "b"])
        let (root, host) = (uri(sync.local), try sync.world.host())
        try Disk.link(sync.path("link"), to: "/etc/passwd")
        try sync.awaitBadge("link", "excluded")
        #expect(
            try choose(host, "why", 0, root, [uri(sync.path("link"))])
                == (0, "“link”: Symbolic links are not synced."))
        try sync.write("a.txt", "a longer one")
        try sync.sync()
        let history = try choose(host, "history", 0, root, [uri(sync.path("a.txt"))])
        let lines = history.message.split(separator: "\n")
        #expect(history.outcome == 0 && lines.count == 3 && lines[0] == "“a.txt”:", "\(history)")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("today ") && $0.hasSuffix(": sent to the remote") })
        let directory = try choose(host, "history", 0, root, [uri(sync.path("d"))])
        #expect(directory.message.contains(": b – sent to the remote"), "\(directory)")
    }

    @Test("A decision on a conflict that cannot be carried out is said to have failed")
    func refusedDecision() throws {
        let sync = try SyncWorld(files: ["a": "base"])
        let copy = try sync.makeUndecidableConflict()
        let (root, item) = (uri(sync.path("a")), uri(sync.path("a/\(copy)")))
        let end = try choose(try sync.world.host(), "resolve-mine", 0, root, [item])
        #expect(end.outcome == 2 && end.message.contains(copy), "\(end)")
        #expect(try sync.localTexts() == ["a/b": "theirs", "a/\(copy)": "mine"])
    }

    @Test("D7: of several conflicts that are decided together, one may have been decided already")
    func decidedMeanwhile() throws {
        let sync = try SyncWorld(files: ["a": "base", "b": "base"])
        for name in ["a", "b"] { try sync.makeConflict(name) }
        let host = try sync.world.host()
        let selection = ["a", "b"].map { uri(sync.path($0)) }
        let menu = try menu(host, 0, uri(sync.local), selection, with: "resolve-mine")
        try sync.roundel("resolve", sync.path("b"), "theirs")
        #expect(try choose(host, "resolve-mine", of: menu.id) == (0, ""))
        #expect(try sync.localTexts() == ["a": "mine", "b": "theirs"])
        #expect(try sync.remoteTexts() == ["a": "mine", "b": "theirs"])
    }

    @Test("F8: an item is excluded and included again by its name alone, whatever bytes that has")
    func exclude() throws {
        let sync = try SyncWorld(files: ["d/a[1]*.txt": "a", "d/a1.txt": "b"])
        let host = try sync.world.host()
        let target = uri(sync.path("d"))
        let item = target + "/a%5B1%5D%2A.txt"
        try choose(host, "exclude", 0, target, [item])
        try sync.awaitBadge("d/a[1]*.txt", "excluded")
        try sync.awaitBadge("d/a1.txt", "synced")
        try sync.write("d/a[1]*.txt", "edited while excluded")
        try sync.sync()
        #expect(try sync.remoteTexts() == ["d/a[1]*.txt": "a", "d/a1.txt": "b"])
        let menu = try menu(host, 0, target, [item], with: "include")
        #expect(
            labels(menu.items) == ["Why Is This Not Synced?", "-Show in Remote Folder", "Sync Again", "Sync Now"])
        try choose(host, "include", 0, target, [item])
        try sync.world.until("it is synced again") {
            try sync.remoteTexts().values.contains("edited while excluded")
        }
    }

    @Test("F11: several folders have a submenu each in the toolbar, and what concerns all of them")
    func severalFolders() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let second = try sync.world.makeFolder("Second")
        let remote = try sync.world.makeFolder("SecondRemote")
        #expect(try sync.roundel("add", second, remote, "--wait").status == 0)
        func all() throws -> [String] { try labels(sync, 3, "") }
        let items = "Open Folder, Open Remote Folder"
        let times = "For an Hour, Until Tomorrow, Until I Resume"
        let running = "(\(items), Sync Now, Pause Syncing (\(times)))"
        #expect(
            try all() == [
                "Sync \(running)", "Second \(running)", "--", "Sync All Folders Now",
                "Pause All Folders (\(times))", "-Resume All Folders",
            ])
        let host = try sync.world.host()
        // Where the toolbar's menu is opened in one of the folders, "all" still means all.
        try choose(host, "pause:all", 3, uri(sync.local))
        #expect(
            try all() == [
                "Sync (\(items), -Sync Now, Resume Syncing)", "Second (\(items), -Sync Now, Resume Syncing)", "--",
                "-Sync All Folders Now", "-Pause All Folders (-For an Hour, -Until Tomorrow, -Until I Resume)",
                "Resume All Folders",
            ])
        try choose(host, "resume:all", 3, "")
        #expect(
            try all().suffix(3) == ["Sync All Folders Now", "Pause All Folders (\(times))", "-Resume All Folders"])
        // Who pauses all for an hour does not want the one to go on then that is paused until it is resumed.
        try sync.roundel("pause", second)
        try choose(host, "pause-hour:all", 3, "")
        let list = try sync.roundel("list", "--json").output
        #expect(list.matches(of: /"paused":true/).count == 2, "\(list)")
        #expect(list.matches(of: /"paused_until":null/).count == 1, "\(list)")
        try sync.roundel("resume")
        let hour = try sync.roundel("list", "--json").output
        #expect(hour.matches(of: /"paused":false/).count == 2, "\(hour)")
        try choose(host, "pause-tomorrow", 1, uri(sync.local))
        let text = try sync.roundel("status", sync.local, "--json").output.value(of: "text")
        #expect(text == "Paused until tomorrow 00:00")
    }

    @Test("Deletions that wait for a person are confirmed by an item that says how many and where")
    func confirmDeletions() throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        try sync.deleteTogether(isLocal: true)
        #expect(try sync.sync().needs == "confirm-deletes")
        let root = uri(sync.local)
        #expect(try labels(sync, 1, root).contains("Delete 26 Items on the Remote"))
        try choose(try sync.world.host(), "confirm-deletes.26-remote", 1, root)
        try sync.world.until("they are deleted") { try sync.remoteTexts().count == 5 }
    }

    @Test("An item that says that it deletes 26 deletes nothing when it has become more")
    func confirmFewer() throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        try sync.deleteTogether(isLocal: true)
        #expect(try sync.sync().needs == "confirm-deletes")
        let (host, root, id) = (try sync.world.host(), uri(sync.local), "confirm-deletes.26-remote")
        let old = try menu(host, 1, root, with: id)
        for number in 25..<28 { try Disk.remove(sync.path("f\(number)")) }
        #expect(try sync.sync().needs == "confirm-deletes")
        let refused = try choose(host, id, of: old.id)
        #expect(refused.outcome == 2 && refused.message.contains("29 items on the remote"), "\(refused)")
        #expect(try sync.sync().needs == "confirm-deletes")
        #expect(try sync.remoteTexts().count == 30)
        try choose(host, "confirm-deletes.29-remote", 1, root)
        try sync.world.until("they are deleted") { try sync.remoteTexts().count == 2 }
    }

    @Test(
        "Deletions that wait for a person are undone by an item that says how many and where", arguments: [true, false])
    func restoreDeleted(isLocal: Bool) throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        try sync.deleteTogether(isLocal: isLocal)
        #expect(try sync.sync().needs == "confirm-deletes")
        let root = uri(sync.local)
        let label = isLocal ? "Restore 26 Items on This Computer" : "Restore 26 Items on the Remote"
        #expect(try labels(sync, 1, root).contains(label))
        try choose(try sync.world.host(), "restore-deleted", 1, root)
        try sync.world.until("they are back") {
            try sync.localTexts().count == 30 && sync.remoteTexts().count == 30
        }
    }

    // MARK: Actions

    @Test("E7: what opens a window is given the token or the time of the click that asked for it")
    func activationContext() throws {
        let sync = try SyncWorld(files: ["d/a": "a"])
        let manager = try StandInFileManager(sync.world)
        let host = try sync.world.host()
        let (root, below) = (uri(sync.local), uri(sync.path("d")))
        let token: VariantMap = ["activation-token": .string("a-token"), "timestamp": .uint32(7)]
        #expect(try choose(host, "open-remote", 1, below, options: token) == (0, ""))
        #expect(try choose(host, "show-remote", 0, below, [below + "/a"], options: token) == (0, ""))
        let menu = try host.menu(3, "")
        let open = try #require(menu.items.first?.string("id"))
        try choose(host, String(open.dropFirst("roundel/".count)), 3, "", options: ["timestamp": .uint32(1234)])
        try choose(host, "open-remote", 2, root)
        #expect(manager.calls.map(\.method) == ["ShowFolders", "ShowItems", "ShowFolders", "ShowFolders"])
        #expect(
            manager.calls.map(\.uris)
                == [[uri(sync.remote + "/d")], [uri(sync.remote + "/d/a")], [root], [uri(sync.remote)]])
        #expect(manager.calls[0].startup == "a-token" && manager.calls[1].startup == "a-token")
        #expect(manager.calls[2].startup.hasSuffix("_TIME1234"))
        #expect(manager.calls[3].startup == "")
    }

    @Test("E7: without a file manager on the bus xdg-open is run, with the token in its environment")
    func xdgOpen() throws {
        let world = try World(starts: false)
        try world.installation.addService(StandInFileManager.name, program: "/bin/false")
        try world.installation.addProgram(
            "xdg-open",
            "#!/bin/sh\nprintf '%s|%s|%s' \"$1\" \"$XDG_ACTIVATION_TOKEN\" \"$DESKTOP_STARTUP_ID\" >\"$HOME/opened\"\n")
        let sync = try SyncWorld(files: ["d/a": "a"], in: world)
        let host = try world.host()
        let below = uri(sync.path("d"))
        let opened = world.installation.root + "/home/opened"
        let options: VariantMap = ["activation-token": .string("a-token")]
        #expect(try choose(host, "open-remote", 1, below, options: options) == (0, ""))
        #expect(try Disk.text(opened) == uri(sync.remote + "/d") + "|a-token|a-token")
        // It cannot select an item; the directory that holds it is shown.
        #expect(try choose(host, "show-remote", 0, below, [below + "/a"]) == (0, ""))
        #expect(try Disk.text(opened) == uri(sync.remote + "/d") + "||")
        try world.installation.addProgram("xdg-open", "#!/bin/sh\nexit 3\n")
        let end = try choose(host, "open-remote", 1, below)
        #expect(end.outcome == 2 && end.message.contains("xdg-open"))
    }

    @Test("E7: an action that cannot be carried out says why")
    func failure() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let host = try sync.world.host()
        let root = uri(sync.local)
        // Moved away rather than deleted: the worker may still write there, and what it makes would be the remote again.
        try Disk.move(sync.remote, sync.remote + "-away")
        let end = try choose(host, "sync-now", 1, root)
        #expect(end.outcome == 2 && !end.message.isEmpty)
        // The menu was made while the folder ran.
        let menu = try menu(host, 1, root, with: "sync-now")
        try sync.roundel("pause", sync.local)
        _ = try host.call("Activate", [.uint64(menu.id), .string("roundel/sync-now")])
        try host.await(.finished(menu.id, "roundel/sync-now", 2, "“Sync” is paused; resume it first."))
    }
}

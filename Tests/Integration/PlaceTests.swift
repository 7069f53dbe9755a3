import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Folders that a host opens in another spelling: through symbolic links and other mounts.
@Suite final class PlaceTests: FolderSuite {
    private var root: String { world.installation.root + "/home" }

    /// Badges, a change, the menu, attributes and services are in the directory as in the provider's `path`.
    private func expectFolder(_ spelled: String, is path: String) throws {
        let shown = uri(spelled)
        provider.know(uri(path), ["x": "synced"])
        provider.menu = [["id": .string("open"), "label": .string("Open")]]
        provider.attributes = ["state": .string("synced")]
        // What was not found in time is where its spelling says, and no directory that can be observed.
        try world.until("\(spelled) shows what is in \(path)") {
            try begin(shown, on: host)
            if (try? host.badges(shown, ["x"]).map(\.badge)) == ["synced"] { return true }
            try? host.end(shown)
            return false
        }
        try provider.update(uri(path), "x", "error")
        try host.await(shown, "x", "error")
        // A provider that is late is left out of a menu.
        try world.until("the item has its menu") { try host.menu(0, shown, [shown + "/x"]).items.count == 1 }
        #expect(provider.calls("GetMenu").last?.arguments[2].strings == [uri(path) + "/x"])
        try world.until("the directory has its menu") { try host.menu(1, shown).items.count == 1 }
        #expect(try host.attributes(shown + "/x")["state"] != nil)
        try host.end(shown)
    }

    /// Begins to observe; what was not found in three seconds, as may be on a busy machine, is asked for again.
    private func begin(_ shown: String, on host: HostClient) throws {
        try world.until("\(shown) is found") { try host.begin(shown) }
    }

    @Test("A link to the folder, into it, on the way to it and a chain of links show what is in the folder")
    func links() throws {
        let deep = try world.makeFolder("Sync/a/b")
        try Disk.link(root + "/whole", to: folder)
        try Disk.link(root + "/middle", to: folder + "/a")
        try Disk.makeDirectory(root + "/d")
        try Disk.link(root + "/d/relative", to: "../whole/a")
        try Disk.link(root + "/parents", to: root)
        try expectFolder(root + "/whole", is: folder)
        try expectFolder(root + "/middle", is: folder + "/a")
        try expectFolder(root + "/middle/b", is: deep)
        try expectFolder(root + "/d/relative/b", is: deep)
        try expectFolder(root + "/parents/parents/d/relative", is: folder + "/a")
        try begin(uri(root + "/parents"), on: host)
        #expect(try host.badges(uri(root + "/parents"), ["Sync", "other"]).count == 2)
    }

    @Test("A link inside of the folder to another directory of it, or of another folder, shows what is there")
    func inside() throws {
        let deep = try world.makeFolder("Sync/a/b")
        try world.makeFolder("Sync/c/d")
        try Disk.link(folder + "/shortcut", to: deep)
        try Disk.link(folder + "/c/d/relative", to: "../../a")
        try Disk.link(folder + "/c/circle", to: folder)
        try Disk.link(root + "/outside", to: folder + "/shortcut")
        try expectFolder(folder + "/shortcut", is: deep)
        try expectFolder(folder + "/c/d/relative/b", is: deep)
        try expectFolder(folder + "/c/circle/c/circle/shortcut", is: deep)
        try expectFolder(folder + "/c/circle", is: folder)
        try expectFolder(root + "/outside", is: deep)
        let other = try world.makeFolder("Other")
        let second = try world.provider("other", [other])
        second.know(uri(other), ["x": "conflict"])
        try Disk.link(folder + "/other", to: other)
        try world.until("the other folder's badge is there") {
            try begin(uri(folder + "/other"), on: host)
            return try host.badges(uri(folder + "/other"), ["x"]).map(\.badge) == ["conflict"]
        }
        // Where the link is, it is an item of its own.
        provider.know(directory, ["shortcut": "excluded"])
        try host.begin(directory)
        try world.until("the link has its badge") {
            try host.badges(directory, ["shortcut"]).map(\.badge) == ["excluded"]
        }
    }

    @Test("Whoever looks through a link that is made to lead elsewhere, or removed, is told to begin again")
    func changed() throws {
        let (first, second) = (try world.makeFolder("Sync/a"), try world.makeFolder("Sync/b"))
        let link = folder + "/link"
        provider.know(uri(first), ["x": "synced"])
        provider.know(uri(second), ["x": "conflict"])
        try Disk.link(link, to: first)
        try world.until("what it leads to is shown") {
            try begin(uri(link), on: host)
            return try host.badges(uri(link), ["x"]).map(\.badge) == ["synced"]
        }
        let other = try world.host()
        try other.begin(uri(first))
        try Disk.link(folder + "/new", to: "b")
        try Disk.move(folder + "/new", link)
        try host.await(.reset)
        try world.until("what it leads to now is shown") {
            try begin(uri(link), on: host)
            return try host.badges(uri(link), ["x"]).map(\.badge) == ["conflict"]
        }
        host.clear()
        try Disk.remove(link)
        try host.await(.reset)
        #expect(!other.inbox.contains(.reset))
        try world.until("the directory itself is shown") {
            try other.badges(uri(first), ["x"]).map(\.badge) == ["synced"]
        }
    }

    @Test("A link inside of the folder that leads out of all folders shows nothing, and nobody is asked")
    func outwards() throws {
        let elsewhere = try world.makeFolder("Elsewhere")
        try Disk.link(folder + "/out", to: elsewhere)
        try Disk.makeDirectory(elsewhere + "/deep")
        for name in ["out", "out/deep"] { #expect(try !host.begin(uri("\(folder)/\(name)")), "\(name)") }
        #expect(provider.calls("BeginObserving").isEmpty)
        // And back in again.
        try Disk.makeDirectory(folder + "/a")
        try Disk.link(elsewhere + "/in", to: folder + "/a")
        try expectFolder(folder + "/out/in", is: folder + "/a")
    }

    @Test("Links that lead nowhere, in circles or to a file are not monitored, and nothing is kept for them")
    func nowhere() throws {
        try Disk.write(folder + "/file", "x")
        try Disk.link(root + "/dangling", to: folder + "/gone")
        try Disk.link(root + "/one", to: "two")
        try Disk.link(root + "/two", to: "one")
        try Disk.link(root + "/file", to: folder + "/file")
        try Disk.makeDirectory(root + "/plain")
        for name in ["dangling", "one", "one/x", "file", "plain", "missing", "plain/missing"] {
            #expect(try !host.begin(uri("\(root)/\(name)")), "\(name)")
            #expect(try host.refusal("EndObserving", [.string(uri("\(root)/\(name)"))]) == "NotObserving")
        }
        #expect(provider.calls("BeginObserving").isEmpty)
    }

    @Test("A link whose target moves leads to the new one from the next beginning on")
    func moved() throws {
        _ = try world.makeFolder("Sync/a")
        _ = try world.makeFolder("Sync/b")
        let link = root + "/link"
        try Disk.link(link, to: folder + "/a")
        try expectFolder(link, is: folder + "/a")
        try Disk.remove(link)
        try Disk.link(link, to: folder + "/b")
        try expectFolder(link, is: folder + "/b")
        try Disk.remove(link)
        #expect(try !host.begin(uri(link)))
    }

    @Test(
        "A bind mount of the folder, of a directory in it and of one above it show what is in the folder",
        .enabled(if: SilentMount.isPermitted, "mounting needs root"))
    func mounts() throws {
        let deep = try world.makeFolder("Sync/a/b")
        let (whole, middle, above) = (root + "/whole", root + "/middle", root + "/above")
        for place in [whole, middle, above] { try Disk.makeDirectory(place) }
        let mounts = [
            try BindMount(of: folder, at: whole), try BindMount(of: folder + "/a", at: middle),
            try BindMount(of: root, at: above),
        ]
        try expectFolder(whole, is: folder)
        try expectFolder(whole + "/a/b", is: deep)
        try expectFolder(middle, is: folder + "/a")
        try expectFolder(above + "/Sync/a", is: folder + "/a")
        try Disk.link(root + "/link", to: middle + "/b")
        try expectFolder(root + "/link", is: deep)
        withExtendedLifetime(mounts) {}
    }

    @Test(
        "A link to a file system that does not answer is not monitored, and keeps nobody waiting",
        .enabled(if: SilentMount.isPermitted, "mounting needs root and /dev/fuse"))
    func silent() throws {
        let place = try world.makeFolder("Silent")
        let mount = try SilentMount(at: place)
        try Disk.link(root + "/link", to: place + "/inside")
        try Disk.link(root + "/good", to: folder)
        let waiting = (0..<20).map { host.send("BeginObserving", [.string(uri("\(root)/link/\($0)"))]) }
        let second = try world.host()
        try begin(uri(root + "/good"), on: second)
        try begin(directory, on: second)
        for call in waiting { #expect(try host.answer(call)[0] == .bool(false)) }
        try begin(uri(root + "/good"), on: host)
        // Inside of a folder it is where its spelling says.
        try Disk.link(folder + "/link", to: place + "/inside")
        #expect(try host.begin(uri(folder + "/link")))
        withExtendedLifetime(mount) {}
    }
}

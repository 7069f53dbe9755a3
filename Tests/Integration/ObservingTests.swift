import DBus
import Glibc
import RoundelBus
import Testing

/// Observing: what is monitored, how it is counted, what providers are told.
@Suite final class ObservingTests: FolderSuite {
    @Test("F3: a registered folder, what is below it and its parent are monitored, nothing else")
    func monitored() throws {
        let deep = try world.makeFolder("Sync/a/b")
        let other = try world.makeFolder("Other")
        let home = world.installation.root + "/home"
        #expect(try host.begin(directory))
        #expect(try host.begin(uri(deep)))
        #expect(try host.begin(uri(home)))
        #expect(try !host.begin(uri(other)))
        #expect(try !host.begin(uri(world.installation.root)))
        #expect(try !host.begin(uri(folder + "-not")))
        try provider.await("BeginObserving", 3)
        #expect(provider.calls("BeginObserving").map(\.subject) == [folder, deep, home].map(uri))
    }

    @Test("F3, F4: the provider is told of the first beginning over all hosts and of the last end")
    func toldOnce() throws {
        let second = try world.host()
        try host.begin(directory)
        try host.begin(directory)
        try second.begin(directory)
        try provider.await("BeginObserving")
        try host.end(directory)
        try host.end(directory)
        #expect(try second.badges(directory, ["x"]) == [Row(name: "x", badge: "")])
        #expect(provider.calls("EndObserving").isEmpty)
        try second.end(directory)
        try provider.await("EndObserving")
        #expect(provider.calls("BeginObserving").count == 1)
        #expect(provider.calls("EndObserving").map(\.subject) == [directory])
    }

    @Test("Each end takes one beginning; one more is refused with NotObserving")
    func counted() throws {
        try host.begin(directory)
        try host.begin(directory)
        try host.end(directory)
        #expect(try host.badges(directory, ["x"]).count == 1)
        try host.end(directory)
        #expect(try host.refusal("RequestBadges", [.string(directory), .strings(["x"])]) == "NotObserving")
        #expect(try host.refusal("EndObserving", [.string(directory)]) == "NotObserving")
    }

    @Test("One host's observing is not another's")
    func separate() throws {
        let second = try world.host()
        try host.begin(directory)
        #expect(try second.refusal("EndObserving", [.string(directory)]) == "NotObserving")
        #expect(try second.refusal("RequestBadges", [.string(directory), .strings([])]) == "NotObserving")
        #expect(
            try second.refusal("RequestDirectory", [.string(directory), .string(""), .uint32(0)]) == "NotObserving")
    }

    @Test("F5: a host that leaves the bus between begin and end has ended all its own")
    func leaving() throws {
        let below = try world.makeFolder("Sync/below")
        let second = try world.host()
        try host.begin(directory)
        try second.begin(directory)
        try second.begin(directory)
        try second.begin(uri(below))
        try provider.await("BeginObserving", 2)
        second.bus.close()
        try provider.await("EndObserving")
        #expect(provider.calls("EndObserving").map(\.subject) == [uri(below)])
        try host.end(directory)
        try provider.await("EndObserving", 2)
    }

    @Test("What is not monitored leaves nothing behind, also when it is registered later")
    func notMonitored() throws {
        let other = try world.makeFolder("Other/sub")
        #expect(try !host.begin(uri(other)))
        #expect(try host.refusal("EndObserving", [.string(uri(other))]) == "NotObserving")
        try provider.setFolders([folder, other])
        #expect(try host.refusal("RequestBadges", [.string(uri(other)), .strings(["x"])]) == "NotObserving")
        #expect(try host.begin(uri(other)))
    }

    @Test("A host observes 4,096 directories at most; counting one again is none more")
    func limit() throws {
        var answers: [HostClient.Sent] = []
        for number in 0..<4095 {
            try Disk.makeDirectory("\(folder)/\(number)")
            answers.append(host.send("BeginObserving", [.string("\(directory)/\(number)")]))
        }
        try host.begin(directory)
        for answer in answers { #expect(try host.answer(answer).first?.bool == true) }
        try Disk.makeDirectory("\(folder)/more")
        #expect(try host.refusal("BeginObserving", [.string(directory + "/more")]) == "LimitExceeded")
        #expect(try host.begin(directory))
        try host.end("\(directory)/7")
        #expect(try host.begin(directory + "/more"))
        let second = try world.host()
        #expect(try second.begin(directory + "/7"))
    }

    @Test("F4: a directory that vanishes loses its badges, and one that is made in its place has its own")
    func vanishing() throws {
        let below = try world.makeFolder("Sync/below")
        let hosts = [host, try world.host()]
        provider.know(uri(below), ["x": "synced"])
        for client in hosts {
            try client.begin(uri(below))
            _ = try client.badges(uri(below), ["x"])
        }
        rmdir(below)
        try provider.await("EndObserving")
        for client in hosts { try client.await(uri(below), "x", "") }
        provider.know(uri(below), ["x": "pending"])
        // Whole in one moment: what is not in it when it is watched again is taken for deleted.
        let next = world.installation.root + "/next"
        try Disk.makeDirectory(next)
        try Disk.write(next + "/x", "x")
        try Disk.move(next, below)
        try provider.await("BeginObserving", 2)
        for client in hosts { try client.await(uri(below), "x", "pending") }
        #expect(provider.calls("EndObserving").map(\.subject) == [uri(below)])
        for client in hosts { try client.end(uri(below)) }
        try provider.await("EndObserving", 2)
    }

    @Test("A request that is held when its directory ends is answered NotObserving")
    func heldWhileEnding() throws {
        provider.hold("RequestBadges")
        // A busy machine may let the 50 ms pass between the two calls; they are made again until it does not.
        var attempt = 0
        try world.until("the end comes while the request is held") {
            attempt += 1
            try host.begin(directory)
            let held = host.send("RequestBadges", [.string(directory), .strings(["x\(attempt)"])])
            let ended = host.send("EndObserving", [.string(directory)])
            _ = try host.answer(ended)
            do {
                #expect(try host.answer(held)[0].strings == [""])
                return false
            } catch let error as DBusError {
                #expect(shortName(error) == "NotObserving")
                return true
            }
        }
    }

    @Test("The parent of folders shows their badges alone, asked of each provider for its own")
    func parent() throws {
        let second = try world.makeFolder("Second")
        let other = try world.provider("other", [second])
        let home = uri(world.installation.root + "/home")
        provider.know(home, ["Sync": "synced", "Second": "error", "file": "error"])
        other.know(home, ["Second": "pending", "Sync": "error"])
        try host.begin(home)
        let rows = try host.badges(home, ["Sync", "Second", "file"])
        #expect(rows.map(\.badge) == ["synced", "pending", ""])
        #expect(provider.calls("BeginObserving").map(\.subject) == [home])
        #expect(other.calls("BeginObserving").map(\.subject) == [home])
        #expect(provider.calls("RequestBadges").map(\.names) == [["Sync"]])
        #expect(other.calls("RequestBadges").map(\.names) == [["Second"]])
        #expect(try host.directory(home).rows.map(\.name) == ["Second", "Sync"])
    }

    @Test("F1: folders of two providers nest; the deepest wins, a folder is its own provider's where it is listed")
    func nested() throws {
        let inner = try world.makeFolder("Sync/inner")
        let other = try world.provider("other", [inner])
        _ = try host.call("Allow", [.string("other"), .string(uri(inner))], interface: Names.providers)
        provider.know(directory, ["inner": "error", "file": "synced"])
        provider.know(uri(inner), ["x": "error"])
        other.know(directory, ["inner": "paused", "file": "error"])
        other.know(uri(inner), ["x": "pending"])
        try host.begin(directory)
        try host.begin(uri(inner))
        #expect(try host.badges(directory, ["file", "inner"]).map(\.badge) == ["synced", "paused"])
        #expect(try host.badges(uri(inner), ["x"]).map(\.badge) == ["pending"])
        host.clear()
        let columns = Row.columns([Row(name: "x", badge: "error")])
        #expect(try provider.refusal("UpdateBadges", [.string(uri(inner))] + columns) == "NotYourFolder")
        try provider.update(directory, [Row(name: "inner", badge: "error"), Row(name: "file", badge: "pending")])
        try host.await(directory, "file", "pending")
        #expect(host.told(directory) == [Row(name: "file", badge: "pending")])
    }

    @Test("A path through a symlinked ancestor is the same directory; each side sees its own spelling")
    func spelling() throws {
        try Disk.makeDirectories(world.installation.root + "/real/Sync/sub")
        let alias = world.installation.root + "/alias"
        try Disk.link(alias, to: world.installation.root + "/real")
        let real = world.installation.root + "/real/Sync"
        try provider.setFolders([alias + "/Sync"])
        provider.know(uri(alias + "/Sync/sub"), ["x": "synced"])
        #expect(try host.begin(uri(real + "/sub")))
        #expect(try host.badges(uri(real + "/sub"), ["x"]).map(\.badge) == ["synced"])
        #expect(provider.calls("BeginObserving").map(\.subject) == [uri(alias + "/Sync/sub")])
        #expect(provider.calls("RequestBadges").map(\.subject) == [uri(alias + "/Sync/sub")])
        let second = try world.host()
        #expect(try second.begin(uri(alias + "/Sync/sub")))
        _ = try second.badges(uri(alias + "/Sync/sub"), ["x"])
        try provider.update(uri(alias + "/Sync/sub"), "x", "pending")
        try host.await(uri(real + "/sub"), "x", "pending")
        try second.await(uri(alias + "/Sync/sub"), "x", "pending")
        #expect(provider.calls("BeginObserving").count == 1)
    }

    @Test("Below a folder no symlink is followed")
    func noSymlinkBelow() throws {
        let outside = try world.makeFolder("Outside")
        try Disk.link(folder + "/link", to: outside)
        provider.know(directory, ["link": "excluded"])
        try host.begin(directory)
        #expect(try host.badges(directory, ["link"]).map(\.badge) == ["excluded"])
        #expect(try !host.begin(uri(outside)))
    }

    @Test("F13: after the service was killed, a host that begins again has everything back")
    func afterRestart() throws {
        provider.know(directory, ["x": "synced"])
        try host.begin(directory)
        try world.restartService()
        #expect(try host.refusal("RequestBadges", [.string(directory), .strings(["x"])]) == "NotObserving")
        try provider.register()
        try provider.setFolders([folder])
        #expect(try host.begin(directory))
        #expect(try host.badges(directory, ["x"]).map(\.badge) == ["synced"])
    }
}

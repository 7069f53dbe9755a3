import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// What a person wanted of a folder on demand when the real worker was killed, had just started, or could not go on.
@Suite(.enabled(if: OnDemandWorld.isPossible, "no FUSE"))
struct OnDemandInterruptionTests {
    private static let film = String(repeating: "film ", count: 20_000)

    private func items(_ folder: OnDemandWorld, _ names: String...) -> DBusValue {
        .strings(names.map { uri(folder.sync.path($0)) })
    }

    /// The settings file of the worker.
    private func settingsPath(_ folder: OnDemandWorld) -> String {
        folder.world.installation.root + "/config/roundel/folders.json"
    }

    @Test("D5: what is pinned or not any more at the moment in which the worker starts stays so")
    func pinnedAtStart() throws {
        let folder = try OnDemandWorld(remote: ["a": "aaa", "d/b": "bb", "d/c": "c"])
        try folder.await("a", .online)
        folder.sync.killWorker()
        try folder.sync.startWorker()
        #expect(try folder.refusal("Pin", items(folder, "d")) == nil)
        folder.sync.killWorker()
        try folder.sync.startWorker()
        #expect(try folder.refusal("Pin", items(folder, "a")) == nil)
        for name in ["a", "d/b", "d/c"] { try folder.await(name, .here) }
        #expect(try folder.refusal("Free", items(folder, "a")) == "Pinned")
        #expect(try folder.refusal("Free", items(folder, "d/b")) == "Pinned")
        folder.sync.killWorker()
        try folder.sync.startWorker()
        #expect(try folder.refusal("Unpin", items(folder, "d")) == nil)
        folder.sync.killWorker()
        try folder.sync.startWorker()
        try folder.world.until("it is freed") { try folder.refusal("Free", items(folder, "d")) == nil }
        // They are known a moment after the start.
        try folder.world.until("one is pinned") { try folder.attributes("a").bool("pinned") == true }
        try folder.world.until("the other is not") { try folder.attributes("d/b").bool("pinned") == false }
    }

    @Test("D5: what was pinned when the worker was killed is fetched by the next one, which has nothing else to do")
    func pinnedBeforeKill() throws {
        let folder = try OnDemandWorld(remote: ["d/b": "bb", "d/c": "c"])
        try folder.await("d/b", .online)
        folder.sync.killWorker()
        try folder.sync.startWorker()
        #expect(try folder.refusal("Pin", items(folder, "d")) == nil)
        folder.sync.killWorker()
        try folder.sync.startWorker()
        for name in ["d/b", "d/c"] { try folder.await(name, .here) }
    }

    @Test("What was to be fetched to turn a folder off is not kept for good when the worker is killed meanwhile")
    func killedWhileTurningOff() throws {
        let folder = try OnDemandWorld(remote: ["film": Self.film, "note": "note"])
        try folder.await("film", .online)
        // Nothing can be filled.
        let mount = try #require(try folder.mountProgram())
        kill(mount, SIGSTOP)
        defer { kill(mount, SIGCONT) }
        let off = try folder.world.installation.start("roundel", ["on-demand", folder.sync.local, "--off"])
        try folder.world.until("it is noted") {
            Disk.textIfThere(settingsPath(folder))?.contains("keepsAllForNow") == true
        }
        folder.sync.killWorker()
        #expect(try off.finish().status != 0)
        kill(mount, SIGCONT)
        try folder.sync.startWorker()
        try folder.world.until("the note is gone") {
            Disk.textIfThere(settingsPath(folder))?.contains("keepsAllForNow") == false
        }
        #expect(folder.isMounted)
        try folder.world.until("it is not pinned") { try folder.attributes("").bool("pinned") == false }
        try folder.world.until("it is freed") { try folder.refusal("Free", items(folder, "film")) == nil }
        try folder.await("film", .online)
    }

    @Test("A removal that was interrupted and cannot go on says why, and is tried again by itself")
    func resumedRemoval() throws {
        let folder = try OnDemandWorld(remote: ["film": Self.film], local: ["own": "own"])
        try folder.await("film", .online)
        let program = try RunningProgram(
            ["/bin/sleep", "600"], environment: RunningProgram.inheritedEnvironment, directory: folder.sync.local)
        defer { program.kill() }
        folder.sync.killWorker()
        // As it is when the worker is killed after it noted what it does.
        let text = try Disk.text(settingsPath(folder))
        let mark = try #require(text.firstRange(of: "\"onDemand\""))
        let brace = try #require(text[mark.upperBound...].firstIndex(of: "{"))
        let changed = text[...brace] + "\"step\":\"removing\"," + text[text.index(after: brace)...]
        try Disk.write(settingsPath(folder), String(changed))
        try folder.sync.startWorker()
        try folder.world.until("it says why") {
            try folder.sync.roundel("status", "--json").output.contains("sleep")
        }
        #expect(folder.isMounted)
        program.kill()
        // While it is tried again the folder is in no list for a moment, and its contents are not back yet.
        try folder.world.until("it is removed, with what is here") {
            try !folder.isMounted && !folder.sync.roundel("list").output.contains("Sync")
                && folder.sync.localTexts() == ["own": "own"]
        }
        #expect(try folder.sync.remoteTexts() == ["film": Self.film, "own": "own"])
    }

    @Test(
        "What Roundel needs of a folder goes when it is an ordinary one again, or removed; what is kept can be restored"
    )
    func remains() throws {
        let folder = try OnDemandWorld(remote: ["film": Self.film], local: ["own": "own"])
        try folder.await("film", .online)
        let place = DBusValue.string(uri(folder.sync.local))
        try folder.call("SetOnDemand", place, .bool(false))
        // Its mark, as every synced folder has one.
        #expect(try Disk.names(folder.sync.local).sorted() == [".roundel", "film", "own"])
        #expect(try Disk.names(folder.sync.local + "/.roundel") == ["root"])
        try folder.call("SetOnDemand", place, .bool(true))
        // A version that is kept in the mounted folder, as the remote replaces it.
        try folder.world.until("it is here") { try folder.read("own") == "own" }
        try folder.sync.writeRemote("own", "another")
        #expect(try folder.sync.sync().status == 0)
        #expect(try folder.read("own") == "another")
        #expect(try folder.sync.roundel("trash").output.contains("own"))
        try folder.call("SetOnDemand", place, .bool(false))
        #expect(try folder.sync.roundel("trash").output.contains("own"))
        let restored = try folder.sync.roundel("trash", "restore", folder.sync.path("own"))
        #expect(restored.status == 0, "\(restored)")
        #expect(try folder.sync.localTexts().values.contains("own"))
        #expect(try !folder.sync.roundel("ls", folder.sync.local).output.contains(".roundel"))
        let removed = try folder.sync.roundel("remove", folder.sync.local)
        #expect(removed.status == 0, "\(removed)")
        try folder.world.until("nothing hidden is left") {
            try Disk.names(folder.sync.local).filter { $0.hasPrefix(".") } == []
        }
    }

    @Test("What was kept before a folder became one on demand can still be restored there")
    func keptBefore() throws {
        let folder = try OnDemandWorld(remote: ["own": "first"], adds: false)
        #expect(try folder.sync.roundel("add", folder.sync.local, folder.sync.remote, "--wait").status == 0)
        try folder.sync.writeRemote("own", "second one")
        #expect(try folder.sync.sync().status == 0)
        #expect(try folder.sync.roundel("trash").output.contains("own"))
        try folder.call("SetOnDemand", .string(uri(folder.sync.local)), .bool(true))
        #expect(try folder.sync.roundel("trash").output.contains("own"))
        let restored = try folder.sync.roundel("trash", "restore", folder.sync.path("own"))
        #expect(restored.status == 0, "\(restored)")
        #expect(try folder.sync.localTexts().values.contains("first"))
    }

    @Test("D1: what is left of a copy when the worker is killed goes when it starts again")
    func leftOfCopy() throws {
        let folder = try OnDemandWorld(remote: [:], adds: false)
        let place = try folder.world.makeFolder("Elsewhere")
        folder.sync.killWorker()
        let notes = folder.world.installation.root + "/state/roundel/worker/copies"
        try Disk.makeDirectories(notes)
        for name in [".roundel-stage-known", ".roundel-stage-other"] {
            try Disk.makeDirectories("\(place)/\(name)/d")
            try Disk.write("\(place)/\(name)/d/a", "part")
        }
        try Disk.write(notes + "/.roundel-stage-known", place)
        try folder.sync.startWorker()
        try folder.world.until("it is gone") { try Disk.names(place) == [".roundel-stage-other"] }
        try folder.world.until("its note is gone") { try Disk.names(notes).isEmpty }
    }
}

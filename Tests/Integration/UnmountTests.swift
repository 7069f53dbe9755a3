import Glibc
import RoundelBus
import TestSupport
import Testing

/// A folder whose file system goes and comes back while it is synced.
@Suite(.enabled(if: Mount.isPossible)) struct UnmountTests {
    @Test(
        "A folder that is unmounted stops and nothing is deleted at the remote; mounted again it goes on by itself",
        arguments: ["", "below"])
    func unmounted(inside: String) throws {
        let sync = try SyncWorld(adds: false)
        let disk = try Mount(size: "8m")
        let place = try BindMount(of: disk.path, at: sync.local)
        let folder = inside.isEmpty ? sync.local : "\(sync.local)/\(inside)"
        try Disk.makeDirectories(folder + "/d")
        for name in ["a", "b", "d/c"] { try Disk.write("\(folder)/\(name)", name) }
        #expect(try sync.roundel("add", folder, sync.remote, "--wait").status == 0)
        let before = try sync.remoteTree()
        #expect(before.count == 4)

        // Without force: neither the badge service nor the worker keeps the file system busy at rest.
        try sync.world.until("it can be unmounted") { place.unmount() }
        try sync.world.until("the folder stops") {
            try sync.roundel("status", "--json", folder).output.value(of: "state") == "error"
        }
        #expect(try ["root-missing", "root-replaced"].contains(sync.sync().needs))
        try sync.writeRemote("new there", "n")
        #expect(try sync.sync().status == 2)
        #expect(try Disk.names(sync.local).isEmpty, "something was written where the file system belongs")
        var expected = before
        expected["new there"] = Array("n".utf8)
        #expect(try sync.remoteTree() == expected)

        let own = inside.isEmpty ? disk.path : "\(disk.path)/\(inside)"
        try Disk.write(own + "/a", "edited elsewhere")
        try place.mount()
        try sync.world.until("it goes on by itself") {
            try sync.remoteTexts()["a"] == "edited elsewhere" && Disk.textIfThere(folder + "/new there") == "n"
        }
        try sync.world.until("both sides are equal") { try tree(folder) == sync.remoteTree() }
        #expect(try sync.remoteTree().count == 5)
        try Disk.write(folder + "/d/afterwards", "x")
        try sync.world.until("it is watched again") { try sync.remoteTexts()["d/afterwards"] == "x" }
        try sync.world.until("it says that all is well") { try sync.roundel("status").status == 0 }
    }

    @Test("A remote that is unmounted stops its folder and nothing is deleted here; mounted again it goes on by itself")
    func remoteUnmounted() throws {
        let sync = try SyncWorld(adds: false, files: ["a": "a", "d/b": "b"])
        let disk = try Mount(size: "8m")
        let place = try BindMount(of: disk.path, at: sync.remote)
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        try sync.world.until("it can be unmounted") { place.unmount() }
        try sync.write("c", "c")
        try sync.world.until("the folder stops") {
            try sync.roundel("status", "--json").output.value(of: "state") == "error"
        }
        #expect(try sync.localTexts() == ["a": "a", "d/b": "b", "c": "c"])
        #expect(try Disk.names(sync.remote).isEmpty, "something was written where the file system belongs")
        try place.mount()
        try sync.world.until("it goes on by itself") { try sync.remoteTexts() == ["a": "a", "d/b": "b", "c": "c"] }
        #expect(try sync.remoteTree() == sync.localTree())
    }

    @Test("What is unmounted inside a folder is an error and stays at the remote; mounted again it goes on by itself")
    func unmountedInside() throws {
        let sync = try SyncWorld(adds: false, files: ["a": "a"])
        let disk = try Mount(size: "8m")
        try Disk.write(disk.path + "/b", "b")
        try Disk.makeDirectory(sync.path("disk"))
        let place = try BindMount(of: disk.path, at: sync.path("disk"))
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        try sync.world.until("it can be unmounted") { place.unmount() }
        for name in ["disk", ""] { try sync.awaitBadge(name, "error") }
        try sync.world.until("it is said") { try sync.roundel("status").output.contains("not mounted") }
        try sync.write("c", "c")
        try sync.world.until("the rest goes on") { try sync.remoteTexts() == ["a": "a", "c": "c", "disk/b": "b"] }
        try Disk.write(disk.path + "/d", "d")
        try place.mount()
        try sync.world.until("it goes on by itself") { try sync.remoteTexts()["disk/d"] == "d" }
        for name in ["disk", ""] { try sync.awaitBadge(name, "synced") }
        #expect(try sync.remoteTexts() == ["a": "a", "c": "c", "disk/b": "b", "disk/d": "d"])
    }

    /// What is in a folder, without the trash that the desktop keeps at the top of every mounted file system.
    private func tree(_ folder: String) throws -> [String: [UInt8]?] {
        try Disk.tree(folder).filter { !$0.key.hasPrefix(".Trash-") }
    }
}

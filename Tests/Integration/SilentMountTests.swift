import DBus
import RoundelBus
import TestSupport
import Testing

/// A file system that never answers, in the way of one of the two services.
@Suite(.enabled(if: SilentMount.isPermitted, "mounting needs root and /dev/fuse")) struct SilentMountTests {
    @Test("The badge service tells what vanishes while a file system inside a shown folder does not answer")
    func insideAShownFolder() throws {
        let world = try World()
        let folder = try world.makeFolder("Sync")
        try Disk.makeDirectory(folder + "/silent")
        for name in ["a", "b"] { try Disk.write("\(folder)/\(name)", "x") }
        let mount = try SilentMount(at: folder + "/silent")
        let provider = try world.provider("test", [folder], watch: true)
        let directory = uri(folder)
        provider.know(directory, ["a": "synced", "b": "synced", "silent": "synced", "gone": "synced"])
        let host = try world.host()
        try host.begin(directory)
        try world.until("the badges are there") {
            try host.badges(directory, ["a", "b", "silent"]).map(\.badge) == ["synced", "synced", "synced"]
        }
        _ = try host.badges(directory, ["gone"])
        try Disk.remove(folder + "/a")
        try host.await(directory, "a", "")
        try world.until("the folder is named") {
            try host.property("WatchStatus")?.map?["unreliable"]?.strings == [directory]
        }
        #expect(try host.badges(directory, ["b", "silent"]).map(\.badge) == ["synced", "synced"])
        withExtendedLifetime(mount) {}
    }
}

import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// The private channel between a host and the provider of an item.
@Suite struct ItemServiceTests {
    /// Asks for the service of an item and calls it there.
    private func call(
        _ host: HostClient, _ item: String, _ interface: String, _ member: String, _ arguments: [DBusValue]
    ) throws -> [DBusValue] {
        let found = try host.call("GetItemService", [.string(item), .string(interface)])
        let object = try #require(found[1].objectPath)
        return try host.world.call(
            host.bus, try #require(found[0].string), object, interface, member, arguments)
    }

    @Test("F14: a host gets the service of an item's provider and talks to it, without the badge service's help")
    func sample() throws {
        let world = try World()
        let folder = try world.makeFolder("Sample")
        try Disk.write(folder + "/file", "x")
        let sample = try world.installation.start("sample-provider", [folder])
        defer { sample.kill() }
        let host = try world.host()
        try host.awaitFolders([uri(folder)])
        let file = uri(folder) + "/file"
        let share = "org.roundel.Sample1.Share"
        let found = try host.call("GetItemService", [.string(file), .string(share)])
        // What follows concerns the two alone: it works while the badge service does nothing.
        world.service?.signal(SIGSTOP)
        let path = try #require(found[1].objectPath)
        let name = try #require(found[0].string)
        let link = try world.call(host.bus, name, path, share, "Link", [.string(file), .uint32(7)])
        #expect(link == [.string("https://sample.example/file?days=7&for=\(host.bus.uniqueName)")])
        world.service?.signal(SIGCONT)
        do {
            _ = try call(host, file, share, "Link", [.string("file:///elsewhere"), .uint32(7)])
            Issue.record("a link to another's item was made")
        } catch let error as DBusError {
            #expect(shortName(error) == "NotYourFolder")
        }
        #expect(try host.refusal("GetItemService", [.string(file), .string("org.example.Other")]) == "NoSuchService")
    }

    @Test(
        "F14: the worker offers the interfaces of an engine, where a host learns what the Host interface does not say")
    func worker() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let host = try sync.world.host()
        let item = uri(sync.path("a"))
        let activity = try call(host, item, EngineInterface.folders.name, "Activity", [.uint32(10), .map([:])])
        let actions = (activity[0].maps ?? []).map { [$0.string("action"), $0.string("uri")] }
        #expect(actions == [["uploaded", item]])
        sync.killWorker()
        try sync.world.until("the service is gone with its provider") {
            try host.refusal("GetItemService", [.string(item), .string(EngineInterface.folders.name)])
                == "NoSuchService"
        }
    }
}

import DBus
import RoundelBus
import TestSupport
import Testing

/// A provider's folder above or below another provider's.
@Suite final class ConsentTests: FolderSuite {
    private func settings(_ member: String, _ id: String, _ folder: String) throws {
        _ = try host.call(member, [.string(id), .string(folder)], interface: Names.providers)
    }

    private func waiting(_ id: String) throws -> [VariantMap] {
        let rows = try host.call("List", [], interface: Names.providers).first?.maps ?? []
        return rows.first { $0.string("id") == id }?.maps("waiting") ?? []
    }

    @Test("It waits and shows nothing until it is allowed, which outlives the service and the providers")
    func waits() throws {
        let (first, second) = (try FakeProvider(world, "first"), try FakeProvider(world, "a-second"))
        let outer = try world.makeFolder("Outer"), inner = try world.makeFolder("Outer/inner")
        func register(_ provider: FakeProvider, _ folder: String) throws -> VariantMap {
            try world.until("\(provider.id) may register") { (try? provider.register()) != nil }
            return try provider.call("SetFolders", [FakeProvider.offers([uri(folder)], watch: true)]).first?.map ?? [:]
        }
        for provider in [first, second] { try provider.announce() }
        #expect(try register(first, outer)["waiting"] == nil)
        #expect(try register(second, inner)["waiting"] == .strings([uri(inner)]))
        second.know(uri(inner), ["x": "error"])
        first.know(uri(inner), ["x": "synced"])
        #expect(try host.folders() == [uri(outer), directory].sorted())
        try host.begin(uri(inner))
        #expect(try host.badges(uri(inner), ["x"]).map(\.badge) == ["synced"])
        #expect(second.calls("BeginObserving").isEmpty && second.calls("RequestBadges").isEmpty)
        let columns = Row.columns([Row(name: "x", badge: "error")])
        #expect(try second.refusal("UpdateBadges", [.string(uri(inner))] + columns) == "ConsentNeeded")
        #expect(
            try waiting("a-second") == [
                ["folder": .string(uri(inner)), "other": .string(uri(outer)), "provider": .string("first")]
            ])
        // It can sync there all the same.
        try second.call("Flush", [.string(uri(inner))])
        second.clear()
        try Disk.write(inner + "/new", "x")
        try second.await("ItemsChanged")

        try world.restartService()
        _ = try register(second, inner)
        _ = try register(first, outer)
        #expect(try waiting("a-second").count == 1 && waiting("first").isEmpty)

        try settings("Allow", "a-second", uri(inner))
        #expect(try waiting("a-second").isEmpty)
        for _ in 0..<2 {
            try host.awaitFolders([uri(outer), uri(inner)])
            try host.begin(uri(inner))
            #expect(try host.badges(uri(inner), ["x"]).map(\.badge) == ["error"])
            try world.restartService()
            _ = try register(second, inner)
            _ = try register(first, outer)
        }
        try settings("Disallow", "a-second", uri(inner))
        #expect(try waiting("a-second").count == 1)
        #expect(
            try host.refusal("Allow", [.string("a-second"), .string(directory)], interface: Names.providers)
                == "UnknownFolder")
    }

    @Test("The person is asked once, by a notification whose button allows it")
    func notification() throws {
        let daemon = try StandInNotifications(world)
        let inner = try world.makeFolder("Sync/inner")
        _ = try world.provider("second", [inner])
        try world.until("the person is asked") { !daemon.shown.isEmpty }
        let home = "~/"
        #expect(daemon.shown.first?.title == "Allow “second” to show badges in \(home)Sync/inner")
        #expect(
            daemon.shown.first?.text == "\(home)Sync/inner is inside \(home)Sync, where “test” shows badges now.")
        #expect(daemon.shown.first?.buttons == ["allow", "Allow"])
        #expect(try host.folders() == [directory])
        try daemon.press("allow")
        try host.awaitFolders([directory, uri(inner)])
        #expect(daemon.shown.count == 1)
    }
}

import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// The disk on which the badge service keeps its own files does not answer, as one does not that a `sync` keeps busy.
@Suite(.enabled(if: SilentMount.isPermitted, "mounting and tracing need root and /dev/fuse")) struct SlowDiskTests {
    private let world: World
    private let folder: String
    private var directory: String { uri(folder) }
    private var state: String { world.installation.root + "/state" }
    private var stateFile: String { state + "/roundel/providers" }
    private var log: String { (try? Disk.text(world.installation.root + "/roundeld.log")) ?? "" }

    init() throws {
        world = try World(starts: false, letsTimeRunOut: true)
        folder = try world.makeFolder("Sync")
    }

    /// A directory of the installation that may stop answering.
    private func mount(_ path: String) throws -> HangingMount {
        let behind = world.installation.root + "/behind"
        try Disk.makeDirectories(behind)
        return try HangingMount(behind, at: path, in: world)
    }

    /// Sends the folders of a provider; says later whether it has an answer.
    private func send(_ provider: FakeProvider, folders: [String]) -> () -> Bool {
        var isAnswered = false
        provider.bus.call(
            Names.service, Names.servicePath, Names.registry, "SetFolders",
            { writer in
                try writer.append(value: FakeProvider.offers(folders.map(uri), watch: false))
                try writer.append(map: [:])
            }, { _ in isAnswered = true })
        return { isAnswered }
    }

    @Test("State that cannot be written for now: only the call that changes it waits, a moment; it is written later")
    func stateHangs() throws {
        let mount = try mount(state)
        defer { withExtendedLifetime(mount) {} }
        try world.startService()
        let provider = try world.provider("test", [folder], announced: true)
        let host = try world.host()
        provider.know(directory, ["a": "synced"])
        try host.begin(directory)
        let later = try world.makeFolder("Later")
        mount.hang()
        let isAnswered = send(provider, folders: [folder, later])
        #expect(try host.badges(directory, ["a"]).map(\.badge) == ["synced"])
        for number in 0..<20 {
            try provider.update(directory, "a", number % 2 == 0 ? "syncing" : "synced")
            #expect(try host.badges(directory, ["a"]).map(\.badge) == [number % 2 == 0 ? "syncing" : "synced"])
        }
        try world.until("the call is answered") { isAnswered() }
        #expect(try host.folders() == [uri(later), directory])
        try world.until("it is said") { log.contains("does not answer") }
        mount.answer()
        try world.until("it is written") { Disk.textIfThere(stateFile)?.contains(uri(later)) ?? false }
    }

    @Test("Of what changes while the state cannot be written the latest is written, also when the service is to end")
    func endsWithLatest() throws {
        let mount = try mount(state)
        defer { withExtendedLifetime(mount) {} }
        try world.startService()
        let provider = try world.provider("test", [folder], announced: true)
        let host = try world.host()
        mount.hang()
        for name in ["First", "Second", "Last"] {
            let place = try world.makeFolder(name)
            _ = send(provider, folders: [place])
            try world.until("\(name) is there") { try host.folders() == [uri(place)] }
        }
        world.service?.signal(SIGTERM)
        // It has had the signal when it has answered what was sent after it, or has gone.
        _ = try? world.call(
            host.bus, Names.service, Names.servicePath, "org.freedesktop.DBus.Peer", "Ping", [])
        mount.answer()
        #expect(try world.service?.wait() == 0)
        let text = try Disk.text(stateFile)
        #expect(text.contains("home/Last") && !text.contains("home/First") && !text.contains("home/Second"))
    }

    @Test("The service ends while its state cannot be written")
    func ends() throws {
        let mount = try mount(state)
        defer { withExtendedLifetime(mount) {} }
        try world.startService()
        let provider = try world.provider("test", [folder], announced: true)
        let host = try world.host()
        let later = try world.makeFolder("Later")
        mount.hang()
        _ = send(provider, folders: [later])
        try world.until("the folder is there") { try host.folders() == [uri(later)] }
        world.service?.signal(SIGTERM)
        // Its process may wait in the kernel, so the name counts.
        try world.until("the service has left the bus") { try world.process(of: Names.service) == nil }
        mount.answer()
        try world.service?.wait()
    }

    @Test("What was notified cannot be written for now: nobody waits for it; it is written later")
    func notifiedHangs() throws {
        let mount = try mount(state)
        defer { withExtendedLifetime(mount) {} }
        let daemon = try StandInNotifications(world)
        try world.startService()
        let provider = try world.provider("test", [folder])
        let host = try world.host()
        mount.hang()
        let notice: VariantMap = [
            "id": .string("full"), "title": .string("No space"), "text": .string("There is no space left."),
        ]
        try provider.call(
            "SetFolderStatus", [.string(directory), .uint32(4), .string("No space"), .byte(255)],
            options: ["notices": .maps([notice])])
        try world.until("it is notified") { daemon.shown.map(\.title) == ["No space"] }
        #expect(try host.folders() == [directory])
        mount.answer()
        try world.until("it is written") {
            Disk.textIfThere(state + "/roundel/notified")?.contains(directory) ?? false
        }
    }

    @Test("Manifests that cannot be read for now: only who needs them waits, a moment; they are read later")
    func manifestsHang() throws {
        let manifests = world.installation.root + "/data/roundel/providers"
        let mount = try mount(manifests)
        defer { withExtendedLifetime(mount) {} }
        try world.startService()
        let provider = try world.provider("test", [folder])
        let host = try world.host()
        provider.know(directory, ["a": "synced"])
        try host.begin(directory)
        try world.installation.addManifest("late", name: "Late", busName: "org.example.late", object: "/late")
        mount.hang()
        let list = host.send("List", [], interface: Names.providers)
        #expect(try host.badges(directory, ["a"]).map(\.badge) == ["synced"])
        #expect(try host.answer(list).first?.maps?.compactMap { $0.string("id") } == ["test"])
        // A provider that needs no manifests goes on while a host waits for them.
        try world.until("an update is answered before a list that was asked for earlier") {
            mount.answer()
            try world.until("it is read") {
                try host.call("List", [], interface: Names.providers).first?.maps?.count == 2
            }
            mount.hang()
            let list = host.send("List", [], interface: Names.providers)
            // The service has the list's call once it has answered this one.
            _ = try host.badges(directory, ["a"])
            try provider.update(directory, "a", "pending")
            // Replies to one connection come in order.
            _ = try host.badges(directory, ["a"])
            let isFirst = list.result == nil
            _ = try host.answer(list)
            return isFirst
        }
        let other = try world.provider("other", [try world.makeFolder("Other")])
        try world.until("it is said") { log.contains("does not answer") }
        mount.answer()
        try world.until("it is read") {
            let providers = try host.call("List", [], interface: Names.providers).first?.maps
            return providers?.contains { $0.string("id") == "late" } ?? false
        }
        withExtendedLifetime(other) {}
    }

    @Test("The loop of the badge service asks nothing of its files, whatever it is called for")
    func loopTouchesNothing() throws {
        try world.startService()
        let service = try #require(world.service)
        let daemon = try StandInNotifications(world)
        let trace = try Trace(service.identifier, in: world)
        let provider = try world.provider("test", [folder], watch: true, announced: true)
        let host = try world.host()
        try host.begin(directory)
        try Disk.write(folder + "/a", "a")
        provider.know(directory, ["a": "synced"])
        try world.until("the badge is there") { try host.badges(directory, ["a"]).map(\.badge) == ["synced"] }
        try provider.call("Flush", [.string(directory)])
        for member in ["Disable", "Enable"] {
            _ = try host.call(member, [.string("test")], interface: Names.providers)
        }
        try provider.setFolders([folder, try world.makeFolder("Other")], watch: true)
        try provider.call(
            "SetFolderStatus", [.string(directory), .uint32(4), .string("No space"), .byte(255)],
            options: ["notices": .maps([["id": .string("full"), "title": .string("Full"), "text": .string("Full.")]])])
        try world.until("it is notified") { !daemon.shown.isEmpty }
        try world.until("it is written") { Disk.exists(state + "/roundel/notified") }
        let calls = try trace.end()
        let places = ["home", "state", "data", "shared"].map { "\(world.installation.root)/\($0)" }
        for place in places.dropLast() {
            #expect(calls.contains { $0.text.contains(place) }, "\(place) was not traced")
        }
        let loop = calls.filter { call in
            call.thread == service.identifier && places.contains { call.text.contains($0) }
        }
        #expect(loop.map(\.text).prefix(5).isEmpty)
    }
}

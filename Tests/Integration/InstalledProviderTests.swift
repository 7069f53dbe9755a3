import DBus
import RoundelBus
import TestSupport
import Testing

/// Providers that were just installed.
@Suite("E8: a provider that was just installed waits for the person's yes")
struct InstalledProviderTests {
    private let world: World
    private let folder: String

    init() throws {
        world = try World(starts: false)
        folder = try world.makeFolder("Sample")
        try world.installation.addService(
            "org.roundel.Sample1", program: "\(BuiltPrograms.path("sample-provider")) \(folder)")
    }

    private func install() throws {
        try world.installation.addManifest(
            "sample", name: "A Sample", busName: "org.roundel.Sample1", object: "/org/roundel/Sample1",
            more: "Description=Shows badges\nDescription[de]=Zeigt Abzeichen\n", isNew: true)
    }

    /// Waits until the person's answer is on the disk.
    private func untilKept(_ line: String) throws {
        try world.until("the answer is kept") {
            Disk.textIfThere(world.installation.root + "/state/roundel/providers")?.contains(line) ?? false
        }
    }

    /// Its row of Providers.List.
    private func row(_ host: HostClient) throws -> VariantMap {
        let rows = try host.call("List", [], interface: Names.providers)[0].maps ?? []
        return try #require(rows.first { $0.string("id") == "sample" })
    }

    @Test("It is asked about in the person's language; “Turn On” starts it, and the answer is kept over a restart")
    func turnOn() throws {
        let notifications = try StandInNotifications(world)
        try install()
        try world.startService(more: ["LC_ALL": "en_US.UTF-8", "LANGUAGE": "de"])
        let host = try world.host()
        try world.until("it is asked about") { !notifications.shown.isEmpty }
        let asked = notifications.shown[0]
        #expect(asked.title.contains("“A Sample”") || asked.title.contains("„A Sample“"))
        #expect(asked.text.hasPrefix("Zeigt Abzeichen\n"))
        #expect(asked.buttons.count == 4 && asked.buttons[0] == "turn-on" && asked.buttons[2] == "not-now")
        #expect(try row(host).bool("new") == true && row(host).bool("enabled") == false)
        #expect(try host.folders().isEmpty && world.process(of: "org.roundel.Sample1") == nil)
        try notifications.press("turn-on")
        try host.awaitFolders([uri(folder)])
        #expect(try row(host).bool("new") == false && row(host).bool("enabled") == true)
        try untilKept("[sample]\nEnabled=true")
        try world.restartService()
        try world.host().awaitFolders([uri(folder)])
        #expect(notifications.shown.count == 1)
    }

    @Test("One that is installed while the service runs is seen when a settings program looks; “Not Now” leaves it off")
    func notNow() throws {
        let notifications = try StandInNotifications(world)
        try world.startService()
        let host = try world.host()
        _ = try host.call("List", [], interface: Names.providers)
        try install()
        #expect(try row(host).bool("new") == true)
        try world.until("it is asked about") { !notifications.shown.isEmpty }
        try notifications.press("not-now")
        try world.until("the answer is known") { try row(host).bool("new") == false }
        try untilKept("[sample]\nEnabled=false")
        #expect(try row(host).bool("enabled") == false)
        try world.restartService()
        let later = try world.host()
        #expect(try row(later).bool("new") == false && row(later).bool("enabled") == false)
        #expect(try later.folders().isEmpty)
        #expect(try world.installation.run("roundel", ["providers", "enable", "sample"]).status == 0)
        try later.awaitFolders([uri(folder)])
    }

    @Test("roundel providers says that it is new, and how it is turned on")
    func list() throws {
        try install()
        try world.startService()
        let list = try world.installation.run("roundel", ["providers"])
        #expect(list.output.contains("sample") && list.output.contains(" new "))
        #expect(list.output.contains("roundel providers enable sample"))
        let json = try world.installation.run("roundel", ["providers", "--json"])
        #expect(json.output.contains("\"new\": true") || json.output.contains("\"new\":true"))
    }

    @Test("What an earlier version found installed stays on, and nobody is asked")
    func upgraded() throws {
        let notifications = try StandInNotifications(world)
        try install()
        try Disk.makeDirectories(world.installation.root + "/state/roundel")
        try Disk.write(world.installation.root + "/state/roundel/providers", "[Service]\nVersion=2\nAllowed=\n")
        try world.startService()
        try world.host().awaitFolders([uri(folder)])
        #expect(try row(world.host()).bool("new") == false)
        // The next one is asked about, after which nothing more can come of the first.
        try world.installation.addManifest(
            "other", name: "Other", busName: "org.example.Other", object: "/x", isNew: true)
        _ = try world.host().call("List", [], interface: Names.providers)
        try world.until("the next one is asked about") { !notifications.shown.isEmpty }
        #expect(notifications.shown.map(\.title).allSatisfy { $0.contains("Other") })
    }
}

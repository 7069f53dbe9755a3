import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Providers that are started by their manifests, and what goes wrong with that.
@Suite struct ActivationTests {
    private let world: World
    private let folder: String

    init() throws {
        world = try World(starts: false)
        folder = try world.makeFolder("Sample")
        try world.installation.addManifest(
            "sample", name: "A Sample", busName: "org.roundel.Sample1", object: "/org/roundel/Sample1")
    }

    /// Has the bus start the sample with a script, whose runs are counted in a file.
    private func start(with script: String) throws {
        try world.installation.addProgram(
            "start-sample",
            """
            #!/bin/sh
            echo run >> \(world.installation.root)/runs
            run=$(wc -l < \(world.installation.root)/runs)
            \(script)
            exec \(BuiltPrograms.path("sample-provider")) \(folder)
            """)
        try world.installation.addService(
            "org.roundel.Sample1", program: "\(world.installation.root)/bin/start-sample")
        try world.startService()
    }

    @Test("A provider whose start fails is started again")
    func startFails() throws {
        try start(with: "[ $run -le 2 ] && exit 1")
        try world.host().awaitFolders([uri(folder)])
        #expect(try Disk.text(world.installation.root + "/runs").split(separator: "\n").count == 3)
    }

    @Test("A provider that takes its name and ends before it registers is started again")
    func endsBeforeItRegisters() throws {
        let owning =
            "from gi.repository import Gio; b = Gio.bus_get_sync(Gio.BusType.SESSION); "
            + "b.call_sync('org.freedesktop.DBus', '/', 'org.freedesktop.DBus', 'RequestName', "
            + "__import__('gi').repository.GLib.Variant('(su)', ('org.roundel.Sample1', 0)), None, 0, -1, None)"
        try start(with: "[ $run -le 1 ] && exec /usr/bin/python3 -c \"\(owning)\"")
        try world.host().awaitFolders([uri(folder)])
        #expect(try Disk.text(world.installation.root + "/runs").split(separator: "\n").count >= 2)
    }

    @Test("Forget: a provider that runs and one that nobody knows are refused; the folders of one that is gone go")
    func forget() throws {
        try start(with: "")
        let host = try world.host()
        try host.awaitFolders([uri(folder)])
        #expect(try host.refusal("Forget", [.string("sample")], interface: Names.providers) == "ProviderRunning")
        #expect(try host.refusal("Forget", [.string("nobody")], interface: Names.providers) == "UnknownProvider")
        let gone = try FakeProvider(world, "gone")
        try gone.announce()
        try gone.register()
        let other = try world.makeFolder("Other")
        try gone.setFolders([other])
        gone.bus.close()
        try world.until("it is gone") {
            try host.refusal("Forget", [.string("gone")], interface: Names.providers) == nil
        }
        try host.awaitFolders([uri(folder)])
        let forgotten = try world.installation.run("roundel", ["providers", "forget", "sample"])
        #expect(forgotten.status == 1 && forgotten.errors.contains("is running"))
        #expect(try world.installation.run("roundel", ["providers", "forget", "gone"]).status == 0)
    }
}

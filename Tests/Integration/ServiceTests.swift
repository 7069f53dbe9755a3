import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// roundeld as a program: start, end, state file, activation, Providers.
@Suite struct ServiceTests {
    /// The rows of Providers.List by their id.
    private func providers(_ host: HostClient) throws -> [String: VariantMap] {
        let rows = try host.call("List", [], interface: Names.providers)[0].maps ?? []
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.string("id") ?? "?", $0) })
    }

    @Test("--version and --help answer without a bus; what is not known is refused with 64")
    func arguments() throws {
        let installation = try Installation()
        for program in ["roundeld", "roundel-worker", "roundel"] {
            let version = try installation.run(program, ["--version"])
            #expect(version.status == 0)
            #expect(version.output.contains(roundelRelease))
            #expect(try installation.run(program, ["--no-such-option"]).status == 64, "\(program)")
        }
    }

    @Test("ROUNDEL_LOG=debug logs what the service decides, a line for each action; otherwise none of it is logged")
    func debugLog() throws {
        for (variables, isLogged) in [(["ROUNDEL_LOG": "debug"], true), ([:], false)] {
            let world = try World(starts: false)
            let service = try world.installation.start("roundeld", more: variables)
            defer { service.kill() }
            let host = try world.host()
            try world.until("the service answers") { (try? host.begin("file:///nowhere")) != nil }
            let log = try Disk.text(world.installation.root + "/roundeld.log")
            #expect(log.contains("<7>roundeld: reply ") == isLogged)
            #expect(log.contains("<7>") == isLogged)
        }
    }

    @Test("SIGTERM ends both programs with 0", arguments: [SIGTERM, SIGINT])
    func terminated(signal: Int32) throws {
        let sync = try SyncWorld(files: ["a": "a"])
        sync.worker?.signal(signal)
        #expect(try sync.worker?.wait() == 0)
        sync.world.service?.signal(signal)
        #expect(try sync.world.service?.wait() == 0)
    }

    @Test(
        "A second roundeld says that one runs and ends with 1; with --replace it takes the name, the first ends with 0")
    func replace() throws {
        let world = try World()
        let first = try #require(world.service)
        let second = try world.installation.start("roundeld")
        #expect(try second.wait() == 1)
        #expect(try Disk.text(world.installation.root + "/roundeld.log").contains("<3>"))
        #expect(first.isRunning)
        let host = try world.host()
        let folder = try world.makeFolder("Sync")
        let provider = try world.provider("test", [folder], announced: true)
        try world.startService(["--replace"])
        #expect(try first.wait() == 0)
        #expect(try host.folders() == [uri(folder)])
        #expect(try provider.registers)
    }

    @Test("The bus that goes ends both programs")
    func busGone() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        sync.world.installation.bus.kill()
        #expect(try sync.world.service?.wait() == 0)
        _ = try sync.worker?.wait()
    }

    @Test("An engine that goes just before the bus, as at the end of a session, is no reason for a warning")
    func engineAndBusGone() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let service = try #require(sync.world.service)
        // It learns of both in one turn, and has something to announce when nothing can be sent any more.
        service.signal(SIGSTOP)
        sync.killWorker()
        try sync.world.until("the bus knows it") { try sync.world.process(of: Names.worker) == nil }
        sync.world.installation.bus.kill()
        service.signal(SIGCONT)
        #expect(try service.wait() == 0)
        let log = try Disk.text(sync.world.installation.root + "/roundeld.log").split(separator: "\n")
        #expect(log.contains { $0.contains("Session ended") })
        #expect(log.filter { $0.hasPrefix("<3>") || $0.hasPrefix("<4>") } == [])
    }

    @Test("The bus gone and back: the service ends in good order, and the next has the folders and what was allowed")
    func busGoneAndBack() throws {
        let world = try World()
        let folder = try world.makeFolder("Sync"), inner = try world.makeFolder("Sync/inner")
        func providers() throws -> (FakeProvider, FakeProvider) {
            let made = (try FakeProvider(world, "outer"), try FakeProvider(world, "inner"))
            for provider in [made.0, made.1] {
                try provider.announce()
                try world.until("it may register") { (try? provider.register()) != nil }
            }
            return made
        }
        var (outer, second) = try providers()
        try outer.setFolders([folder], watch: true)
        try second.setFolders([inner], watch: true)
        _ = try world.host().call("Allow", [.string("inner"), .string(uri(inner))], interface: Names.providers)
        for round in 1...3 {
            // What was answered is kept, however the bus goes.
            try second.setFolders([inner, world.makeFolder("Other\(round)")], watch: true)
            let service = try #require(world.service)
            try world.restartBus()
            #expect(try service.wait() == 0)
            try world.startService()
            let wanted = [uri(world.installation.root + "/home/Other\(round)"), uri(folder), uri(inner)]
            let host = try world.host()
            try host.awaitFolders(wanted)
            // Who comes back finds its place, in whatever order.
            (outer, second) = try providers()
            second.know(uri(inner), ["x": "error"])
            try second.setFolders([inner, world.installation.root + "/home/Other\(round)"], watch: true)
            try outer.setFolders([folder], watch: true)
            try host.begin(uri(inner))
            #expect(try host.badges(uri(inner), ["x"]).map(\.badge) == ["error"])
            try second.call("Flush", [.string(uri(inner))])
        }
        #expect(!world.installation.logs.contains("<3>"), "\(world.installation.logs)")
    }

    @Test("Without a bus both say so and end with 1", arguments: ["roundeld", "roundel-worker"])
    func noBus(program: String) throws {
        let installation = try Installation()
        let started = try installation.start(program, more: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
        #expect(try started.wait() == 1)
        #expect(try Disk.text("\(installation.root)/\(program).log").hasPrefix("<3>"))
    }

    @Test("The folders of a provider stay known over restarts of the service")
    func stateFile() throws {
        let world = try World()
        let folder = try world.makeFolder("Sync")
        let provider = try world.provider("test", [folder], announced: true)
        let host = try world.host()
        provider.bus.close()
        #expect(try host.folders() == [uri(folder)])
        world.service?.signal(SIGTERM)
        _ = try world.service?.wait()
        try world.startService()
        #expect(try host.folders() == [uri(folder)])
        #expect(try host.begin(uri(folder)))
        let again = try FakeProvider(world, "test")
        try again.announce()
        again.know(uri(folder), ["x": "synced"])
        try again.register()
        try again.setFolders([folder])
        try again.await("BeginObserving")
        // Its item is not on the disk, where it is looked for as long as the folder is not watched.
        try again.call("Flush", [.string(uri(folder))])
        #expect(try host.badges(uri(folder), ["x"]).map(\.badge) == ["synced"])
    }

    @Test("A damaged state file costs nothing but what it held")
    func damagedState() throws {
        let world = try World(starts: false)
        try Disk.makeDirectories(world.installation.root + "/state/roundel")
        try Disk.write(
            world.installation.root + "/state/roundel/providers",
            [0xFF, 0x00] + Array("[[[\n=\n[x]\nFolders=http://;;\nEnabled=perhaps\n".utf8))
        try world.startService()
        #expect(try world.host().folders().isEmpty)
    }

    @Test("An enabled provider is started by the service, shows badges and menus, and is started again after its death")
    func activation() throws {
        let world = try World(starts: false)
        let folder = try world.makeFolder("Sample")
        try Disk.write(folder + "/file", "x")
        try world.installation.addManifest(
            "sample", name: "A Sample", busName: "org.roundel.Sample1", object: "/org/roundel/Sample1")
        try world.installation.addService(
            "org.roundel.Sample1", program: "\(BuiltPrograms.path("sample-provider")) \(folder)")
        try world.startService()
        let host = try world.host()
        try host.awaitFolders([uri(folder)])
        let first = try #require(try world.process(of: "org.roundel.Sample1"))
        #expect(try providers(host)["sample"]?.bool("running") == true)
        try playSample(host, folder)
        kill(first, SIGKILL)
        // By the time that this test hears of its end it may be there again.
        try world.until("the badge goes and comes back") {
            let told = host.told(uri(folder)).filter { $0.name == "file" }.map(\.badge)
            return told.contains("") && told.last == "synced"
        }
        #expect(try world.process(of: "org.roundel.Sample1") != first)
    }

    /// A whole engine: badges, menus, attributes, services, toolbar.
    private func playSample(_ host: HostClient, _ folder: String) throws {
        let file = uri(folder) + "/file"
        #expect(try host.begin(uri(folder)))
        try host.world.until("the badge") {
            try host.directory(uri(folder)).rows == [Row(name: "file", badge: "synced")]
        }
        let menu = try host.menu(0, uri(folder), [file])
        #expect(menu.items.map { $0.string("id") } == ["sample/star", "sample/more"])
        #expect(menu.items[0].bool("checked") == false)
        _ = try host.call("Activate", [.uint64(menu.id), .string("sample/star")])
        try host.await(.finished(menu.id, "sample/star", 0, ""))
        try host.await(uri(folder), "file", "sample.starred")
        #expect(try host.menu(0, uri(folder), [file]).items[0].bool("checked") == true)
        #expect(try host.attributes(file).strings("tags") == ["star"])
        _ = try host.call("Activate", [.uint64(menu.id), .string("sample/fail")])
        try host.await(.finished(menu.id, "sample/fail", 2, "This action always fails."))
        let service = try host.call("GetItemService", [.string(file), .string("org.roundel.Sample1.Share")])
        #expect(service[1] == .objectPath("/org/roundel/Sample1/Share"))
        #expect(
            try host.property("ToolbarItem")
                == .structure([.string("Sample"), .string("folder"), .string("A sample engine")]))
        // Again and again, because what there is before the folder is watched is no change.
        try host.world.until("the new file is told") {
            try Disk.write(folder + "/new", "x")
            return host.badge(uri(folder), "new") == "synced"
        }
        host.clear()
    }

    @Test("Providers: a provider that is disabled loses its badges, hosts are reset; enabled it is there again")
    func disabling() throws {
        let world = try World()
        let folder = try world.makeFolder("Sync")
        let provider = try world.provider("test", [folder])
        provider.know(uri(folder), ["x": "synced"])
        let host = try world.host()
        try host.begin(uri(folder))
        _ = try host.badges(uri(folder), ["x"])
        #expect(try host.refusal("Disable", [.string("nobody")], interface: Names.providers) == "UnknownProvider")
        #expect(try host.refusal("Enable", [.string("nobody")], interface: Names.providers) == "UnknownProvider")
        #expect(try host.refusal("OpenSettings", [.string("nobody")], interface: Names.providers) == "UnknownProvider")
        _ = try host.call("Disable", [.string("test")], interface: Names.providers)
        try host.await(.reset)
        #expect(try host.folders().isEmpty)
        #expect(try !host.begin(uri(folder)))
        #expect(try !provider.update(uri(folder), "x", "error"))
        #expect(try providers(host)["test"]?.bool("enabled") == false)
        try world.restartService()
        #expect(try provider.registers)
        try provider.setFolders([folder])
        #expect(try host.folders().isEmpty)
        _ = try host.call("Enable", [.string("test")], interface: Names.providers)
        try host.awaitFolders([uri(folder)])
        #expect(try host.begin(uri(folder)))
        #expect(try host.badges(uri(folder), ["x"]).map(\.badge) == ["error"])
        let row = try #require(try providers(host)["test"])
        #expect(row.bool("enabled") == true && row.bool("running") == true)
        #expect(row.strings("folders") == [uri(folder)])
    }

    @Test("Providers: a provider that cannot be started says why in last-error, and Changed is emitted")
    func lastError() throws {
        let world = try World(starts: false)
        try world.installation.addManifest("broken", name: "Broken", busName: "org.example.Broken", object: "/x")
        try world.installation.addService("org.example.Broken", program: "/bin/false")
        try world.startService()
        let host = try world.host()
        try world.until("the reason is said") { try providers(host)["broken"]?.string("last-error")?.isEmpty == false }
        let row = try #require(try providers(host)["broken"])
        #expect(row.string("name") == "Broken")
        #expect(row.bool("running") == false)
        #expect(row.bool("enabled") == true)
        #expect(world.service?.isRunning == true)
    }

    @Test("The worker is started by the first command, and the badge service with it")
    func byCommand() throws {
        let installation = try Installation(activates: true)
        let home = installation.root + "/home"
        try Disk.makeDirectories(home + "/Sync")
        try Disk.makeDirectories(home + "/Remote")
        try Disk.write(home + "/Sync/a", "a")
        #expect(try installation.run("roundel", ["add", "Sync", "Remote", "--wait"], directory: home).status == 0)
        // The command waits for a badge a second at most.
        let end = Moment.now + World.patience
        var badge = ""
        while !badge.hasPrefix("synced"), Moment.now < end {
            badge = try installation.run("roundel", ["badge", "Sync/a"], directory: home).output
        }
        #expect(badge.hasPrefix("synced"))
        #expect(try Disk.text(home + "/Remote/a") == "a")
    }
}

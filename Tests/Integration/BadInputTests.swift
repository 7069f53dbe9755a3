import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// What clients, providers and disks do wrong: everything else goes on, and no memory is kept.
@Suite final class BadInputTests: ObservedFolderSuite {
    /// The service answers this host as ever.
    private func goesOn() throws {
        provider.handlers = [:]
        // A directory that came back is looked through when it is watched again.
        try Disk.write(folder + "/fine", "x")
        provider.know(directory, ["fine": "synced"])
        // A loaded machine may take longer than a call is held.
        try world.until("the badge is there") { try host.badges(directory, ["fine"]).map(\.badge) == ["synced"] }
        try provider.update(directory, "fine", "pending")
        try host.await(directory, "fine", "pending")
    }

    @Test(
        "A provider's answer of the wrong length or type is none for the whole call and is not asked again",
        arguments: 0..<6)
    func wrongAnswers(how: Int) throws {
        let answers: [[DBusValue]] = [
            [.strings(["synced"]), .uint32s([0, 0]), .bytes([255, 255])],
            [.strings(["synced", "synced", "synced"]), .uint32s([0, 0, 0]), .bytes([255, 255, 255])],
            [.strings([]), .uint32s([]), .bytes([])], [.string("synced")],
            [.bytes([1]), .uint32s([0]), .strings(["x"])], [],
        ]
        provider.handlers["RequestBadges"] = { call, _ in
            call.reply { writer in for value in answers[how] { try writer.append(value: value) } }
        }
        #expect(try host.badges(directory, ["a", "b"]).map(\.badge) == ["", ""])
        #expect(try host.badges(directory, ["b", "a"]).map(\.badge) == ["", ""])
        #expect(provider.calls("RequestBadges").count == 1)
        try goesOn()
    }

    @Test("A badge that is not the provider's in an answer is not shown")
    func foreignBadge() throws {
        provider.know(directory, ["a": "other.star", "b": "nonsense", "c": "test."])
        #expect(try host.badges(directory, ["a", "b", "c"]).map(\.badge) == ["", "", ""])
        try goesOn()
    }

    @Test("An answer with a million names is left out and nothing of it is kept")
    func millionNames() throws {
        let before = try world.privateMemory()
        provider.handlers["RequestDirectory"] = { call, _ in
            call.reply { writer in
                try writer.append(strings: (0..<1_000_000).lazy.map { "n\($0)" })
                try writer.append(strings: [String](repeating: "synced", count: 1_000_000))
                try writer.append(fixed: [UInt32](repeating: 0, count: 1_000_000))
                try writer.append(bytes: [UInt8](repeating: 255, count: 1_000_000))
                try writer.append("")
                try writer.append(map: [:])
            }
        }
        #expect(try host.directory(directory).rows.isEmpty)
        try goesOn()
        #expect(host.told(directory).allSatisfy { $0.name == "fine" })
        try host.end(directory)
        try world.until("the memory is given back") { try world.privateMemory() < before + 24_000 }
    }

    @Test("An error, an unknown object and a provider without an answer harm only itself")
    func failingProvider() throws {
        provider.handlers["RequestBadges"] = { call, _ in call.fail(.failed("No.")) }
        #expect(try host.badges(directory, ["a"]).map(\.badge) == [""])
        let second = try world.makeFolder("Second")
        let lost = try FakeProvider(world, "lost")
        try lost.call("Register", [.objectPath("/nowhere")], options: ["id": .string("lost")])
        try lost.setFolders([second])
        #expect(try host.begin(uri(second)))
        #expect(try host.badges(uri(second), ["a"]).map(\.badge) == [""])
        try goesOn()
    }

    @Test("F5: a host that never reads gets Reset, the others go on, and no memory is kept")
    func neverReads() throws {
        let before = try world.privateMemory()
        let reader = try Silent(world.installation)
        let names = (0..<2000).map { "n\($0)-" + String(repeating: "x", count: 100) }
        for name in names { provider.know(directory, [name: "synced"]) }
        try reader.observe(directory, names)
        _ = try host.badges(directory, names)
        for step in 0..<40 {
            let rows = names.map { Row(name: $0, badge: "syncing", progress: UInt8(step)) }
            try provider.update(directory, rows)
            try world.until("the host is told") { host.told(directory).last?.progress == UInt8(step) }
            host.clear()
        }
        let said = try Disk.text(world.installation.root + "/roundeld.log")
        #expect(said.contains("does not read"))
        try goesOn()
        #expect(try reader.isReset())
        try host.end(directory)
        try world.until("the memory is given back") { try world.privateMemory() < before + 24_000 }
    }

    @Test("A client that floods is answered, and others are in between")
    func floods() throws {
        let flooding = try world.host()
        try flooding.begin(directory)
        // What is known is answered at once, so that none of the calls has to wait.
        let names = (0..<7).map { "n\($0)" }
        for name in names {
            try Disk.write("\(folder)/\(name)", "x")
            provider.know(directory, [name: "synced"])
        }
        try world.until("the badges are known") {
            try flooding.badges(directory, names).allSatisfy { $0.badge == "synced" }
        }
        let calls = (0..<5000).map { flooding.send("RequestBadges", [.string(directory), .strings([names[$0 % 7]])]) }
        try goesOn()
        for call in calls { #expect(try flooding.answer(call)[0].strings == ["synced"]) }
    }

    @Test("F5: a client killed between begin and end is counted out")
    func killedClient() throws {
        let second = try world.makeFolder("Sync/second")
        let script = """
            import gi, sys
            from gi.repository import Gio, GLib
            bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
            bus.call_sync('org.roundel.Roundel1', '/org/roundel/Roundel1', 'org.roundel.Roundel1.Host',
                          'BeginObserving', GLib.Variant('(sa{sv})', (sys.argv[1], {})), None, 0, -1, None)
            print('observing', flush=True)
            GLib.MainLoop().run()
            """
        let client = try RunningProgram(
            ["/usr/bin/python3", "-c", script, uri(second)].map { Array($0.utf8) },
            environment: world.installation.environment, errorFile: world.installation.root + "/python.err")
        #expect(try client.line() == "observing")
        client.kill()
        try provider.await("EndObserving")
        #expect(provider.calls("EndObserving").map(\.subject) == [uri(second)])
        try goesOn()
    }

    @Test("A registered folder that is deleted ends, is known still, and is there again when it comes back")
    func deletedFolder() throws {
        _ = try host.badges(directory, [])
        rmdir(folder)
        try provider.await("EndObserving")
        #expect(try host.folders() == [directory])
        try Disk.makeDirectory(folder)
        try world.until("it is observed again") { try host.begin(directory) }
        try goesOn()
    }

    @Test("A registered folder that is replaced by a symlink or a file is not shown")
    func replacedFolder() throws {
        let other = try world.makeFolder("Other")
        rmdir(folder)
        try Disk.link(folder, to: other)
        try provider.await("EndObserving")
        try world.until("it is not monitored") {
            let monitored = try host.begin(directory)
            if monitored { _ = try? host.call("EndObserving", [.string(directory)]) }
            return !monitored
        }
        #expect(try !host.begin(uri(other)))
        try Disk.remove(folder)
        try Disk.makeDirectory(folder)
        try world.until("it is observed again") { try host.begin(directory) }
        try goesOn()
    }

    @Test("Directories deeper than PATH_MAX below a watched folder do no harm")
    func deep() throws {
        try provider.setFolders([folder], watch: true)
        try world.until("observing") { try host.begin(directory) }
        // What there is before the folder is watched is no change.
        try provider.settle(directory)
        provider.clear()
        let script = """
            import os, sys
            os.chdir(sys.argv[1])
            for _ in range(60):
                os.mkdir('d' * 100); os.chdir('d' * 100)
            open('bottom', 'w').close()
            """
        let made = try world.installation.run(bytes: "/usr/bin/python3", ["-c", script, folder].map { Array($0.utf8) })
        #expect(made.status == 0)
        try provider.call("Flush", [.string(directory)])
        #expect(!provider.calls("ItemsChanged").isEmpty)
        try goesOn()
    }

    @Test("Garbage on the object: wrong interface, wrong path, no such property")
    func garbage() throws {
        for (path, interface, member) in [
            ("/", "org.roundel.Roundel1.Host", "BeginObserving"), ("/org/roundel/Roundel1", "a.b", "C"),
            ("/org/roundel/Roundel1/x", "org.roundel.Roundel1.Host", "GetMenu"),
        ] as [(ObjectPath, String, String)] {
            #expect(throws: DBusError.self) {
                try world.call(host.bus, Names.service, path, interface, member, [.string("x")])
            }
        }
        #expect(throws: DBusError.self) { try host.property("NoSuchProperty") }
        try goesOn()
    }

    @Test("A provider that answers nothing is asked so many questions and no more; another is served meanwhile")
    func silentProvider() throws {
        let place: [DBusValue] = [.string(directory + "/file"), .strings([])]
        provider.hold("GetAttributes")
        let hosts = try [host] + (0..<8).map { _ in try world.host() }
        // Each host's, and those of all hosts.
        for (number, mostAsked) in [32, 64, 96, 128, 160, 192, 224, 256, 256].enumerated() {
            let sent = (0..<45).map { _ in hosts[number].send("GetAttributes", place) }
            for call in sent {
                let error = #expect(throws: DBusError.self) { try hosts[number].answer(call) }
                #expect(error.map(shortName) == "ProviderTimeout")
            }
            try provider.await("GetAttributes", mostAsked)
            #expect(provider.calls("GetAttributes").count == mostAsked)
        }
        let second = try world.makeFolder("Second")
        let other = try world.provider("other", [second])
        other.attributes = ["state": .string("synced")]
        #expect(try host.attributes(uri(second) + "/x") == ["state": .string("synced")])
        // Nobody waits for the questions that did not go out.
        for call in provider.held { call.answer([.map([:])]) }
        try goesOn()
        provider.attributes = ["state": .string("error")]
        var asked = 0
        try world.until("an answer in time") {
            asked += 1
            do {
                return try host.call("GetAttributes", place)[0].map == ["state": .string("error")]
            } catch let error as DBusError where shortName(error) == "ProviderTimeout" { return false }
        }
        #expect(provider.calls("GetAttributes").count == 256 + asked)
    }

    @Test("51,000 actions that never end take nothing but their own provider's room")
    func actionsWithoutEnd() throws {
        provider.menu = [["id": .string("act"), "label": .string("Act")]]
        provider.hold("Activate")
        let menu = try host.menu(1, directory)
        var refusals: [String: Int] = [:]
        for _ in 0..<51 {
            let sent = (0..<1000).map { _ in host.send("Activate", [.uint64(menu.id), .string("test/act")]) }
            for call in sent {
                do {
                    _ = try host.answer(call)
                } catch let error as DBusError { refusals[shortName(error), default: 0] += 1 }
            }
        }
        #expect(refusals == ["LimitExceeded": 51_000 - 64])
        try provider.await("Activate", 64)
        #expect(provider.calls("Activate").count == 64)
        for call in provider.held.prefix(1) { call.answer([]) }
        try world.until("one has ended") {
            host.inbox.contains { if case .finished(menu.id, "test/act", 0, _) = $0 { true } else { false } }
        }
        #expect(try host.refusal("Activate", [.uint64(menu.id), .string("test/act")]) == nil)
        try goesOn()
    }

    /// More values than a call or an answer may have.
    private static let tooMuch: VariantMap = [
        "k": .array(element: "y", [DBusValue](repeating: .byte(0), count: Limits.menuValues))
    ]

    @Test("Options with very many values are refused, and change nothing")
    func manyOptions() throws {
        provider.menu = [["id": .string("act"), "label": .string("Act")]]
        let menu = try host.menu(1, directory)
        let activation = host.send(
            "Activate", [.uint64(menu.id), .string("test/act")], options: Self.tooMuch)
        #expect(#expect(throws: DBusError.self) { try host.answer(activation) }.map(shortName) == "LimitExceeded")
        #expect(provider.calls("Activate").isEmpty)
        let other = try FakeProvider(world, "other")
        let registration = Self.tooMuch.merging(["id": .string("other")]) { $1 }
        #expect(
            try other.refusal("Register", [.objectPath(other.object)], options: registration) == "LimitExceeded")
        let notices = Self.tooMuch.merging(["notices": .maps([])]) { $1 }
        let status: [DBusValue] = [.string(directory), .uint32(4), .string("x"), .byte(255)]
        #expect(try provider.refusal("SetFolderStatus", status, options: notices) == "LimitExceeded")
        // No folder has too many, but all of them together.
        let some: VariantMap = ["k": .bytes([UInt8](repeating: 0, count: Limits.optionValues / 2))]
        let offers = ["/A", "/B"].map { DBusValue.structure([.string(uri(folder + $0)), .map(some)]) }
        #expect(
            try provider.refusal("SetFolders", [.array(element: "(sa{sv})", offers)]) == "LimitExceeded")
        #expect(try host.folders() == [directory])
        #expect(try provider.refusal("SetFolders", [.array(element: "(sa{sv})", [offers[0]])]) == nil)
        try provider.setFolders([folder])
        try host.begin(directory)
        try goesOn()
    }

    @Test("Answers with very many values are wrong answers")
    func manyValuesInAnswers() throws {
        let own: VariantMap = ["id": .string("act"), "label": .string("Act")]
        provider.menu = [own]
        let good = try host.menu(1, directory)
        #expect(good.items.count == 1)
        provider.handlers["Activate"] = { call, _ in call.reply { try $0.append(map: Self.tooMuch) } }
        _ = try host.call("Activate", [.uint64(good.id), .string("test/act")])
        try world.until("the action has failed") {
            host.inbox.contains { if case .finished(good.id, "test/act", 2, _) = $0 { true } else { false } }
        }
        provider.menu = [own.merging(Self.tooMuch) { $1 }]
        #expect(try host.menu(1, directory).items.isEmpty)
        provider.attributes = Self.tooMuch.merging(["label": .string("x")]) { $1 }
        try world.until("the answer is wrong, and not just late") {
            let refusal = try host.refusal("GetAttributes", [.string(directory + "/file"), .strings([])])
            #expect(["ProviderFailed", "ProviderTimeout"].contains(refusal))
            return refusal == "ProviderFailed"
        }
        try goesOn()
    }

    @Test("A provider's 1,025th badge is refused; those of another provider stand")
    func manyBadges() throws {
        let second = try world.makeFolder("Second")
        let other = try world.provider("other", [second])
        try host.begin(uri(second))
        let names = (0..<2000).map { "n\($0)" }
        _ = try host.badges(directory, names)
        for start in stride(from: 0, to: 1024, by: 256) {
            try provider.update(directory, (start..<start + 256).map { Row(name: names[$0], badge: "test.B\($0)") })
        }
        #expect(
            try provider.refusal(
                "UpdateBadges", [.string(directory)] + Row.columns([Row(name: "n1", badge: "test.More")]))
                == "LimitExceeded")
        try provider.update(directory, [Row(name: "n1", badge: "test.B0")])
        other.know(uri(second), ["x": "other.Own"])
        try world.until("the other's badge") { try host.badges(uri(second), ["x"]).map(\.badge) == ["other.Own"] }
        try goesOn()
    }
}

/// A client that stops reading once it observes: a bus connection whose loop is not run.
private final class Silent {
    private let loop: EventLoop
    private let bus: Connection
    private var resets = 0

    init(_ installation: Installation) throws {
        loop = try EventLoop()
        bus = try Connection.open(.address(installation.address), on: loop)
        _ = try bus.subscribe(MatchRule(interface: Names.host, member: "Reset")) { [unowned self] _ in resets += 1 }
    }

    func observe(_ directory: String, _ names: [String]) throws {
        var answers = 0
        for member in ["BeginObserving", "RequestBadges"] {
            bus.call(
                Names.service, Names.servicePath, Names.host, member,
                { writer in
                    try writer.append(directory)
                    if member == "RequestBadges" { try writer.append(strings: names) }
                    try writer.append(map: [:])
                }, { _ in answers += 1 })
        }
        let deadline = Moment.now + World.patience
        while answers < 2 {
            guard Moment.now < deadline else { throw Failure("no answer") }
            loop.runOnce(timeout: .milliseconds(10))
        }
    }

    /// Begins to read: whether Reset is among what waited.
    func isReset() throws -> Bool {
        let deadline = Moment.now + World.patience
        while resets == 0 && Moment.now < deadline { loop.runOnce(timeout: .milliseconds(10)) }
        bus.close()
        return resets > 0
    }
}

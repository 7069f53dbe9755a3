import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// What programs may do, and how much they can make the service do for them.
@Suite final class TrustTests: FolderSuite {
    private func runInSandbox(_ arguments: [String]) throws -> RunningProgram.Outcome {
        try world.installation.runInSandbox(arguments)
    }

    private func call(_ method: String, _ arguments: String...) -> [String] {
        [
            "/usr/bin/gdbus", "call", "--address", world.installation.address, "--dest", Names.service,
            "--object-path", Names.servicePath.rawValue, "--method", method,
        ] + arguments
    }

    @Test(
        "A program in a sandbox is a host, and neither a provider nor an administrator",
        .enabled(if: Mount.isPossible, "another root directory needs root"))
    func sandbox() throws {
        let hosts = try runInSandbox(call("\(Names.host).BeginObserving", directory, "{}"))
        #expect(hosts.output == "(true, @a{sv} {})\n", "\(hosts.errors)")
        #expect(try runInSandbox(call("\(Names.providers).List", "{}")).status == 0)
        for method in [
            call("\(Names.registry).Register", "/x", "{'id': <'boxed'>}"),
            call("\(Names.providers).Disable", "test", "{}"), call("\(Names.providers).Enable", "test", "{}"),
            call("\(Names.providers).Forget", "test", "{}"), call("\(Names.providers).OpenSettings", "test", "{}"),
            call("\(Names.providers).Allow", "test", directory, "{}"),
            call("\(Names.providers).Disallow", "test", directory, "{}"),
        ] {
            let refused = try runInSandbox(method)
            #expect(refused.errors.contains("org.freedesktop.DBus.Error.AccessDenied"), "\(method): \(refused)")
        }
        #expect(try host.folders() == [directory])
        // The same program outside.
        let words = call("\(Names.providers).Disable", "test", "{}").map { Array($0.utf8) }
        #expect(
            try world.installation.run(bytes: "/usr/bin/gdbus", Array(words.dropFirst())).status == 0)
        #expect(try host.folders().isEmpty)
    }

    @Test(
        "A program in a sandbox cannot consent to a nested folder, not by the tray's menu either; another program can",
        .enabled(if: Mount.isPossible, "another root directory needs root"))
    func sandboxedClick() throws {
        let panel = try StandInPanel(world)
        try world.until("the tray's item is there") { panel.hasItem }
        let inner = try world.makeFolder("Sync/inner")
        let second = try world.provider("second", [inner])
        func lines() throws -> [(number: Int32, label: String)] {
            let reply = try world.call(
                host.bus, Names.service, "/MenuBar", "com.canonical.dbusmenu", "GetGroupProperties",
                [.array(element: "i", []), .strings(["label"])])
            return (reply.first?.elements ?? []).compactMap { row in
                guard case .structure(let members) = row, let number = members[0].int32,
                    let label = members[1].map?.string("label")
                else { return nil }
                return (number, label)
            }
        }
        var line: Int32 = 0
        try world.until("the menu asks") {
            line = try lines().first { $0.label.hasPrefix("Allow “second” to show badges in ") }?.number ?? 0
            return line > 0
        }
        var click = call("com.canonical.dbusmenu.Event", "\(line)", "clicked", "<''>", "0")
        if let path = click.firstIndex(of: Names.servicePath.rawValue) { click[path] = "/MenuBar" }
        let refused = try runInSandbox(click)
        #expect(refused.errors.contains("org.freedesktop.DBus.Error.AccessDenied"), "\(refused)")
        #expect(try second.refusal("UpdateBadges", [.string(uri(inner))] + Row.columns([])) == "ConsentNeeded")
        #expect(try host.folders() == [directory])
        let outside = try world.installation.run(
            bytes: "/usr/bin/gdbus", Array(click.map { Array($0.utf8) }.dropFirst()))
        #expect(outside.status == 0)
        try host.awaitFolders([directory, uri(inner)])
        try world.until("the menu asks no more") { try !lines().contains { $0.label.hasPrefix("Allow ") } }
    }

    @Test(
        "A program in a sandbox cannot use the tray or the sidebar",
        .enabled(if: Mount.isPossible, "another root directory needs root"))
    func sandboxedDesktop() throws {
        let panel = try StandInPanel(world)
        try world.until("the tray's item is there") { panel.hasItem }
        let open: Set = ["org.freedesktop.DBus.ObjectManager", Names.host, Names.registry, Names.providers]
        let members = try ExportedMember.own(of: Names.service, in: world, asking: host.bus)
            .filter { !open.contains($0.interface) }
        for interface in ["com.canonical.dbusmenu", "org.kde.StatusNotifierItem", "org.gtk.Menus", "org.gtk.Actions"] {
            #expect(members.contains { $0.interface == interface }, "\(interface) is not exported")
        }
        let answers = try world.installation.callInSandbox(members, of: Names.service, texts: ["uri": directory])
        for (member, answer) in zip(members, answers) {
            // Of this error busctl prints the name alone.
            let isRefused = ["A program in a sandbox", "Access denied"].contains { answer.contains($0) }
            #expect(isRefused, "\(member): \(answer)")
        }
    }

    @Test("Calls that follow Register at once wait for it, and so does the end of their caller")
    func order() throws {
        let stranger = try world.connect()
        var answers: [String] = []
        func send(_ member: String, _ arguments: [DBusValue]) {
            stranger.call(
                Names.service, Names.servicePath, Names.registry, member,
                { for argument in arguments { try $0.append(value: argument) } },
                { result in
                    if case .success = result { answers.append(member) }
                })
        }
        let second = try world.makeFolder("Second")
        for _ in 0..<3 {
            send("Register", [.objectPath("/x"), .map(["id": .string("quick")])])
            send("SetFolders", [FakeProvider.offers([uri(second)], watch: false), .map([:])])
            send("SetBadgeImages", [.array(element: "(sss)", []), .map([:])])
        }
        try world.until("all are answered") { answers.count == 9 }
        #expect(answers == (0..<3).flatMap { _ in ["Register", "SetFolders", "SetBadgeImages"] })
        #expect(try host.folders() == [uri(second), directory].sorted())
        send("Register", [.objectPath("/x"), .map(["id": .string("quick")])])
        stranger.close()
        try host.awaitFolders([directory])
    }

    @Test("A panel that asks 300,000 times for the same lines gets each once, and the service keeps no memory for it")
    func groupProperties() throws {
        provider.menu = [["id": .string("act"), "label": .string("Act")]]
        let panel = try StandInPanel(world)
        try world.until("the tray's item is there") { panel.hasItem }
        let before = try world.privateMemory()
        let lines = (0..<300_000).map { DBusValue.int32($0 % 3) }
        let reply = try world.call(
            host.bus, Names.service, "/MenuBar", "com.canonical.dbusmenu", "GetGroupProperties",
            [.array(element: "i", lines), .strings([String](repeating: "label", count: 1000))])
        let rows = reply.first?.elements?.count ?? 0
        #expect(rows >= 2 && rows <= 3)
        try world.until("the memory is given back") { try world.privateMemory() < before + 16_000 }
    }
}

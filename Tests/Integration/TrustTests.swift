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

    /// Registers under an id, then folders; prints what each call was answered.
    private static let provider = """
        import sys
        from gi.repository import Gio, GLib
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        bus = Gio.DBusConnection.new_for_address_sync(sys.argv[1], flags, None, None)
        def call(member, arguments):
            try:
                bus.call_sync("org.roundel.Roundel1", "/org/roundel/Roundel1", "org.roundel.Roundel1.Registry", member,
                              arguments, None, 0, -1, None)
                print(member, "done")
            except GLib.Error as error:
                print(member, Gio.DBusError.get_remote_error(error).rpartition(".")[2], error.message)
        name = {"id": GLib.Variant("s", sys.argv[2]), "name": GLib.Variant("s", "Your Bank")}
        call("Register", GLib.Variant("(oa{sv})", ("/x", name)))
        for folder in sys.argv[3:]:
            call("SetFolders", GLib.Variant("(a(sa{sv})a{sv})", ([(folder, {})], {})))
        """

    @Test(
        "A program of an app in a sandbox is a provider once the person says yes, of folders that its sandbox sees",
        .enabled(if: Mount.isPossible, "another root directory needs root"))
    func sandboxedProvider() throws {
        let notifications = try StandInNotifications(world)
        let (seen, app) = (try world.makeFolder("Seen"), "org.example.Cloud")
        let unseen = try TemporaryDirectory(in: "/var/tmp")
        let entries = world.installation.root + "/data/flatpak/exports/share/applications"
        try Disk.makeDirectories(entries)
        try Disk.write(
            "\(entries)/\(app).desktop",
            "[Desktop Entry]\nName=The Cloud\n")
        func lines(app: String?, id: String = "boxed") throws -> [Substring] {
            let outcome = try world.installation.runInSandbox(
                [
                    "/usr/bin/python3", "-c", Self.provider, world.installation.address, id, uri("\(unseen.path)"),
                    uri(seen),
                ], app: app)
            return outcome.output.split(separator: "\n")
        }
        func row() throws -> VariantMap? {
            let rows = try host.call("List", [], interface: Names.providers)[0].maps ?? []
            return rows.first { $0.string("id") == "boxed" }
        }
        #expect(try lines(app: nil).first?.hasPrefix("Register AccessDenied ") == true)
        #expect(try row() == nil)
        let refused = try lines(app: app)
        #expect(refused.count == 3 && refused[0].hasPrefix("Register ConsentNeeded "), "\(refused)")
        #expect(refused[0].contains("The Cloud") && refused[0].contains("Turn it on"), "\(refused)")
        #expect(refused.dropFirst().allSatisfy { !$0.hasSuffix("done") }, "\(refused)")
        try world.until("it is asked about") { !notifications.shown.isEmpty }
        #expect(notifications.shown[0].title.contains("The Cloud") && notifications.shown[0].text.contains(app))
        #expect(try row()?.bool("new") == true && row()?.string("app") == "flatpak:\(app)")
        #expect(try row()?.string("name") == "The Cloud")
        try notifications.press("turn-on")
        try world.until("the answer is known") { try row()?.bool("enabled") == true }
        for isRestarted in [false, true] {
            if isRestarted { try world.restartService() }
            let accepted = try lines(app: app)
            #expect(accepted.count == 3 && accepted[0] == "Register done", "\(accepted)")
            #expect(accepted.count == 3 && accepted[1].hasPrefix("SetFolders AccessDenied "), "\(accepted)")
            #expect(accepted.last == "SetFolders done", "\(accepted)")
            #expect(try lines(app: "org.example.Other").first?.hasPrefix("Register IdentityTaken ") == true)
        }
        // An administrator it is not.
        let disable = try world.installation.runInSandbox(
            call("\(Names.providers).Disable", "test", "{}"), app: app)
        #expect(disable.errors.contains("org.freedesktop.DBus.Error.AccessDenied"))
        #expect(try world.installation.run("roundel", ["providers", "disable", "boxed"]).status == 0)
        #expect(try lines(app: app).first?.hasPrefix("Register ConsentNeeded ") == true)
        #expect(notifications.shown.count == 1)
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

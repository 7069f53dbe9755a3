import DBus
import Glibc
import RoundelBus
import Testing

/// The Registry: identities, folders, changes, Flush.
@Suite struct RegistryTests {
    private let world: World
    private let folder: String
    private let host: HostClient
    private var directory: String { uri(folder) }

    init() throws {
        world = try World()
        folder = try world.makeFolder("Sync")
        host = try world.host()
    }

    @Test("Before Register every method is NotRegistered, and after Unregister again")
    func notRegistered() throws {
        let provider = try FakeProvider(world, "test")
        let calls: [(String, [DBusValue])] = [
            ("SetFolders", [FakeProvider.offers([directory], watch: false)]),
            ("SetBadgeImages", [.array(element: "(sss)", [])]),
            ("UpdateBadges", [.string(directory)] + Row.columns([])),
            ("SetFolderStatus", [.string(directory), .uint32(1), .string(""), .byte(255)]),
            ("Flush", [.string(directory)]), ("Unregister", []),
        ]
        for (member, arguments) in calls { #expect(try provider.refusal(member, arguments) == "NotRegistered") }
        try provider.register()
        try provider.setFolders([folder])
        try provider.call("Unregister", [])
        try host.awaitFolders([])
        for (member, arguments) in calls { #expect(try provider.refusal(member, arguments) == "NotRegistered") }
    }

    @Test("Ids follow their form", arguments: ["", "A", "1a", "a_b", "a.b", "ä", String(repeating: "a", count: 33)])
    func badIdentity(id: String) throws {
        let provider = try FakeProvider(world, id)
        let refusal = try provider.refusal("Register", [.objectPath("/x")], options: ["id": .string(id)])
        #expect(refusal == "org.freedesktop.DBus.Error.InvalidArgs")
        #expect(try FakeProvider(world, "a" + String(repeating: "-", count: 31)).registers)
    }

    @Test("An id without a manifest belongs to the first connection, while it lives")
    func identityTaken() throws {
        let first = try world.provider("test", [folder])
        let second = try FakeProvider(world, "test")
        #expect(
            try second.refusal("Register", [.objectPath("/x")], options: ["id": .string("test")]) == "IdentityTaken")
        #expect(try host.folders() == [directory])
        first.bus.close()
        try world.until("the id is free") { try second.registers }
    }

    @Test("An id that a manifest names belongs to the owner of its bus name")
    func identityOfManifest() throws {
        try world.installation.addManifest("known", name: "Known", busName: "org.example.Known", object: "/x")
        try world.restartService()
        let stranger = try FakeProvider(world, "known")
        #expect(
            try stranger.refusal("Register", [.objectPath("/x")], options: ["id": .string("known")]) == "IdentityTaken")
        let owner = try FakeProvider(world, "known")
        _ = try world.call(
            owner.bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string("org.example.Known"), .uint32(4)])
        try world.until("the owner may register") { try owner.registers }
        #expect(
            try stranger.refusal("Register", [.objectPath("/x")], options: ["id": .string("known")]) == "IdentityTaken")
    }

    @Test("F13: the owner of a manifest's bus name may register the moment the service is back")
    func ownerRegistersAtOnce() throws {
        try world.installation.addManifest("known", name: "Known", busName: "org.example.Known", object: "/x")
        try world.restartService()
        let owner = try FakeProvider(world, "known")
        try owner.own("org.example.Known")
        var answers: [Result<Message, DBusError>] = []
        let watch = try owner.bus.watchName(Names.service) { service in
            guard service != nil else { return }
            owner.bus.call(
                Names.service, Names.servicePath, Names.registry, "Register",
                {
                    try $0.append(owner.object)
                    try $0.append(map: ["id": .string("known")])
                }, { answers.append($0) })
        }
        defer { watch.cancel() }
        try world.until("an answer from the running service") { answers.count == 1 }
        for round in 2...6 {
            try world.restartService()
            try world.until("an answer to Register") { answers.count == round }
            #expect(throws: Never.self) { try answers[round - 1].get() }
        }
    }

    @Test("What cannot be a folder is refused, and with it the whole set")
    func refusedFolders() throws {
        let provider = try world.provider("test", [folder])
        let second = try world.makeFolder("Second")
        try Disk.write(world.installation.root + "/file", "x")
        try Disk.link(world.installation.root + "/link", to: second)
        let inner = try world.makeFolder("Second/inner")
        let root = world.installation.root
        let cases: [([String], String)] = [
            ([uri(second), "file:///"], "InvalidUri"), ([uri(second), uri(root + "/file")], "InvalidUri"),
            ([uri(second), uri(root + "/link")], "InvalidUri"), ([uri(second), uri(second) + "/"], "FolderTaken"),
            ([uri(second), uri(inner)], "FolderTaken"), ([uri(inner), uri(second)], "FolderTaken"),
            ([uri(second), "file:///a/../b"], "InvalidUri"),
        ]
        for (folders, error) in cases {
            let arguments = [FakeProvider.offers(folders, watch: true)]
            #expect(try provider.refusal("SetFolders", arguments) == error, "\(folders)")
            #expect(try host.folders() == [directory])
        }
        #expect(try host.begin(directory))
        #expect(try !host.begin(uri(second)))
    }

    @Test("The same folder twice under two spellings is FolderTaken")
    func sameBySymlink() throws {
        let provider = try world.provider("test")
        try Disk.makeDirectories(world.installation.root + "/real/Sync")
        try Disk.link(world.installation.root + "/alias", to: world.installation.root + "/real")
        let root = uri(world.installation.root)
        let arguments = [FakeProvider.offers([root + "/real/Sync", root + "/alias/Sync"], watch: false)]
        #expect(try provider.refusal("SetFolders", arguments) == "FolderTaken")
        #expect(try host.folders().isEmpty)
    }

    @Test("A folder of another provider is FolderTaken")
    func takenByAnother() throws {
        _ = try world.provider("first", [folder])
        let second = try world.provider("second")
        #expect(
            try second.refusal("SetFolders", [FakeProvider.offers([directory], watch: false)]) == "FolderTaken")
    }

    @Test("A folder that does not exist yet is listed, and watched when it appears")
    func missingFolder() throws {
        let later = world.installation.root + "/home/Later"
        let provider = try world.provider("test", [later], watch: true)
        #expect(try host.folders() == [uri(later)])
        try Disk.makeDirectory(later)
        try provider.await("ItemsChanged")
        provider.clear()
        try world.until("a change below is told") {
            try Disk.write(later + "/new", "x")
            world.loop.runOnce(timeout: .milliseconds(200))
            return provider.calls("ItemsChanged").contains {
                $0.names.contains(uri(later)) || $0.isAbout(uri(later) + "/new")
            }
        }
        #expect(try host.begin(uri(later)))
    }

    @Test("Another's directory is NotYourFolder; names in it that are not the caller's are passed over")
    func notYourFolder() throws {
        let provider = try world.provider("test", [folder])
        let row = Row.columns([Row(name: "x", badge: "synced")])
        let outside = uri(try world.makeFolder("Other"))
        #expect(try provider.refusal("UpdateBadges", [.string(outside)] + row) == "NotYourFolder")
        #expect(try provider.refusal("Flush", [.string(outside)]) == "NotYourFolder")
        let home = uri(world.installation.root + "/home")
        try host.begin(home)
        _ = try host.badges(home, ["Sync", "Other"])
        try provider.update(home, [Row(name: "Other", badge: "error"), Row(name: "Sync", badge: "synced")])
        try host.await(home, "Sync", "synced")
        #expect(host.told(home) == [Row(name: "Sync", badge: "synced")])
    }

    @Test("Changes of a watched folder are told, one call at a time, merged meanwhile")
    func itemsChanged() throws {
        let provider = try world.provider("test", [folder], watch: true)
        try provider.settle(directory)
        provider.clear()
        var pending: [MethodCall] = []
        provider.handlers["ItemsChanged"] = { call, _ in pending.append(call) }
        try Disk.write(folder + "/a", "x")
        try provider.await("ItemsChanged")
        #expect(provider.calls("ItemsChanged")[0].isAbout(directory + "/a"))
        try Disk.makeDirectory(folder + "/d")
        for number in 0..<20 { try Disk.write("\(folder)/b\(number)", "x") }
        let flush = FlushCall(provider, directory)
        for _ in 0..<100 { world.loop.runOnce(timeout: .milliseconds(5)) }
        #expect(provider.calls("ItemsChanged").count == 1)
        #expect(flush.result == nil)
        // All at once in the second call, or where the watcher was slow in a few.
        var answered = 0
        while flush.result == nil {
            #expect(pending.count <= answered + 1)
            if answered < pending.count {
                pending[answered].answer([])
                answered += 1
            }
            try world.until("the next call, or the answer to Flush") { pending.count > answered || flush.result != nil }
        }
        #expect(answered > 1 && answered < 10, "\(answered) calls")
        let later = provider.calls("ItemsChanged")[1..<answered]
        for number in 0..<20 { #expect(later.contains { $0.isAbout("\(directory)/b\(number)") }) }
    }

    @Test("Flush is a barrier: an edit made before it was told before its answer")
    func flush() throws {
        let provider = try world.provider("test", [folder], watch: true)
        try provider.settle(directory)
        for number in 0..<20 {
            provider.clear()
            try Disk.write("\(folder)/f\(number)", "x")
            try provider.call("Flush", [.string(directory)])
            #expect(provider.calls("ItemsChanged").contains { $0.isAbout("\(directory)/f\(number)") })
        }
    }

    @Test("More than 128 items of a directory are told as the directory")
    func manyItems() throws {
        let provider = try world.provider("test", [folder], watch: true)
        try provider.settle(directory)
        provider.clear()
        for number in 0..<1000 { try Disk.write("\(folder)/n\(number)", "") }
        try provider.call("Flush", [.string(directory)])
        #expect(provider.calls("ItemsChanged").contains { $0.names.contains(directory) })
    }

    @Test("Flush without watch answers at once; a folder that is no one's is refused")
    func flushUnwatched() throws {
        let provider = try world.provider("test", [folder])
        try provider.call("Flush", [.string(directory)])
        #expect(try provider.refusal("Flush", [.string("file:///nowhere")]) == "NotYourFolder")
    }

    @Test("Reset comes when a folder is unregistered or changes its provider; then it is observed anew")
    func reset() throws {
        let provider = try world.provider("test", [folder])
        try host.begin(directory)
        try provider.setFolders([])
        try host.await(.reset)
        #expect(try host.refusal("EndObserving", [.string(directory)]) == "NotObserving")
        #expect(try !host.begin(directory))
        host.clear()
        let other = try world.provider("other", [folder])
        other.know(directory, ["x": "error"])
        #expect(try host.begin(directory))
        #expect(try host.badges(directory, ["x"]).map(\.badge) == ["error"])
        let elsewhere = try world.host()
        try other.call("Unregister", [])
        try host.await(.reset)
        _ = try elsewhere.property("Version")
        #expect(!elsewhere.inbox.contains(.reset))
    }

    @Test("F13: the owner of a manifest that was installed meanwhile is not refused, though another has the id")
    func manifestInstalledMeanwhile() throws {
        let squatter = try world.provider("known", [folder])
        #expect(try host.folders() == [directory])
        let owner = try FakeProvider(world, "known")
        try owner.announce()
        // The first attempt counts: the service reads the manifests, and asks who owns the name, before it answers.
        try owner.register()
        #expect(try squatter.refusal("SetFolders", [FakeProvider.offers([], watch: false)]) == "NotRegistered")
        #expect(try !squatter.registers)
        #expect(try host.folders().isEmpty)
        try owner.setFolders([folder])
        #expect(try host.folders() == [directory])
    }

    @Test("A call that follows Register at once is answered after it, also while a new manifest is looked into")
    func pipelined() throws {
        let provider = try FakeProvider(world, "known")
        try provider.announce()
        var answers: [Result<Message, DBusError>] = []
        provider.bus.call(
            Names.service, Names.servicePath, Names.registry, "Register",
            {
                try $0.append(provider.object)
                try $0.append(map: ["id": .string("known")])
            }, { answers.append($0) })
        provider.bus.call(
            Names.service, Names.servicePath, Names.registry, "SetFolders",
            {
                try $0.append(value: FakeProvider.offers([directory], watch: false))
                try $0.append(map: [:])
            }, { answers.append($0) })
        try world.until("both are answered") { answers.count == 2 }
        for answer in answers { #expect(throws: Never.self) { try answer.get() } }
        #expect(try host.folders() == [directory])
    }

    @Test("What a provider calls before SetFolders is answered takes effect after it, in order")
    func callsInOrder() throws {
        let provider = try world.provider("test")
        let second = try world.makeFolder("Second")
        func status(_ text: String) -> [DBusValue] { [.uint32(1), .string(text), .byte(255)] }
        func offers(_ path: String) -> [DBusValue] { [FakeProvider.offers([uri(path)], watch: true)] }
        let badge = Row.columns([Row(name: "a", badge: "synced")])
        let calls: [(String, [DBusValue])] = [
            ("SetFolders", offers(folder)), ("SetFolderStatus", [.string(directory)] + status("first")),
            ("UpdateBadges", [.string(directory)] + badge), ("Flush", [.string(directory)]),
            ("SetFolders", offers(second)), ("SetFolderStatus", [.string(directory)] + status("late")),
            ("SetFolderStatus", [.string(uri(second))] + status("second")), ("SetFolders", offers("/dev/null")),
            ("UpdateBadges", [.string(uri(second))] + badge), ("Unregister", []),
            ("SetFolderStatus", [.string(uri(second))] + status("late")),
        ]
        var answers: [(number: Int, error: String)] = []
        for (number, call) in calls.enumerated() {
            provider.bus.call(
                Names.service, Names.servicePath, Names.registry, call.0,
                {
                    for argument in call.1 { try $0.append(value: argument) }
                    try $0.append(map: [:])
                },
                { result in
                    if case .failure(let error) = result {
                        answers.append((number, shortName(error)))
                    } else {
                        answers.append((number, ""))
                    }
                })
        }
        try world.until("all are answered") { answers.count == calls.count }
        let errors = answers.sorted { $0.number < $1.number }.map(\.error)
        #expect(errors == ["", "", "", "", "", "NotYourFolder", "", "InvalidUri", "", "", "NotRegistered"])
        // The watcher answers Flush on its own time; all others are answered in order.
        #expect(answers.map(\.number).filter { $0 != 3 } == calls.indices.filter { $0 != 3 })
        #expect(try host.folders().isEmpty)
    }

    @Test("A provider that leaves while its Register waits for the owner of a new manifest's name is not kept")
    func leavesAtOnce() throws {
        let hasty = try FakeProvider(world, "hasty")
        // The service looks into a new manifest with the first call that it could matter to.
        try world.installation.addManifest("new", name: "New", busName: "org.example.New", object: "/x")
        hasty.bus.call(
            Names.service, Names.servicePath, Names.registry, "Register",
            {
                try $0.append(hasty.object)
                try $0.append(map: ["id": .string("hasty")])
            }, { _ in })
        hasty.bus.close()
        func providers() throws -> [String] {
            let reply = try host.call("List", [], interface: Names.providers)
            return (reply.first?.maps ?? []).compactMap { $0.string("id") }
        }
        try world.until("the manifest is known") { try providers().contains("new") }
        try world.until("the provider is forgotten") { try !providers().contains("hasty") }
    }

    @Test("The folders of a provider without a manifest go with it, and hosts are told")
    func ghosts() throws {
        let provider = try world.provider("test", [folder])
        try host.begin(directory)
        provider.bus.close()
        try host.await(.reset)
        try host.awaitFolders([])
        #expect(try !host.begin(directory))
        try world.restartService()
        #expect(try host.folders().isEmpty)
    }

    @Test("A provider has at most 1,024 folders; so many that are not there are taken, and others are served meanwhile")
    func manyFolders() throws {
        let provider = try world.provider("test", [folder])
        func offers(_ count: Int) -> DBusValue {
            FakeProvider.offers((0..<count).map { "file:///nowhere/at/all/\($0)" }, watch: true)
        }
        #expect(try provider.refusal("SetFolders", [offers(6000)]) == "LimitExceeded")
        #expect(try provider.refusal("SetFolders", [offers(Limits.foldersPerProvider + 1)]) == "LimitExceeded")
        #expect(try host.folders() == [directory])
        try provider.call("SetFolders", [offers(Limits.foldersPerProvider)])
        #expect(try host.folders().count == Limits.foldersPerProvider)
        try provider.setFolders([folder])
        #expect(try host.folders() == [directory])
    }

    @Test("When SetFolders is answered its folders are on the disk")
    func savedBeforeAnswered() throws {
        let provider = try world.provider("test", [], announced: true)
        let state = world.installation.root + "/state/roundel/providers"
        for number in 0..<20 {
            let place = "\(folder)/\(number)"
            let start = Moment.now
            try provider.setFolders([place])
            // It answers without, where a disk does not answer for two seconds.
            let isKept = start.duration(to: .now) < .seconds(2)
            #expect(try !isKept || Disk.text(state).contains(uri(place)))
            try world.until("it is on the disk") { Disk.textIfThere(state)?.contains(uri(place)) ?? false }
        }
    }

    @Test("State that cannot be written is said in the log; the registration holds all the same")
    func unwritableState() throws {
        let state = world.installation.root + "/state"
        Disk.removeAll(state)
        try Disk.write(state, "in the way")
        let provider = try world.provider("test", [folder], announced: true)
        #expect(try host.folders() == [directory])
        try world.until("it is said") {
            try Disk.text(world.installation.root + "/roundeld.log").contains("cannot be written")
        }
        #expect(try provider.update(directory, "a", "synced") == false)
        #expect(try Disk.text(state) == "in the way")
    }
}

extension FakeProvider.Call {
    /// Whether ItemsChanged names this item, its directory or everything.
    func isAbout(_ item: String) -> Bool {
        let parent = String(item[..<(item.lastIndex(of: "/") ?? item.startIndex)])
        return arguments[1].strings?.contains(parent) == true || arguments[2].strings?.contains(item) == true
            || arguments[3] == .bool(true)
    }
}

extension FakeProvider {
    /// Whether Register is accepted now.
    var registers: Bool {
        get throws {
            do {
                try register()
                return true
            } catch is DBusError { return false }
        }
    }

    /// Waits until the folder is watched and everything that happened so far was told.
    func settle(_ folder: String) throws {
        var number = 0
        try world.until("changes are told") {
            number += 1
            let before = calls("ItemsChanged").count
            try Disk.write("\(folder.dropFirst(7))/settle\(number)", "")
            try call("Flush", [.string(folder)])
            return calls("ItemsChanged").count > before
        }
        try call("Flush", [.string(folder)])
    }
}

/// A Flush that was sent and not waited for.
private final class FlushCall {
    private(set) var result: Result<Message, DBusError>?

    init(_ provider: FakeProvider, _ folder: String) {
        provider.bus.call(
            Names.service, Names.servicePath, Names.registry, "Flush",
            { writer in
                try writer.append(folder)
                try writer.append(map: [:])
            }, { [self] in result = $0 })
    }
}

import DBus
import RoundelBus
import Synchronization
import TestSupport
import Testing

/// What a host library makes of answers and signals, right and wrong ones.
@Suite(.serialized) struct HostProxyTests {
    private let bus: PrivateBus
    private let directory = Wire.uri("/d")

    init() throws { bus = try PrivateBus() }

    /// Four columns and the name to go on after.
    private static func page(_ names: [String], next: String) -> [DBusValue] {
        [
            .strings(names), .strings(names.map { _ in "synced" }), .uint32s(names.map { _ in 1 }),
            .bytes(names.map { _ in 255 }), .string(next), .map([:]),
        ]
    }

    @Test("A directory is read page by page, each after the last name of the one before")
    func pages() async throws {
        let service = try await StandInService(
            bus,
            ["RequestDirectory": [Self.page(["a", "b"], next: "b"), Self.page(["c"], next: "")]])
        let badges = try await service.host.badges(ofAllIn: directory)
        #expect(Set(badges.keys.map(\.encoded)) == ["a", "b", "c"])
        #expect(badges.values.allSatisfy { $0 == ItemBadge(badge: .synced, flags: [.pinned]) })
        #expect(service.calls.map { $0[2] } == [DBusValue.string(""), .string("b")])
    }

    @Test(
        "A service whose pages make no progress does not hold a host for ever",
        arguments: [["a"], [], ["b"]])
    func noProgress(names: [String]) async throws {
        let pages = [Self.page(["a", "b"], next: "b"), Self.page(names, next: "a"), Self.page([], next: "")]
        let service = try await StandInService(bus, ["RequestDirectory": pages])
        _ = try await service.host.badges(ofAllIn: directory)
        #expect(service.calls.count == 2)
    }

    @Test("Columns of other types or lengths, and other replies of another form, are an error with a sentence")
    func otherForms() async throws {
        let name = Wire.names(["a"])
        let wrong: [DBusValue] = [.strings(["synced", "synced"]), .uint32s([0]), .bytes([255]), .map([:])]
        for answer in [wrong, [.bool(true)], []] {
            let service = try await StandInService(
                bus,
                [
                    "RequestBadges": [answer], "RequestDirectory": [answer], "BeginObserving": [[.string("yes")]],
                    "GetMenu": [[.uint64(1), .strings(["a"])]], "GetAttributes": [[.strings([])]],
                    "GetItemService": [[.string(":1.1")]], "List": [[.strings(["a"])]],
                ])
            let host = service.host
            let asks: [(String, @Sendable () async throws -> Void)] = [
                ("RequestBadges", { _ = try await host.badges(of: name, in: Wire.uri("/d")) }),
                ("RequestDirectory", { _ = try await host.badges(ofAllIn: Wire.uri("/d")) }),
                ("BeginObserving", { _ = try await host.beginObserving(Wire.uri("/d")) }),
                ("GetMenu", { _ = try await host.menu(.items, target: nil) }),
                ("GetAttributes", { _ = try await host.attributes(of: Wire.uri("/d/a")) }),
                ("GetItemService", { _ = try await host.service("org.example.X", for: Wire.uri("/d/a")) }),
                ("List", { _ = try await ProvidersProxy(bus: host.bus).list() }),
            ]
            for (member, ask) in asks {
                do {
                    try await ask()
                    Issue.record("\(member) accepted a reply of another form")
                } catch let error as DBusError {
                    #expect(error.standard == .inconsistentMessage)
                    let sentence = "The badge service answered \(member) in a form that this version does not know."
                    #expect(error.message == sentence)
                }
            }
            await service.connection.close()
        }
    }

    @Test("What a property or an attribute has of another type counts as empty, and an unknown state as unknown")
    func properties() async throws {
        let status = DBusValue.dictionary(
            key: "s", value: "(usy)",
            [
                .init(key: .string("file:///a"), value: .structure([.uint32(77), .string("t"), .byte(3)])),
                .init(key: .string("not a uri"), value: .structure([.uint32(1), .string(""), .byte(3)])),
            ])
        let service = try await StandInService(
            bus,
            [
                "GetAttributes": [
                    [.map(["state": .string("synced"), "progress": .byte(101), "tags": .uint64(1), "new": .byte(1)])]
                ]
            ],
            properties: {
                [
                    Interface.Property("Version", "u") { try $0.append(UInt32.max) },
                    Interface.Property("Folders", "s") { try $0.append("file:///a") },
                    Interface.Property("FolderStatus", "a{s(usy)}") { try $0.append(value: status) },
                    Interface.Property("Unknown", "s") { try $0.append("x") },
                ]
            })
        let properties = try await service.host.properties()
        #expect(properties.version == .max && properties.folders.isEmpty && properties.badges.isEmpty)
        #expect(properties.folderStatus == [Wire.uri("/a"): FolderStatus(state: .unknown, text: "t", progress: 3)])
        #expect(try await service.host.attributes(of: Wire.uri("/a")) == [.state: .string("synced")])
    }

    @Test("Changes of properties name those whose value came and those that are to be read")
    func propertyChanges() async throws {
        let service = try await StandInService(bus, [:])
        var changes = try service.host.propertyChanges().makeAsyncIterator()
        _ = try await service.host.bus.owner(of: Names.service)
        let arguments: [DBusValue] = [
            .string(Names.host), .map(["Folders": .strings(["file:///a"]), "Unknown": .byte(1)]),
            .strings(["Badges", "Other"]),
        ]
        try await service.emit("org.freedesktop.DBus.Properties", "PropertiesChanged", arguments)
        let change = try #require(await changes.next())
        #expect(change.names == [.folders, .badges] && change.known == [.folders])
        #expect(change.values.folders == [Wire.uri("/a")])
    }

    /// What a test waits for, which ends after four minutes: then the next element is nil.
    private static func news<Element: Sendable>(
        of type: Element.Type
    ) -> (add: AsyncStream<Element>.Continuation, next: AsyncStream<Element>.AsyncIterator) {
        let (stream, continuation) = AsyncStream.makeStream(of: type)
        let patience = Task {
            try await Task.sleep(for: .seconds(240))
            continuation.finish()
        }
        continuation.onTermination = { _ in patience.cancel() }
        return (continuation, stream.makeAsyncIterator())
    }

    @Test("Who follows badges hears of an image that comes after the badge")
    func lateImage() async throws {
        let labels = Mutex([String: String]())
        let row: [DBusValue] = [.strings(["a.b"]), .uint32s([0]), .bytes([255]), .map([:])]
        let service = try await StandInService(
            bus, ["BeginObserving": [[.bool(true)]], "RequestBadges": [row]],
            properties: {
                [
                    Interface.Property("Badges", "a{s(ss)}") { writer in
                        let images = labels.withLock { $0 }.map { label in
                            DBusValue.DictionaryEntry(
                                key: .string(label.key), value: .structure([.string(label.value), .string("icon")]))
                        }
                        try writer.append(value: .dictionary(key: "s", value: "(ss)", images))
                    },
                    Interface.Property("Version", "u") { try $0.append(UInt32(1)) },
                ]
            })
        var shown = Self.news(of: [String].self)
        let add = shown.add
        let item = Wire.uri("/d/a")
        let host = service.host
        let following = Task {
            var watch = try BadgeWatch([item], host: host)
            try await watch.follow(within: .seconds(30)) { changed, watch in
                let badge = watch.badge(of: item).badge
                add.yield(
                    changed.map(\.path) + watch.images.filter { $0.badge == badge }.map(\.label))
            }
        }
        defer { following.cancel() }
        #expect(await shown.next.next() == [])
        for label in ["Starred", "With a Star"] {
            labels.withLock { $0["a.b"] = label }
            let arguments: [DBusValue] = [.string(Names.host), .map([:]), .strings(["Badges"])]
            try await service.emit("org.freedesktop.DBus.Properties", "PropertiesChanged", arguments)
            #expect(await shown.next.next() == ["/d/a", label])
        }
    }

    @Test("Who follows badges asks the next service, which may have every folder already")
    func nextService() async throws {
        func service(_ badge: String) async throws -> StandInService {
            let row: [DBusValue] = [.strings([badge]), .uint32s([0]), .bytes([255]), .map([:])]
            return try await StandInService(
                bus, ["BeginObserving": [[.bool(true)]], "RequestBadges": [row]],
                properties: { [Interface.Property("Version", "u") { try $0.append(UInt32(1)) }] })
        }
        let first = try await service("synced")
        var shown = Self.news(of: Badge.self)
        let add = shown.add
        let item = Wire.uri("/d/a")
        let host = first.host
        let following = Task {
            var watch = try BadgeWatch([item], host: host)
            try await watch.follow(within: .seconds(30)) { add.yield($1.badge(of: item).badge) }
        }
        defer { following.cancel() }
        #expect(await shown.next.next() == .synced)
        await first.connection.close()
        #expect(await shown.next.next() == Badge.none)
        let second = try await service("pending")
        #expect(await shown.next.next() == .pending)
        withExtendedLifetime(second) {}
    }

    @Test("Who follows badges asks nothing of a service without a version")
    func noVersion() async throws {
        let service = try await StandInService(bus, ["BeginObserving": [[.bool(true)]]], properties: { [] })
        var watch = try BadgeWatch([Wire.uri("/d/a")], host: service.host)
        try await watch.load(within: .zero)
        #expect(service.calls.isEmpty)
    }

    @Test("An action ends with its own signal; an outcome that is not known counts as failed")
    func performing() async throws {
        let service = try await StandInService(bus, ["Activate": [[.map([:])]]])
        let menu = HostedMenu(id: 7, items: [])
        let host = service.host
        async let end = host.perform("p/x", of: menu, options: ActivationOptions(showsResult: true))
        try await service.untilItIsAsked()
        #expect(
            service.calls == [
                [.string("Activate"), .uint64(7), .string("p/x"), .map(["shows-result": .bool(true)])]
            ])
        let ends: [(UInt64, String, UInt32)] = [(8, "p/x", 0), (7, "p/y", 0), (7, "p/x", 99)]
        for (menu, item, outcome) in ends {
            let arguments: [DBusValue] = [.uint64(menu), .string(item), .uint32(outcome), .string("m"), .map([:])]
            try await service.emit(Names.host, "ActionFinished", arguments)
        }
        #expect(try await end == FinishedAction(menu: 7, item: "p/x", outcome: .failed, message: "m"))
    }

    @Test(
        "E7: a text for the clipboard comes with the end of the action; one that a clipboard must not be given does not",
        arguments: [(DBusValue.string("https://x.org/s/1"), true), (.string("a\n"), false), (.uint32(1), false)])
    func clipboard(value: DBusValue, isGood: Bool) async throws {
        let service = try await StandInService(bus, ["Activate": [[.map([:])]]])
        let host = service.host
        async let end = host.perform("p/x", of: HostedMenu(id: 7, items: []))
        try await service.untilItIsAsked()
        let arguments: [DBusValue] = [
            .uint64(7), .string("p/x"), .uint32(0), .string(""), .map(["clipboard": value]),
        ]
        try await service.emit(Names.host, "ActionFinished", arguments)
        let told = isGood ? ClipboardText("https://x.org/s/1") : nil
        #expect(try await end == FinishedAction(menu: 7, item: "p/x", outcome: .done, clipboard: told))
    }

    @Test("An action whose service leaves ends with an error")
    func serviceLeaves() async throws {
        let service = try await StandInService(bus, ["Activate": [[.map([:])]]])
        let host = service.host
        let end = Task { try await host.perform("p/x", of: HostedMenu(id: 7, items: [])) }
        try await service.untilItIsAsked()
        await service.connection.close()
        await #expect(throws: HostProxy.Failure.serviceLeft) { try await end.value }
    }
}

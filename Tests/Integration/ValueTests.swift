import DBus
import Testing

/// URIs and names: what is understood, what is refused and by which error.
@Suite struct ValueTests {
    private let world: World
    private let folder: String
    private let provider: FakeProvider
    private let host: HostClient

    init() throws {
        (world, folder, provider, host) = try World.withFolder()
    }

    private static let badURIs = [
        "", "/home/x", "home", "file:home", "file://", "http://localhost/x", "smb:///x", "file://elsewhere/x",
        "file:///a/../b", "file:///a/./b", "file:///a/%2E%2e/b", "file:///a/.%2E", "file:///a%2Fb", "file:///a%2fb",
        "file:///a%00b", "file:///a%0", "file:///a%zz", "file:///a%", "file:///a?query", "file:///a#fragment",
        "file:///" + String(repeating: "x", count: 4096), "file:///" + String(repeating: "%C3", count: 4095) + "y",
    ]

    @Test("Every method refuses a bad URI with InvalidUri and goes on")
    func refusedURIs() throws {
        for bad in Self.badURIs {
            let calls: [(String, [DBusValue])] = [
                ("BeginObserving", [.string(bad)]), ("EndObserving", [.string(bad)]),
                ("RequestBadges", [.string(bad), .strings([])]),
                ("RequestDirectory", [.string(bad), .string(""), .uint32(0)]),
                ("GetAttributes", [.string(bad), .strings([])]), ("GetItemService", [.string(bad), .string("a.b")]),
                ("GetMenu", [.uint32(0), .string(uri(folder)), .strings([bad])]),
            ]
            for (member, arguments) in calls {
                #expect(try host.refusal(member, arguments) == "InvalidUri", "\(member) \(bad.prefix(60))")
            }
            #expect(try provider.refusal("SetFolders", [FakeProvider.offers([bad], watch: false)]) == "InvalidUri")
            #expect(try provider.refusal("UpdateBadges", [.string(bad)] + Row.columns([])) == "InvalidUri")
        }
        #expect(try host.folders() == [uri(folder)])
    }

    @Test("The same directory in other words: host, empty segments, trailing slash, needless escapes")
    func sameDirectory() throws {
        let escaped = folder.replacing("Sync", with: "%53ync")
        let doubled = folder.replacing("/home/", with: "/home//")
        let others: [String] = [
            "file://localhost\(folder)", "file://\(folder)/", "file:///\(folder)", "file://\(folder)//",
            "file://\(escaped)", "file://\(doubled)",
        ]
        for other in others {
            #expect(try host.begin(other), "\(other)")
        }
        try provider.await("BeginObserving")
        #expect(provider.calls("BeginObserving").count == 1)
        for _ in 0..<6 { try host.end(uri(folder)) }
        try provider.await("EndObserving")
    }

    @Test("Names are refused with InvalidName, one bad name refuses the whole call")
    func refusedNames() throws {
        try host.begin(uri(folder))
        for bad in ["", ".", "..", "%2E", "%2e.", "a/b", "/", "a%2Fb", "%00", "a%", "%g1"] {
            let asked: [DBusValue] = [.string(uri(folder)), .strings(["good", bad])]
            #expect(try host.refusal("RequestBadges", asked) == "InvalidName", "\(bad)")
            let rows = [Row(name: "good", badge: "synced"), Row(name: bad, badge: "synced")]
            #expect(
                try provider.refusal("UpdateBadges", [.string(uri(folder))] + Row.columns(rows)) == "InvalidName",
                "\(bad)")
        }
        #expect(provider.calls("RequestBadges").isEmpty)
        #expect(
            try host.refusal("RequestDirectory", [.string(uri(folder)), .string("a/b"), .uint32(0)]) == "InvalidName")
    }

    @Test("Names are bytes: one that is no UTF-8, one with a newline, one of 255 bytes, both normalisations")
    func namesAreBytes() throws {
        let names = ["%FF%FE", "a%0Ab", String(repeating: "%C3%A4", count: 127) + "x", "%C3%A4", "a%CC%88"]
        try host.begin(uri(folder))
        for (number, name) in names.enumerated() {
            provider.know(uri(folder), [name: number % 2 == 0 ? "synced" : "pending"])
        }
        #expect(
            try host.badges(uri(folder), names).map(\.badge) == ["synced", "pending", "synced", "pending", "synced"])
        for name in names { try provider.update(uri(folder), name, "error") }
        for name in names { try host.await(uri(folder), name, "error") }
        #expect(try Set(host.directory(uri(folder)).rows.map(\.name)) == Set(names))
    }

    @Test("Columns of unequal length are refused with InvalidArgs and change nothing")
    func unequalColumns() throws {
        let columns: [DBusValue] = [
            .strings(["a", "b"]), .strings(["synced"]), .uint32s([0, 0]), .bytes([255, 255]),
        ]
        let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
        #expect(try provider.refusal("UpdateBadges", [.string(uri(folder))] + columns) == invalid)
        for column in 0..<4 {
            var columns = Row.columns([Row(name: "a", badge: "synced")])
            columns[column] = [.strings([]), .strings([]), .uint32s([]), .bytes([])][column]
            #expect(try provider.refusal("UpdateBadges", [.string(uri(folder))] + columns) == invalid)
        }
    }

    @Test("Arguments of other types are refused with InvalidArgs")
    func wrongTypes() throws {
        let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
        #expect(try host.refusal("BeginObserving", [.uint32(1)]) == invalid)
        #expect(try host.refusal("RequestBadges", [.string(uri(folder))]) == invalid)
        #expect(try host.refusal("GetMenu", [.string("0"), .string(""), .strings([])]) == invalid)
        #expect(try host.refusal("NoSuchMethod", []) == "org.freedesktop.DBus.Error.UnknownMethod")
        #expect(try host.begin(uri(folder)))
    }

    @Test("Options that are not known are passed over")
    func unknownOptions() throws {
        let reply = try host.call(
            "BeginObserving", [.string(uri(folder))], options: ["future": .strings(["x"]), "more": .map([:])])
        #expect(reply.first?.bool == true)
    }
}

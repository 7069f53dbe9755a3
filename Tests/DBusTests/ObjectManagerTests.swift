import DBus
import TestSupport
import Testing

@Suite struct ObjectManagerTests {
    private let harness: Harness
    private let service: Connection
    private let client: Connection
    private let manager: ObjectManager

    init() throws {
        harness = try Harness()
        service = try harness.connect()
        client = try harness.connect()
        manager = try ObjectManager(at: "/root", on: service)
    }

    private static func interface(_ name: String, _ value: @escaping () -> String) -> Interface {
        Interface(name, properties: [.init("Value", "s") { try $0.append(value()) }])
    }

    private func managedObjects() throws -> DBusValue? {
        try harness.call(client, service.uniqueName, "/root", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
            .arguments().first
    }

    private static func entry(_ key: DBusValue, _ value: DBusValue) -> DBusValue.DictionaryEntry {
        .init(key: key, value: value)
    }

    private static func interfaces(_ values: KeyValuePairs<String, String>) -> DBusValue {
        .dictionary(
            key: "s", value: "a{sv}",
            values.map { name, value in entry(.string(name), .map(["Value": .string(value)])) })
    }

    private static func objects(_ objects: KeyValuePairs<ObjectPath, DBusValue>) -> DBusValue {
        .dictionary(key: "o", value: "a{sa{sv}}", objects.map { entry(.objectPath($0), $1) })
    }

    @Test func allObjectsComeWithTheirPresentProperties() throws {
        #expect(try managedObjects() == Self.objects([:]))
        var value = "first"
        _ = try manager.export(Self.interface("org.example.A") { value }, at: "/root/one")
        _ = try manager.export(Self.interface("org.example.B") { "b" }, at: "/root/one")
        let second = try manager.export(Self.interface("org.example.A") { "a" }, at: "/root/two/deep")
        _ = try service.export(Self.interface("org.example.Unlisted") { "" }, at: "/root/one")
        value = "second"
        let one = Self.interfaces(["org.example.A": "second", "org.example.B": "b"])
        #expect(
            try managedObjects()
                == Self.objects(["/root/one": one, "/root/two/deep": Self.interfaces(["org.example.A": "a"])]))
        second.cancel()
        #expect(try managedObjects() == Self.objects(["/root/one": one]))
    }

    @Test func whatComesAndGoesIsTold() throws {
        var told: [[DBusValue]] = []
        _ = try client.subscribe(MatchRule(path: "/root", interface: "org.freedesktop.DBus.ObjectManager")) { message in
            told.append([.string(message.member ?? "")] + ((try? message.arguments()) ?? []))
        }
        #expect(try managedObjects() != nil)
        let registration = try manager.export(Self.interface("org.example.A") { "v" }, at: "/root/one")
        registration.cancel()
        registration.cancel()
        #expect(harness.run { told.count == 2 })
        #expect(
            told == [
                [.string("InterfacesAdded"), .objectPath("/root/one"), Self.interfaces(["org.example.A": "v"])],
                [.string("InterfacesRemoved"), .objectPath("/root/one"), .strings(["org.example.A"])],
            ])
        #expect(try managedObjects() == Self.objects([:]))
        #expect(told.count == 2)
    }

    @Test func onlyObjectsBelowTheRootAreManaged() throws {
        for path in ["/root", "/", "/rooted", "/other/root/one"] {
            #expect(throws: DBusError.self) {
                try manager.export(Self.interface("org.example.A") { "" }, at: try ObjectPath(path))
            }
        }
        _ = try manager.export(Self.interface("org.example.A") { "" }, at: "/root/a")
        #expect(throws: DBusError.self) {
            try manager.export(Self.interface("org.example.A") { "" }, at: "/root/a")
        }
        #expect(throws: DBusError.self) { try ObjectManager(at: "/root", on: service) }
        manager.cancel()
        #expect(throws: DBusError.self) { try managedObjects() }
    }

    @Test func GDBusListsTheObjects() throws {
        _ = try manager.export(Self.interface("org.example.A") { "seen" }, at: "/root/one")
        let output = try harness.output(of: [
            "gdbus", "call", "--session", "--dest", service.uniqueName, "--object-path", "/root", "--method",
            "org.freedesktop.DBus.ObjectManager.GetManagedObjects",
        ])
        #expect(output.contains("{objectpath '/root/one': {'org.example.A': {'Value': <'seen'>}}}"))
    }
}

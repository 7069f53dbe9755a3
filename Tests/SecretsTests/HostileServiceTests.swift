import DBus
import Secrets
import StandInSecrets
import TestSupport
import Testing

/// A service may answer anything: it costs an error, never the process nor much memory.
@Suite struct HostileServiceTests {
    /// What the parts of a member's answer may be instead of what they should.
    struct Scene: Sendable, CustomTestStringConvertible {
        let member: String
        let values: [DBusValue]
        /// Values may have any size; their types and those of what they hold say enough.
        var testDescription: String { "\(member) answers \(values.map { "\($0.signature) \($0.bytes?.count ?? 0)" })" }
    }

    private static let path = DBusValue.objectPath("/org/example")
    private static let manyPaths = DBusValue.array(element: "o", .init(repeating: path, count: 10_000))
    private static let manyBytes = DBusValue.bytes([UInt8](repeating: 7, count: 200_000))

    private static let sessions: [[DBusValue]] = [
        [], [path], [.variant(.string("")), path], [.variant(.bytes([])), path], [.variant(.bytes([1])), path],
        [.variant(.bytes([0, 0])), path], [.variant(manyBytes), path], [.variant(.bytes([5, 5]))],
        [.variant(.bytes([5, 5])), .string("/org/example")], [.variant(.uint32s([5, 5])), path],
        [.bytes([5, 5]), path],
        [.variant(.variant(.bytes([5, 5]))), path], [.variant(.bytes(KeyAgreementTests.prime)), path],
    ]
    private static let searches: [[DBusValue]] = [
        [], [path, path], [.strings(["/a"]), .strings([])], [manyPaths, manyPaths], [.array(element: "o", [])],
        [.array(element: "o", []), .bytes([])], [.array(element: "o", []), manyPaths],
        [.array(element: "ao", [manyPaths]), .array(element: "o", [])],
    ]

    private static func secret(
        _ session: String = "", _ vector: DBusValue, _ value: DBusValue, _ rest: DBusValue = .string("")
    ) -> DBusValue {
        .structure([(try? ObjectPath(session)).map { .objectPath($0) } ?? path, vector, value, rest])
    }

    private static let sixteen = DBusValue.bytes([UInt8](repeating: 7, count: 16))
    /// The session of the first connection to a stand-in with one item.
    private static let session = "/org/freedesktop/secrets/session/s2"
    private static let secrets: [[DBusValue]] = [
        [], [.string("hunter2")], [sixteen], [.structure([path])],
        [secret("/org/example", sixteen, sixteen)], [secret(session, sixteen, sixteen)],
        [secret(session, .bytes([]), sixteen)], [secret(session, .bytes([1]), sixteen)],
        [secret(session, sixteen, .bytes([]))], [secret(session, sixteen, .bytes([1, 2, 3]))],
        [secret(session, manyBytes, sixteen)], [secret(session, sixteen, manyBytes)],
        [secret(session, sixteen, .string("hunter2"))], [secret(session, .string(""), sixteen)],
        [.variant(secret(session, sixteen, sixteen))],
    ]
    private static let unlockings: [[DBusValue]] = [
        [], [path], [.array(element: "o", []), .string("/")], [manyPaths, .objectPath("/")],
        [.bytes([]), .objectPath("/")],
    ]
    private static let paths: [[DBusValue]] = [[], [.string("/")], [.uint32(1)], [.structure([path])]]
    private static let pairs: [[DBusValue]] = [[], [path], [.string("/"), .string("/")], [path, .bool(true)]]

    static let reading: [Scene] =
        sessions.map { Scene(member: "OpenSession", values: $0) }
        + searches.map { Scene(member: "SearchItems", values: $0) }
        + secrets.map { Scene(member: "GetSecret", values: $0) }
    static let saving: [Scene] =
        unlockings.map { Scene(member: "Unlock", values: $0) } + paths.map { Scene(member: "ReadAlias", values: $0) }
        + pairs.map { Scene(member: "CreateItem", values: $0) }

    let bus: PrivateBus
    let account = RemoteAccount(server: SecretStoreTests.server, user: "me")

    init() throws { bus = try PrivateBus() }

    @Test(arguments: reading) func answersWhileReading(scene: Scene) async throws {
        let service = try await StandInSecretService(on: bus)
        try await service.add(SecretStoreTests.item(user: "me"))
        service.answer(scene.member, .values(scene.values))
        let store = SecretStore(bus: try await .open(bus.address))
        let error = await #expect(throws: SecretStoreError.self) {
            _ = try await store.login(for: account, asking: nil)
        }
        #expect(error == .malformed(scene.member))
    }

    @Test(arguments: saving) func answersWhileSaving(scene: Scene) async throws {
        let service = try await StandInSecretService(on: bus)
        service.answer(scene.member, .values(scene.values))
        let store = SecretStore(bus: try await .open(bus.address))
        let login = StoredLogin(user: "me", password: try SecretBytes("hunter2"))
        let error = await #expect(throws: SecretStoreError.self) {
            try await store.save(login, for: account.server, asking: nil)
        }
        #expect(error == .malformed(scene.member))
    }

    @Test(arguments: [
        DBusValue.string("server"), .bytes([1]), .uint64(7), .map(["server": .string("x")]),
        .dictionary(
            key: "s", value: "s", (0..<1_000).map { .init(key: .string("\($0)"), value: .string("x")) }),
    ])
    func attributesOfWrongTypes(value: DBusValue) async throws {
        let service = try await StandInSecretService(on: bus)
        service.setProperty("Attributes", value)
        try await service.add(SecretStoreTests.item(user: "me"))
        let store = SecretStore(bus: try await .open(bus.address))
        let error = await #expect(throws: SecretStoreError.self) {
            _ = try await store.login(for: account, asking: nil)
        }
        // One that the stand-in itself refuses to write, or one that is not understood.
        #expect(error == .malformed("GetAll"))
    }

    @Test func aSecretOfAnotherSession() async throws {
        let service = try await StandInSecretService(on: bus)
        try await service.add(SecretStoreTests.item(user: "me"))
        service.claimSession("/org/example")
        let store = SecretStore(bus: try await .open(bus.address))
        await #expect(throws: SecretStoreError.malformed("GetSecret")) {
            _ = try await store.login(for: account, asking: nil)
        }
    }

    @Test func aServiceThatClaimsToHaveUnlockedAndHasNotIsNotBelieved() async throws {
        let service = try await StandInSecretService(on: bus)
        service.answer("Unlock", .values([.array(element: "o", []), .objectPath("/")]))
        let store = SecretStore(bus: try await .open(bus.address))
        let login = StoredLogin(user: "me", password: try SecretBytes("hunter2"))
        await #expect(throws: SecretStoreError.locked) {
            try await store.save(login, for: account.server, asking: .seconds(30))
        }
        #expect(service.items.isEmpty)
    }

    @Test("A service that does not answer is not waited for without end", arguments: ["OpenSession", "SearchItems"])
    func silence(member: String) async throws {
        let service = try await StandInSecretService(on: bus)
        service.answer(member, .silence)
        let store = SecretStore(bus: try await .open(bus.address), replyTime: .milliseconds(300))
        await #expect(throws: SecretStoreError.silent) { _ = try await store.login(for: account, asking: nil) }
    }

    @Test func noTextOfTheServiceIsInAnError() async throws {
        let service = try await StandInSecretService(on: bus)
        service.answer("SearchItems", .error("org.example.Broken"))
        let store = SecretStore(bus: try await .open(bus.address))
        let error = await #expect(throws: SecretStoreError.self) {
            _ = try await store.login(for: account, asking: nil)
        }
        #expect(error == .refused("org.example.Broken") && !"\(String(describing: error))".contains("hunter2"))
    }
}

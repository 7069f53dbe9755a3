import DBus
import Secrets
import StandInSecrets
import TestSupport
import Testing

/// The logins in a service that the test plays.
@Suite struct SecretStoreTests {
    static let server = "https://cloud.example.org"
    let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    func store(replyTime: Duration = .seconds(25)) async throws -> SecretStore {
        SecretStore(bus: try await .open(bus.address), replyTime: replyTime)
    }

    func login(_ password: String = "hunter2", user: String = "me") throws -> StoredLogin {
        StoredLogin(user: user, password: try SecretBytes(password))
    }

    static func item(user: String, secret: String = "x", modified: UInt64 = 0) -> StandInSecretService.Item {
        let attributes = ["xdg:schema": "org.roundel.Remote", "server": server, "user": user]
        return .init(attributes: attributes, secret: Array(secret.utf8), modified: modified)
    }

    @Test func aLoginIsSavedReadAndRemoved() async throws {
        let service = try await StandInSecretService(on: bus)
        let store = try await store()
        try await store.save(try login(), for: Self.server, asking: nil)
        #expect(service.items.map(\.label) == ["Roundel: me at https://cloud.example.org"])
        #expect(
            service.items.map(\.attributes) == [
                ["xdg:schema": "org.roundel.Remote", "server": Self.server, "user": "me"]
            ])
        #expect(service.arguments(of: "CreateItem").last == .bool(true))
        let found = try await store.login(for: .init(server: Self.server, user: nil), asking: nil)
        #expect(found?.user == "me" && found?.password.bytes == Array("hunter2".utf8))
        #expect(try await store.login(for: .init(server: Self.server, user: "you"), asking: nil) == nil)
        #expect(try await store.login(for: .init(server: "https://other", user: "me"), asking: nil) == nil)
        #expect(try await store.remove(.init(server: Self.server, user: "you"), asking: nil) == [])
        #expect(try await store.remove(.init(server: Self.server, user: nil), asking: nil) == ["me"])
        #expect(service.items.isEmpty)
    }

    @Test func nothingGoesOverTheBusInClearText() async throws {
        let service = try await StandInSecretService(on: bus)
        try await store().save(try login(), for: Self.server, asking: nil)
        #expect(service.items.map(\.secret) == [Array("hunter2".utf8)])
        let secret = service.arguments(of: "CreateItem")[1].members
        #expect(secret?[1].bytes?.count == 16 && secret?[2].bytes?.count == 16)
        #expect(!"\(service.arguments(of: "CreateItem"))".contains("hunter2"))
        #expect(service.arguments(of: "OpenSession").first == .string("dh-ietf1024-sha256-aes128-cbc-pkcs7"))
    }

    @Test func theNewestLoginOfAServerIsUsed() async throws {
        let service = try await StandInSecretService(on: bus)
        for (user, modified) in [("a", 5), ("b", 9), ("c", 7)] as [(String, UInt64)] {
            try await service.add(Self.item(user: user, secret: user, modified: modified))
        }
        let found = try await store().login(for: .init(server: Self.server, user: nil), asking: nil)
        #expect(found?.user == "b" && found?.password.bytes == Array("b".utf8))
        #expect(try await store().remove(.init(server: Self.server, user: nil), asking: nil) == ["a", "b", "c"])
    }

    @Test(
        "A service that finds too much gives no password of another server",
        arguments: [
            ["server": "https://evil.example.org", "user": "me"], ["server": server, "user": "you"], ["server": server],
            ["server": server, "user": "m\ne"], ["server": server, "user": ""], [:],
        ])
    func generousFindings(attributes: [String: String]) async throws {
        let service = try await StandInSecretService(on: bus)
        try await service.add(Self.item(user: "me"))
        let entries = attributes.map { DBusValue.DictionaryEntry(key: .string($0.key), value: .string($0.value)) }
        service.setProperty("Attributes", .dictionary(key: "s", value: "s", entries))
        #expect(try await store().login(for: .init(server: Self.server, user: "me"), asking: nil) == nil)
        #expect(try await store().remove(.init(server: Self.server, user: "me"), asking: nil) == [])
    }

    @Test("Whose logins are saved is known without a secret")
    func users() async throws {
        let service = try await StandInSecretService(on: bus)
        for user in ["b", "a"] { try await service.add(Self.item(user: user)) }
        service.answer("GetSecret", .error("org.example.Damaged"))
        #expect(try await store().users(of: .init(server: Self.server, user: nil), asking: nil) == ["a", "b"])
        #expect(try await store().users(of: .init(server: Self.server, user: "a"), asking: nil) == ["a"])
        #expect(try await store().users(of: .init(server: "https://other", user: nil), asking: nil) == [])
    }

    @Test("A password that the server made is known for that, and one that is typed takes its place")
    func fromServer() async throws {
        let service = try await StandInSecretService(on: bus)
        let account = RemoteAccount(server: Self.server, user: "me")
        for (isFromServer, password) in [(true, "made"), (false, "typed"), (true, "made again")] {
            let login = StoredLogin(
                user: "me", password: try SecretBytes(password), isFromServer: isFromServer)
            try await store().save(login, for: Self.server, asking: nil)
            let found = try #require(try await store().login(for: account, asking: nil))
            #expect(found.isFromServer == isFromServer && found.password.bytes == Array(password.utf8))
            #expect(service.items.map(\.secret) == [Array(password.utf8)])
            #expect(found.saved > 0)
        }
        #expect(try await store().remove(account, asking: nil) == ["me"])
        #expect(service.items.isEmpty)
    }

    @Test func sessionsAreClosed() async throws {
        let service = try await StandInSecretService(on: bus)
        let store = try await store()
        try await store.check()
        service.answer("SearchItems", .error("org.example.Broken"))
        let error = await #expect(throws: SecretStoreError.self) {
            _ = try await store.login(for: .init(server: Self.server, user: nil), asking: nil)
        }
        #expect(error == .refused("org.example.Broken"))
        try await waitUntil("the sessions are closed") { service.openSessions == 0 }
    }

    // MARK: Prompts

    @Test func aLockedKeyringIsUnlockedByThePerson() async throws {
        let service = try await StandInSecretService(on: bus)
        try await service.add(Self.item(user: "me"))
        service.lock(person: .agrees)
        let found = try await store().login(for: .init(server: Self.server, user: "me"), asking: .seconds(30))
        #expect(found?.password.bytes == Array("x".utf8))
        service.lock(person: .agrees)
        try await store().save(try login(), for: Self.server, asking: .seconds(30))
        service.lock(person: .agrees)
        #expect(try await store().remove(.init(server: Self.server, user: "me"), asking: .seconds(30)) == ["me"])
    }

    @Test func nobodyIsAskedWhereNobodyMayBe() async throws {
        let service = try await StandInSecretService(on: bus)
        try await service.add(Self.item(user: "me"))
        service.lock(person: .agrees)
        await #expect(throws: SecretStoreError.locked) {
            _ = try await store().login(for: .init(server: Self.server, user: "me"), asking: nil)
        }
        await #expect(throws: SecretStoreError.locked) {
            try await store().save(try login(), for: Self.server, asking: nil)
        }
        #expect(!service.calls.contains("Prompt"))
        try await waitUntil("both prompts are dismissed") { service.calls.count { $0 == "Dismiss" } == 2 }
    }

    @Test func aPromptThatIsDismissedChangesNothing() async throws {
        let service = try await StandInSecretService(on: bus)
        service.lock(person: .dismisses)
        await #expect(throws: SecretStoreError.dismissed) {
            try await store().save(try login(), for: Self.server, asking: .seconds(30))
        }
        #expect(service.items.isEmpty)
    }

    @Test func aPersonWhoIsAwayIsNotWaitedForLongerThanThePatience() async throws {
        let service = try await StandInSecretService(on: bus)
        service.lock(person: .isAway)
        await #expect(throws: SecretStoreError.unanswered) {
            try await store().save(try login(), for: Self.server, asking: .milliseconds(100))
        }
        try await waitUntil("the prompt is gone from the screen") { service.calls.contains("Dismiss") }
    }

    @Test func aTaskThatIsCancelledTakesItsPromptAway() async throws {
        let service = try await StandInSecretService(on: bus)
        service.lock(person: .isAway)
        let store = try await store()
        let login = try login()
        let saving = Task { try await store.save(login, for: Self.server, asking: .seconds(600)) }
        try await waitUntil("the prompt is shown") { service.calls.contains("Prompt") }
        saving.cancel()
        let error = await #expect(throws: SecretStoreError.self) { try await saving.value }
        #expect(error == .cancelled)
        try await waitUntil("the prompt is gone from the screen") { service.calls.contains("Dismiss") }
    }

    @Test func aServiceThatLeavesDuringAPromptEndsTheWait() async throws {
        let service = try await StandInSecretService(on: bus)
        service.lock(person: .isAway)
        let store = try await store()
        let login = try login()
        let saving = Task { try await store.save(login, for: Self.server, asking: .seconds(600)) }
        try await waitUntil("the prompt is shown") { service.calls.contains("Prompt") }
        await service.close()
        let error = await #expect(throws: SecretStoreError.self) { try await saving.value }
        #expect(error == .noService)
    }

    // MARK: What there is not

    @Test func withoutAServiceThatIsSaid() async throws {
        try await StandInSecretService.hideInstalled(from: bus)
        await #expect(throws: SecretStoreError.noService) { try await store().check() }
    }

    @Test func withoutEncryptionNothingIsSent() async throws {
        let service = try await StandInSecretService(on: bus)
        service.answer("OpenSession", .error("org.freedesktop.DBus.Error.NotSupported"))
        await #expect(throws: SecretStoreError.noEncryption) {
            try await store().save(try login(), for: Self.server, asking: nil)
        }
        #expect(service.calls == ["OpenSession"])
    }

    @Test(arguments: ["", "a\0b", String(repeating: "x", count: 4_097)])
    func whatIsNoPasswordIsNotSaved(password: String) async throws {
        let service = try await StandInSecretService(on: bus)
        await #expect(throws: SecretStoreError.unusable) {
            try await store().save(try login(password), for: Self.server, asking: nil)
        }
        await #expect(throws: SecretStoreError.unusable) {
            try await store().save(try login(user: "a:b"), for: Self.server, asking: nil)
        }
        #expect(service.calls.isEmpty)
    }

    @Test func aConnectionThatIsClosedIsSaid() async throws {
        let connection = try await AsyncConnection.open(bus.address)
        await connection.close()
        await #expect(throws: SecretStoreError.disconnected) { try await SecretStore(bus: connection).check() }
    }
}

/// Waits until something holds, for four minutes at most.
func waitUntil(_ what: String, _ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(240)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw Failure("it does not come to pass that \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

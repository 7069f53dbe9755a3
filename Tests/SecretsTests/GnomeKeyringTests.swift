import DBus
import Secrets
import StandInSecrets
import TestSupport
import Testing

/// The real secret service of GNOME, without a screen.
@Suite("gnome-keyring", .enabled(if: GnomeKeyring.isInstalled, "needs gnome-keyring"))
struct GnomeKeyringTests {
    let bus: PrivateBus
    let account = RemoteAccount(server: "https://cloud.example.org", user: "me")

    init() throws { bus = try PrivateBus() }

    @Test func aLoginOutlivesTheDaemonsClients() async throws {
        let keyring = try GnomeKeyring(on: bus)
        let password = "pässwörd 🔑"
        for words in ["an older one", password] {
            let store = SecretStore(bus: try await .open(bus.address))
            try await store.save(
                StoredLogin(user: "me", password: try SecretBytes(words)), for: account.server, asking: nil)
        }
        let store = SecretStore(bus: try await .open(bus.address))
        #expect(try await store.login(for: account, asking: nil)?.password.bytes == Array(password.utf8))
        #expect(
            try await store.login(for: .init(server: account.server, user: nil), asking: nil)?.user == "me")
        #expect(try await store.login(for: .init(server: account.server, user: "you"), asking: nil) == nil)
        #expect(try await store.login(for: .init(server: "https://example.org", user: nil), asking: nil) == nil)
        // Saving again replaced the first one.
        #expect(try await store.remove(.init(server: account.server, user: nil), asking: nil) == ["me"])
        #expect(try await store.login(for: account, asking: nil) == nil)
        withExtendedLifetime(keyring) {}
    }

    @Test(arguments: [1, 15, 16, 17, 4_096]) func passwordsOfEveryLengthComeBack(count: Int) async throws {
        let keyring = try GnomeKeyring(on: bus)
        let store = SecretStore(bus: try await .open(bus.address))
        let words = String(repeating: "p", count: count)
        try await store.save(
            StoredLogin(user: "me", password: try SecretBytes(words)), for: account.server, asking: nil)
        #expect(try await store.login(for: account, asking: nil)?.password.bytes == Array(words.utf8))
        withExtendedLifetime(keyring) {}
    }

    @Test("Without a keyring that is open nobody is asked, and nothing is saved")
    func aKeyringThatIsNotThere() async throws {
        let keyring = try GnomeKeyring(on: bus, unlocking: false)
        let store = SecretStore(bus: try await .open(bus.address))
        let login = StoredLogin(user: "me", password: try SecretBytes("hunter2"))
        await #expect(throws: SecretStoreError.locked) {
            try await store.save(login, for: account.server, asking: nil)
        }
        #expect(try await store.login(for: account, asking: nil) == nil)
        withExtendedLifetime(keyring) {}
    }
}

import DBus
import RoundelBus
import Secrets

/// Asks a person for a login, and saves it in the secret service.
struct LoginDialog: Sendable {
    private let store: SecretStore

    init(bus: AsyncConnection) { store = SecretStore(bus: bus) }

    /// Whether there is a person who can be asked.
    static var isPossible: Bool { PasswordInput.isTerminal }

    /// Asks, or reads the standard input where that is no terminal, and saves; returns the account with its user.
    /// - Throws: ``CommandFailure``.
    func run(for account: RemoteAccount) async throws -> RemoteAccount {
        CoreDumps.forbid()
        // Nobody types a password in vain.
        try await SecretSentence.throwing { () async throws(SecretStoreError) in try await store.check() }
        let login = try read(for: account)
        try await SecretSentence.throwing { () async throws(SecretStoreError) in
            try await store.save(login, for: account.server, asking: SecretSentence.patience)
        }
        return RemoteAccount(server: account.server, user: login.user)
    }

    private func read(for account: RemoteAccount) throws -> StoredLogin {
        guard account.user != nil || PasswordInput.isTerminal else {
            throw CommandFailure(Text.userIsMissing, status: .usage)
        }
        let server = DisplayText.escaped(account.server)
        let user = try account.user ?? PasswordInput.user(prompt: Text.askForUser(at: server))
        let prompt = Text.askForPassword(of: DisplayText.escaped(user), at: server)
        return StoredLogin(user: user, password: try PasswordInput.password(prompt: prompt))
    }
}

import DBus
import Glibc
import RoundelBus
import Secrets

/// Logs a person in at a server: on a page of the server where it has one, else with a password.
struct LoginDialog: Sendable {
    private let store: SecretStore
    private let worker: SyncWorkerProxy
    /// Whether a page of the server is used where it has one.
    private let takesPages: Bool

    init(bus: AsyncConnection, takesPages: Bool = true) {
        store = SecretStore(bus: bus)
        worker = SyncWorkerProxy(bus: bus)
        self.takesPages = takesPages
    }

    /// Whether there is a person who can be asked.
    static var isPossible: Bool { PasswordInput.isTerminal }

    /// Has the person log in, or reads the standard input where that is no terminal; returns the account with its user,
    /// whose login is saved then.
    /// - Throws: ``CommandFailure``.
    func run(for remote: LoginRemote) async throws -> RemoteAccount {
        CoreDumps.forbid()
        // Nobody types a password in vain.
        try await SecretSentence.throwing { () async throws(SecretStoreError) in try await store.check() }
        let (server, login) = (remote.account.server, try await read(for: remote))
        switch login {
        case .saved(let user): return RemoteAccount(server: server, user: user)
        case .typed(let login):
            try await SecretSentence.throwing { () async throws(SecretStoreError) in
                try await store.save(login, for: server, asking: SecretSentence.patience)
            }
            return RemoteAccount(server: server, user: login.user)
        }
    }

    private enum Login {
        /// A password that is to be saved.
        case typed(StoredLogin)
        /// One that the server gave, which is saved.
        case saved(user: String)
    }

    private func read(for remote: LoginRemote) async throws -> Login {
        let account = remote.account
        guard PasswordInput.isTerminal else {
            if let login = try PasswordInput.line() {
                guard let user = account.user else { throw CommandFailure(Text.userIsMissing, status: .usage) }
                return .typed(StoredLogin(user: user, password: login))
            }
            guard let user = try await logInOnPage(of: remote) else { throw CommandFailure(Text.noPassword) }
            return .saved(user: user)
        }
        if let user = try await logInOnPage(of: remote) { return .saved(user: user) }
        let server = DisplayText.escaped(account.server)
        let user = try account.user ?? PasswordInput.user(prompt: Text.askForUser(at: server))
        let prompt = Text.askForPassword(of: DisplayText.escaped(user), at: server)
        return .typed(StoredLogin(user: user, password: try PasswordInput.password(prompt: prompt)))
    }

    /// Shows the person the server's page and waits; gives the user, or nil where there is no page.
    private func logInOnPage(of remote: LoginRemote) async throws -> String? {
        guard takesPages else { return nil }
        let login: SyncWorkerProxy.BrowserLogin
        do {
            login = try await worker.beginLogin(remote: remote.address)
        } catch is DBusError {
            // No page, no worker, or no server at the moment: a password can be saved all the same.
            return nil
        }
        Console.ask(DisplayText.escaped(Text.logInOnPage(login.address, at: remote.account.server)) + "\n")
        // The page is no secret: whoever opens it can only give this computer a login of their own.
        if Self.hasDesktop { _ = ChildProgram.start(["xdg-open", login.address]) }
        return try await worker.awaitLogin(login)
    }

    /// Whether the person sees what is opened: not from another computer.
    private static var hasDesktop: Bool {
        let isSet: (String) -> Bool = { name in getenv(name).map { $0[0] != 0 } ?? false }
        return PasswordInput.isTerminal && (isSet("WAYLAND_DISPLAY") || isSet("DISPLAY")) && !isSet("SSH_CONNECTION")
    }
}

import DBus
import Glibc
import RoundelBus
import Secrets
import Support

/// Logs the user in at a server: on a page of the server if it has one, otherwise with a password.
struct LoginDialog: Sendable {
    private let store: SecretStore
    private let worker: SyncWorkerProxy
    /// Whether to use a page of the server if it has one.
    private let takesPages: Bool

    init(bus: AsyncConnection, takesPages: Bool = true) {
        store = SecretStore(bus: bus)
        worker = SyncWorkerProxy(bus: bus)
        self.takesPages = takesPages
    }

    /// Whether the user can be asked.
    static var isPossible: Bool { PasswordInput.isTerminal }

    /// Lets the user log in, or reads the standard input if that is not a terminal. Saves the login and returns the
    /// account with its user.
    /// - Throws: ``CommandFailure``.
    func run(for remote: LoginRemote) async throws -> RemoteAccount {
        CoreDumps.leaveOutMemory()
        // Check first, so that the user does not type a password that cannot be saved.
        try await SecretSentence.throwing { () async throws(SecretStoreError) in try await store.check() }
        let (server, login) = (remote.account.server, try await read(for: remote))
        switch login {
        case .saved(let user): return RemoteAccount(server: server, user: user)
        case .typed(let login):
            let account = RemoteAccount(server: server, user: login.user)
            let former = try? await store.login(for: account, asking: Patience.Secrets.user)
            do {
                // The worker, which is asked next, looks there whether this program is in a sandbox.
                defer { CoreDumps.permit() }
                try await save(login, for: server)
            }
            if let refusal = await refusal(of: remote, login.user) {
                // Nothing that the server refuses replaces what it may accept.
                if let former {
                    try await save(former, for: server)
                } else {
                    _ = try? await store.remove(account, asking: Patience.Secrets.user)
                }
                throw refusal
            }
            return account
        }
    }

    private func save(_ login: StoredLogin, for server: String) async throws {
        try await SecretSentence.throwing { () async throws(SecretStoreError) in
            try await store.save(login, for: server, asking: Patience.Secrets.user)
        }
    }

    /// Tries the saved login; returns the server's refusal. Reports to the user if the server cannot be asked now: the
    /// login may be right.
    private func refusal(of remote: LoginRemote, _ user: String) async -> CommandFailure? {
        do {
            try await worker.checkLogin(remote: remote.address(of: user))
            return nil
        } catch let error as DBusError {
            if RoundelError.Code(name: error.name) == .loginNeeded {
                return CommandFailure(Text.passwordRefused(at: remote.account.server))
            }
            let isWithoutWorker = [.serviceUnknown, .nameHasNoOwner, .unknownMethod].contains(error.standard)
            if !isWithoutWorker { Console.complain(Text.passwordNotTried(because: ErrorSentence.of(error))) }
            return nil
        } catch {
            return nil
        }
    }

    private enum Login {
        /// A password that still has to be saved.
        case typed(StoredLogin)
        /// A login from the server, which is saved already.
        case saved(user: String)
    }

    private func read(for remote: LoginRemote) async throws -> Login {
        let account = remote.account
        guard PasswordInput.isTerminal else {
            if let login = try Self.secretly({ try PasswordInput.line() }) {
                guard let user = account.user else { throw CommandFailure(Text.userIsMissing, status: .usage) }
                return .typed(StoredLogin(user: user, password: login))
            }
            CoreDumps.permit()
            guard let user = try await logInOnPage(of: remote) else { throw CommandFailure(Text.noPassword) }
            return .saved(user: user)
        }
        if let user = try await logInOnPage(of: remote) { return .saved(user: user) }
        let server = DisplayText.escaped(account.server)
        let user = try account.user ?? PasswordInput.user(prompt: Text.askForUser(at: server))
        let prompt = Text.askForPassword(of: DisplayText.escaped(user), at: server)
        let password = try Self.secretly { try PasswordInput.password(prompt: prompt) }
        return .typed(StoredLogin(user: user, password: password))
    }

    /// Reads a password, from when on nobody can look into this process.
    private static func secretly<Password>(_ read: () throws -> Password) rethrows -> Password {
        CoreDumps.forbid()
        return try read()
    }

    /// Shows the server's page to the user and waits; returns the user, or nil if there is no page.
    private func logInOnPage(of remote: LoginRemote) async throws -> String? {
        guard takesPages else { return nil }
        let login: SyncWorkerProxy.BrowserLogin
        do {
            login = try await worker.beginLogin(remote: remote.address)
        } catch is DBusError {
            // No page, no worker, or no server at the moment: a password can still be saved.
            return nil
        }
        Console.ask(DisplayText.escaped(Text.logInOnPage(login.address, at: remote.account.server)) + "\n")
        // The page is not secret: anyone who opens it can only give this computer their own login.
        if Self.hasDesktop { _ = ChildProgram.start(["xdg-open", login.address]) }
        return try await worker.awaitLogin(login)
    }

    /// Whether the user can see a page opened here: not from another computer.
    private static var hasDesktop: Bool {
        let isSet: (String) -> Bool = { name in getenv(name).map { $0[0] != 0 } ?? false }
        return PasswordInput.isTerminal && (isSet("WAYLAND_DISPLAY") || isSet("DISPLAY")) && !isSet("SSH_CONNECTION")
    }
}

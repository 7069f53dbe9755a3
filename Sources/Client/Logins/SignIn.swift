package import DBus
package import RoundelBus
package import Secrets
internal import Support

/// Logs the user in at a server: on a page of the server if it has one, otherwise with a password.
///
/// A front end prepares it, asks for the ``step(for:takesPages:)``, lets the user do that and finishes it. A password is
/// tried before it is kept, and leaves the process only encrypted, for the keyring.
package struct SignIn: Sendable {
    /// What the user has to do.
    package enum Step: Sendable {
        /// To log in on a page of the server, which is not secret: anyone who opens it can only give this computer their
        /// own login.
        case page(AccountsProxy.BrowserLogin)
        /// To type a password, and the name of the user if the remote has none.
        case password
    }

    /// What became of a password that was tried.
    package enum Trial: Hashable, Sendable {
        /// The server accepts it, or there is no engine that could ask.
        case passed
        /// The server cannot be asked now: the password may be right.
        case impossible(DBusError)
    }

    private let store: SecretStore
    private let bus: AsyncConnection

    /// Logins for the keyring and the engines of this bus.
    package init(bus: AsyncConnection) {
        store = SecretStore(bus: bus)
        self.bus = bus
    }

    /// Checks that a login can be saved, so that the user does not type a password in vain.
    /// - Throws: `SecretStoreError`.
    package func prepare() async throws {
        CoreDumps.leaveOutMemory()
        try await store.check()
    }

    /// The first step.
    /// - Parameter takesPages: Whether to use a page of the server if it has one.
    package func step(for remote: LoginRemote, takesPages: Bool = true) async throws -> Step {
        guard takesPages else { return .password }
        do {
            return .page(try await accounts(remote).beginLogin(remote: remote.address))
        } catch is DBusError {
            // No page, no engine, or no server at the moment: a password can still be saved.
            return .password
        }
    }

    /// Waits until the user has logged in on a page. The engine saves the login.
    /// - Throws: `DBusError`.
    package func finish(_ page: AccountsProxy.BrowserLogin, at remote: LoginRemote) async throws -> RemoteAccount {
        RemoteAccount(server: remote.account.server, user: try await accounts(remote).awaitLogin(page))
    }

    /// Reads a password, from when on nobody can look into this process until it is saved.
    package static func secretly<Password>(_ read: () throws -> Password) rethrows -> Password {
        CoreDumps.forbid()
        return try read()
    }

    /// Saves a password that the user typed, and tries it. One that the server refuses replaces none that it may accept.
    /// - Throws: `SecretStoreError`, or ``ClientError/passwordRefused(server:)``.
    package func finish(_ login: StoredLogin, at remote: LoginRemote) async throws -> (RemoteAccount, Trial) {
        let server = remote.account.server
        let account = RemoteAccount(server: server, user: login.user)
        let former = try? await store.login(for: account, asking: Patience.Secrets.user)
        do {
            // The engine, which is asked next, looks there whether this program is in a sandbox.
            defer { CoreDumps.permit() }
            try await store.save(login, for: server, asking: Patience.Secrets.user)
        }
        if let trial = await trial(of: remote, login.user) { return (account, trial) }
        if let former {
            try await store.save(former, for: server, asking: Patience.Secrets.user)
        } else {
            _ = try? await store.remove(account, asking: Patience.Secrets.user)
        }
        throw ClientError.passwordRefused(server: server)
    }

    /// The logins of the engine that syncs with a remote.
    private func accounts(_ remote: LoginRemote) -> AccountsProxy {
        AccountsProxy(bus: bus, engine: remote.engine.address)
    }

    /// Tries the saved login; nil if the server refuses it.
    private func trial(of remote: LoginRemote, _ user: String) async -> Trial? {
        do {
            try await accounts(remote).checkLogin(remote: remote.address(of: user))
        } catch let error as DBusError {
            if error.roundelCode == .loginNeeded { return nil }
            let isWithoutWorker = error.isMissingService || error.standard == .unknownMethod
            return isWithoutWorker ? .passed : .impossible(error)
        } catch {
            return .passed
        }
        return .passed
    }
}

package import DBus
package import RoundelBus
package import Secrets
internal import Support

/// Logs the user in at a server: on a page of the server if it has one, otherwise with a password.
///
/// A front end prepares it, asks for the ``step(for:takesPages:)``, lets the user do that and finishes it. The engine tries
/// a password and saves it; it gets it through a pipe.
package struct SignIn: Sendable {
    /// What the user has to do.
    package enum Step: Sendable {
        /// To log in on a page of the server, which is not secret: anyone who opens it can only give this computer their
        /// own login.
        case page(AccountsProxy.BrowserLogin)
        /// To type a password, and the name of the user if the remote has none.
        case password
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
        } catch let error as DBusError {
            // Without an engine, a password would be typed in vain.
            if error.isMissingService { throw error }
            // No page, or no server at the moment: a password can still be saved.
            return .password
        }
    }

    /// Waits until the user has logged in on a page. The engine saves the login.
    /// - Throws: `DBusError`.
    package func finish(_ page: AccountsProxy.BrowserLogin, at remote: LoginRemote) async throws -> RemoteAccount {
        RemoteAccount(server: remote.account.server, user: try await accounts(remote).awaitLogin(page))
    }

    /// Reads a password into a pipe. Nobody can look into this process while it knows the password.
    /// - Returns: The end of the pipe from which an engine reads it; nil if there is no password.
    package static func secretly(_ read: () throws -> SecretBytes?) throws -> OwnedFileDescriptor? {
        CoreDumps.forbid()
        // The engine, which is asked next, looks there whether this program is in a sandbox.
        defer { CoreDumps.permit() }
        return try read().map { try SecretPipe.filled(with: $0) }
    }

    /// Has the engine try and save a password that the user typed. One that the server refuses replaces none that it may
    /// accept.
    /// - Parameter password: What ``secretly(_:)`` returned.
    /// - Returns: The account, and why the server could not be asked, in a sentence; nil if it accepts the password.
    /// - Throws: `DBusError`, with `loginNeeded` if the server refuses the password.
    package func finish(
        _ password: OwnedFileDescriptor, of user: String, at remote: LoginRemote
    ) async throws -> (RemoteAccount, untried: String?) {
        let untried = try await remote.engine.answering {
            try await accounts(remote).saveLogin(remote: remote.address(of: user), password: password)
        }
        return (RemoteAccount(server: remote.account.server, user: user), untried)
    }

    /// The logins of the engine that syncs with a remote.
    private func accounts(_ remote: LoginRemote) -> AccountsProxy {
        AccountsProxy(bus: bus, engine: remote.engine.address)
    }
}

public import DBus
internal import Support

/// The logins of an engine at servers: `org.roundel.Roundel1.Engine.Accounts`.
public struct AccountsProxy: EngineProxy {
    /// A login in a browser.
    public struct BrowserLogin: Sendable, Equatable {
        /// The argument for ``awaitLogin(_:)``.
        public var id: String
        /// The page of the server on which the user logs in.
        public var address: String
    }

    /// The interface.
    public static let interface = EngineInterface.accounts
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    /// Starts a login in a browser, at a server that issues separate passwords to programs. It ends with the
    /// connection.
    public func beginLogin(remote: String) async throws -> BrowserLogin {
        let reply = try await call("BeginLogin", [.string(remote), .map([:])], timeout: Patience.Worker.serverReply)
        guard reply.count > 1, let id = reply[0].string, let address = reply[1].string else {
            throw unexpected("BeginLogin")
        }
        return BrowserLogin(id: id, address: address)
    }

    /// Waits until the user has logged in and the login is saved in the secret service.
    /// - Returns: The user's name at the server.
    public func awaitLogin(_ login: BrowserLogin) async throws -> String {
        try await text("AwaitLogin", [.string(login.id), .map([:])], timeout: nil).0
    }

    /// Has a password tried and saved in the secret service, which may ask the user to unlock it.
    /// - Parameters:
    ///   - remote: The address of a remote, with the name of the user.
    ///   - password: The end of a pipe from which the password is read, up to its end.
    /// - Returns: Why the server could not be asked, a sentence for the user; nil if it accepts the password.
    public func saveLogin(remote: String, password: OwnedFileDescriptor) async throws -> String? {
        let arguments: [DBusValue] = [.string(remote), .fileDescriptor(password), .map([:])]
        return try await call("SaveLogin", arguments, timeout: nil).last?.map?.string("untried")
    }

    /// Tries the login that is saved for a remote.
    public func checkLogin(remote: String) async throws {
        _ = try await call("CheckLogin", [.string(remote), .map([:])], timeout: Patience.Worker.serverReply)
    }

    /// Ends the use of the login that is saved for a remote.
    /// - Returns: Whether the server took the password back.
    public func endLogin(remote: String) async throws -> Bool {
        let reply = try await call("EndLogin", [.string(remote), .map([:])], timeout: Patience.Worker.serverReply)
        return reply.last?.map?.bool("revoked") ?? false
    }
}

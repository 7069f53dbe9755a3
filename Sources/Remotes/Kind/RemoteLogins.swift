/// The saved logins, as far as kinds of remotes need them. Where they are saved, only the implementation knows.
package protocol RemoteLogins: Sendable {
    /// Who logs in where, according to the address of a remote.
    func account(in address: String) throws(AddressMistake) -> LoginAccount

    /// The login saved for an account; nil if there is none. Never asks the user anything.
    func login(for account: LoginAccount) async throws(LoginUnreadable) -> RemoteLogin?

    /// The certificates that the person gave for a server, by its origin; nil for none.
    func certificates(of server: String) -> ServerCertificates?

    /// The saved passphrase of the key of the person's certificate for a server, by its origin; nil if none is saved.
    /// Never asks the user anything.
    func passphrase(ofKeyFor server: String) async throws(LoginUnreadable) -> String?
}

/// An account at a server, under which a login is saved.
package struct LoginAccount: Hashable, Sendable {
    /// The origin of the server, such as `https://cloud.example.org`.
    package let server: String
    /// The name of the user; nil for any user known at the server.
    package let user: String?

    package init(server: String, user: String?) { (self.server, self.user) = (server, user) }
}

/// Why an address says no account.
package enum AddressMistake: Error, Hashable, Sendable {
    /// It is not such an address.
    case malformed
    /// It contains a password, which would be visible in process lists.
    case password
    /// It is not encrypted, and the host is another computer.
    case unencrypted
}

/// A user and a password. Neither a description nor a reflection reveals the password.
package struct RemoteLogin: Sendable, CustomStringConvertible, CustomReflectable {
    package let user: String
    package let password: String
    /// When it was saved, in seconds since 1970; 0 for one that is not saved.
    package let saved: UInt64

    package init(user: String, password: String, saved: UInt64 = 0) {
        (self.user, self.password, self.saved) = (user, password, saved)
    }

    /// Reveals nothing.
    package var description: String { "login" }
    /// Reveals nothing.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<(label: String?, value: Any)>()) }
}

/// A saved login cannot be read.
package struct LoginUnreadable: Error, Hashable, Sendable {
    /// Why, for the log.
    package let why: String

    package init(_ why: String) { self.why = why }
}

/// A kind of remote with places at which people log in.
package protocol LoginKind: RemoteKind {
    /// The place with an address.
    func loginPlace(_ address: String) throws(RemoteRefusal) -> any LoginPlace
}

/// A place at which people log in.
package protocol LoginPlace: RemotePlace {
    /// The account whose login it needs.
    var account: LoginAccount { get }

    /// Tries a login.
    /// - Parameter login: The login; nil for the saved one.
    /// - Throws: Why it cannot be used: `loginNeeded` only if the server refuses it.
    func tryLogin(_ login: RemoteLogin?) async throws(RemoteRefusal)

    /// Begins a login in a browser; nil if the place has no page for that.
    func beginLogin() async throws(RemoteRefusal) -> (any LoginPage)?

    /// Lets the server take back the saved login, a password that it gave to this computer; whether it did.
    func revokeLogin() async -> Bool
}

/// A page on which a person logs in.
package protocol LoginPage: Sendable {
    /// Its address, for a browser.
    var address: String { get }

    /// Waits for the person.
    ///
    /// - Parameter isWanted: Whether a caller still waits for the login.
    /// - Returns: The login; nil if no one logged in in time, or no caller waits any more.
    func wait(while isWanted: @Sendable () -> Bool) async throws(RemoteRefusal) -> RemoteLogin?
}

/// What is at an address that a person typed.
package struct FoundRemote: Hashable, Sendable {
    /// What it is.
    package enum Kind: String, Hashable, Sendable {
        case webdav
        case nextcloud
        case owncloud
        case rclone
        case directory
    }

    /// What the person has to do before a folder can sync with it.
    package enum Login: String, Hashable, Sendable {
        /// Nothing.
        case none
        /// To log in on a page of the server.
        case page
        /// To give a password.
        case password
    }

    package var kind: Kind
    /// Its address, as AddFolder takes it.
    package var remote: String
    /// The name for people: that of the directory, or of the server.
    package var name: String
    /// The origin of the server; nil for what is none.
    package var server: String?
    /// Whose files they are; nil if that is not known.
    package var user: String?
    package var login: Login
    /// The path of the directory below the top of the person's files there; empty for all of them.
    package var path: String
    /// Whether the address has to be looked for again once the person has logged in: only then it is known whose files they
    /// are, and which directory is meant.
    package var isProvisional: Bool

    package init(
        _ kind: Kind, _ remote: String, name: String, server: String? = nil, user: String? = nil,
        login: Login = .none, path: String = "", isProvisional: Bool = false
    ) {
        (self.kind, self.remote, self.name, self.server, self.user) = (kind, remote, name, server, user)
        (self.login, self.path, self.isProvisional) = (login, path, isProvisional)
    }
}

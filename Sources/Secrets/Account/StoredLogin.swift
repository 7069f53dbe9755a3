/// A user and a password, as they are saved.
package struct StoredLogin: Sendable {
    /// The name of the user.
    package let user: String
    /// The password, or an app password: the bytes as typed, usually UTF-8.
    package let password: SecretBytes
    /// Whether the server made this password for this computer, so that nobody uses it elsewhere.
    package let isFromServer: Bool
    /// When it was saved, in seconds since 1970 by the service's clock; 0 before.
    package let saved: UInt64

    /// Creates a login of a user.
    package init(user: String, password: SecretBytes, isFromServer: Bool = false, saved: UInt64 = 0) {
        self.user = user
        self.password = password
        self.isFromServer = isFromServer
        self.saved = saved
    }

    /// The maximum length of a password in bytes.
    package static let longestPassword = 4_096

    /// Whether the user and the password can be saved: the password has bytes, not too many, and none of them is NUL.
    package var isUsable: Bool {
        let isPassword = password.withBytes { bytes in
            (1...Self.longestPassword).contains(bytes.count) && !bytes.contains(0)
        }
        return isPassword && RemoteAccount.isUser(user)
    }
}

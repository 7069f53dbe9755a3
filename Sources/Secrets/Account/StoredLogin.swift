/// A user and a password, as they are saved.
package struct StoredLogin: Sendable {
    /// The name of the user.
    package let user: String
    /// The password, or an app password: the bytes as typed, usually UTF-8.
    package let password: SecretBytes

    /// Creates a login of a user.
    package init(user: String, password: SecretBytes) {
        self.user = user
        self.password = password
    }

    /// The maximum length of a password in bytes.
    package static let longestPassword = 4_096
}

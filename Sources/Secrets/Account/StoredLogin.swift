/// A user and the password, as they are saved.
package struct StoredLogin: Sendable {
    /// The name of the user.
    package let user: String
    /// The password, or an app password: bytes as they were typed, most often UTF-8.
    package let password: SecretBytes

    /// A login of a user.
    package init(user: String, password: SecretBytes) {
        self.user = user
        self.password = password
    }

    /// The longest password that is saved, in bytes.
    package static let longestPassword = 4_096
}

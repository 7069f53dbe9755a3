internal import Support

/// The texts that users see in the list of their passwords.
enum KeyringWords {
    static func label(user: String, server: String) -> String {
        Phrase.text("Roundel: {1} at {2}", user, server)
    }

    static var defaultKeyring: String { Phrase.text("Default keyring") }
}

internal import DBus

/// The names of the Secret Service API (<https://specifications.freedesktop.org/secret-service-spec/latest/>).
enum SecretNames {
    static let service = "org.freedesktop.secrets"
    static let servicePath: ObjectPath = "/org/freedesktop/secrets"
    static let serviceInterface = "org.freedesktop.Secret.Service"
    static let collectionInterface = "org.freedesktop.Secret.Collection"
    static let itemInterface = "org.freedesktop.Secret.Item"
    static let sessionInterface = "org.freedesktop.Secret.Session"
    static let promptInterface = "org.freedesktop.Secret.Prompt"
    static let properties = "org.freedesktop.DBus.Properties"
    static let isLocked = "org.freedesktop.Secret.Error.IsLocked"

    /// The only kind of session that is opened: Diffie-Hellman in the second Oakley group, HKDF, AES in CBC mode.
    static let algorithm = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
    /// The collection for new items.
    static let defaultAlias = "default"
    /// The attribute for the kind of item, a convention of libsecret.
    static let schemaAttribute = "xdg:schema"
    static let schema = "org.roundel.Remote"
    /// The attribute for where a password comes from, and its value for one that the server made for this computer.
    static let (sourceAttribute, fromServer) = ("source", "server")
}

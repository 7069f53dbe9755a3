internal import DBus
internal import Support

/// An encrypted session with the service, for one operation.
struct SecretSession: Sendable {
    let service: SecretService
    private let path: ObjectPath
    private let cipher: SessionCipher

    /// The maximum number of items of one account that are examined.
    private static let mostItems = 64
    /// The maximum number of attributes of an item that are examined, and their maximum length in bytes.
    private static let mostAttributes = 64
    private static let longestAttribute = 4_096

    /// Agrees on a key with the service.
    static func open(with service: SecretService) async throws -> SecretSession {
        let agreement = try KeyAgreement()
        let publicKey = agreement.publicKey
        let answer: (peer: [UInt8], path: ObjectPath)
        do {
            answer = try await service.call(
                SecretNames.servicePath, SecretNames.serviceInterface, "OpenSession",
                write: { writer in
                    try writer.append(SecretNames.algorithm)
                    try writer.appendVariant(of: "ay") { try $0.append(bytes: publicKey) }
                },
                read: { reader in
                    let peer = try reader.readVariant { try $0.readBytes(atMost: KeyAgreement.length) }
                    return (peer, try reader.readObjectPath())
                })
        } catch SecretStoreError.refused(DBusError(.notSupported, "").name) {
            throw SecretStoreError.noEncryption
        }
        let key = try agreement.sessionKey(with: answer.peer)
        return SecretSession(service: service, path: answer.path, cipher: SessionCipher(key: key))
    }

    /// Ends the session.
    func close() { service.tell(path, SecretNames.sessionInterface, "Close") }

    // MARK: Items

    /// An item that contains the password of an account.
    struct Item: Sendable {
        let path: ObjectPath
        let user: String
        /// Whether the server made the password for this computer.
        let isFromServer: Bool
        /// When it was last changed, in seconds since 1970 by the service's clock.
        let modified: UInt64
    }

    /// The items of an account, without locked ones.
    func openItems(of account: RemoteAccount) async throws -> [Item] {
        try await items(at: try await search(account).unlocked, of: account)
    }

    /// The items of an account, after unlocking the locked ones.
    func allItems(of account: RemoteAccount, asking patience: Duration?) async throws -> [Item] {
        let found = try await search(account)
        if !found.locked.isEmpty { try await unlock(found.locked, asking: patience) }
        return try await items(at: found.unlocked + found.locked, of: account)
    }

    private func search(
        _ account: RemoteAccount
    ) async throws -> (unlocked: [ObjectPath], locked: [ObjectPath]) {
        let attributes = Self.attributes(server: account.server, user: account.user)
        return try await service.call(
            SecretNames.servicePath, SecretNames.serviceInterface, "SearchItems",
            write: { try Self.append(attributes, to: &$0) },
            read: { reader in
                let unlocked = try reader.readPaths(atMost: Self.mostItems)
                return (unlocked, try reader.readPaths(atMost: Self.mostItems))
            })
    }

    /// Filters the items of the account: a service may find too much, but a password must be sent only to its own
    /// server.
    private func items(at paths: [ObjectPath], of account: RemoteAccount) async throws -> [Item] {
        var items: [Item] = []
        for path in paths {
            let (attributes, modified) = try await properties(of: path)
            guard attributes["server"] == account.server, let user = attributes["user"], RemoteAccount.isUser(user),
                account.user == nil || account.user == user
            else { continue }
            let isFromServer = attributes[SecretNames.sourceAttribute] == SecretNames.fromServer
            items.append(Item(path: path, user: user, isFromServer: isFromServer, modified: modified))
        }
        return items
    }

    private func properties(of item: ObjectPath) async throws -> (attributes: [String: String], modified: UInt64) {
        try await service.call(
            item, SecretNames.properties, "GetAll",
            write: { try $0.append(SecretNames.itemInterface) },
            read: { reader in
                var attributes: [String: String] = [:]
                var modified: UInt64 = 0
                try reader.readDictionary { entry in
                    switch try entry.readString(atMost: Self.longestAttribute) {
                    case "Attributes": attributes = try entry.readVariant { try Self.readAttributes(&$0) }
                    case "Modified": modified = try entry.readVariant { try $0.readUInt64() }
                    default: break
                    }
                }
                return (attributes, modified)
            })
    }

    private static func readAttributes(_ reader: inout MessageReader) throws -> [String: String] {
        var attributes: [String: String] = [:]
        try reader.readDictionary { entry in
            guard attributes.count < mostAttributes else { throw SecretStoreError.malformed("GetAll") }
            // Values that are too long are not from Roundel.
            if let key = try entry.readString(atMost: longestAttribute) {
                attributes[key] = try entry.readString(atMost: longestAttribute)
            }
        }
        return attributes
    }

    /// The secret of an item.
    func secret(of item: ObjectPath) async throws -> SecretBytes {
        let path = path
        let encrypted = try await service.call(
            item, SecretNames.itemInterface, "GetSecret",
            write: { try $0.append(path) },
            read: { reader in
                try reader.readStruct { secret in
                    let session = try secret.readObjectPath()
                    guard session == path else { throw SecretStoreError.malformed("GetSecret") }
                    let vector = try secret.readBytes(atMost: SessionCipher.blockLength)
                    return SessionCipher.Encrypted(
                        vector: vector, value: try secret.readBytes(atMost: SessionCipher.longest))
                }
            })
        return try cipher.decrypt(encrypted)
    }

    /// Deletes an item.
    func delete(_ item: ObjectPath, asking patience: Duration?) async throws {
        let prompt = try await service.call(
            item, SecretNames.itemInterface, "Delete", read: { try $0.readObjectPath() })
        try await SecretPrompt(prompt, of: service)?.answer(within: patience)
    }

    // MARK: Saving

    /// The collection for new items, unlocked. It is created if it does not exist.
    func defaultCollection(asking patience: Duration?) async throws -> ObjectPath {
        let collection = try await aliasedCollection()
        if collection != .root {
            try await unlock([collection], asking: patience)
            return collection
        }
        let (made, prompt) = try await service.call(
            SecretNames.servicePath, SecretNames.serviceInterface, "CreateCollection",
            write: { writer in
                try writer.append(map: [SecretNames.collectionInterface + ".Label": .string(tr("Default keyring"))])
                try writer.append(SecretNames.defaultAlias)
            }, read: { (try $0.readObjectPath(), try $0.readObjectPath()) })
        try await SecretPrompt(prompt, of: service)?.answer(within: patience)
        return made == .root ? try await aliasedCollection() : made
    }

    private func aliasedCollection() async throws -> ObjectPath {
        try await service.call(
            SecretNames.servicePath, SecretNames.serviceInterface, "ReadAlias",
            write: { try $0.append(SecretNames.defaultAlias) }, read: { try $0.readObjectPath() })
    }

    /// Saves a password, replacing the account's existing one.
    func save(
        _ login: StoredLogin, for server: String, in collection: ObjectPath, asking patience: Duration?
    ) async throws {
        let encrypted = try cipher.encrypt(login.password)
        let attributes =
            Self.attributes(server: server, user: login.user)
            + (login.isFromServer ? [(SecretNames.sourceAttribute, SecretNames.fromServer)] : [])
        let label = tr("Roundel: {1} at {2}", login.user, server)
        let path = path
        let prompt = try await service.call(
            collection, SecretNames.collectionInterface, "CreateItem",
            write: { writer in
                try writer.appendDictionary(key: "s", value: "v") { properties in
                    try properties.entry { entry in
                        try entry.append(SecretNames.itemInterface + ".Label")
                        try entry.appendVariant(of: "s") { try $0.append(label) }
                    }
                    try properties.entry { entry in
                        try entry.append(SecretNames.itemInterface + ".Attributes")
                        try entry.appendVariant(of: "a{ss}") { try Self.append(attributes, to: &$0) }
                    }
                }
                try writer.appendStruct { secret in
                    try secret.append(path)
                    try secret.append(bytes: encrypted.vector)
                    try secret.append(bytes: encrypted.value)
                    try secret.append("text/plain; charset=utf8")
                }
                try writer.append(true)
            },
            read: { reader in
                _ = try reader.readObjectPath()
                return try reader.readObjectPath()
            })
        try await SecretPrompt(prompt, of: service)?.answer(within: patience)
    }

    // MARK: Unlocking

    /// Unlocks items or collections.
    ///
    /// - Throws: ``SecretStoreError/locked`` if they are still locked afterwards.
    private func unlock(_ paths: [ObjectPath], asking patience: Duration?) async throws {
        let (unlocked, prompt) = try await requestUnlocking(paths)
        guard let prompt = SecretPrompt(prompt, of: service) else {
            guard Set(paths).isSubset(of: unlocked) else { throw SecretStoreError.locked }
            return
        }
        try await prompt.answer(within: patience)
        // Services differ in what the prompt's answer says about the unlocked items; this call shows no further prompt.
        let (open, second) = try await requestUnlocking(paths)
        if let second = SecretPrompt(second, of: service) { try await second.answer(within: nil) }
        guard Set(paths).isSubset(of: open) else { throw SecretStoreError.locked }
    }

    private func requestUnlocking(_ paths: [ObjectPath]) async throws -> (unlocked: [ObjectPath], prompt: ObjectPath) {
        try await service.call(
            SecretNames.servicePath, SecretNames.serviceInterface, "Unlock",
            write: { writer in
                try writer.appendArray(of: "o") { array in for path in paths { try array.append(path) } }
            },
            read: { reader in
                let unlocked = try reader.readPaths(atMost: 2 * Self.mostItems)
                return (unlocked, try reader.readObjectPath())
            })
    }

    // MARK: Attributes

    private static func attributes(server: String, user: String?) -> [(String, String)] {
        [(SecretNames.schemaAttribute, SecretNames.schema), ("server", server)] + (user.map { [("user", $0)] } ?? [])
    }

    private static func append(_ attributes: [(String, String)], to writer: inout MessageWriter) throws {
        try writer.appendDictionary(key: "s", value: "s") { dictionary in
            for (key, value) in attributes {
                try dictionary.entry { entry in
                    try entry.append(key)
                    try entry.append(value)
                }
            }
        }
    }
}

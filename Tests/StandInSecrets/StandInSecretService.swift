public import DBus
import Secrets
import Synchronization
public import TestSupport

/// A secret service with one collection that keeps its items in memory, and answers as a test says. Its connection
/// keeps it: it serves until it is closed or the bus ends, whoever refers to it.
public final class StandInSecretService: Sendable {
    /// What a member answers instead of doing its work.
    public enum Answer: Sendable {
        case values([DBusValue])
        case error(String)
        case silence
    }

    /// What a prompt does when it is shown.
    public enum Person: Sendable {
        case agrees
        case dismisses
        case isAway
    }

    /// An item, in clear text.
    public struct Item: Sendable, Equatable {
        /// What a person sees of it.
        public var label: String
        /// What it is found by.
        public var attributes: [String: String]
        /// What it keeps.
        public var secret: [UInt8]
        /// When it was changed last; 0 for now.
        public var modified: UInt64

        /// An item with these attributes.
        public init(label: String = "", attributes: [String: String], secret: [UInt8], modified: UInt64 = 0) {
            self.label = label
            self.attributes = attributes
            self.secret = secret
            self.modified = modified
        }
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var properties: [String: DBusValue] = [:]
        var person = Person.agrees
        var isLocked = false
        var claimedSession: ObjectPath?
        var items: [String: Item] = [:]
        var sessions: [String: SessionCipher] = [:]
        var calls: [String] = []
        var arguments: [String: [DBusValue]] = [:]
        var pending: [String: @Sendable () -> Void] = [:]
        var count: UInt64 = 0
    }

    private let connection: AsyncConnection
    private let state = Mutex(State())

    /// The one collection.
    public static let collection: ObjectPath = "/org/freedesktop/secrets/collection/login"
    private static let servicePath: ObjectPath = "/org/freedesktop/secrets"

    /// Owns the name of the secret service.
    public init(on bus: PrivateBus) async throws {
        connection = try await .open(bus.address)
        let service = self
        try await connection.perform { connection in
            _ = try connection.export(service.serviceInterface(connection), at: Self.servicePath)
            _ = try connection.export(service.collectionInterface(connection), at: Self.collection)
        }
        guard try await connection.requestName("org.freedesktop.secrets", flags: [.doNotQueue]).isOwner else {
            throw Failure("the secret service has an owner already")
        }
    }

    /// Has a bus start no secret service, whatever is installed on the system.
    public static func hideInstalled(from bus: PrivateBus) async throws {
        try bus.addService("org.freedesktop.secrets", command: "/bin/false")
        let connection = try await AsyncConnection.open(bus.address)
        // The bus reads its service files anew, those of the system after those of the test.
        _ = try await connection.call("org.freedesktop.DBus", "/org/freedesktop/DBus", nil, "ReloadConfig")
        await connection.close()
    }

    /// Leaves the bus.
    public func close() async { await connection.close() }

    // MARK: What a test says

    /// From now on a member answers this.
    public func answer(_ member: String, _ answer: Answer) { state.withLock { $0.answers[member] = answer } }

    /// From now on an item has this value in place of its own property.
    public func setProperty(_ name: String, _ value: DBusValue) { state.withLock { $0.properties[name] = value } }

    /// From now on a secret is said to be encrypted for this session.
    public func claimSession(_ path: ObjectPath) { state.withLock { $0.claimedSession = path } }

    /// Locks everything; a prompt unlocks it, if the person agrees.
    public func lock(person: Person) {
        state.withLock {
            $0.isLocked = true
            $0.person = person
        }
    }

    /// Puts an item into the collection.
    public func add(_ item: Item) async throws {
        try await connection.perform { [self] in _ = try insert(item, on: $0) }
    }

    // MARK: What a test sees

    /// The members that were called.
    public var calls: [String] { state.withLock { $0.calls } }
    /// What the last call of a member had as arguments.
    public func arguments(of member: String) -> [DBusValue] { state.withLock { $0.arguments[member] ?? [] } }
    /// What is saved.
    public var items: [Item] { state.withLock { state in state.items.sorted { $0.key < $1.key }.map(\.value) } }
    /// The sessions that are open.
    public var openSessions: Int { state.withLock { $0.sessions.count } }

    // MARK: The service

    private func serviceInterface(_ connection: Connection) -> Interface {
        Interface(
            "org.freedesktop.Secret.Service",
            methods: [
                method("OpenSession", "sv", "vo") { [self] in try openSession($0, on: connection) },
                method("SearchItems", "D", "OO") { [self] call in
                    let wanted = try Self.attributes(call.message.arguments().first)
                    let (paths, isLocked) = state.withLock { state in
                        (
                            state.items.filter { item in
                                wanted.allSatisfy { item.value.attributes[$0.key] == $0.value }
                            }.keys.sorted(), state.isLocked
                        )
                    }
                    call.reply { writer in
                        try Self.append(isLocked ? [] : paths, to: &writer)
                        try Self.append(isLocked ? paths : [], to: &writer)
                    }
                },
                method("Unlock", "O", "Oo") { [self] call in
                    var reader = call.reader
                    let paths = try reader.readArray { try $0.readObjectPath().rawValue }
                    guard state.withLock({ $0.isLocked }) else {
                        return call.reply { writer in
                            try Self.append(paths, to: &writer)
                            try writer.append(ObjectPath.root)
                        }
                    }
                    let prompt = try prompt(on: connection) { [self] in state.withLock { $0.isLocked = false } }
                    call.reply { writer in
                        try Self.append([], to: &writer)
                        try writer.append(prompt)
                    }
                },
                method("ReadAlias", "s", "o") { $0.reply { try $0.append(Self.collection) } },
                method("CreateCollection", "Ms", "oo") { call in
                    call.reply { writer in
                        try writer.append(Self.collection)
                        try writer.append(ObjectPath.root)
                    }
                },
            ])
    }

    private func openSession(_ call: MethodCall, on connection: Connection) throws {
        var reader = call.reader
        guard try reader.readString() == "dh-ietf1024-sha256-aes128-cbc-pkcs7" else {
            throw DBusError(.notSupported, "No such algorithm.")
        }
        let peer = try reader.readVariant { try $0.readBytes() }
        let agreement = try KeyAgreement()
        let key = try agreement.sessionKey(with: peer)
        let publicKey = agreement.publicKey
        let path = state.withLock { state in
            state.count += 1
            let path = "/org/freedesktop/secrets/session/s\(state.count)"
            state.sessions[path] = SessionCipher(key: key)
            return path
        }
        let close = method("Close", "", "") { [self] call in
            state.withLock { $0.sessions[call.path.rawValue] = nil }
            call.reply()
        }
        let session = try ObjectPath(path)
        _ = try connection.export(Interface("org.freedesktop.Secret.Session", methods: [close]), at: session)
        call.reply { writer in
            try writer.appendVariant(of: "ay") { try $0.append(bytes: publicKey) }
            try writer.append(session)
        }
    }

    private func collectionInterface(_ connection: Connection) -> Interface {
        Interface(
            "org.freedesktop.Secret.Collection",
            methods: [
                method("CreateItem", "MSb", "oo") { [self] call in
                    guard !state.withLock({ $0.isLocked }) else {
                        throw DBusError(name: "org.freedesktop.Secret.Error.IsLocked", message: "locked")
                    }
                    let path = try insert(try item(of: call.message.arguments()), on: connection)
                    call.reply { writer in
                        try writer.append(path)
                        try writer.append(ObjectPath.root)
                    }
                }
            ])
    }

    private func item(of arguments: [DBusValue]) throws -> Item {
        guard arguments.count == 3, let properties = arguments[0].map, let secret = arguments[1].members,
            let session = secret[0].objectPath, let vector = secret[1].bytes, let value = secret[2].bytes,
            let cipher = state.withLock({ $0.sessions[session.rawValue] })
        else { throw DBusError.invalidArgs("This is no item.") }
        let clear = try cipher.decrypt(.init(vector: vector, value: value))
        return Item(
            label: properties.string("org.freedesktop.Secret.Item.Label") ?? "",
            attributes: try Self.attributes(properties["org.freedesktop.Secret.Item.Attributes"]),
            secret: clear.withBytes { Array($0) })
    }

    private func insert(_ item: Item, on connection: Connection) throws -> ObjectPath {
        let (path, isNew) = state.withLock { state in
            state.count += 1
            var item = item
            if item.modified == 0 { item.modified = state.count }
            let old = state.items.first { $0.value.attributes == item.attributes }?.key
            let path = old ?? "\(Self.collection)/\(state.count)"
            state.items[path] = item
            return (path, old == nil)
        }
        let object = try ObjectPath(path)
        if isNew { _ = try connection.export(itemInterface(path, connection), at: object) }
        return object
    }

    private func itemInterface(_ path: String, _ connection: Connection) -> Interface {
        let attributes = state.withLock { $0.properties["Attributes"] }
        return Interface(
            "org.freedesktop.Secret.Item",
            methods: [
                method("GetSecret", "o", "S") { [self] call in
                    var reader = call.reader
                    let session = try reader.readObjectPath()
                    let (cipher, item, claimed) = state.withLock { state in
                        (state.sessions[session.rawValue], state.items[path], state.claimedSession)
                    }
                    guard let cipher, let item else {
                        throw DBusError(name: "org.freedesktop.Secret.Error.NoSession", message: "")
                    }
                    let encrypted = try cipher.encrypt(try SecretBytes(copying: item.secret))
                    call.reply { writer in
                        try writer.appendStruct { secret in
                            try secret.append(claimed ?? session)
                            try secret.append(bytes: encrypted.vector)
                            try secret.append(bytes: encrypted.value)
                            try secret.append("text/plain")
                        }
                    }
                },
                method("Delete", "", "o") { [self] call in
                    state.withLock { $0.items[path] = nil }
                    call.reply { try $0.append(ObjectPath.root) }
                },
            ],
            properties: [
                .init("Attributes", attributes?.signature ?? "a{ss}") { [self] writer in
                    let (value, item) = state.withLock { ($0.properties["Attributes"], $0.items[path]) }
                    if let value { return try writer.append(value: value) }
                    try writer.append(value: Self.dictionary(item?.attributes ?? [:]))
                },
                .init("Modified", "t") { [self] writer in
                    try writer.append(state.withLock { $0.items[path]?.modified ?? 0 })
                },
            ])
    }

    private func prompt(on connection: Connection, _ done: @escaping @Sendable () -> Void) throws -> ObjectPath {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let path = try ObjectPath("/org/freedesktop/secrets/prompt/p\(number)")
        let name = "org.freedesktop.Secret.Prompt"
        let complete: @Sendable (Connection, Bool) throws -> Void = { connection, isDismissed in
            try connection.emit(path, name, "Completed") { writer in
                try writer.append(isDismissed)
                try writer.appendVariant(of: "ao") { try Self.append([], to: &$0) }
            }
        }
        let show = method("Prompt", "s", "") { [self, unowned connection] call in
            call.reply()
            switch state.withLock({ $0.person }) {
            case .agrees:
                done()
                try complete(connection, false)
            case .dismisses: try complete(connection, true)
            case .isAway: break
            }
        }
        let dismiss = method("Dismiss", "", "") { [unowned connection] call in
            call.reply()
            try complete(connection, true)
        }
        _ = try connection.export(Interface(name, methods: [show, dismiss]), at: path)
        return path
    }

    // MARK: Members

    /// A method that notes its call, and does its work unless the test has said what it answers.
    ///
    /// The signatures are those of the members, with M for a{sv}, D for a{ss}, O for ao and S for a secret.
    private func method(
        _ member: String, _ input: String, _ output: String, _ body: @escaping (MethodCall) throws -> Void
    ) -> Interface.Method {
        Interface.Method(member, in: Self.arguments(input), out: Self.arguments(output)) { [self] call in
            let arguments = try call.message.arguments()
            let answer = state.withLock { state in
                state.calls.append(member)
                state.arguments[member] = arguments
                return state.answers[member]
            }
            switch answer {
            case nil: try body(call)
            case .values(let values): call.reply { writer in for value in values { try writer.append(value: value) } }
            case .error(let name): call.fail(DBusError(name: name, message: "The secret is hunter2."))
            case .silence:
                // Kept to the end of the process: a call that is let go of is answered with an error.
                _ = Unmanaged.passRetained(call)
            }
        }
    }

    private static func arguments(_ signature: String) -> [Interface.Argument] {
        let types = ["M": "a{sv}", "D": "a{ss}", "O": "ao", "S": "(oayays)"]
        return signature.enumerated().compactMap { index, code in
            (try? Signature(types[String(code)] ?? String(code))).map { (name: "a\(index)", type: $0) }
        }
    }

    private static func append(_ paths: [String], to writer: inout MessageWriter) throws {
        try writer.appendArray(of: "o") { array in for path in paths { try array.append(try ObjectPath(path)) } }
    }

    private static func attributes(_ value: DBusValue?) throws -> [String: String] {
        guard case .dictionary("s", "s", let entries) = value else {
            throw DBusError.invalidArgs("These are no attributes.")
        }
        return Dictionary(entries.map { ($0.key.string ?? "", $0.value.string ?? "") }) { $1 }
    }

    private static func dictionary(_ attributes: [String: String]) -> DBusValue {
        let entries = attributes.sorted { $0.key < $1.key }.map {
            DBusValue.DictionaryEntry(key: .string($0.key), value: .string($0.value))
        }
        return .dictionary(key: "s", value: "s", entries)
    }
}

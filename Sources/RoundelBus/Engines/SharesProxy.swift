public import DBus
internal import Support

/// The shares of an engine's items with others: `org.roundel.Roundel1.Engine.Shares`.
public struct SharesProxy: EngineProxy {
    /// The interface.
    public static let interface = EngineInterface.shares
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    /// What the server allows and demands of shares of an item.
    public func rules(of item: String) async throws -> SyncShareRules {
        try await record("ShareRules", [.string(item), .map([:])], timeout: Patience.Worker.serverReply)
    }

    /// The user's shares of an item.
    public func shares(of item: String) async throws -> [SyncShare] {
        let reply = try await call("ListShares", [.string(item), .map([:])], timeout: Patience.Worker.serverReply)
        guard let maps = reply.first?.maps else { throw unexpected("ListShares") }
        return maps.compactMap { SyncShare($0) }
    }

    /// The people and groups whose name, account or address a text is part of.
    public func recipients(_ text: String, for item: String) async throws -> [SyncShareRecipient] {
        let reply = try await call(
            "FindRecipients", [.string(item), .string(text), .map([:])], timeout: Patience.Worker.serverReply)
        guard let maps = reply.first?.maps else { throw unexpected("FindRecipients") }
        return maps.compactMap { SyncShareRecipient($0) }
    }

    /// Shares an item.
    /// - Parameters:
    ///   - item: Its `file://` URI.
    ///   - kind: A link, or a share with a person or a group.
    ///   - with: What identifies the recipient at the server; nil for a link.
    ///   - rights: What the recipient may do.
    ///   - until: The last day on which it works, as `2026-11-28`; nil for as long as the server lets it.
    ///   - password: The end of a pipe from which the password of a link is read, up to its end.
    public func share(
        _ item: String, _ kind: SyncShare.Kind, with: String? = nil, rights: SyncShare.Rights, until: String? = nil,
        password: OwnedFileDescriptor? = nil
    ) async throws -> SyncShare {
        var options: VariantMap = ["rights": .string(rights.rawValue)]
        options["with"] = with.map { .string($0) }
        options["until"] = until.map { .string($0) }
        options["password"] = password.map { .fileDescriptor($0) }
        return try await record(
            "AddShare", [.string(item), .string(kind.rawValue), .map(options)], timeout: Patience.Worker.serverReply)
    }

    /// Changes a share of an item; what is nil stays.
    /// - Parameters:
    ///   - share: The ID of one of ``shares(of:)``.
    ///   - item: The item's URI.
    ///   - rights: What it permits.
    ///   - until: The last day on which it works; "" for no end.
    ///   - password: The end of a pipe from which a new password of a link is read, up to its end.
    ///   - dropsPassword: Whether a link needs no password any more.
    public func change(
        _ share: String, of item: String, rights: SyncShare.Rights? = nil, until: String? = nil,
        password: OwnedFileDescriptor? = nil, dropsPassword: Bool = false
    ) async throws -> SyncShare {
        var options: VariantMap = [:]
        options["rights"] = rights.map { .string($0.rawValue) }
        options["until"] = until.map { .string($0) }
        options["password"] = password.map { .fileDescriptor($0) }
        if dropsPassword { options["no-password"] = .bool(true) }
        return try await record(
            "ChangeShare", [.string(item), .string(share), .map(options)], timeout: Patience.Worker.serverReply)
    }

    /// Ends a share of an item.
    public func end(_ share: String, of item: String) async throws {
        _ = try await call(
            "EndShare", [.string(item), .string(share), .map([:])], timeout: Patience.Worker.serverReply)
    }
}

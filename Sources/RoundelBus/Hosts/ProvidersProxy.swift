public import DBus

/// Manages the providers, for settings programs: `org.roundel.Roundel1.Providers`. Errors are as in ``HostProxy``.
public struct ProvidersProxy: Sendable {
    private let bus: AsyncConnection
    private let service: ServiceCaller

    /// Creates a proxy for the badge service on this bus.
    public init(bus: AsyncConnection) {
        self.bus = bus
        service = ServiceCaller(bus: bus, interface: Names.providers)
    }

    /// The providers with a manifest, and those that are registered without one.
    /// - Parameter timeout: How long to wait for the service.
    public func list(timeout: Duration? = AsyncConnection.usualTimeout) async throws -> [ProviderSummary] {
        try await service.call(
            "List", timeout: timeout, read: { try $0.readArray { ProviderSummary(wire: try $0.readVariantMap()) } }
        ).compactMap(\.self)
    }

    /// Enables a provider and starts it.
    /// - Parameter id: The provider's ID, as the user entered it.
    public func enable(_ id: String) async throws { try await call("Enable", of: id) }

    /// Withdraws a provider's badges, menus and folders until it is enabled again.
    public func disable(_ id: String) async throws { try await call("Disable", of: id) }

    /// Forgets the stored data of a provider that does not run.
    public func forget(_ id: String) async throws { try await call("Forget", of: id) }

    /// Allows a provider to show badges in a folder that lies above or below those of others.
    /// - Parameters:
    ///   - id: The provider's ID, as the user entered it.
    ///   - folder: The folder as the provider spells it.
    public func allow(_ id: String, _ folder: ItemURI) async throws { try await call("Allow", of: id, folder) }

    /// Withdraws the permission for a folder.
    /// - Parameters:
    ///   - id: The provider's ID, as the user entered it.
    ///   - folder: The folder as the provider spells it.
    public func disallow(_ id: String, _ folder: ItemURI) async throws { try await call("Disallow", of: id, folder) }

    /// Asks a provider to show its settings.
    public func openSettings(_ id: String) async throws { try await call("OpenSettings", of: id) }

    /// Produces an element each time when the result of `list` changes.
    public func changes() throws -> AsyncStream<Void> {
        let rule = MatchRule(
            sender: Names.service, path: Names.servicePath, interface: Names.providers, member: "Changed")
        return try bus.signals(rule) { _, _ in () }
    }

    private func call(_ member: String, of id: String, _ folder: ItemURI? = nil) async throws {
        try await service.call(member) { writer in
            try writer.append(id)
            if let folder { try writer.append(folder) }
        }
    }
}

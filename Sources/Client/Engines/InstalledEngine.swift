package import DBus
package import RoundelBus

/// An engine that comes with Roundel beside the bundled one, and is off until the user turns it on.
package struct InstalledEngine: Sendable {
    private let bus: AsyncConnection
    private let id: String

    /// - Parameter id: The id of its manifest.
    package init(_ id: String, bus: AsyncConnection) { (self.id, self.bus) = (id, bus) }

    /// What is known of it.
    /// - Throws: `DBusError`, or ``ClientError/notInstalled(engine:)``.
    package func summary() async throws -> ProviderSummary {
        guard let summary = try await ProvidersProxy(bus: bus).list().first(where: { $0.id.rawValue == id }) else {
            throw ClientError.notInstalled(engine: id)
        }
        return summary
    }

    /// Turns it on, which starts it.
    /// - Returns: Whether it was off.
    @discardableResult
    package func turnOn() async throws -> Bool {
        let isOff = try await !summary().enabled
        if isOff { try await ProvidersProxy(bus: bus).enable(id) }
        return isOff
    }

    /// Where its folders are managed; a call starts it.
    /// - Throws: ``ClientError/notOffered(engine:_:)`` if it manages none.
    package func folders() async throws -> FoldersProxy {
        let summary = try await summary()
        guard let path = summary.services[EngineInterface.folders.name], let object = try? ObjectPath(path) else {
            throw ClientError.notOffered(engine: summary.name, .folders)
        }
        return FoldersProxy(bus: bus, engine: EngineAddress(busName: summary.busName, object: object))
    }
}

internal import DBus
package import RoundelBus

/// A sync engine that may be asked about more than badges.
package struct Engine: Hashable, Sendable {
    /// Its ID as a provider.
    package let id: String
    /// Its name as shown to the user.
    package let name: String
    /// Where it is called.
    package let address: EngineAddress

    /// The bundled sync worker, which is called by its own name, with or without a badge service.
    package static let bundled = Engine(id: Names.workerProviderID, name: "Roundel", address: .bundled)

    /// Whether it is the bundled sync worker.
    package var isBundled: Bool { id == Names.workerProviderID }

    /// Carries out calls of the engine.
    /// - Throws: What the calls throw; ``ClientError/engineCannot(engine:)`` and ``ClientError/engineSilent(engine:)``
    ///   instead of the errors of the bus that mean this, unless the engine is the bundled one.
    func answering<Answer>(_ calls: () async throws -> Answer) async throws -> Answer {
        do {
            return try await calls()
        } catch let error as DBusError where !isBundled {
            switch error.standard {
            case .unknownMethod, .unknownInterface, .unknownObject, .notSupported:
                throw ClientError.engineCannot(engine: name)
            case .serviceUnknown, .nameHasNoOwner, .noReply, .timeout, .timedOut:
                throw ClientError.engineSilent(engine: name)
            case _: throw error
            }
        }
    }
}

extension DBusError {
    /// Whether the service that was called does not run, and the bus does not know how to start it.
    var isMissingService: Bool { standard == .serviceUnknown || standard == .nameHasNoOwner }
}

import DBus
import RoundelBus

/// The session bus of a command.
enum Bus {
    /// Connects to the session bus.
    /// - Throws: ``CommandFailure`` with a sentence that says what to do.
    static func open() async throws -> AsyncConnection {
        do {
            return try await AsyncConnection.open(.session)
        } catch let error as DBusError {
            throw CommandFailure(error.message)
        }
    }
}

/// Makes sentences for errors from the bus.
enum ErrorSentence {
    /// The sentence for an error.
    static func of(_ error: DBusError) -> String {
        let isWorker = error.message.contains(Names.worker)
        if let explanation = WorkerCheck.explanation(of: error) { return explanation }
        switch error.standard {
        case .serviceUnknown, .nameHasNoOwner: return Text.notStartable(isWorker: isWorker)
        case .noReply, .timeout, .timedOut: return Text.late(isWorker: isWorker, trimmed(error.message))
        case .disconnected: return Text.busClosed
        case .unknownMethod, .unknownInterface, .unknownObject, .unknownProperty: return Text.otherVersion
        case .spawnChildExited, .spawnExecFailed, .spawnFailed, .spawnServiceNotFound:
            return Text.notStarted(isWorker: isWorker, trimmed(error.message))
        case .failed, .noMemory, .ioError, .badAddress, .notSupported, .limitsExceeded, .accessDenied,
            .authenticationFailed, .noServer, .noNetwork, .addressInUse, .invalidArgs, .fileNotFound, .propertyReadOnly,
            .matchRuleNotFound, .matchRuleInvalid, .unixProcessIdUnknown, .invalidSignature, .inconsistentMessage, nil:
            break
        }
        if error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") {
            return Text.notStarted(isWorker: isWorker, trimmed(error.message))
        }
        return error.message.isEmpty ? error.name : error.message
    }

    /// A message without its full stop, for use within a sentence.
    static func trimmed(_ message: String) -> String {
        message.hasSuffix(".") ? String(message.dropLast()) : message
    }
}

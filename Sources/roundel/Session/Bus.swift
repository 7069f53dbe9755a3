import DBus
import RoundelBus

/// The session bus of a command.
enum Bus {
    /// Connects to the session bus.
    /// - Throws: ``CommandFailure`` that says what to do.
    static func open() async throws -> AsyncConnection {
        do {
            return try await AsyncConnection.open(.session)
        } catch let error as DBusError {
            throw CommandFailure(error.message)
        }
    }
}

/// Sentences for errors that come over the bus.
enum ErrorSentence {
    /// What a person is told about an error.
    static func of(_ error: DBusError) -> String {
        let isWorker = error.message.contains(Names.worker)
        let name = isWorker ? "sync worker (\(Names.worker))" : "badge service (\(Names.service))"
        let unit = isWorker ? "roundel-worker" : "roundeld"
        switch error.standard {
        case .serviceUnknown, .nameHasNoOwner:
            return "The \(name) does not run and the bus does not know how to start it. Is Roundel installed? "
                + "Start it by hand with: \(unit) &"
        case .noReply, .timeout, .timedOut:
            return "The \(name) did not answer in time: \(trimmed(error.message)). See: roundel doctor"
        case .disconnected:
            return "The session bus closed the connection."
        case .unknownMethod, .unknownInterface, .unknownObject, .unknownProperty:
            return "The service that runs cannot do this; it may be of another version than this command. "
                + "If it was updated, restart it: systemctl --user restart roundeld roundel-worker"
        case .spawnChildExited, .spawnExecFailed, .spawnFailed, .spawnServiceNotFound:
            return "The \(name) could not be started: \(trimmed(error.message)). "
                + "See: systemctl --user status \(unit)"
        case .failed, .noMemory, .ioError, .badAddress, .notSupported, .limitsExceeded, .accessDenied,
            .authenticationFailed, .noServer, .noNetwork, .addressInUse, .invalidArgs, .fileNotFound, .propertyReadOnly,
            .matchRuleNotFound, .matchRuleInvalid, .unixProcessIdUnknown, .invalidSignature, .inconsistentMessage, nil:
            break
        }
        if error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") {
            return "The \(name) could not be started: \(trimmed(error.message)). "
                + "See: systemctl --user status \(unit)"
        }
        return error.message.isEmpty ? error.name : error.message
    }

    /// A message without its full stop, to stand within a sentence.
    static func trimmed(_ message: String) -> String {
        message.hasSuffix(".") ? String(message.dropLast()) : message
    }
}

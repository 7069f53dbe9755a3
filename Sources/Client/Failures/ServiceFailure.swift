package import DBus
internal import RoundelBus

/// What an error of the bus means for the user.
package enum ServiceFailure: Hashable, Sendable {
    /// One of Roundel's services.
    package enum Service: Hashable, Sendable { case badges, worker }

    /// It does not run, and the bus does not know how to start it.
    case missing(Service)
    /// It could not be started, for this reason.
    case notStarted(Service, String)
    /// It did not answer in time, as the bus says.
    case late(Service, String)
    /// The bus closed the connection.
    case busClosed
    /// It does not have this method, so it is probably of another version.
    case otherVersion
    /// It said this sentence.
    case said(String)

    /// What an error means.
    package init(_ error: DBusError) {
        let service = error.message.contains(Names.worker) ? Service.worker : .badges
        self =
            switch error.standard {
            case .serviceUnknown, .nameHasNoOwner: .missing(service)
            case .noReply, .timeout, .timedOut: .late(service, error.message)
            case .disconnected: .busClosed
            case .unknownMethod, .unknownInterface, .unknownObject, .unknownProperty: .otherVersion
            case .spawnChildExited, .spawnExecFailed, .spawnFailed, .spawnServiceNotFound:
                .notStarted(service, error.message)
            case .failed, .noMemory, .ioError, .badAddress, .notSupported, .limitsExceeded, .accessDenied,
                .authenticationFailed, .noServer, .noNetwork, .addressInUse, .invalidArgs, .fileNotFound,
                .propertyReadOnly, .matchRuleNotFound, .matchRuleInvalid, .unixProcessIdUnknown, .invalidSignature,
                .inconsistentMessage, nil:
                error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
                    ? .notStarted(service, error.message)
                    : .said(error.message.isEmpty ? error.name : error.message)
            }
    }
}

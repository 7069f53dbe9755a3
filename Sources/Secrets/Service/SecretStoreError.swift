internal import DBus

/// Why the secret service did not do what it was asked to. No case holds a text that a service made up: it knows the
/// secrets, and errors are written to logs.
package enum SecretStoreError: Error, Hashable, Sendable {
    /// No secret service is on the bus, and the bus knows none to start.
    case noService
    /// The service does not offer the encrypted session, and secrets do not go over the bus without.
    case noEncryption
    /// The keyring is locked, and nobody may be asked to unlock it.
    case locked
    /// The person dismissed the prompt.
    case dismissed
    /// The person did not answer the prompt in the time that there was.
    case unanswered
    /// The service did not answer in time.
    case silent
    /// The service answered with an error, of this name.
    case refused(String)
    /// The service's answer to a call of this member makes no sense.
    case malformed(String)
    /// What is to be saved is empty, too long, or holds what it must not.
    case unusable
    /// The connection to the bus is closed.
    case disconnected
    /// There is no memory for a secret.
    case noMemory
    /// libcrypto failed, most likely for want of memory.
    case cryptographyFailed
    /// The task was cancelled.
    case cancelled
}

extension SecretStoreError {
    /// What an error of a call means here.
    ///
    /// - Parameter member: The member that was called.
    init(_ error: any Error, calling member: String) {
        switch error {
        case let error as SecretStoreError: self = error
        case let error as DBusError: self.init(error, calling: member)
        case is CancellationError: self = .cancelled
        default: self = .malformed(member)
        }
    }

    private init(_ error: DBusError, calling member: String) {
        switch error.standard {
        case .serviceUnknown, .nameHasNoOwner, .spawnChildExited, .spawnExecFailed, .spawnFailed, .spawnServiceNotFound:
            self = .noService
        case .noReply, .timeout, .timedOut: self = .silent
        case .disconnected: self = .disconnected
        case .failed, .noMemory, .ioError, .badAddress, .notSupported, .limitsExceeded, .accessDenied,
            .authenticationFailed, .noServer, .noNetwork, .addressInUse, .invalidArgs, .fileNotFound, .unknownMethod,
            .unknownObject, .unknownInterface, .unknownProperty, .propertyReadOnly, .matchRuleNotFound,
            .matchRuleInvalid, .unixProcessIdUnknown, .invalidSignature, .inconsistentMessage, nil:
            switch error.name {
            case SecretNames.isLocked: self = .locked
            case _ where error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): self = .noService
            default: self = .refused(error.name)
            }
        }
    }
}

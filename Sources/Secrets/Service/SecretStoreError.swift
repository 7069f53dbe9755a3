internal import DBus

/// Why the secret service failed. No case contains a text of the service, because the service knows the secrets, and
/// errors are logged.
package enum SecretStoreError: Error, Hashable, Sendable {
    /// No secret service is on the bus, and the bus knows none to start.
    case noService
    /// The service does not support the encrypted session, and secrets are never sent unencrypted.
    case noEncryption
    /// The keyring is locked, and the user must not be asked to unlock it.
    case locked
    /// The user dismissed the prompt.
    case dismissed
    /// The user did not answer the prompt in time.
    case unanswered
    /// The service did not reply in time.
    case silent
    /// The service replied with an error of this name.
    case refused(String)
    /// The service's reply to a call of this member is not valid.
    case malformed(String)
    /// The value to save is empty, too long, or contains forbidden bytes.
    case unusable
    /// The connection to the bus is closed.
    case disconnected
    /// There is no memory for a secret.
    case noMemory
    /// libcrypto failed, probably for lack of memory.
    case cryptographyFailed
    /// The task was cancelled.
    case cancelled
}

extension SecretStoreError {
    /// Converts the error of a call.
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

internal import Support

extension SecretStoreError {
    /// Why the secret service failed, and what the user can do.
    package var sentence: String {
        switch self {
        case .noService:
            tr(
                """
                There is no secret service on the session bus, and Roundel saves passwords nowhere else. Install and \
                start one: gnome-keyring, or KWallet with its Secret Service interface enabled.
                """)
        case .noEncryption:
            tr("The secret service offers no encrypted connection, so no password is sent to it.")
        case .locked: tr("Your keyring is locked. Unlock it and try again.")
        case .dismissed: tr("Your keyring stays locked, so nothing was changed.")
        case .unanswered: tr("Nobody answered the question of the keyring, so nothing was changed.")
        case .silent:
            tr("The secret service did not answer in time. Is it waiting for you? Otherwise restart it.")
        case .refused(let name): tr("The secret service refused it: {1}.", name)
        case .malformed(let member):
            tr("The secret service answered {1} in a form that this version does not know.", member)
        case .unusable:
            tr("This password cannot be used: it is empty, too long, or has a NUL byte.")
        case .disconnected: tr("The session bus closed the connection.")
        case .noMemory, .cryptographyFailed: tr("There is not enough memory to keep a password safely.")
        case .cancelled: tr("The action was cancelled.")
        }
    }
}

internal import SyncCore

/// Why a remote is not available, classified by what can be done about it.
enum RemoteAbsence {
    /// A server cannot be reached, or not at the moment. This is not an error: it is normal while traveling.
    case passing
    /// A server requires a login.
    case login
    /// A server changed, or no longer exists: the user has to act.
    case server
    /// A server sends invalid responses; this may pass.
    case trouble
    /// A directory does not exist.
    case directory

    /// Classifies an explanation.
    init(_ message: Explanation) {
        if Self.ofNetworks.contains(message.code) {
            self = .passing
        } else if Self.ofLogins.contains(message.code) {
            self = .login
        } else {
            self =
                Self.ofServers.contains(message.code) ? .server : message.code == .serverTrouble ? .trouble : .directory
        }
    }

    private static let ofNetworks: Set<Explanation.Code> = [.serverUnreachable, .serverBusy]
    private static let ofLogins: Set<Explanation.Code> = [.serverLogin, .serverLoginUnreadable]
    private static let ofServers: Set<Explanation.Code> = [
        .serverUntrusted, .serverMoved, .collectionMissing,
    ]

    /// The state to show for the folder, given its state in the engine.
    func shown(_ state: ItemSyncState) -> ItemSyncState {
        switch self {
        case .passing: max(.pending, state)
        case .login, .server, .trouble, .directory: .error
        }
    }
}

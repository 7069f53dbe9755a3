internal import SyncCore

/// Why a remote is not there, by what can be done about it.
enum RemoteAbsence {
    /// A server cannot be reached, or not now. That is no error: people travel.
    case passing
    /// A server wants a login.
    case login
    /// A server is not what it was, or not there any more: a person has to see to it.
    case server
    /// A server answers with what nobody understands; that may pass.
    case trouble
    /// A directory is not there.
    case directory

    /// What an explanation of it means.
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

    /// What the folder shows, of which the engine says that it is in a state.
    func shown(_ state: ItemSyncState) -> ItemSyncState {
        switch self {
        case .passing: max(.pending, state)
        case .login, .server, .trouble, .directory: .error
        }
    }
}

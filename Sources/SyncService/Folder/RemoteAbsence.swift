internal import Glibc
internal import SyncCore

/// Why a folder or its remote is not available, classified by what can be done about it.
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
    /// This computer lacks something for the moment, such as descriptors or memory. Nothing is known about the remote.
    case shortage

    /// Classifies an explanation.
    init(_ message: Explanation) {
        if Self.ofNetworks.contains(message.code) {
            self = .passing
        } else if Self.ofLogins.contains(message.code) {
            self = .login
        } else if Self.isShortage(message) {
            self = .shortage
        } else {
            self =
                Self.ofServers.contains(message.code) ? .server : message.code == .serverTrouble ? .trouble : .directory
        }
    }

    private static let ofNetworks: Set<Explanation.Code> = [.serverUnreachable, .serverBusy]
    private static let ofLogins: Set<Explanation.Code> = [.serverLogin, .serverLoginRefused, .serverLoginUnreadable]
    private static let ofServers: Set<Explanation.Code> = [
        .serverUntrusted, .serverMoved, .collectionMissing,
    ]

    /// Whether a directory could not be opened because of this computer's own limits.
    private static func isShortage(_ message: Explanation) -> Bool {
        guard [.rootUnusable, .unreachable, .failed].contains(message.code), message.arguments.count > 1,
            let number = Int32(message.arguments[1])
        else { return message.code == .noMemory }
        return [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(number)
    }

    /// The state to show for the folder, given its state in the engine.
    func shown(_ state: ItemSyncState) -> ItemSyncState {
        switch self {
        case .passing: max(.pending, state)
        case .login, .server, .trouble, .directory, .shortage: .error
        }
    }
}

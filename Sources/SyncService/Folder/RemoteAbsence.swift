internal import Glibc
internal import Remotes
internal import SyncCore

extension RemoteAbsence {
    /// Classifies an explanation.
    init(_ message: Explanation) {
        if let code = RemoteKinds.code(of: message) {
            self = code.absence ?? .directory
        } else if message.code == .busy || message.code == .notMountedYet {
            self = .passing
        } else {
            self = Self.isShortage(message) ? .shortage : .directory
        }
    }

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

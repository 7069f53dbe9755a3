import RoundelBus
import Support

/// What the user must do before a folder can continue, in words.
enum Needs {
    /// A sentence with the command to use; nil if nothing is needed.
    static func advice(_ status: SyncFolderStatus) -> String? {
        status.needs.map { sentence($0, uri: status.uri, pendingDeletes: status.pendingDeletes) }
    }

    /// What is to be done, as far as the sentences of the folder do not say it; nil if they do.
    static func remedy(_ status: SyncFolderStatus) -> String? {
        guard let message = status.message, let need = status.needs?.known else { return advice(status) }
        switch need {
        case .rootMissing, .rootReplaced, .remoteMissing, .remoteReplaced, .diskFull: return nil
        case .confirmDeletes: return message.contains("--confirm-deletes") ? nil : advice(status)
        case .remoteRestored: return Text.chooseAfterRestore(WorkerPath.shellWord(status.uri))
        case .errors: return Text.seeActivity
        case .login, .server, .conflicts: return advice(status)
        }
    }

    /// - Parameter uri: The folder; "" if it is not known which one.
    static func sentence(_ need: WireWord<FolderNeed>, uri: String, pendingDeletes: UInt64?) -> String {
        guard let known = need.known else { return Text.unknownNeed(DisplayText.escaped(need.text)) }
        return Text.advice(known, uri.isEmpty ? nil : WorkerPath.shellWord(uri), deletions: pendingDeletes)
    }
}

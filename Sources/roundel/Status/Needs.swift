import RoundelBus

/// What a person must do before a folder goes on, in words.
enum Needs {
    /// A sentence with the command to use; nil when nothing is needed.
    static func advice(_ status: SyncFolderStatus) -> String? {
        status.needs.map { sentence($0, uri: status.uri, pendingDeletes: status.pendingDeletes) }
    }

    /// - Parameter uri: The folder; "" where it is not known which one of all.
    static func sentence(_ need: WireWord<FolderNeed>, uri: String, pendingDeletes: UInt64?) -> String {
        let path = uri.isEmpty ? "PATH" : WorkerPath.shellWord(uri)
        switch need.known {
        case .confirmDeletes:
            let deletions = pendingDeletes.map { Quantity.count($0, "deletion") } ?? "Many deletions"
            return "\(deletions) wait for you; if they are meant: roundel sync --confirm-deletes \(path)"
        case .rootMissing:
            return "The folder is not there. Bring it back, or say where it is: roundel relocate \(path) NEW"
        case .rootReplaced:
            return "Another folder stands in its place; nothing is synced. Bring the right one back, "
                + "or: roundel remove \(path)"
        case .remoteMissing:
            return "The remote is not there. Is it mounted?"
        case .remoteReplaced:
            return "Another folder stands in the place of the remote; nothing is synced until the right one is back."
        case .remoteRestored:
            return "The remote looks restored from a backup. To keep both versions of what differs: "
                + "roundel sync --unite \(path). To take the remote's: roundel sync --accept-remote \(path)"
        case .diskFull:
            return
                "There is no space left on this computer or on the remote. Free some space; syncing goes on by itself."
        case .conflicts:
            return "Decide about the conflicts: roundel conflicts" + (uri.isEmpty ? "" : " \(path)")
        case .errors:
            return "Some items could not be synced: roundel activity"
        case nil:
            return "It needs you: \(DisplayText.escaped(need.text))"
        }
    }
}

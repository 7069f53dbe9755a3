import RoundelBus
import Support

/// What the user must do before a folder can continue, in words.
enum Needs {
    /// A sentence with the command to use; nil if nothing is needed.
    static func advice(_ status: SyncFolderStatus) -> String? {
        if status.needs?.known == .login, let login = RcloneRemote(status.remote)?.login { return login }
        return status.needs.map { sentence($0, uri: status.uri, pendingDeletes: status.pendingDeletes) }
    }

    /// The command to use, where the folder's sentence says what is wrong; nil if no command helps.
    static func remedy(_ status: SyncFolderStatus) -> String? {
        guard status.message != nil, let need = status.needs?.known else { return advice(status) }
        let word = WorkerPath.shellWord(status.uri)
        switch need {
        case .remoteMissing, .diskFull: return nil
        case .rootMissing: return tr("If you moved it: roundel relocate {1} NEW", word)
        case .rootReplaced, .remoteReplaced:
            return tr(
                """
                If it is the same: roundel sync --same-root {1}. If it is another, or comes from a backup: roundel \
                sync --unite {1}
                """, word)
        case .confirmDeletes:
            return tr(
                "To delete: roundel sync --confirm-deletes {1}. To restore: roundel sync --restore-deleted {1}", word)
        case .remoteRestored:
            return tr(
                """
                To keep both versions of what differs: roundel sync --unite {1}. To take the remote's: roundel sync \
                --accept-remote {1}
                """, word)
        case .errors: return tr("See: roundel activity")
        case .login, .server, .conflicts: return advice(status)
        }
    }

    /// - Parameter uri: The folder; "" if it is not known which one.
    static func sentence(_ need: WireWord<FolderNeed>, uri: String, pendingDeletes: UInt64?) -> String {
        guard let known = need.known else { return tr("It needs you: {1}", DisplayText.escaped(need.text)) }
        return Self.advice(known, uri.isEmpty ? nil : WorkerPath.shellWord(uri), deletions: pendingDeletes)
    }

    /// What the user can do about a need.
    /// - Parameters:
    ///   - path: The folder as a word of a shell command; nil if it is not known which one.
    ///   - deletions: How many deletions wait for confirmation, if known.
    private static func advice(_ need: FolderNeed, _ path: String?, deletions: UInt64?) -> String {
        let word = path ?? "PATH"
        switch need {
        case .confirmDeletes: return Self.confirmation(word, deletions)
        case .rootMissing:
            return tr("The folder is missing. Restore or mount it, or, if you moved it: roundel relocate {1} NEW", word)
        case .rootReplaced:
            return tr(
                """
                The folder is not known to be the one that was synced. Bring the right one back, or say that it is \
                the same: roundel sync --same-root {1}. To unite it with the remote and delete nothing: roundel sync \
                --unite {1}
                """, word)
        case .remoteMissing:
            return tr("The remote directory is missing. Is the share mounted, or is it gone from the server?")
        case .remoteReplaced:
            return tr(
                """
                The remote is not known to be the one that was synced. Bring the right one back, or say that it is \
                the same: roundel sync --same-root {1}. To unite it with the folder and delete nothing: roundel sync \
                --unite {1}
                """, word)
        case .remoteRestored:
            return tr(
                """
                The remote looks restored from a backup. To keep both versions of what differs: roundel sync --unite \
                {1}. To take the remote's: roundel sync --accept-remote {1}
                """, word)
        case .login: return Advice.login(word)
        case .server: return tr("Check your network and the address: roundel list")
        case .diskFull:
            return tr("No space is left on this computer or on the remote. Free some space; syncing goes on by itself.")
        case .conflicts:
            return path.map { tr("Choose what to keep: roundel conflicts {1}", $0) }
                ?? tr("Choose what to keep: roundel conflicts")
        case .errors: return tr("Some items could not be synced. See: roundel activity")
        }
    }

    private static func confirmation(_ word: String, _ deletions: UInt64?) -> String {
        guard let deletions else {
            return tr(
                """
                Many deletions need your confirmation. To delete: roundel sync --confirm-deletes {1}. To restore the \
                items: roundel sync --restore-deleted {1}
                """, word)
        }
        return tr(
            deletions,
            one:
                """
                1 deletion needs your confirmation. To delete: roundel sync --confirm-deletes {2}. To restore the \
                item: roundel sync --restore-deleted {2}
                """,
            other:
                """
                {1} deletions need your confirmation. To delete: roundel sync --confirm-deletes {2}. To restore the \
                items: roundel sync --restore-deleted {2}
                """, word)
    }
}

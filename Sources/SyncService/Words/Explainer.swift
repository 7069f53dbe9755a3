internal import Remotes
internal import Support
internal import SyncCore
internal import SystemPackage

/// Makes sentences of the engine's messages: the catalogue of explanations.
struct Explainer {
    /// The label of the folder, for messages about the folder itself.
    let folder: String
    /// The folder as a word of a shell command; nil if it is not synced yet.
    var word: String?

    /// The sentence for a message; "" for none.
    func sentence(_ said: Explanation) -> String {
        func say(_ sentence: StaticString) -> String { Phrase.text(sentence, arguments: arguments(of: said)) }
        func sides(_ here: StaticString, _ there: StaticString) -> String { say(said.side == .remote ? there : here) }
        guard let code = said.code else { return words(ofRemote: said) ?? said.stored }
        switch code {
        case .nothing: return ""
        case .text:
            let text = said.arguments.first ?? ""
            return Explanation(former: text).flatMap(words(ofRemote:)) ?? text

        case .undecided: return say("Roundel cannot decide what to do with this item. Please report this.")
        case .movedIntoEachOther:
            return say("Folders were moved into each other on the two sides. Move one of them elsewhere.")
        case .movedIntoItself:
            return say("The folder was moved into itself on the two sides. Move it back on one of them.")
        case .obstructed:
            return say("Something that is not synced has this name on the other side. Rename one of them.")
        case .unmounted:
            return sides(
                """
                “{1}” is not mounted on this computer, so nothing in it is synced. Mount it again. If it is gone \
                for good, remove its empty directory, or exclude it.
                """,
                """
                “{1}” is not mounted on the remote, so nothing in it is synced. Mount it again. If it is gone \
                for good, remove its empty directory, or exclude it.
                """)
        case .mountReplaced:
            return sides(
                """
                Another file system is mounted at “{1}” on this computer, so nothing in it is synced. Mount the \
                one that was synced. To sync the new one instead, exclude “{1}” and then sync it again.
                """,
                """
                Another file system is mounted at “{1}” on the remote, so nothing in it is synced. Mount the one \
                that was synced. To sync the new one instead, exclude “{1}” and then sync it again.
                """)
        case .mountCovers:
            return sides(
                """
                A file system is mounted over “{1}” on this computer and hides what was synced there, so nothing \
                in it is synced. Unmount it, or mount it at an empty directory.
                """,
                """
                A file system is mounted over “{1}” on the remote and hides what was synced there, so nothing in \
                it is synced. Unmount it, or mount it at an empty directory.
                """)
        case .symbolicLink: return say("Symbolic links are not synced.")
        case .specialFile: return say("Only files and folders are synced.")
        case .permissionsNotKept:
            return sides(
                "The file system on this computer keeps no permissions: private files are as open as all others.",
                "The file system of the remote keeps no permissions: private files are as open as all others.")

        case .waitsPaused: return say("It waits until the folder is no longer paused.")
        case .waitsForItem: return say("It waits for “{1}”, which comes first. If that stays so, rename one of them.")
        case .waitsForLook: return say("It waits until both sides have been looked at.")
        case .waitsForTurn: return say("It is its turn soon.")
        case .underWay: return say("It is being synced.")
        case .inConflict:
            return say("It is in conflict with “{1}”. Choose what to keep: roundel conflicts")
        case .excludedName: return say("Names like this are not synced. See: roundel exclude")
        case .contentsWait: return contents(said)

        case .localVersionGone: return say("The version on this computer is missing, so there is nothing to choose.")
        case .winnerInLoser: return say("“{1}” contains “{2}”, which you want to keep. Move that out of it first.")
        case .loserHoldsUnsynced:
            return say("“{1}” contains items that could not be synced. Fix those first, or choose the other version.")
        case .versionChanged:
            return say("One of the versions changed before your choice was carried out. Choose again.")

        case .rootMissing:
            return sides(
                "The folder “{1}” is missing. Restore or mount it, or, if you moved it: roundel relocate OLD NEW",
                "The remote directory “{1}” is missing. Is the share mounted?")
        case .rootUnusable:
            return sides(
                "The folder “{1}” cannot be opened: {2}.", "The remote directory “{1}” cannot be opened: {2}.")
        case .rootCopied:
            return sides(
                """
                The folder on this computer is a copy of the one that was synced, so nothing is synced. Bring the \
                old one back, or say what this one is: roundel sync --same-root if it is the same, and what is \
                missing in it was deleted; roundel sync --unite if it comes from a backup, and nothing is deleted.
                """,
                """
                The remote directory is a copy of the one that was synced, so nothing is synced. Bring the old one \
                back, or say what this one is: roundel sync --same-root if it is the same, and what is missing in \
                it was deleted; roundel sync --unite if it comes from a backup, and nothing is deleted.
                """)
        case .rootReplaced:
            return sides(
                """
                The folder on this computer is not known to be the one that was synced: its mark in “.roundel” \
                is missing or another, so nothing is synced. Bring the old one back, or say what this one is: \
                roundel sync --same-root if it is the same, and what is missing in it was deleted; roundel sync \
                --unite if it is another, and nothing is deleted.
                """,
                """
                The remote is not known to be the one that was synced: its mark in “.roundel” is missing or \
                another, so nothing is synced. Bring the old one back, or say what this one is: roundel sync \
                --same-root if it is the same, and what is missing in it was deleted; roundel sync --unite if it \
                is another, and nothing is deleted.
                """)
        case .remoteRestored: return restored(said)
        case .deletionsWait: return deletions(said)
        case .silent:
            return sides(
                "The folder “{1}” does not answer. Check its disk or connection; syncing goes on by itself.",
                "The remote does not answer. Check its disk or connection; syncing goes on by itself.")
        case .storeDamaged:
            return say(
                """
                The sync database {1} is damaged ({2}). It is set aside; both sides are compared anew, and \
                nothing is deleted.
                """)
        case .storeLater:
            return say(
                """
                The sync database {1} was written by a later version of Roundel. Nothing is synced with this \
                version; install the later one.
                """)
        case .storeLocked:
            return say(
                """
                The sync database {1} is locked by another program. Nothing is synced until that ends; then \
                syncing goes on by itself.
                """)
        case .storeFull:
            return say(
                """
                There is no space left for the sync database {1}. Free some space; then syncing goes on by \
                itself.
                """)
        case .storeUnusable:
            return say(
                """
                The sync database {1} cannot be used: {2}. Nothing is synced until it can; it is tried again \
                from time to time.
                """)

        case .busy: return say("The server {1} is busy. It is tried again soon.")

        case .gone: return sides("“{1}” is missing on this computer.", "“{1}” is missing on the remote.")
        case .onAnotherFileSystem:
            return sides(
                "“{1}” is on another file system on this computer, so it cannot be synced.",
                "“{1}” is on another file system on the remote, so it cannot be synced.")
        case .taken:
            return sides(
                "There is already something called “{1}” on this computer.",
                "There is already something called “{1}” on the remote.")
        case .notEmpty:
            return sides(
                "The folder “{1}” is not empty on this computer.", "The folder “{1}” is not empty on the remote.")
        case .noSpace:
            return sides(
                "There is no space left for “{1}” on this computer. Free some space; it is tried again.",
                "There is no space left for “{1}” on the remote. Free some space; it is tried again.")
        case .tooLittleSpace:
            return sides(
                "There is no space left for “{1}” on this computer: {2} bytes are needed, {3} are free.",
                "There is no space left for “{1}” on the remote: {2} bytes are needed, {3} are free.")
        case .nearlyFull:
            return sides(
                """
                The disk of this computer is nearly full: “{1}” needs {2} bytes, and {3} stay free for other \
                programs. It goes on by itself when there is space.
                """,
                """
                The disk of the remote is nearly full: “{1}” needs {2} bytes, and {3} stay free for others. \
                It goes on by itself when there is space.
                """)
        case .readOnly:
            return sides(
                "“{1}” cannot be written: the file system on this computer is read-only.",
                "“{1}” cannot be written: the file system of the remote is read-only.")
        case .denied:
            return sides(
                "No permission to read or write “{1}” on this computer.",
                "No permission to read or write “{1}” on the remote.")
        case .unusableName:
            return sides(
                "The name “{1}” cannot be used on this computer. Rename it.",
                "The name “{1}” cannot be used on the remote. Rename it.")
        case .inUse:
            return sides(
                """
                “{1}” is in use on this computer, perhaps because a file system is mounted there. Unmount it or \
                close what uses it.
                """,
                """
                “{1}” is in use on the remote, perhaps because a file system is mounted there. Unmount it or \
                close what uses it.
                """)
        case .tooLarge:
            return sides(
                "“{1}” is too large for the file system on this computer.",
                "“{1}” is too large for the file system of the remote.")
        case .unreachable:
            return sides(
                "“{1}” cannot be reached on this computer: {2}.", "“{1}” cannot be reached on the remote: {2}.")
        case .failed:
            return sides(
                "“{1}” cannot be read or written on this computer: {2}.",
                "“{1}” cannot be read or written on the remote: {2}.")
        case .contentsGone: return say("The copy of “{1}” is missing. It is made again.")
        case .movedAcross:
            return sides(
                """
                “{1}” was moved to “{2}” on the remote, which is on another file system on this computer. Move \
                it there yourself.
                """,
                """
                “{1}” was moved to “{2}” on this computer, which is on another file system on the remote. Move \
                it there yourself.
                """)
        case .nameClash:
            return sides(
                """
                “{1}” cannot be beside a name that differs only in case or spelling on this computer. Rename one \
                of them.
                """,
                """
                “{1}” cannot be beside a name that differs only in case or spelling on the remote. Rename one of \
                them.
                """
            )
        case .beingWritten:
            return sides(
                "“{1}” is still being written on this computer. It is synced when that is done.",
                "“{1}” is still being written on the remote. It is synced when that is done.")
        case .noTrash: return say("“{1}” cannot be moved to the trash, so it stays. Move it elsewhere yourself.")
        case .notMounted:
            return sides("“{1}” is not mounted on this computer.", "“{1}” is not mounted on the remote.")
        case .changed:
            return sides("“{1}” has just changed on this computer.", "“{1}” has just changed on the remote.")
        case .noMemory: return say("There is not enough memory to read a file.")
        case .abandoned: return say("The transfer was interrupted.")
        case .wrongLength:
            return sides(
                "The copy of “{1}” on this computer has the wrong length.",
                "The copy of “{1}” on the remote has the wrong length.")
        case .wrongContents:
            return say(
                """
                “{1}” arrived with other contents than the remote says it has, and is fetched again. If that goes on, \
                save the file anew on the remote.
                """)
        case .cannotKeep:
            return sides(
                """
                “{1}” stays as it is on this computer: replaced and deleted versions are kept in “.roundel”, \
                which cannot be written. Change the permissions of “.roundel” or of the directory that holds it.
                """,
                """
                “{1}” stays as it is on the remote: replaced and deleted versions are kept in “.roundel”, which \
                cannot be written. Change the permissions of “.roundel” or of the directory that holds it.
                """)
        case .tooLargeToKeep:
            return sides(
                "The former version of “{1}” on this computer is not kept: it is larger than all kept versions may be.",
                "The former version of “{1}” on the remote is not kept: it is larger than all kept versions may be.")
        case .notKept: return say("There is no kept version of “{1}”. See: roundel trash")
        case .tooManyRestored: return say("Too many restored versions of “{1}” are beside it. Rename some of them.")
        case .inTheWay:
            return sides(
                "Something that is no folder is in the way of “{1}” on this computer.",
                "Something that is no folder is in the way of “{1}” on the remote.")
        case .rehearsal: return say("This is a dry run.")
        case .notOnDemand: return say("The contents of “{1}” must stay here: its folder is not on demand.")
        case .contentsNowhere:
            return say("The contents were on the remote only, and they are gone. Delete the file to sync that.")

        case .permissionsReadOnly:
            return sides(
                "“{1}” could not get the permissions {2} on this computer: the file system is read-only.",
                "“{1}” could not get the permissions {2} on the remote: the file system is read-only.")
        case .permissionsForeign:
            return sides(
                "“{1}” could not get the permissions {2} on this computer: it belongs to another user.",
                "“{1}” could not get the permissions {2} on the remote: it belongs to another user.")
        case .permissionsUnsupported:
            return sides(
                "“{1}” could not get the permissions {2} on this computer: the file system does not keep them.",
                "“{1}” could not get the permissions {2} on the remote: the file system does not keep them.")
        case .attributesLost:
            return sides(
                "“{1}” was replaced on this computer and could not keep: {2}.",
                "“{1}” was replaced on the remote and could not keep: {2}.")
        }
    }

    /// The sentence for what a kind of remote says in its own terms; nil if no kind knows the code.
    private func words(ofRemote said: Explanation) -> String? {
        RemoteKinds.code(of: said)?.sentence(arguments(of: said), folder: word)
    }

    private func contents(_ said: Explanation) -> String {
        let (errors, conflicts, waiting) = (number(said, 0), number(said, 1), number(said, 2))
        if errors > 0 { return Phrase.text("{1}.", Words.failed(errors)) }
        return Phrase.text("{1}.", conflicts > 0 ? Words.conflicts(conflicts) : Words.waiting(waiting))
    }

    private func restored(_ said: Explanation) -> String {
        let (old, missing) = (number(said, 0), number(said, 1))
        if missing == 0 {
            return Phrase.counted(
                old,
                one:
                    """
                    The remote looks restored from a backup: 1 file is an older version. Nothing is synced until you \
                    choose what to keep.
                    """,
                other:
                    """
                    The remote looks restored from a backup: {1} files are older versions. Nothing is synced until \
                    you choose what to keep.
                    """)
        }
        return Phrase.counted(
            missing,
            one:
                """
                The remote looks restored from a backup: 1 item is missing, and older versions: {2}. Nothing is \
                synced until you choose what to keep.
                """,
            other:
                """
                The remote looks restored from a backup: {1} items are missing, and older versions: {2}. Nothing \
                is synced until you choose what to keep.
                """, "\(old)")
    }

    private func deletions(_ said: Explanation) -> String {
        let (count, before) = (number(said, 0), number(said, 1))
        switch (said.side ?? .local, before > 0) {
        case (.local, false):
            return Phrase.counted(
                count,
                one:
                    """
                    1 deletion on this computer needs your confirmation. To delete: roundel sync --confirm-deletes. \
                    To restore the item on the remote: roundel sync --restore-deleted.
                    """,
                other:
                    """
                    {1} deletions on this computer need your confirmation. To delete: roundel sync \
                    --confirm-deletes. To restore the items on the remote: roundel sync --restore-deleted.
                    """)
        case (.remote, false):
            return Phrase.counted(
                count,
                one:
                    """
                    1 deletion on the remote needs your confirmation. To delete: roundel sync --confirm-deletes. To \
                    restore the item on this computer: roundel sync --restore-deleted.
                    """,
                other:
                    """
                    {1} deletions on the remote need your confirmation. To delete: roundel sync --confirm-deletes. \
                    To restore the items on this computer: roundel sync --restore-deleted.
                    """)
        case (.local, true):
            return Phrase.counted(
                count,
                one:
                    """
                    1 more deletion on this computer, after {2} within the last hour, needs your confirmation. To \
                    delete: roundel sync --confirm-deletes. To restore the item on the remote: roundel sync \
                    --restore-deleted.
                    """,
                other:
                    """
                    {1} more deletions on this computer, after {2} within the last hour, need your confirmation. To \
                    delete: roundel sync --confirm-deletes. To restore the items on the remote: roundel sync \
                    --restore-deleted.
                    """, "\(before)")
        case (.remote, true):
            return Phrase.counted(
                count,
                one:
                    """
                    1 more deletion on the remote, after {2} within the last hour, needs your confirmation. To \
                    delete: roundel sync --confirm-deletes. To restore the item on this computer: roundel sync \
                    --restore-deleted.
                    """,
                other:
                    """
                    {1} more deletions on the remote, after {2} within the last hour, need your confirmation. To \
                    delete: roundel sync --confirm-deletes. To restore the items on this computer: roundel sync \
                    --restore-deleted.
                    """, "\(before)")
        }
    }

    // MARK: Arguments

    private func number(_ said: Explanation, _ index: Int) -> Int {
        said.arguments.indices.contains(index) ? Int(said.arguments[index]) ?? 0 : 0
    }

    /// The values for the placeholders of a sentence.
    private func arguments(of said: Explanation) -> [String] {
        var arguments = said.arguments
        if let first = arguments.first {
            arguments[0] = first.isEmpty ? folder : first.hasPrefix("/") ? Words.path(FilePath(first)) : first
        }
        if [.unreachable, .failed, .rootUnusable].contains(said.code), arguments.count > 1 {
            arguments[1] = Int32(arguments[1]).map { "\(Errno(rawValue: $0))" } ?? arguments[1]
        }
        if said.code == .attributesLost, arguments.count > 1 {
            arguments[1] = arguments[1...].map(Self.attribute).joined(separator: ", ")
        }
        return arguments
    }

    /// The words for an attribute of a file, which the engine names by an identifier.
    private static func attribute(_ name: String) -> String {
        switch name {
        case "group": Phrase.text("its group")
        case "owner": Phrase.text("its owner")
        case "system.posix_acl_access": Phrase.text("its access control list")
        default: Phrase.text("its extended attribute {1}", name)
        }
    }
}

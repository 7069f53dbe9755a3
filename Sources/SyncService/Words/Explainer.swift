internal import Remotes
internal import Support
internal import SyncCore
internal import SystemPackage

/// Makes sentences of the engine's messages: the catalogue of explanations.
struct Explainer {
    /// The label of the folder, for messages about the folder itself.
    let folder: String

    /// The sentence for a message; "" for none.
    func sentence(_ said: Explanation) -> String {
        let values = arguments(of: said)
        let isLocal = said.side != .remote
        guard let code = said.code else { return words(ofRemote: said) ?? said.stored }
        switch code {
        case .nothing: return ""
        case .text:
            let text = said.arguments.first ?? ""
            return Explanation(former: text).flatMap(words(ofRemote:)) ?? text

        case .undecided: return tr("Roundel cannot decide what to do with this item. Please report this.")
        case .movedIntoEachOther:
            return tr("Folders were moved into each other on the two sides. Move one of them elsewhere.")
        case .movedIntoItself:
            return tr("The folder was moved into itself on the two sides. Move it back on one of them.")
        case .obstructed:
            return tr("Something that is not synced has this name on the other side. Rename one of them.")
        case .unmounted:
            return isLocal
                ? tr(
                    """
                    “{1}” is not mounted on this computer, so nothing in it is synced. Mount it again. If it is gone \
                    for good, remove its empty directory, or exclude it.
                    """, arguments: values)
                : tr(
                    """
                    “{1}” is not mounted on the remote, so nothing in it is synced. Mount it again. If it is gone \
                    for good, remove its empty directory, or exclude it.
                    """, arguments: values)
        case .mountReplaced:
            return isLocal
                ? tr(
                    """
                    Another file system is mounted at “{1}” on this computer, so nothing in it is synced. Mount the \
                    one that was synced. To sync the new one instead, exclude “{1}” and then sync it again.
                    """, arguments: values)
                : tr(
                    """
                    Another file system is mounted at “{1}” on the remote, so nothing in it is synced. Mount the one \
                    that was synced. To sync the new one instead, exclude “{1}” and then sync it again.
                    """, arguments: values)
        case .mountCovers:
            return isLocal
                ? tr(
                    """
                    A file system is mounted over “{1}” on this computer and hides what was synced there, so nothing \
                    in it is synced. Unmount it, or mount it at an empty directory.
                    """, arguments: values)
                : tr(
                    """
                    A file system is mounted over “{1}” on the remote and hides what was synced there, so nothing in \
                    it is synced. Unmount it, or mount it at an empty directory.
                    """, arguments: values)
        case .symbolicLink: return tr("Symbolic links are not synced.")
        case .specialFile: return tr("Only files and folders are synced.")
        case .permissionsNotKept:
            return isLocal
                ? tr("The file system on this computer keeps no permissions: private files are as open as all others.")
                : tr("The file system of the remote keeps no permissions: private files are as open as all others.")

        case .waitsPaused: return tr("It waits until the folder is no longer paused.")
        case .waitsForItem:
            return tr("It waits for “{1}”, which comes first. If that stays so, rename one of them.", arguments: values)
        case .waitsForLook: return tr("It waits until both sides have been looked at.")
        case .waitsForTurn: return tr("It is its turn soon.")
        case .underWay: return tr("It is being synced.")
        case .inConflict:
            return tr("It is in conflict with “{1}”. Choose what to keep.", arguments: values)
        case .excludedName: return tr("Names like this are not synced.")
        case .contentsWait: return contents(said)

        case .localVersionGone: return tr("The version on this computer is missing, so there is nothing to choose.")
        case .winnerInLoser:
            return tr("“{1}” contains “{2}”, which you want to keep. Move that out of it first.", arguments: values)
        case .loserHoldsUnsynced:
            return tr(
                "“{1}” contains items that could not be synced. Fix those first, or choose the other version.",
                arguments: values)
        case .versionChanged:
            return tr("One of the versions changed before your choice was carried out. Choose again.")

        case .rootMissing:
            return isLocal
                ? tr(
                    "The folder “{1}” is missing. Restore or mount it, or, if you moved it, say where it is now.",
                    arguments: values)
                : tr("The remote directory “{1}” is missing. Is the share mounted?", arguments: values)
        case .rootUnusable:
            return isLocal
                ? tr("The folder “{1}” cannot be opened: {2}.", arguments: values)
                : tr("The remote directory “{1}” cannot be opened: {2}.", arguments: values)
        case .notMountedYet:
            return tr("The folder “{1}” is not mounted, so nothing in it is synced.", arguments: values)
        case .rootCopied:
            return isLocal
                ? tr(
                    """
                    The folder on this computer is a copy of the one that was synced, so nothing is synced. Bring \
                    the old one back, or say what this one is: the same, and what is missing in it was deleted; or \
                    one from a backup, and nothing is deleted.
                    """)
                : tr(
                    """
                    The remote directory is a copy of the one that was synced, so nothing is synced. Bring the old \
                    one back, or say what this one is: the same, and what is missing in it was deleted; or one from \
                    a backup, and nothing is deleted.
                    """)
        case .rootReplaced:
            return isLocal
                ? tr(
                    """
                    The folder on this computer is not known to be the one that was synced: its mark in “.roundel” \
                    is missing or another, so nothing is synced. Bring the old one back, or say what this one is: \
                    the same, and what is missing in it was deleted; or another, and nothing is deleted.
                    """)
                : tr(
                    """
                    The remote is not known to be the one that was synced: its mark in “.roundel” is missing or \
                    another, so nothing is synced. Bring the old one back, or say what this one is: the same, and \
                    what is missing in it was deleted; or another, and nothing is deleted.
                    """)
        case .remoteRestored: return restored(said)
        case .deletionsWait: return deletions(said)
        case .silent:
            return isLocal
                ? tr(
                    "The folder “{1}” does not answer. Check its disk or connection; syncing goes on by itself.",
                    arguments: values)
                : tr("The remote does not answer. Check its disk or connection; syncing goes on by itself.")
        case .storeDamaged:
            return tr(
                """
                The sync database {1} is damaged ({2}). It is set aside; both sides are compared anew, and nothing \
                is deleted.
                """, arguments: values)
        case .storeLater:
            return tr(
                """
                The sync database {1} was written by a later version of Roundel. Nothing is synced with this \
                version; install the later one.
                """, arguments: values)
        case .storeLocked:
            return tr(
                """
                The sync database {1} is locked by another program. Nothing is synced until that ends; then syncing \
                goes on by itself.
                """, arguments: values)
        case .storeFull:
            return tr(
                """
                There is no space left for the sync database {1}. Free some space; then syncing goes on by itself.
                """, arguments: values)
        case .storeUnusable:
            return tr(
                """
                The sync database {1} cannot be used: {2}. Nothing is synced until it can; it is tried again from \
                time to time.
                """, arguments: values)

        case .busy: return tr("The server {1} is busy. It is tried again soon.", arguments: values)

        case .gone:
            return isLocal
                ? tr("“{1}” is missing on this computer.", arguments: values)
                : tr("“{1}” is missing on the remote.", arguments: values)
        case .onAnotherFileSystem:
            return isLocal
                ? tr("“{1}” is on another file system on this computer, so it cannot be synced.", arguments: values)
                : tr("“{1}” is on another file system on the remote, so it cannot be synced.", arguments: values)
        case .taken:
            return isLocal
                ? tr("There is already something called “{1}” on this computer.", arguments: values)
                : tr("There is already something called “{1}” on the remote.", arguments: values)
        case .notEmpty:
            return isLocal
                ? tr("The folder “{1}” is not empty on this computer.", arguments: values)
                : tr("The folder “{1}” is not empty on the remote.", arguments: values)
        case .noSpace:
            return isLocal
                ? tr(
                    "There is no space left for “{1}” on this computer. Free some space; it is tried again.",
                    arguments: values)
                : tr(
                    "There is no space left for “{1}” on the remote. Free some space; it is tried again.",
                    arguments: values)
        case .tooLittleSpace:
            return isLocal
                ? tr(
                    "There is no space left for “{1}” on this computer: {2} bytes are needed, {3} are free.",
                    arguments: values)
                : tr(
                    "There is no space left for “{1}” on the remote: {2} bytes are needed, {3} are free.",
                    arguments: values)
        case .nearlyFull:
            return isLocal
                ? tr(
                    """
                    The disk of this computer is nearly full: “{1}” needs {2} bytes, and {3} stay free for other \
                    programs. It goes on by itself when there is space.
                    """, arguments: values)
                : tr(
                    """
                    The disk of the remote is nearly full: “{1}” needs {2} bytes, and {3} stay free for others. It \
                    goes on by itself when there is space.
                    """, arguments: values)
        case .readOnly:
            return isLocal
                ? tr("“{1}” cannot be written: the file system on this computer is read-only.", arguments: values)
                : tr("“{1}” cannot be written: the file system of the remote is read-only.", arguments: values)
        case .denied:
            return isLocal
                ? tr("No permission to read or write “{1}” on this computer.", arguments: values)
                : tr("No permission to read or write “{1}” on the remote.", arguments: values)
        case .readOnlyDirectory:
            return values.count > 2
                ? tr(
                    "“{1}” is on this computer only: “{2}” is read-only, shared by {3}. Move it to another folder.",
                    arguments: values)
                : tr(
                    "“{1}” is on this computer only: “{2}” is read-only on the remote. Move it to another folder.",
                    arguments: values)
        case .readOnlyFile:
            return values.count > 1
                ? tr(
                    "“{1}” is read-only, shared by {2}, so what you changed was kept beside it and not uploaded.",
                    arguments: values)
                : tr(
                    "“{1}” is read-only on the remote, so what you changed was kept beside it and not uploaded.",
                    arguments: values)
        case .notDeletable:
            return values.count > 1
                ? tr(
                    "“{1}” is shared by {2}, and you may not delete it. It is back on this computer.", arguments: values
                )
                : tr("You may not delete “{1}” on the remote. It is back on this computer.", arguments: values)
        case .notMovable:
            return values.count > 1
                ? tr(
                    "“{1}” is shared by {2}, and you may not move or rename it. It is back in its place.",
                    arguments: values)
                : tr("You may not move or rename “{1}” on the remote. It is back in its place.", arguments: values)
        case .unusableName:
            return isLocal
                ? tr("The name “{1}” cannot be used on this computer. Rename it.", arguments: values)
                : tr("The name “{1}” cannot be used on the remote. Rename it.", arguments: values)
        case .inUse:
            return isLocal
                ? tr(
                    """
                    “{1}” is in use on this computer, perhaps because a file system is mounted there. Unmount it or \
                    close what uses it.
                    """, arguments: values)
                : tr(
                    """
                    “{1}” is in use on the remote, perhaps because a file system is mounted there. Unmount it or \
                    close what uses it.
                    """, arguments: values)
        case .tooLarge:
            return isLocal
                ? tr("“{1}” is too large for the file system on this computer.", arguments: values)
                : tr("“{1}” is too large for the file system of the remote.", arguments: values)
        case .unreachable:
            return isLocal
                ? tr("“{1}” cannot be reached on this computer: {2}.", arguments: values)
                : tr("“{1}” cannot be reached on the remote: {2}.", arguments: values)
        case .failed:
            return isLocal
                ? tr("“{1}” cannot be read or written on this computer: {2}.", arguments: values)
                : tr("“{1}” cannot be read or written on the remote: {2}.", arguments: values)
        case .contentsGone: return tr("The copy of “{1}” is missing. It is made again.", arguments: values)
        case .movedAcross:
            return isLocal
                ? tr(
                    """
                    “{1}” was moved to “{2}” on the remote, which is on another file system on this computer. Move \
                    it there yourself.
                    """, arguments: values)
                : tr(
                    """
                    “{1}” was moved to “{2}” on this computer, which is on another file system on the remote. Move \
                    it there yourself.
                    """, arguments: values)
        case .nameClash:
            return isLocal
                ? tr(
                    """
                    “{1}” cannot be beside a name that differs only in case or spelling on this computer. Rename one \
                    of them.
                    """, arguments: values)
                : tr(
                    """
                    “{1}” cannot be beside a name that differs only in case or spelling on the remote. Rename one of \
                    them.
                    """, arguments: values)
        case .beingWritten:
            return isLocal
                ? tr(
                    "“{1}” is still being written on this computer. It is synced when that is done.", arguments: values)
                : tr("“{1}” is still being written on the remote. It is synced when that is done.", arguments: values)
        case .noTrash:
            return tr("“{1}” cannot be moved to the trash, so it stays. Move it elsewhere yourself.", arguments: values)
        case .notMounted:
            return isLocal
                ? tr("“{1}” is not mounted on this computer.", arguments: values)
                : tr("“{1}” is not mounted on the remote.", arguments: values)
        case .changed:
            return isLocal
                ? tr("“{1}” has just changed on this computer.", arguments: values)
                : tr("“{1}” has just changed on the remote.", arguments: values)
        case .noMemory: return tr("There is not enough memory to read a file.")
        case .abandoned: return tr("The transfer was interrupted.")
        case .wrongLength:
            return isLocal
                ? tr("The copy of “{1}” on this computer has the wrong length.", arguments: values)
                : tr("The copy of “{1}” on the remote has the wrong length.", arguments: values)
        case .wrongContents:
            return tr(
                """
                “{1}” arrived with other contents than the remote says it has, and is fetched again. If that goes \
                on, save the file anew on the remote.
                """, arguments: values)
        case .cannotKeep:
            return isLocal
                ? tr(
                    """
                    “{1}” stays as it is on this computer: replaced and deleted versions are kept in “.roundel”, \
                    which cannot be written. Change the permissions of “.roundel” or of the directory that holds it.
                    """, arguments: values)
                : tr(
                    """
                    “{1}” stays as it is on the remote: replaced and deleted versions are kept in “.roundel”, which \
                    cannot be written. Change the permissions of “.roundel” or of the directory that holds it.
                    """, arguments: values)
        case .tooLargeToKeep:
            return isLocal
                ? tr(
                    """
                    The former version of “{1}” on this computer is not kept: it is larger than all kept versions \
                    may be.
                    """,
                    arguments: values)
                : tr(
                    """
                    The former version of “{1}” on the remote is not kept: it is larger than all kept versions may \
                    be.
                    """,
                    arguments: values)
        case .notKept: return tr("There is no kept version of “{1}”.", arguments: values)
        case .tooManyRestored:
            return tr("Too many restored versions of “{1}” are beside it. Rename some of them.", arguments: values)
        case .inTheWay:
            return isLocal
                ? tr("Something that is no folder is in the way of “{1}” on this computer.", arguments: values)
                : tr("Something that is no folder is in the way of “{1}” on the remote.", arguments: values)
        case .rehearsal: return tr("This is a dry run.")
        case .notOnDemand:
            return tr("The contents of “{1}” must stay here: its folder is not on demand.", arguments: values)
        case .severalNames:
            return tr("“{1}” has several names (hard links), so its contents stay here.", arguments: values)
        case .pinned:
            return tr("“{1}” is always kept on this computer, so it was not freed.", arguments: values)
        case .contentsNowhere:
            return tr("The contents were on the remote only, and they are gone. Delete the file to sync that.")

        case .permissionsReadOnly:
            return isLocal
                ? tr(
                    "“{1}” could not get the permissions {2} on this computer: the file system is read-only.",
                    arguments: values)
                : tr(
                    "“{1}” could not get the permissions {2} on the remote: the file system is read-only.",
                    arguments: values)
        case .permissionsForeign:
            return isLocal
                ? tr(
                    "“{1}” could not get the permissions {2} on this computer: it belongs to another user.",
                    arguments: values)
                : tr(
                    "“{1}” could not get the permissions {2} on the remote: it belongs to another user.",
                    arguments: values)
        case .permissionsUnsupported:
            return isLocal
                ? tr(
                    "“{1}” could not get the permissions {2} on this computer: the file system does not keep them.",
                    arguments: values)
                : tr(
                    "“{1}” could not get the permissions {2} on the remote: the file system does not keep them.",
                    arguments: values)
        case .attributesLost:
            return isLocal
                ? tr("“{1}” was replaced on this computer and could not keep: {2}.", arguments: values)
                : tr("“{1}” was replaced on the remote and could not keep: {2}.", arguments: values)
        }
    }

    /// The sentence for what a kind of remote says in its own terms; nil if no kind knows the code.
    private func words(ofRemote said: Explanation) -> String? {
        RemoteKinds.code(of: said)?.sentence(arguments(of: said))
    }

    private func contents(_ said: Explanation) -> String {
        let (errors, conflicts, waiting) = (number(said, 0), number(said, 1), number(said, 2))
        if errors > 0 { return tr("{1}.", FolderWords.failed(errors)) }
        return tr("{1}.", conflicts > 0 ? FolderWords.conflicts(conflicts) : FolderWords.waiting(waiting))
    }

    private func restored(_ said: Explanation) -> String {
        let (old, missing) = (number(said, 0), number(said, 1))
        if missing == 0 {
            return tr(
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
        return tr(
            missing,
            one:
                """
                The remote looks restored from a backup: 1 item is missing, and older versions: {2}. Nothing is \
                synced until you choose what to keep.
                """,
            other:
                """
                The remote looks restored from a backup: {1} items are missing, and older versions: {2}. Nothing is \
                synced until you choose what to keep.
                """, "\(old)")
    }

    private func deletions(_ said: Explanation) -> String {
        let (count, before) = (number(said, 0), number(said, 1))
        switch (said.side ?? .local, before > 0) {
        case (.local, false):
            return tr(
                count,
                one:
                    """
                    1 deletion on this computer needs your confirmation. Confirm it, or restore the item on the \
                    remote.
                    """,
                other:
                    """
                    {1} deletions on this computer need your confirmation. Confirm them, or restore the items on \
                    the remote.
                    """)
        case (.remote, false):
            return tr(
                count,
                one:
                    """
                    1 deletion on the remote needs your confirmation. Confirm it, or restore the item on this \
                    computer.
                    """,
                other:
                    """
                    {1} deletions on the remote need your confirmation. Confirm them, or restore the items on this \
                    computer.
                    """)
        case (.local, true):
            return tr(
                count,
                one:
                    """
                    1 more deletion on this computer, after {2} within the last hour, needs your confirmation. \
                    Confirm it, or restore the item on the remote.
                    """,
                other:
                    """
                    {1} more deletions on this computer, after {2} within the last hour, need your confirmation. \
                    Confirm them, or restore the items on the remote.
                    """, "\(before)")
        case (.remote, true):
            return tr(
                count,
                one:
                    """
                    1 more deletion on the remote, after {2} within the last hour, needs your confirmation. Confirm \
                    it, or restore the item on this computer.
                    """,
                other:
                    """
                    {1} more deletions on the remote, after {2} within the last hour, need your confirmation. \
                    Confirm them, or restore the items on this computer.
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
            arguments[0] = first.isEmpty ? folder : first.hasPrefix("/") ? ShownPath.short(FilePath(first)) : first
        }
        if [.unreachable, .failed, .rootUnusable].contains(said.code), arguments.count > 1 {
            arguments[1] = Int32(arguments[1]).map { "\(Errno(rawValue: $0))" } ?? arguments[1]
        }
        if said.code == .attributesLost, arguments.count > 1 {
            arguments[1] = TextList.of(arguments[1...].map(Self.attribute))
        }
        return arguments
    }

    /// The words for an attribute of a file, which the engine names by an identifier.
    private static func attribute(_ name: String) -> String {
        switch name {
        case "group": tr("its group")
        case "owner": tr("its owner")
        case "system.posix_acl_access": tr("its access control list")
        default: tr("its extended attribute {1}", name)
        }
    }
}

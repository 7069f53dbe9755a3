internal import Support
internal import SyncCore

/// The texts of notifications.
extension Words {
    // MARK: Titles

    static func restoredTitle(_ folder: String) -> String {
        Phrase.text("The remote of “{1}” looks restored from a backup", folder)
    }

    static func stoppedTitle(_ folder: String) -> String { Phrase.text("“{1}” is no longer synced", folder) }

    static func loginTitle(_ folder: String) -> String { Phrase.text("“{1}” needs your login", folder) }

    static func noSpaceTitle(_ folder: String) -> String { Phrase.text("No space left for “{1}”", folder) }

    static func nearlyFullTitle(_ folder: String) -> String {
        Phrase.text("“{1}” waits: the disk is nearly full", folder)
    }

    static func errorsTitle(_ count: Int, _ folder: String) -> String {
        Phrase.counted(
            count, one: "1 item in “{2}” could not be synced", other: "{1} items in “{2}” could not be synced", folder)
    }

    static func conflictsTitle(_ count: Int, _ folder: String) -> String {
        Phrase.counted(count, one: "Sync conflict in “{2}”", other: "{1} sync conflicts in “{2}”", folder)
    }

    static func deletionsTitle(_ count: Int, _ side: Side) -> String {
        side == .local
            ? Phrase.counted(count, one: "Delete 1 item on this computer?", other: "Delete {1} items on this computer?")
            : Phrase.counted(count, one: "Delete 1 item on the remote?", other: "Delete {1} items on the remote?")
    }

    // MARK: Texts

    static func conflictsText(_ count: Int, _ name: String) -> String {
        Phrase.counted(
            count,
            one:
                """
                “{2}” was changed on this computer and on the remote. Both versions are kept until you choose \
                one.
                """,
            other:
                """
                “{2}” and others were changed on this computer and on the remote. Both versions are kept until \
                you choose one.
                """, name)
    }

    /// - Parameters:
    ///   - side: The side on which items will be deleted.
    ///   - before: The deletions within the last hour, which count too.
    static func deletionsText(_ count: Int, _ folder: String, _ side: Side, before: Int) -> String {
        switch (side, before > 0) {
        case (.local, false):
            Phrase.counted(
                count,
                one:
                    """
                    1 item of “{2}” was deleted on the remote. Nothing is synced before you choose: delete it on \
                    this computer as well, or restore it on the remote.
                    """,
                other:
                    """
                    {1} items of “{2}” were deleted on the remote. Nothing is synced before you choose: delete them \
                    on this computer as well, or restore them on the remote.
                    """, folder)
        case (.remote, false):
            Phrase.counted(
                count,
                one:
                    """
                    1 item of “{2}” was deleted on this computer. Nothing is synced before you choose: delete it on \
                    the remote as well, or restore it on this computer.
                    """,
                other:
                    """
                    {1} items of “{2}” were deleted on this computer. Nothing is synced before you choose: delete \
                    them on the remote as well, or restore them on this computer.
                    """, folder)
        case (.local, true):
            Phrase.counted(
                count,
                one:
                    """
                    1 more item of “{2}” was deleted on the remote, after {3} within the last hour. Nothing is \
                    synced before you choose: delete it on this computer as well, or restore it on the remote.
                    """,
                other:
                    """
                    {1} more items of “{2}” were deleted on the remote, after {3} within the last hour. Nothing is \
                    synced before you choose: delete them on this computer as well, or restore them on the remote.
                    """, folder, "\(before)")
        case (.remote, true):
            Phrase.counted(
                count,
                one:
                    """
                    1 more item of “{2}” was deleted on this computer, after {3} within the last hour. Nothing is \
                    synced before you choose: delete it on the remote as well, or restore it on this computer.
                    """,
                other:
                    """
                    {1} more items of “{2}” were deleted on this computer, after {3} within the last hour. Nothing \
                    is synced before you choose: delete them on the remote as well, or restore them on this \
                    computer.
                    """, folder, "\(before)")
        }
    }

    // MARK: Actions

    static var tryAgain: String { Phrase.text("Try Again") }
    static var both: String { Phrase.text("Keep Both") }
    static var show: String { Phrase.text("Show") }
    static var takeRemote: String { Phrase.text("Take the Remote's Versions") }

    static func delete(_ count: Int) -> String {
        Phrase.counted(count, one: "Delete 1 Item", other: "Delete {1} Items")
    }

    static func restore(_ count: Int) -> String {
        Phrase.counted(count, one: "Restore 1 Item", other: "Restore {1} Items")
    }
}

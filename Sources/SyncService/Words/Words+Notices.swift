internal import SyncCore

/// What a person is told by notifications.
extension Words {
    // MARK: Titles

    static func restoredTitle(_ folder: String) -> String {
        say("The remote of “%1$s” looks restored from a backup", folder)
    }

    static func stoppedTitle(_ folder: String) -> String { say("“%1$s” is no longer synced", folder) }

    static func noSpaceTitle(_ folder: String) -> String { say("No space left for “%1$s”", folder) }

    static func errorsTitle(_ count: Int, _ folder: String) -> String {
        say(
            "1 item in “%2$s” could not be synced", "%1$s items in “%2$s” could not be synced", count, "\(count)",
            folder)
    }

    static func conflictsTitle(_ count: Int, _ folder: String) -> String {
        say("Sync conflict in “%2$s”", "%1$s sync conflicts in “%2$s”", count, "\(count)", folder)
    }

    static func deletionsTitle(_ count: Int, _ side: Side) -> String {
        side == .local
            ? say("Delete 1 item on this computer?", "Delete %1$s items on this computer?", count, "\(count)")
            : say("Delete 1 item on the remote?", "Delete %1$s items on the remote?", count, "\(count)")
    }

    // MARK: Texts

    static func conflictsText(_ count: Int, _ name: String) -> String {
        say(
            "“%1$s” was changed on this computer and on the remote. Both versions are kept until you choose one.",
            "“%1$s” and others were changed on this computer and on the remote. Both versions are kept until you choose "
                + "one.", count, name)
    }

    /// - Parameters:
    ///   - side: where the deletions are to be carried out.
    ///   - before: deletions within the last hour, which count too.
    static func deletionsText(_ count: Int, _ folder: String, _ side: Side, before: Int) -> String {
        switch (side, before > 0) {
        case (.local, false):
            say(
                "1 item of “%2$s” was deleted on the remote. Nothing is synced before you choose: delete it on this "
                    + "computer as well, or restore it on the remote.",
                "%1$s items of “%2$s” were deleted on the remote. Nothing is synced before you choose: delete them on "
                    + "this computer as well, or restore them on the remote.", count, "\(count)", folder)
        case (.remote, false):
            say(
                "1 item of “%2$s” was deleted on this computer. Nothing is synced before you choose: delete it on the "
                    + "remote as well, or restore it on this computer.",
                "%1$s items of “%2$s” were deleted on this computer. Nothing is synced before you choose: delete them on "
                    + "the remote as well, or restore them on this computer.", count, "\(count)", folder)
        case (.local, true):
            say(
                "1 more item of “%2$s” was deleted on the remote, after %3$s within the last hour. Nothing is synced "
                    + "before you choose: delete it on this computer as well, or restore it on the remote.",
                "%1$s more items of “%2$s” were deleted on the remote, after %3$s within the last hour. Nothing is synced "
                    + "before you choose: delete them on this computer as well, or restore them on the remote.", count,
                "\(count)", folder, "\(before)")
        case (.remote, true):
            say(
                "1 more item of “%2$s” was deleted on this computer, after %3$s within the last hour. Nothing is synced "
                    + "before you choose: delete it on the remote as well, or restore it on this computer.",
                "%1$s more items of “%2$s” were deleted on this computer, after %3$s within the last hour. Nothing is "
                    + "synced before you choose: delete them on the remote as well, or restore them on this computer.",
                count, "\(count)", folder, "\(before)")
        }
    }

    // MARK: Actions

    static var tryAgain: String { say("Try Again") }
    static var both: String { say("Keep Both") }
    static var show: String { say("Show") }
    static var takeRemote: String { say("Take the Remote's Versions") }

    static func delete(_ count: Int) -> String { say("Delete 1 Item", "Delete %1$s Items", count, "\(count)") }
}

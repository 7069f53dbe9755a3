package import RoundelBus
internal import Support

/// What the user can do about a folder that cannot go on by itself, beside what every folder offers.
package enum NeedAnswer: String, CaseIterable, Sendable {
    /// Carry the deletions out that were held back.
    case deleteItems = "delete"
    /// Bring the items back whose deletion was held back.
    case restoreItems = "restore"
    /// Another directory is the one that was synced.
    case sameRoot = "same-root"
    /// Keep what both sides have, and delete nothing.
    case unite
    /// Take the older versions of the remote.
    case acceptRemote = "accept-remote"
    /// Log in at the server.
    case logIn = "log-in"
    /// Try to sync again.
    case tryAgain = "try-again"

    /// The words on its button.
    package var label: String {
        switch self {
        // Translators: carries deletions out that were held back; on a button.
        case .deleteItems: tr("Delete")
        case .restoreItems: tr("Restore")
        case .sameRoot: tr("It Is the Same")
        case .unite: tr("Keep Both Sides")
        case .acceptRemote: tr("Use the Older Versions")
        case .logIn: tr("Log In…")
        case .tryAgain: tr("Try Again")
        }
    }

    /// Whether something may be lost by it.
    package var isDestructive: Bool {
        switch self {
        case .deleteItems, .acceptRemote: true
        case .restoreItems, .sameRoot, .unite, .logIn, .tryAgain: false
        }
    }

    /// The run that carries it out.
    package var options: FoldersProxy.SyncOptions {
        var options = FoldersProxy.SyncOptions()
        switch self {
        case .deleteItems: options.confirmDeletes = true
        case .restoreItems: options.restoresDeleted = true
        case .sameRoot: options.isSameRoot = true
        case .unite: options.unites = true
        case .acceptRemote: options.acceptsRemote = true
        case .logIn, .tryAgain: break
        }
        return options
    }
}

/// What a folder needs of the user, in words that need no terminal.
package enum NeedWords {
    /// What is wrong, in a few words without a full stop.
    /// - Parameter deletions: How many deletions wait, if known.
    static func headline(_ need: FolderNeed, deletions: UInt64?) -> String {
        switch need {
        case .confirmDeletes:
            deletions.map { tr($0, one: "1 deletion needs your answer", other: "{1} deletions need your answer") }
                ?? tr("Deletions need your answer")
        case .rootMissing: tr("The folder is missing")
        case .rootReplaced: tr("The folder may not be the one that was synced")
        case .remoteMissing: tr("The remote directory is missing")
        case .remoteReplaced: tr("The remote directory may not be the one that was synced")
        case .remoteRestored: tr("The remote has older versions than before")
        case .login: tr("The server wants you to log in")
        case .server: tr("The server cannot be reached or used")
        case .diskFull: tr("No space is left")
        case .conflicts: tr("Some files were changed on both sides")
        case .errors: tr("Some items could not be synced")
        }
    }

    /// What to do about it.
    static func advice(_ need: FolderNeed) -> String {
        switch need {
        case .confirmDeletes:
            tr(
                """
                So many items were deleted at once that Roundel asks before it deletes them on the other side too. \
                Were they deleted on purpose?
                """)
        case .rootMissing: tr("Put it back, or connect the drive that it is on. Syncing then goes on by itself.")
        case .rootReplaced:
            tr(
                """
                Its contents are not those that Roundel knows. If it is the same folder, what is missing in it is \
                deleted on the other side. If it comes from a backup, keep both sides; then nothing is deleted.
                """)
        case .remoteMissing: tr("Connect the drive or the share that it is on. Syncing then goes on by itself.")
        case .remoteReplaced:
            tr(
                """
                Its contents are not those that Roundel knows. If it is the same directory, what is missing in it is \
                deleted in your folder. If it is another one, keep both sides; then nothing is deleted.
                """)
        case .remoteRestored:
            tr(
                """
                It looks restored from a backup. Keep both versions of what differs, or use the older versions, which \
                then replace the newer ones in your folder.
                """)
        case .login: tr("Its password has changed or is not saved on this computer.")
        case .server: tr("Check your network connection. Syncing goes on by itself when the server answers.")
        case .diskFull: tr("Delete what you no longer need, here or on the remote. Syncing then goes on by itself.")
        case .conflicts: tr("Both versions are kept until you choose below.")
        case .errors: tr("They are listed below, each with the reason.")
        }
    }

    /// The answers that the user can choose from.
    /// - Parameter keepsLogin: Whether the login of the folder is one that Roundel keeps.
    static func answers(_ need: FolderNeed, keepsLogin: Bool) -> [NeedAnswer] {
        switch need {
        case .confirmDeletes: [.restoreItems, .deleteItems]
        case .rootReplaced, .remoteReplaced: [.unite, .sameRoot]
        case .remoteRestored: [.unite, .acceptRemote]
        case .login: keepsLogin ? [.logIn] : [.tryAgain]
        case .rootMissing, .remoteMissing, .server, .diskFull: [.tryAgain]
        case .conflicts, .errors: []
        }
    }
}

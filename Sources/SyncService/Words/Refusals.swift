internal import Remotes
internal import RoundelBus
internal import Secrets
internal import Support
internal import SyncCore
internal import SystemPackage

/// The texts of refused calls: what is wrong, which path, what to do.
extension WorkerError {
    // MARK: Places

    static func noFolderURI(_ text: String, because reason: String) -> WorkerError {
        WorkerError(.invalidURI, Phrase.text("“{1}” is not the URI of a folder: {2}.", text, reason))
    }

    /// - Parameter forms: How the addresses of the kinds of remotes look.
    static func noRemote(_ text: String, but forms: [String]) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Phrase.text("“{1}” is not a remote; use {2}.", text, forms.joined(separator: Phrase.text(", or "))))
    }

    static func noBrowserLogin(_ place: any LoginPlace) -> WorkerError {
        WorkerError(
            .unsupported,
            Phrase.text(
                "The server {1} has no page to log in on for programs; give it a password.", place.account.server))
    }

    static var noUser: WorkerError {
        WorkerError(.invalidRemote, Phrase.text("The address names no user. Use webdav+https://USER@HOST/PATH."))
    }

    static func passwordRefused(at server: String) -> WorkerError {
        WorkerError(.loginNeeded, Phrase.text("The server {1} refuses this password, so it is not saved.", server))
    }

    /// - Parameter error: Why no password was read from the descriptor that a program sent.
    init(readingPassword error: any Error) {
        switch error {
        case SecretPipe.Failure.notAPipe:
            self.init(.invalidArguments, Phrase.text("A password is taken only from a pipe."))
        case SecretPipe.Failure.unfinished:
            self.init(.failed, Phrase.text("The password did not arrive in time; nothing is saved."))
        case _:
            self.init(.failed, SecretStoreError.noMemory.sentence)
        }
    }

    static var unknownLogin: WorkerError {
        WorkerError(.failed, Phrase.text("This login was not begun by you, or has ended. Begin it again."))
    }

    static var tooManyLogins: WorkerError {
        WorkerError(.limitExceeded, Phrase.text("Too many logins wait for somebody. End one of them first."))
    }

    static func nobodyLoggedIn(_ place: any LoginPlace) -> WorkerError {
        WorkerError(
            .failed,
            Phrase.text(
                "Nobody logged in at {1} in time. Begin it again: roundel login {2}", place.account.server, place.text))
    }

    static func remoteTaken(_ name: String, by other: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Phrase.text(
                "The remote {1} overlaps the remote of the synced folder “{2}”. Choose a directory outside it.",
                name, Words.path(other)))
    }

    static var noOnDemand: WorkerError {
        WorkerError(
            .unsupported, Phrase.text("On-demand folders are not part of this release; leave the option out."))
    }

    static var noUploadOnly: WorkerError {
        WorkerError(
            .unsupported, Phrase.text("Upload-only folders are not part of this release; leave the option out."))
    }

    static func folderUnusable(_ path: FilePath, _ error: Errno) -> WorkerError {
        WorkerError(
            .notADirectory,
            Phrase.text("The folder “{1}” cannot be used: {2}. Create it first.", Words.path(path), "\(error)"))
    }

    static func remoteUnusable(_ path: FilePath, _ error: Errno) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Phrase.text("The remote “{1}” cannot be used: {2}. Create it first.", Words.path(path), "\(error)"))
    }

    static func folderNoDirectory(_ path: FilePath) -> WorkerError {
        WorkerError(
            .notADirectory,
            Phrase.text(
                "The folder “{1}” is not a directory, or is a symbolic link; name the directory itself.",
                Words.path(path)))
    }

    static func remoteNoDirectory(_ path: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Phrase.text(
                "The remote “{1}” is not a directory, or is a symbolic link; name the directory itself.",
                Words.path(path)))
    }

    static func noAnswer(_ path: FilePath?) -> WorkerError {
        WorkerError(
            .failed,
            path.map { path in
                Phrase.text(
                    "“{1}” does not answer. Check its disk or connection, or unmount it, then try again.",
                    Words.path(path))
            }
                ?? Phrase.text(
                    "A synced folder does not answer. Check its disk or connection, or unmount it, then try again."))
    }

    static var tooMuchWaits: WorkerError {
        WorkerError(.failed, Phrase.text("Too much waits for a file system that does not answer. Try again later."))
    }

    // MARK: Overlaps

    static func alreadySynced(_ path: FilePath) -> WorkerError {
        WorkerError(.folderTaken, Phrase.text("“{1}” is already synced.", Words.path(path)))
    }

    static func overlapsFolder(_ path: FilePath, with other: FilePath) -> WorkerError {
        WorkerError(
            .folderTaken,
            path.starts(with: other)
                ? Phrase.text("“{1}” is already synced (as part of “{2}”).", Words.path(path), Words.path(other))
                : Phrase.text("“{1}” overlaps the synced folder “{2}”.", Words.path(path), Words.path(other)))
    }

    static func overlapsRemote(_ path: FilePath, of other: FilePath) -> WorkerError {
        WorkerError(
            .folderTaken,
            Phrase.text(
                "“{1}” overlaps the remote of the synced folder “{2}”. Choose a directory outside it.",
                Words.path(path), Words.path(other)))
    }

    static func ownPlace(_ path: FilePath) -> WorkerError {
        WorkerError(
            .folderTaken,
            Phrase.text(
                "“{1}” holds Roundel's own settings or state, which are never synced. Choose a directory outside it.",
                Words.path(path)))
    }

    static var remoteHoldsFolder: WorkerError {
        WorkerError(.invalidRemote, Phrase.text("The folder and its remote must not contain one another."))
    }

    static func remoteOverlapsFolder(_ path: FilePath, with other: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Phrase.text(
                "The remote “{1}” overlaps the synced folder “{2}”. Choose a directory outside it.", Words.path(path),
                Words.path(other)))
    }

    static func remoteOverlapsRemote(_ path: FilePath, of other: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Phrase.text(
                "The remote “{1}” overlaps the remote of the synced folder “{2}”. Choose a directory outside it.",
                Words.path(path), Words.path(other)))
    }

    // MARK: Verifying

    /// - Parameter sentence: The reason, as shown for the folder.
    static func cannotVerify(_ sentence: String) -> WorkerError {
        WorkerError(.failed, Phrase.text("Nothing can be compared. {1}", sentence))
    }

    static var nothingToVerify: WorkerError {
        WorkerError(
            .unknownFolder,
            Phrase.text("No folder is synced, so nothing can be compared. See: roundel add --help"))
    }

    static func notSyncedItem(_ item: ItemURI) -> WorkerError {
        WorkerError(.failed, Phrase.text("“{1}” is not synced. See: roundel ls", Words.path(item.filePath)))
    }

    // MARK: Deletions

    /// The deletions that wait are not those about which the user was asked.
    static func otherDeletions(_ waiting: AskedDeletions) -> WorkerError {
        WorkerError(
            .failed,
            waiting.side == .local
                ? Phrase.counted(
                    waiting.count,
                    one: "Nothing was deleted, because now it is 1 item on this computer. Answer the new question.",
                    other: "Nothing was deleted, because now it is {1} items on this computer. Answer the new question."
                )
                : Phrase.counted(
                    waiting.count,
                    one: "Nothing was deleted, because now it is 1 item on the remote. Answer the new question.",
                    other: "Nothing was deleted, because now it is {1} items on the remote. Answer the new question."))
    }

    // MARK: Moving

    static func anotherFolder(_ path: FilePath) -> WorkerError {
        WorkerError(
            .invalidURI,
            Phrase.text(
                "“{1}” is not the folder that was synced. Add it as a folder of its own instead.", Words.path(path)))
    }

    static func copyOfFolder(_ path: FilePath, of other: FilePath) -> WorkerError {
        WorkerError(
            .invalidURI,
            Phrase.text(
                """
                “{1}” is a copy of “{2}”, which is still there and stays the synced folder. Move or remove that \
                first, or add the copy as a folder of its own.
                """, Words.path(path), Words.path(other)))
    }

    static func staysThere(_ why: String) -> WorkerError {
        WorkerError(.failed, Phrase.text("The folder stays where it was. {1}", why))
    }

    // MARK: Folders

    static func unknownFolder(_ text: String) -> WorkerError {
        WorkerError(.unknownFolder, Phrase.text("“{1}” is not in a synced folder. See: roundel list", Words.name(text)))
    }

    /// The answer to a call that waited for a folder.
    static func removedMeanwhile(_ label: String) -> WorkerError {
        WorkerError(
            .unknownFolder, Phrase.text("“{1}” is no longer synced, because it was removed meanwhile.", label))
    }

    /// The answer to a call that waited for a folder, which is synced at this place now.
    static func movedMeanwhile(_ label: String, to place: ItemURI) -> WorkerError {
        WorkerError(
            .failed,
            Phrase.text(
                "“{1}” was interrupted, because the folder was moved meanwhile. Try again with its place now: {2}",
                label,
                Words.word(place.filePath)))
    }

    /// The answer to a call that waited when the worker ended.
    static var stopping: WorkerError {
        WorkerError(.failed, Phrase.text("The sync worker was stopped meanwhile. Try again."))
    }

    static func paused(_ label: String, at path: FilePath) -> WorkerError {
        WorkerError(
            .folderPaused, Phrase.text("“{1}” is paused. Resume it with: roundel resume {2}", label, Words.word(path)))
    }

    static func notValid(_ id: String) -> WorkerError {
        WorkerError(.failed, Phrase.text("The folder's id “{1}” is not valid.", id))
    }

    static func stateUnusable(_ path: FilePath, because why: String) -> WorkerError {
        WorkerError(.failed, Phrase.text("The state of “{1}” cannot be opened: {2}", Words.path(path), why))
    }

    static func dryRunFailed(_ why: String) -> WorkerError {
        WorkerError(.failed, Phrase.text("The dry run failed: {1}", why))
    }

    // MARK: Settings and patterns

    static func settingsUnreadable(_ path: FilePath, because why: String) -> WorkerError {
        WorkerError(
            .failed,
            Phrase.text(
                "The settings {1} cannot be read ({2}). Fix the file or move it aside, then start again.",
                Words.path(path), why))
    }

    /// - Parameter link: A symbolic link on the way to the settings.
    static func settingsLinkDangles(_ link: FilePath) -> WorkerError {
        WorkerError(
            .failed,
            Phrase.text(
                """
                The settings cannot be read: “{1}” is a symbolic link, and what it leads to is missing. Bring that back, \
                or remove the link, then start again.
                """, Words.path(link)))
    }

    static func settingsNotSaved(_ path: FilePath, because why: String) -> WorkerError {
        WorkerError(
            .failed,
            Phrase.text("The settings {1} cannot be saved: {2}. Check that it is writable.", Words.path(path), why))
    }

    static func noPattern(_ text: String) -> WorkerError {
        WorkerError(.invalidPattern, Phrase.text("“{1}” is not a pattern of gitignore(5).", text))
    }

    static func commentPattern(_ text: String) -> WorkerError {
        WorkerError(
            .invalidPattern,
            Phrase.text(
                """
                “{1}” is not a pattern of gitignore(5). A line that begins with # is a comment; write \\# for a \
                name.
                """, text))
    }

    static func wrongType(_ key: String) -> WorkerError {
        WorkerError(.invalidLimit, Phrase.text("The value of “{1}” is of another type than the interface says.", key))
    }

    static var limitOutOfRange: WorkerError {
        WorkerError(
            .invalidLimit,
            Phrase.text(
                """
                A limit is 0 for none, or at least 20,000 bytes a second, below which servers end connections, and at most \
                1,000,000,000,000.
                """))
    }

    static var noPeriod: WorkerError {
        WorkerError(
            .invalidLimit,
            Phrase.text("Hours begin at 00:00 to 23:59 and end at another time, 00:01 to 24:00."))
    }

    static func noDay(_ word: String) -> WorkerError {
        WorkerError(
            .invalidLimit, Phrase.text("“{1}” is not a day: give mon, tue, wed, thu, fri, sat or sun.", word))
    }

    static var tooManyPeriods: WorkerError {
        WorkerError(
            .invalidLimit, Phrase.text("A folder has limits for 24 different hours at most. Remove some first."))
    }

    /// - Parameter folder: The label of a folder that syncs with a directory.
    static func noNetwork(_ folder: String) -> WorkerError {
        WorkerError(
            .unsupported,
            Phrase.text(
                "“{1}” is synced with a directory, which Roundel does not reach over a network of its own.", folder))
    }

    static func unknownPattern(_ text: String) -> WorkerError {
        WorkerError(.unknownPattern, Phrase.text("The folder has no pattern “{1}”.", text))
    }

    // MARK: Items

    static func unknownChoice(_ text: String) -> WorkerError {
        WorkerError(
            .failed, Phrase.text("A conflict is resolved as mine, theirs or both, not “{1}”.", text))
    }

    static func noConflict(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .noConflict,
            Phrase.text("“{1}” is not in conflict. See: roundel conflicts", Words.path(item.filePath)))
    }

    static func notOnRemote(_ item: ItemURI) -> WorkerError {
        WorkerError(.failed, Phrase.text("“{1}” is not on the remote.", Words.path(item.filePath)))
    }

    static func noPage(_ item: ItemURI) -> WorkerError {
        WorkerError(.failed, Phrase.text("The server has no page of “{1}”.", Words.path(item.filePath)))
    }

    /// - Parameter reason: The server's message for users.
    static func notShared(_ item: ItemURI, because reason: String?) -> WorkerError {
        let path = Words.path(item.filePath)
        return WorkerError(
            .providerFailed,
            reason.map { Phrase.text("The server makes no share link of “{1}”. It says: {2}", path, $0) }
                ?? Phrase.text("The server makes no share link of “{1}”.", path))
    }

    static func folderNotShared(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .providerFailed,
            Phrase.text(
                "“{1}” is a synced folder. Only what is in it can be shared by a link, not all of it.",
                Words.path(item.filePath)))
    }

    static func wrongLinkTakenBack(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .providerFailed,
            Phrase.text(
                "The server made another link than one to read “{1}”. It was removed again, and nothing is shared.",
                Words.path(item.filePath)))
    }

    static func wrongLink(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .providerFailed,
            Phrase.text(
                """
                The server gave another link than one to read “{1}”, and it is still there. Look at your shares on the \
                server's page, and remove it there if you did not mean it.
                """, Words.path(item.filePath)))
    }

    static func notKept(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .notInTrash,
            Phrase.text("There is no kept version of “{1}”. See: roundel trash", Words.path(item.filePath)))
    }

    static func notKept(_ item: ItemURI, unlisted why: String) -> WorkerError {
        WorkerError(
            .notInTrash,
            Phrase.text(
                "Nothing was found of “{1}”, but one side could not be asked: {2}", Words.path(item.filePath), why))
    }

    /// - Parameter path: The path of the folder that is no longer synced.
    static func placeGone(_ side: Side, of path: FilePath) -> WorkerError {
        WorkerError(
            .failed,
            side == .local
                ? Phrase.text(
                    """
                    “{1}” is no longer synced and is missing, or another folder is in its place. Name a directory to \
                    restore to: roundel trash restore --to DIRECTORY PATH
                    """, Words.path(path))
                : Phrase.text(
                    """
                    The remote of “{1}”, which is no longer synced, is missing, or another directory is in its place. \
                    Name a directory to restore to: roundel trash restore --to DIRECTORY PATH
                    """, Words.path(path)))
    }

    static var keepsNothing: WorkerError { WorkerError(.failed, Phrase.text("This folder keeps nothing.")) }

    /// - Parameter done: The number of items that were restored before the failure.
    static func notRestored(_ why: String, done: Int, of all: Int) -> WorkerError {
        if done == 0 { return WorkerError(.failed, why) }
        return WorkerError(
            .failed,
            Phrase.counted(
                done, one: "1 of {2} items was restored. {3}", other: "{1} of {2} items were restored. {3}", "\(all)",
                why))
    }
}

/// The texts for actions of a menu or notification that do not work.
extension RoundelError {
    static var notSynced: RoundelError {
        RoundelError(.providerFailed, Phrase.text("The folder is no longer synced."))
    }

    static func noAction(_ item: String) -> RoundelError {
        RoundelError(.unknownItem, Phrase.text("There is no action “{1}”.", item))
    }

    static var alreadyResolved: RoundelError {
        RoundelError(.providerFailed, Phrase.text("The conflict is already resolved."))
    }

    static func paused(_ label: String) -> RoundelError {
        RoundelError(.providerFailed, Phrase.text("“{1}” is paused; resume it first.", label))
    }
}

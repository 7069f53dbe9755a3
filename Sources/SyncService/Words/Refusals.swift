internal import RoundelBus
internal import SyncCore
internal import SystemPackage

/// Why a call is refused, in words: what, which path, what to do.
extension WorkerError {
    // MARK: Places

    static func noFolderURI(_ text: String, _ reason: String) -> WorkerError {
        WorkerError(.invalidURI, Words.say("“%1$s” is not the URI of a folder: %2$s.", text, reason))
    }

    static func noDirectoryURI(_ text: String, _ reason: String) -> WorkerError {
        WorkerError(.invalidRemote, Words.say("“%1$s” is not the URI of a directory: %2$s.", text, reason))
    }

    static func noRemote(_ text: String) -> WorkerError {
        WorkerError(.invalidRemote, Words.say("“%1$s” is not a remote; use a directory, /dir or file:///dir.", text))
    }

    static var noWebDAV: WorkerError {
        WorkerError(
            .unsupportedRemote,
            Words.say("WebDAV remotes are not part of this release; use a directory, /dir or file:///dir."))
    }

    static var noRclone: WorkerError {
        WorkerError(
            .unsupportedRemote,
            Words.say("rclone remotes are not part of this release; use a directory, /dir or file:///dir."))
    }

    static var noOnDemand: WorkerError {
        WorkerError(
            .unsupported, Words.say("On-demand folders are not part of this release; leave the option out."))
    }

    static var noUploadOnly: WorkerError {
        WorkerError(
            .unsupported, Words.say("Upload-only folders are not part of this release; leave the option out."))
    }

    static func folderUnusable(_ path: FilePath, _ error: Errno) -> WorkerError {
        WorkerError(
            .notADirectory,
            Words.say("The folder “%1$s” cannot be used: %2$s. Create it first.", Words.path(path), "\(error)"))
    }

    static func remoteUnusable(_ path: FilePath, _ error: Errno) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Words.say("The remote “%1$s” cannot be used: %2$s. Create it first.", Words.path(path), "\(error)"))
    }

    static func folderNoDirectory(_ path: FilePath) -> WorkerError {
        WorkerError(
            .notADirectory,
            Words.say(
                "The folder “%1$s” is not a directory, or is a symbolic link; name the directory itself.",
                Words.path(path)))
    }

    static func remoteNoDirectory(_ path: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Words.say(
                "The remote “%1$s” is not a directory, or is a symbolic link; name the directory itself.",
                Words.path(path)))
    }

    static func noAnswer(_ path: FilePath?) -> WorkerError {
        WorkerError(
            .failed,
            path.map { path in
                Words.say(
                    "“%1$s” does not answer. Check its disk or connection, or unmount it, then try again.",
                    Words.path(path))
            }
                ?? Words.say(
                    "A synced folder does not answer. Check its disk or connection, or unmount it, then try again."))
    }

    static var tooMuchWaits: WorkerError {
        WorkerError(.failed, Words.say("Too much waits for a file system that does not answer. Try again later."))
    }

    // MARK: Overlaps

    static func alreadySynced(_ path: FilePath) -> WorkerError {
        WorkerError(.folderTaken, Words.say("“%1$s” is already synced.", Words.path(path)))
    }

    static func overlapsFolder(_ path: FilePath, _ other: FilePath) -> WorkerError {
        WorkerError(
            .folderTaken,
            path.starts(with: other)
                ? Words.say("“%1$s” is already synced (as part of “%2$s”).", Words.path(path), Words.path(other))
                : Words.say("“%1$s” overlaps the synced folder “%2$s”.", Words.path(path), Words.path(other)))
    }

    static func overlapsRemote(_ path: FilePath, of other: FilePath) -> WorkerError {
        WorkerError(
            .folderTaken,
            Words.say(
                "“%1$s” overlaps the remote of the synced folder “%2$s”. Choose a directory outside it.",
                Words.path(path), Words.path(other)))
    }

    static var remoteHoldsFolder: WorkerError {
        WorkerError(.invalidRemote, Words.say("The folder and its remote must not contain one another."))
    }

    static func remoteOverlapsFolder(_ path: FilePath, _ other: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Words.say(
                "The remote “%1$s” overlaps the synced folder “%2$s”. Choose a directory outside it.",
                Words.path(path), Words.path(other)))
    }

    static func remoteOverlapsRemote(_ path: FilePath, of other: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            Words.say(
                "The remote “%1$s” overlaps the remote of the synced folder “%2$s”. Choose a directory outside it.",
                Words.path(path), Words.path(other)))
    }

    // MARK: Moving

    static func anotherFolder(_ path: FilePath) -> WorkerError {
        WorkerError(
            .invalidURI,
            Words.say(
                "“%1$s” is not the folder that was synced. Add it as a folder of its own instead.", Words.path(path)))
    }

    static func copyOfFolder(_ path: FilePath, _ other: FilePath) -> WorkerError {
        WorkerError(
            .invalidURI,
            Words.say(
                "“%1$s” is a copy of “%2$s”, which is still there and stays the synced folder. Move or remove that "
                    + "first, or add the copy as a folder of its own.", Words.path(path), Words.path(other)))
    }

    static func staysThere(_ why: String) -> WorkerError {
        WorkerError(.failed, Words.say("The folder stays where it was. %1$s", why))
    }

    // MARK: Folders

    static func unknownFolder(_ text: String) -> WorkerError {
        WorkerError(.unknownFolder, Words.say("“%1$s” is not in a synced folder. See: roundel list", Words.name(text)))
    }

    static func paused(_ label: String, _ path: FilePath) -> WorkerError {
        WorkerError(
            .folderPaused, Words.say("“%1$s” is paused. Resume it with: roundel resume %2$s", label, Words.word(path)))
    }

    static func notValid(_ id: String) -> WorkerError {
        WorkerError(.failed, Words.say("The folder's id “%1$s” is not valid.", id))
    }

    static func stateUnusable(_ path: FilePath, _ why: String) -> WorkerError {
        WorkerError(.failed, Words.say("The state of “%1$s” cannot be opened: %2$s", Words.path(path), why))
    }

    static func dryRunFailed(_ why: String) -> WorkerError {
        WorkerError(.failed, Words.say("The dry run failed: %1$s", why))
    }

    // MARK: Settings and patterns

    static func settingsUnreadable(_ path: FilePath, _ why: String) -> WorkerError {
        WorkerError(
            .failed,
            Words.say(
                "The settings %1$s cannot be read (%2$s). Fix the file or move it aside, then start again.",
                Words.path(path), why))
    }

    static func settingsNotSaved(_ path: FilePath, _ why: String) -> WorkerError {
        WorkerError(
            .failed,
            Words.say(
                "The settings %1$s cannot be saved: %2$s. Check that it is writable.", Words.path(path), why))
    }

    static func noPattern(_ text: String) -> WorkerError {
        WorkerError(.invalidPattern, Words.say("“%1$s” is not a pattern of gitignore(5).", text))
    }

    static func commentPattern(_ text: String) -> WorkerError {
        WorkerError(
            .invalidPattern,
            Words.say(
                "“%1$s” is not a pattern of gitignore(5). A line that begins with # is a comment; write \\# for a name.",
                text))
    }

    static func unknownPattern(_ text: String) -> WorkerError {
        WorkerError(.unknownPattern, Words.say("The folder has no pattern “%1$s”.", text))
    }

    // MARK: Items

    static func unknownChoice(_ text: String) -> WorkerError {
        WorkerError(
            .failed, Words.say("A conflict is resolved as mine, theirs or both, not “%1$s”.", text))
    }

    static func noConflict(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .noConflict,
            Words.say("“%1$s” is not in conflict. See: roundel conflicts", Words.path(item.filePath)))
    }

    static func notOnRemote(_ item: ItemURI) -> WorkerError {
        WorkerError(.failed, Words.say("“%1$s” is not on the remote.", Words.path(item.filePath)))
    }

    static func notKept(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .notInTrash,
            Words.say("There is no kept version of “%1$s”. See: roundel trash", Words.path(item.filePath)))
    }

    static func notKept(_ item: ItemURI, unlisted why: String) -> WorkerError {
        WorkerError(
            .notInTrash,
            Words.say(
                "Nothing was found of “%1$s”, but one side could not be asked: %2$s", Words.path(item.filePath), why))
    }

    static var keepsNothing: WorkerError { WorkerError(.failed, Words.say("This folder keeps nothing.")) }

    /// - Parameter done: items of all that were put back before.
    static func notRestored(_ why: String, done: Int, of all: Int) -> WorkerError {
        if done == 0 { return WorkerError(.failed, why) }
        return WorkerError(
            .failed,
            Words.say(
                "1 of %2$s items was restored. %3$s", "%1$s of %2$s items were restored. %3$s", done, "\(done)",
                "\(all)",
                why))
    }
}

/// Why an action of a menu or notification does not work, in words.
extension RoundelError {
    static var notSynced: RoundelError {
        RoundelError(.providerFailed, Words.say("The folder is no longer synced."))
    }

    static func noAction(_ item: String) -> RoundelError {
        RoundelError(.unknownItem, Words.say("There is no action “%1$s”.", item))
    }

    static var alreadyResolved: RoundelError {
        RoundelError(.providerFailed, Words.say("The conflict is already resolved."))
    }

    static func paused(_ label: String) -> RoundelError {
        RoundelError(.providerFailed, Words.say("“%1$s” is paused; resume it first.", label))
    }
}

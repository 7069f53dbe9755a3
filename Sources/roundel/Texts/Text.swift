import RoundelBus
import Support

/// All sentences that this program shows, grouped by topic. Sentences are never put together from parts.
///
/// Paths, names and messages of services are arguments; they are escaped for the terminal where they are printed.
enum Text {
    static var emptyPath: String { Phrase.text("A path must not be empty.") }

    static func unusablePath(_ path: String, because reason: ItemURIError) -> String {
        Phrase.text("“{1}” cannot be used: {2}.", path, self.reason(reason))
    }

    static func unusableURI(_ uri: String, because reason: ItemURIError) -> String {
        Phrase.text("“{1}” is not the URI of an item: {2}.", uri, self.reason(reason))
    }

    private static func reason(_ error: ItemURIError) -> String {
        switch error {
        case .notAbsolute: Phrase.text("it is not an absolute file:// URI")
        case .foreignScheme: Phrase.text("its scheme is not file")
        case .foreignHost: Phrase.text("it names another computer")
        case .dotSegment: Phrase.text("it contains a segment that is . or ..")
        case .encodedSlash: Phrase.text("it contains a slash inside a name")
        case .nulByte: Phrase.text("it contains a NUL byte")
        case .badEscape: Phrase.text("it contains a % that is not followed by two hexadecimal digits")
        case .query: Phrase.text("it contains a query; write ? as %3F")
        case .fragment: Phrase.text("it contains a fragment; write # as %23")
        case .tooLong: Phrase.text("its path has 4,096 bytes or more")
        case .nameTooLong: Phrase.text("it has more than {1} bytes", "\(ItemName.limit)")
        case .emptyName: Phrase.text("it is empty")
        }
    }

    static func notARemote(_ text: String) -> String {
        Phrase.text(
            """
            “{1}” is not a remote: give a directory, as /path or file:///path, or webdav+https://HOST/PATH for a server, or \
            rclone:NAME:PATH.
            """, text)
    }

    static func cannotList(_ path: String, because code: Int32) -> String {
        Phrase.text("“{1}” cannot be listed: {2}.", path, SystemError.description(of: code))
    }

    static func cannotRead(_ path: String, because code: Int32) -> String {
        Phrase.text("“{1}” cannot be read: {2}.", path, SystemError.description(of: code))
    }

    static func items(_ count: Int) -> String { Phrase.counted(count, one: "1 item", other: "{1} items") }
    static func folders(_ count: Int) -> String { Phrase.counted(count, one: "1 folder", other: "{1} folders") }

    /// A size below 1,000 bytes.
    static func bytes(_ count: UInt64) -> String { Phrase.counted(count, one: "1 byte", other: "{1} bytes") }
}

// MARK: - Services

extension Text {
    static var busClosed: String { Phrase.text("The session bus closed the connection.") }

    static func notStartable(isWorker: Bool) -> String {
        isWorker
            ? Phrase.text(
                """
                The sync worker ({1}) does not run, and the bus does not know how to start it. Is Roundel installed? \
                Start it by hand with: roundel-worker &
                """, Names.worker)
            : Phrase.text(
                """
                The badge service ({1}) does not run, and the bus does not know how to start it. Is Roundel installed? \
                Start it by hand with: roundeld &
                """, Names.service)
    }

    static func late(isWorker: Bool, _ reason: String) -> String {
        isWorker
            ? Phrase.text(
                "The sync worker ({1}) did not answer in time: {2}. See: roundel doctor", Names.worker, reason)
            : Phrase.text(
                "The badge service ({1}) did not answer in time: {2}. See: roundel doctor", Names.service, reason)
    }

    static func notStarted(isWorker: Bool, _ reason: String) -> String {
        isWorker
            ? Phrase.text(
                "The sync worker ({1}) could not be started: {2}. See: systemctl --user status roundel-worker",
                Names.worker, reason)
            : Phrase.text(
                "The badge service ({1}) could not be started: {2}. See: systemctl --user status roundeld",
                Names.service, reason)
    }

    static var otherVersion: String {
        Phrase.text(
            """
            The service that runs cannot do this; it may be of another version than this command. \
            If it was updated, restart it: systemctl --user restart roundeld roundel-worker
            """)
    }
}

// MARK: - Sync engines

extension Text {
    /// What an engine does not do, by the interface that it does not offer.
    static func notOffered(_ interface: EngineInterface, by engine: String) -> String {
        switch interface {
        case .folders: Phrase.text("{1} only shows badges: its folders are managed in its own program.", engine)
        case .conflicts: Phrase.text("{1} does not report conflicts.", engine)
        case .trash: Phrase.text("{1} does not keep deleted or replaced files.", engine)
        case .network: Phrase.text("{1} has no settings for its use of the network.", engine)
        case .accounts: Phrase.text("{1} does not log in through Roundel.", engine)
        case .verification: Phrase.text("{1} cannot compare both sides of its folders.", engine)
        }
    }

    static func engineCannot(_ engine: String) -> String { Phrase.text("{1} cannot do this.", engine) }

    static func engineSilent(_ engine: String) -> String {
        Phrase.text("{1} does not run or does not answer. See: roundel providers", engine)
    }
}

// MARK: - Folders and their state

extension Text {
    static var noFolders: String {
        Phrase.text("No folder is synced. Add one with: roundel add PATH REMOTE")
    }

    static var noService: String {
        Phrase.text("The badge service is not running, so folders are scanned once a minute.")
    }

    static var silentProvider: String { Phrase.text("The provider has not said anything yet.") }

    static func amount(_ done: String, of total: String) -> String { Phrase.text("{1} of {2}", done, total) }

    /// - Parameters:
    ///   - rate: The amount transferred per second.
    ///   - time: The remaining time.
    static func pace(_ rate: String, _ time: String?) -> String {
        time.map { Phrase.text("{1}/s, about {2} left", rate, $0) } ?? Phrase.text("{1}/s", rate)
    }

    static func seconds(_ count: UInt64) -> String { Phrase.counted(count, one: "1 second", other: "{1} seconds") }
    static func minutes(_ count: UInt64) -> String { Phrase.counted(count, one: "1 minute", other: "{1} minutes") }
    static func hours(_ count: UInt64) -> String { Phrase.counted(count, one: "1 hour", other: "{1} hours") }
    static func days(_ count: UInt64) -> String { Phrase.counted(count, one: "1 day", other: "{1} days") }

    static func conflicts(_ count: UInt64) -> String {
        Phrase.counted(
            count, one: "1 conflict. See: roundel conflicts", other: "{1} conflicts. See: roundel conflicts")
    }

    static func failedItems(_ count: UInt64) -> String {
        Phrase.counted(count, one: "1 item could not be synced.", other: "{1} items could not be synced.")
    }

    static func moreTransfers(_ count: Int) -> String {
        Phrase.counted(count, one: "and 1 more", other: "and {1} more")
    }

    static func notInFolder(_ path: String) -> String {
        Phrase.text("“{1}” is not in a synced folder. See: roundel list", path)
    }

    static func notAFolder(_ path: String) -> String {
        Phrase.text("“{1}” is not a synced folder. See: roundel list", path)
    }

    static func added(_ path: String, with remote: String) -> String {
        Phrase.text("{1} now syncs with {2}. The first sync is running; see: roundel status --watch", path, remote)
    }

    /// What the user can do about a need.
    /// - Parameters:
    ///   - path: The folder as a word of a shell command; nil if it is not known which one.
    ///   - deletions: How many deletions wait for confirmation, if known.
    static func advice(_ need: FolderNeed, _ path: String?, deletions: UInt64?) -> String {
        let word = path ?? "PATH"
        switch need {
        case .confirmDeletes: return confirmation(word, deletions)
        case .rootMissing:
            return Phrase.text(
                "The folder is missing. Restore or mount it, or, if you moved it: roundel relocate {1} NEW", word)
        case .rootReplaced:
            return Phrase.text(
                """
                The folder is not known to be the one that was synced. Bring the right one back, or say that it is the \
                same: roundel sync --same-root {1}. To unite it with the remote and delete nothing: roundel sync --unite {1}
                """, word)
        case .remoteMissing:
            return Phrase.text("The remote directory is missing. Is the share mounted, or is it gone from the server?")
        case .remoteReplaced:
            return Phrase.text(
                """
                The remote is not known to be the one that was synced. Bring the right one back, or say that it is the \
                same: roundel sync --same-root {1}. To unite it with the folder and delete nothing: roundel sync --unite {1}
                """, word)
        case .remoteRestored:
            return Phrase.text(
                """
                The remote looks restored from a backup. To keep both versions of what differs: \
                roundel sync --unite {1}. To take the remote's: roundel sync --accept-remote {1}
                """, word)
        case .login: return Phrase.text("Log in: roundel login {1}", word)
        case .server: return Phrase.text("Check your network and the address: roundel list")
        case .diskFull:
            return Phrase.text(
                "No space is left on this computer or on the remote. Free some space; syncing goes on by itself.")
        case .conflicts:
            return path.map { Phrase.text("Choose what to keep: roundel conflicts {1}", $0) }
                ?? Phrase.text("Choose what to keep: roundel conflicts")
        case .errors: return Phrase.text("Some items could not be synced. See: roundel activity")
        }
    }

    /// What to do about a remote that was restored, after a sentence that says so.
    static func chooseAfterRestore(_ word: String) -> String {
        Phrase.text(
            """
            To keep both versions of what differs: roundel sync --unite {1}. To take the remote's: \
            roundel sync --accept-remote {1}
            """, word)
    }

    static var seeActivity: String { Phrase.text("See: roundel activity") }

    private static func confirmation(_ word: String, _ deletions: UInt64?) -> String {
        guard let deletions else {
            return Phrase.text(
                """
                Many deletions need your confirmation. To delete: roundel sync --confirm-deletes {1}. To restore the \
                items: roundel sync --restore-deleted {1}
                """, word)
        }
        return Phrase.counted(
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

    /// The text for a need that only a later version knows.
    static func unknownNeed(_ word: String) -> String { Phrase.text("It needs you: {1}", word) }
}

// MARK: - Runs

extension Text {
    static var unfinishedRun: String {
        Phrase.text("The sync is not finished yet; it goes on. See: roundel status")
    }

    static var busClosedDuringRun: String {
        Phrase.text("The session bus closed the connection before the sync was finished.")
    }

    static func uploaded(_ count: UInt64) -> String { Phrase.counted(count, one: "1 uploaded", other: "{1} uploaded") }
    static func downloaded(_ count: UInt64) -> String {
        Phrase.counted(count, one: "1 downloaded", other: "{1} downloaded")
    }
    static func moved(_ count: UInt64) -> String { Phrase.counted(count, one: "1 moved", other: "{1} moved") }
    static func withPermissions(_ count: UInt64) -> String {
        Phrase.counted(count, one: "permissions of 1 item changed", other: "permissions of {1} items changed")
    }
    static func deletedLocally(_ count: UInt64) -> String {
        Phrase.counted(count, one: "1 deleted on this computer", other: "{1} deleted on this computer")
    }
    static func deletedRemotely(_ count: UInt64) -> String {
        Phrase.counted(count, one: "1 deleted on the remote", other: "{1} deleted on the remote")
    }
    static func inConflict(_ count: UInt64) -> String {
        Phrase.counted(count, one: "1 conflict", other: "{1} conflicts")
    }
    static func failed(_ count: UInt64) -> String { Phrase.counted(count, one: "1 failed", other: "{1} failed") }

    /// What a run did: one phrase for each kind of work.
    static func work(_ phrases: [String]) -> String { Phrase.text("{1}.", phrases.joined(separator: ", ")) }
    /// The same after the state in words.
    static func work(_ phrases: [String], state: String) -> String {
        Phrase.text("{1}: {2}.", state, phrases.joined(separator: ", "))
    }
    static func nothingToDo(state: String) -> String { Phrase.text("{1}: nothing to do.", state) }
    static func nothingDone(state: String) -> String { Phrase.text("{1}: nothing was done.", state) }
    static var nothingToRehearse: String { Phrase.text("There is nothing to do.") }
    static func rehearsed(_ phrases: [String]) -> String {
        Phrase.text("Would be: {1}.", phrases.joined(separator: ", "))
    }

    static var nothingSyncedAsPaused: String { Phrase.text("Nothing was synced: syncing is paused.") }

    /// Why a run did nothing.
    static func nothingSynced(_ need: FolderNeed?) -> String {
        switch need {
        case .confirmDeletes: Phrase.text("Nothing was synced: deletions need your confirmation.")
        case .rootMissing: Phrase.text("Nothing was synced: the folder is missing.")
        case .rootReplaced: Phrase.text("Nothing was synced: another directory has the folder's place.")
        case .remoteMissing: Phrase.text("Nothing was synced: the remote is missing.")
        case .remoteReplaced: Phrase.text("Nothing was synced: another directory has the remote's place.")
        case .remoteRestored: Phrase.text("Nothing was synced: the remote looks restored from a backup.")
        case .login: Phrase.text("Nothing was synced: the server wants you to log in.")
        case .server: Phrase.text("Nothing was synced: the server cannot be reached or used.")
        case .diskFull: Phrase.text("Nothing was synced: no space is left.")
        case .conflicts, .errors, nil: Phrase.text("Nothing was synced. See: roundel status")
        }
    }

    /// An item that still waits, and why.
    static func waiting(_ path: String, _ reason: String) -> String { Phrase.text("“{1}” waits: {2}", path, reason) }
}

// MARK: - Verifying

extension Text {
    static func finding(_ finding: WireWord<SyncVerification.Finding>) -> String {
        switch finding.known {
        case .different: Phrase.text("different")
        case .missingLocal: Phrase.text("missing on this computer")
        case .missingRemote: Phrase.text("missing on the remote")
        case .unreadable: Phrase.text("cannot be read")
        case nil: finding.text
        }
    }

    static func comparing(_ files: UInt64, _ bytes: String) -> String {
        Phrase.counted(files, one: "Comparing: 1 file, {2}", other: "Comparing: {1} files, {2}", bytes)
    }

    static func equal(_ files: UInt64, _ bytes: String) -> String {
        Phrase.counted(
            files, one: "Nothing differs: 1 file ({2}) is equal on both sides.",
            other: "Nothing differs: {1} files ({2}) are equal on both sides.", bytes)
    }

    static func unequal(_ items: UInt64, equal files: UInt64) -> String {
        Phrase.counted(
            items, one: "1 item is not the same on both sides; equal files: {2}.",
            other: "{1} items are not the same on both sides; equal files: {2}.", "\(files)")
    }

    static func moreDifferences(_ count: UInt64) -> String {
        Phrase.counted(count, one: "and 1 more", other: "and {1} more")
    }

    static func notCompared(_ count: UInt64) -> String {
        Phrase.counted(
            count, one: "1 item was not compared: it is changing or not synced yet.",
            other: "{1} items were not compared: they are changing or not synced yet.")
    }
}

// MARK: - Conflicts and what is kept

extension Text {
    static var noConflicts: String { Phrase.text("There are no conflicts.") }

    static func decisionWaits(_ path: String) -> String {
        Phrase.text("“{1}” is resolved when its folder can be synced again. See: roundel status", path)
    }

    /// The kind of conflict; nil for one that only a later version knows.
    static func conflict(_ kind: SyncConflict.Kind?) -> String? {
        switch kind {
        case .edits: Phrase.text("changed on both sides")
        case .type: Phrase.text("a file on one side, a directory on the other")
        case nil: nil
        }
    }

    static var remoteVersion: String { Phrase.text("remote") }
    static var localVersion: String { Phrase.text("this computer") }
    static func changed(_ time: String) -> String { Phrase.text("changed {1}", time) }

    static func partlyListed(_ path: String) -> String {
        Phrase.text("Not everything kept for “{1}” is listed: one of its sides does not answer.", path)
    }

    static var nothingKept: String { Phrase.text("There is nothing to restore.") }

    /// Where a version is kept, if that needs to be mentioned.
    static func kept(onRemote: Bool, ofRemoved: Bool) -> String {
        switch (onRemote, ofRemoved) {
        case (false, false): ""
        case (true, false): Phrase.text("on the remote")
        case (false, true): Phrase.text("folder removed")
        case (true, true): Phrase.text("on the remote, folder removed")
        }
    }

    static func restored(_ count: UInt32, at path: String, comesFromRemote: Bool) -> String {
        comesFromRemote
            ? Phrase.counted(
                count, one: "Restored on the remote: {2}. It comes to this computer with the next sync.",
                other: "Restored on the remote: {1} items of {2}. They come to this computer with the next sync.", path)
            : Phrase.counted(count, one: "Restored as {2}.", other: "Restored {1} items of {2}.", path)
    }

    static func restoring(_ done: UInt64, of total: UInt64) -> String {
        Phrase.text("Restoring: {1} of {2}", "\(done)", "\(total)")
    }

    static func nothingSince(_ time: String) -> String {
        Phrase.text("Nothing is kept that was replaced or deleted since {1}.", time)
    }

    static func restoredItems(_ count: UInt64) -> String {
        Phrase.counted(count, one: "1 item was restored.", other: "{1} items were restored.")
    }

    static func restoredBeside(_ count: UInt64) -> String {
        Phrase.counted(
            count, one: "1 of them is beside what has its name now, with “(restored)” in its own.",
            other: "{1} of them are beside what has their names now, with “(restored)” in their own.")
    }

    static func notRestored(_ count: UInt64) -> String {
        Phrase.counted(count, one: "1 item could not be restored.", other: "{1} items could not be restored.")
    }

    static func deleted(_ count: UInt64, _ bytes: String) -> String {
        Phrase.counted(
            count, one: "1 kept version ({2}) was deleted.", other: "{1} kept versions ({2}) were deleted.", bytes)
    }

    static func inDesktopTrash(_ count: UInt64) -> String {
        Phrase.counted(
            count, one: "1 item is in the desktop's trash; empty that to delete it.",
            other: "{1} items are in the desktop's trash; empty that to delete them.")
    }

    static func partlyDeleted(_ path: String) -> String {
        Phrase.text("Not everything kept of “{1}” was deleted: one of its sides does not answer.", path)
    }

    static func removed(_ path: String) -> String {
        Phrase.text("{1} is no longer synced. Its files stay, here and on the remote.", path)
    }

    /// - Parameter word: The folder as a word of a shell command.
    static func keptOfRemoved(_ count: UInt64, _ bytes: String, word: String) -> String {
        Phrase.counted(
            count,
            one: """
                1 replaced or deleted version ({2}) is kept for up to 30 days. To list it: roundel trash. To restore it: \
                roundel trash restore PATH. To delete it now: roundel trash delete {3}
                """,
            other: """
                {1} replaced or deleted versions ({2}) are kept for up to 30 days. To list them: roundel trash. To restore \
                one: roundel trash restore PATH. To delete them now: roundel trash delete {3}
                """, bytes, word)
    }

    static func notCounted(_ path: String) -> String {
        Phrase.text("One side of “{1}” does not answer; what it keeps is not counted.", path)
    }
}

// MARK: - Menus and providers

extension Text {
    static func unknownMenuKind(_ word: String) -> String {
        Phrase.text("Unknown menu kind “{1}”; use items, container, sidebar or toolbar.", word)
    }

    static var noMenu: String { Phrase.text("There is no menu for this.") }
    static func disabled(_ label: String) -> String { Phrase.text("{1} (disabled)", label) }
    static var menuNeedsPath: String { Phrase.text("A menu of items needs at least one PATH.") }
    static var menuNeedsOnePath: String { Phrase.text("A menu of this kind is for one PATH.") }

    static func disabledAction(_ label: String, id: String) -> String {
        Phrase.text("“{1}” ({2}) cannot be chosen at the moment.", label, id)
    }

    static func unknownAction(_ id: String) -> String {
        Phrase.text("No menu for this has an item {1}. See: roundel menu items PATH", id)
    }

    static var serviceLeftAction: String {
        Phrase.text("The badge service went away before the action was finished.")
    }

    static var cancelled: String { Phrase.text("The action was cancelled.") }
    static var actionFailed: String { Phrase.text("The action failed.") }

    static var noProviders: String { Phrase.text("No provider is known. See: roundel doctor") }

    /// A line below the list, with the command that gives consent.
    static func waits(_ waiting: ProviderSummary.Waiting, of provider: ProviderSummary) -> String {
        let folder = waiting.folder
        let command = "roundel providers allow \(provider.id) \(WorkerPath.shellWord(folder.uri))"
        return folder.isBelow(waiting.other)
            ? Phrase.text(
                "{1} waits in {2}, which is inside {3} of {4}. Allow it: {5}", provider.id.rawValue,
                folder.sentencePath, waiting.other.sentencePath, waiting.provider.rawValue, command)
            : Phrase.text(
                "{1} waits in {2}, which contains {3} of {4}. Allow it: {5}", provider.id.rawValue,
                folder.sentencePath, waiting.other.sentencePath, waiting.provider.rawValue, command)
    }

    static func nothingWaits(_ provider: String) -> String {
        Phrase.text("No folder of “{1}” waits to be allowed. See: roundel providers", provider)
    }

    static func allowed(_ provider: String, in folder: ItemURI) -> String {
        Phrase.text("“{1}” shows its badges in {2}.", provider, folder.sentencePath)
    }

    static func state(of provider: ProviderSummary) -> String {
        !provider.enabled
            ? Phrase.text("disabled") : provider.running ? Phrase.text("running") : Phrase.text("not running")
    }
}

// MARK: - Options

extension Text {
    static var removeNeedsPattern: String { Phrase.text("--remove needs a pattern.") }
    static var patternIsURI: String {
        Phrase.text("A pattern is no URI: write a path below the folder, such as /Music/*.flac.")
    }
    static var watchExcludesAttributes: String { Phrase.text("--watch and --attributes do not go together.") }
    static var uniteExcludesSame: String { Phrase.text("--unite and --same-root exclude each other.") }
    static var uniteExcludesAccept: String { Phrase.text("--unite and --accept-remote exclude each other.") }
    static var confirmExcludesRestore: String {
        Phrase.text("--confirm-deletes and --restore-deleted exclude each other.")
    }
    static var allNeedsSince: String { Phrase.text("--all and --since go together.") }
    static var restoreNeedsPath: String { Phrase.text("Give a PATH, or --all with --since.") }
    static func notAMoment(_ text: String) -> String {
        Phrase.text(
            "“{1}” is not a moment in the past: write 2h, 3d, 2026-11-20 or “2026-11-20 14:00”.", text)
    }
    static var timeoutNeedsWait: String { Phrase.text("--timeout needs --wait.") }
    static var badTimeout: String { Phrase.text("--timeout needs a number of seconds above 0, at most 1000000.") }
    static var badLimit: String { Phrase.text("-n needs a number above 0.") }

    static func unknownChoice(_ word: String) -> String {
        Phrase.text("A conflict is resolved as mine, theirs or both, not “{1}”.", word)
    }

    static func onlyFileManagers(_ names: [String]) -> String {
        Phrase.text("These only: {1}.", names.joined(separator: ", "))
    }
}

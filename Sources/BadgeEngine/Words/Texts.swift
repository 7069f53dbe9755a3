package import RoundelBus
internal import Support

/// Every text of the badge service for users: whole sentences with numbered placeholders, none assembled from pieces.
package enum Texts {}

// MARK: Folders

extension Texts {
    /// The state of a folder, if its provider reports no text.
    package static func words(for state: FolderState) -> String {
        switch state {
        case .unknown: Phrase.text("Not running")
        case .idle: Phrase.text("Up to date")
        case .syncing: Phrase.text("Syncing")
        case .attention: Phrase.text("Needs your attention")
        case .error: Phrase.text("Something went wrong")
        case .paused: Phrase.text("Paused")
        }
    }

    /// The state of a folder and its progress.
    package static func progress(_ state: String, percent: Int) -> String {
        Phrase.text("{1}, {2} %", state, "\(percent)")
    }

    /// A progress.
    package static func percent(_ percent: Int) -> String { Phrase.text("{1} %", "\(percent)") }

    /// A folder and its state, in one line.
    package static func line(folder: String, state: String) -> String { Phrase.text("{1}: {2}", folder, state) }

    /// The last line of a truncated list.
    package static func more(_ count: Int) -> String {
        Phrase.counted(count, one: "and {1} more", other: "and {1} more")
    }
}

// MARK: The tray

extension Texts {
    /// A sentence about all folders, with the name of the program that reports it.
    package static func said(by program: String, _ sentence: String) -> String {
        Phrase.text("{1} \u{2013} {2}", program, sentence)
    }

    package static var noFolder: String { Phrase.text("No folder is synced yet") }
    package static var nothingSyncs: String { Phrase.text("No sync program is running") }
    package static var paused: String { Phrase.text("Syncing is paused") }
    package static var upToDate: String { Phrase.text("Everything is up to date") }

    /// All folders that sync are up to date; this many others do not sync.
    package static func upToDate(except others: Int) -> String {
        Phrase.counted(
            others, one: "Up to date; {1} folder is not syncing", other: "Up to date; {1} folders are not syncing")
    }

    /// One folder syncs.
    package static func syncing(_ folder: String, percent: Int?) -> String {
        guard let percent else { return Phrase.text("Syncing {1}", folder) }
        return Phrase.text("Syncing {1}, {2} %", folder, "\(percent)")
    }

    /// Several folders sync.
    package static func syncing(_ folders: Int, percent: Int?) -> String {
        guard let percent else {
            return Phrase.counted(folders, one: "Syncing {1} folder", other: "Syncing {1} folders")
        }
        return Phrase.counted(
            folders, one: "Syncing {1} folder, {2} %", other: "Syncing {1} folders, {2} %", "\(percent)")
    }

    /// Several folders need the user.
    package static func needAttention(_ folders: Int) -> String {
        Phrase.counted(folders, one: "{1} folder needs your attention", other: "{1} folders need your attention")
    }

    /// Several folders have errors.
    package static func haveErrors(_ folders: Int) -> String {
        Phrase.counted(folders, one: "{1} folder has errors", other: "{1} folders have errors")
    }
}

// MARK: Notifications

extension Texts {
    /// The title of one notification for several folders.
    package static func needYou(_ folders: Int) -> String {
        Phrase.counted(folders, one: "A synced folder needs you", other: "{1} synced folders need you")
    }

    /// The title if one action failed; it may have no name.
    package static func actionFailed(_ label: String) -> String {
        label.isEmpty ? Phrase.text("An action failed") : Phrase.text("“{1}” failed", label)
    }

    /// The title if several actions failed.
    package static func actionsFailed(_ count: Int) -> String {
        Phrase.counted(count, one: "{1} action failed", other: "{1} actions failed")
    }

    /// One of several actions that failed, with the reason.
    package static func failure(_ label: String, because reason: String) -> String {
        Phrase.text("{1}: {2}", label, reason)
    }
}

// MARK: Folders that wait for consent

extension Texts {
    /// The title of the notification that asks, and the item of the tray's menu that consents.
    package static func allow(_ provider: String, in folder: String) -> String {
        Phrase.text("Allow “{1}” to show badges in {2}", provider, folder)
    }

    /// Why it asks: which folder contains the new one, or is inside it.
    package static func reason(_ folder: String, isInside: Bool, _ other: String, of provider: String) -> String {
        isInside
            ? Phrase.text("{1} is inside {2}, where “{3}” shows badges now.", folder, other, provider)
            : Phrase.text("{1} contains {2}, where “{3}” shows badges and goes on doing so.", folder, other, provider)
    }

    /// The button of the notification.
    package static var allow: String { Phrase.text("Allow") }
}

// MARK: Providers

extension Texts {
    static var endedUnexpectedly: String { Phrase.text("It ended unexpectedly.") }
    static var answeredWrongly: String { Phrase.text("It answered with the wrong type or length.") }

    /// A provider ended before it finished an action.
    static func endedBeforeFinished(_ provider: ProviderID) -> String {
        Phrase.text("The provider {1} ended before the action was finished.", provider.rawValue)
    }

    /// The error of a provider that could not be started, in the list of providers.
    package static func notStarted(_ reason: String) -> String { Phrase.text("It could not be started: {1}", reason) }

    /// The answer to a question that was not sent to a provider.
    package static func tooManyQuestions(_ count: Int) -> String {
        Phrase.counted(
            count, one: "It has not answered {1} earlier question.", other: "It has not answered {1} earlier questions."
        )
    }

    /// OpenSettings, while an earlier call is unanswered.
    package static func settingsAskedFor(_ provider: ProviderID) -> String {
        Phrase.text("The provider “{1}” has not yet shown the settings that were asked for before.", provider.rawValue)
    }

    /// OpenSettings for a provider that has no settings, or did not show them.
    package static func noSettings(_ provider: ProviderID, reason: String = "") -> String {
        if reason.isEmpty { return Phrase.text("The provider “{1}” has no settings to show.", provider.rawValue) }
        return Phrase.text("The provider “{1}” has no settings to show: {2}", provider.rawValue, reason)
    }

    /// A call with more folders than a provider may have.
    package static func tooManyFolders(_ limit: Int) -> String {
        Phrase.counted(limit, one: "A provider has at most {1} folder.", other: "A provider has at most {1} folders.")
    }

    /// A call with more images than a provider may have.
    package static func tooManyBadgeImages(_ limit: Int) -> String {
        Phrase.counted(
            limit, one: "A provider can give at most {1} badge image.",
            other: "A provider can give at most {1} badge images.")
    }

    /// The engine's answer to a call of the service itself is of an unexpected kind.
    package static var unexpectedAnswer: String { Phrase.text("The badge service gave an answer of another kind.") }
}

internal import RoundelBus
internal import Support

// MARK: Folders

extension Texts {
    /// The state of a folder, if its provider reports no text.
    static func words(for state: FolderState) -> String {
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
    static func progress(_ state: String, percent: Int) -> String {
        Phrase.text("{1}, {2} %", state, "\(percent)")
    }

    /// A folder and its state, in one line.
    static func line(folder: String, state: String) -> String { Phrase.text("{1}: {2}", folder, state) }

    /// The last line of a truncated list.
    static func more(_ count: Int) -> String {
        Phrase.counted(count, one: "and {1} more", other: "and {1} more")
    }
}

// MARK: The tray

extension Texts {
    /// A sentence about all folders, with the name of the program that reports it.
    static func said(by program: String, _ sentence: String) -> String {
        Phrase.text("{1} \u{2013} {2}", program, sentence)
    }

    static var noFolder: String { Phrase.text("No folder is synced yet") }
    static var nothingSyncs: String { Phrase.text("No sync program is running") }
    static var paused: String { Phrase.text("Syncing is paused") }
    static var upToDate: String { Phrase.text("Everything is up to date") }

    /// All folders that sync are up to date; this many others do not sync.
    static func upToDate(except others: Int) -> String {
        Phrase.counted(
            others, one: "Up to date; {1} folder is not syncing", other: "Up to date; {1} folders are not syncing")
    }

    /// One folder syncs.
    static func syncing(_ folder: String, percent: Int?) -> String {
        guard let percent else { return Phrase.text("Syncing {1}", folder) }
        return Phrase.text("Syncing {1}, {2} %", folder, "\(percent)")
    }

    /// Several folders sync.
    static func syncing(_ folders: Int, percent: Int?) -> String {
        guard let percent else {
            return Phrase.counted(folders, one: "Syncing {1} folder", other: "Syncing {1} folders")
        }
        return Phrase.counted(
            folders, one: "Syncing {1} folder, {2} %", other: "Syncing {1} folders, {2} %", "\(percent)")
    }

    /// Several folders need the user.
    static func needAttention(_ folders: Int) -> String {
        Phrase.counted(folders, one: "{1} folder needs your attention", other: "{1} folders need your attention")
    }

    /// Several folders have errors.
    static func haveErrors(_ folders: Int) -> String {
        Phrase.counted(folders, one: "{1} folder has errors", other: "{1} folders have errors")
    }
}

// MARK: Notifications

extension Texts {
    /// The title of one notification for several folders.
    static func needYou(_ folders: Int) -> String {
        Phrase.counted(folders, one: "A synced folder needs you", other: "{1} synced folders need you")
    }

    /// The title if one action failed; it may have no name.
    static func actionFailed(_ label: String) -> String {
        label.isEmpty ? Phrase.text("An action failed") : Phrase.text("“{1}” failed", label)
    }

    /// The title if several actions failed.
    static func actionsFailed(_ count: Int) -> String {
        Phrase.counted(count, one: "{1} action failed", other: "{1} actions failed")
    }

    /// One of several actions that failed, with the reason.
    static func failure(_ label: String, because reason: String) -> String {
        Phrase.text("{1}: {2}", label, reason)
    }
}

// MARK: The log

extension Texts {
    static func trayNotServed(_ reason: String) -> String {
        Phrase.text("The tray icon cannot be shown: {1}", reason)
    }

    static func sidebarNotServed(_ reason: String) -> String {
        Phrase.text("Folders cannot be shown in sidebars: {1}", reason)
    }

    static func notificationsNotServed(_ reason: String) -> String {
        Phrase.text("Notifications cannot be shown: {1}", reason)
    }

    static func notInSidebar(_ folder: String, because reason: String) -> String {
        Phrase.text("The folder {1} cannot be shown in sidebars: {2}", folder, reason)
    }

    static func sidebarNotUpdated(_ folder: String, because reason: String) -> String {
        Phrase.text("A change of {1} could not be announced to the sidebar: {2}", folder, reason)
    }

    static func sidebarMenuNotUpdated(_ folder: String, because reason: String) -> String {
        Phrase.text("A change of the menu of {1} could not be announced to the sidebar: {2}", folder, reason)
    }

    static func sidebarActionRefused(_ reason: String) -> String {
        Phrase.text("An action of the sidebar was refused: {1}", reason)
    }

    static func trayNotUpdated(_ signal: String, because reason: String) -> String {
        Phrase.text("{1} of the tray icon could not be sent: {2}", signal, reason)
    }

    static func trayRefused(_ reason: String) -> String {
        Phrase.text("The tray does not accept Roundel's icon: {1}", reason)
    }

    static func noTrayMenu(_ reason: String) -> String {
        Phrase.text("The tray has no menu of the providers: {1}", reason)
    }

    static func trayMenuNotUpdated(_ reason: String) -> String {
        Phrase.text("A change of the tray's menu could not be announced: {1}", reason)
    }

    static func trayItemNotChosen(_ item: String, because reason: String) -> String {
        Phrase.text("The item {1} of the tray's menu could not be chosen: {2}", item, reason)
    }

    static func notShown(_ folder: String, because reason: String) -> String {
        Phrase.text("{1} cannot be shown: {2}", folder, reason)
    }

    static func notificationNotShown(_ reason: String) -> String {
        Phrase.text("A notification was not shown: {1}", reason)
    }

    static func notificationsNotRemembered(_ reason: String) -> String {
        Phrase.text("Which notifications were shown cannot be kept for the next start: {1}", reason)
    }

    static func noNotificationButtons(_ reason: String) -> String {
        Phrase.text("The buttons of notifications do nothing: {1}", reason)
    }
}

internal import Support

/// The messages of the badge service at its start and in the session's log. Names, paths and reasons are arguments.
extension Texts {
    // MARK: The program

    package static var usage: String {
        Phrase.text(
            """
            Usage: roundeld [--replace] [--version]

            The badge service of Roundel, on the session bus.
            """)
    }

    package static func noOption(_ argument: String) -> String {
        Phrase.text("There is no option “{1}”; try --help.", argument)
    }

    package static func cannotStart(_ reason: String) -> String {
        Phrase.text("The badge service cannot start: {1}", reason)
    }

    static func failedToAnswer(_ provider: String, _ problem: String) -> String {
        Phrase.text("The provider {1} failed to answer: {2}", provider, problem)
    }

    package static var sessionEnded: String { Phrase.text("Session ended; stopping.") }

    package static var takenOver: String { Phrase.text("Another badge service has taken over.") }

    package static var alreadyRunning: String {
        Phrase.text("A badge service is running already; --replace takes its place.")
    }

    package static func nameRefused(_ name: String, because reason: String) -> String {
        Phrase.text("The bus does not give the name {1}: {2}", name, reason)
    }

    // MARK: Its files

    package static func stateUnreadable(_ path: String, because reason: String, keptAs place: String) -> String {
        Phrase.text(
            """
            The list of providers {1} cannot be read ({2}). It is kept as {3}; providers register their folders again, \
            and those that were switched off are on.
            """, path, reason, place)
    }

    package static func stateStuck(_ path: String, because reason: String, notRenamed problem: String) -> String {
        Phrase.text(
            """
            The list of providers {1} cannot be read ({2}) and not be renamed ({3}). Move it away; until then nothing is \
            saved.
            """, path, reason, problem)
    }

    package static func stateNotSaved(_ path: String, because reason: String) -> String {
        Phrase.text(
            """
            The list of providers cannot be written to {1}: {2}. Check that its directory is writable and the disk is \
            not full.
            """, path, reason)
    }

    package static func stateNotSavedYet(_ path: String) -> String {
        Phrase.text(
            """
            The list of providers has not been written to {1} yet: its file system does not answer. It is written when it \
            does; what changes is kept in memory until then.
            """, path)
    }

    package static var manifestsNotRead: String {
        Phrase.text(
            """
            The manifests of providers cannot be read: their file system does not answer. Until it does, those that were \
            read before stand.
            """)
    }

    package static func manifestMisnamed(_ path: String) -> String {
        Phrase.text(
            """
            The provider manifest {1} is ignored: its file name is not a provider id (a-z, then at most 31 of a-z 0-9 -).
            """, path)
    }

    package static func manifestUnreadable(_ path: String) -> String {
        Phrase.text("The provider manifest {1} is ignored: it cannot be read.", path)
    }

    package static func manifestWithoutBusName(_ path: String) -> String {
        Phrase.text(
            "The provider manifest {1} is ignored: it has no valid BusName in its group [Provider].", path)
    }

    package static func manifestWithBadRules(_ path: String) -> String {
        Phrase.text("The provider manifest {1} is ignored: its Rules are not understood.", path)
    }

    // MARK: Providers and observers

    package static func manifestNameNotFollowed(_ name: String, because reason: String) -> String {
        Phrase.text("The bus name {1} of a manifest cannot be followed: {2}", name, reason)
    }

    package static func providerNotStarted(_ id: String, as busName: String, because reason: String) -> String {
        Phrase.text("The provider “{1}” could not be started as {2}: {3}", id, busName, reason)
    }

    package static func clientFellBehind(_ client: String) -> String {
        Phrase.text("{1} does not read its signals; its observations are ended.", client)
    }

    package static func clientNotFollowed(_ client: String, because reason: String) -> String {
        Phrase.text("The bus does not report when {1} leaves: {2}", client, reason)
    }

    package static func providersNotAnnounced(_ reason: String) -> String {
        Phrase.text("A change of the providers could not be announced: {1}", reason)
    }

    package static func propertiesNotAnnounced(_ reason: String) -> String {
        Phrase.text("A change of properties could not be announced: {1}", reason)
    }

    package static func notSent(_ message: String, to receiver: String, because reason: String) -> String {
        Phrase.text("{1} could not be sent to {2}: {3}", message, receiver, reason)
    }

    // MARK: The desktop

    package static func trayNotServed(_ reason: String) -> String {
        Phrase.text("The tray icon cannot be shown: {1}", reason)
    }

    package static func sidebarNotServed(_ reason: String) -> String {
        Phrase.text("Folders cannot be shown in sidebars: {1}", reason)
    }

    package static func notificationsNotServed(_ reason: String) -> String {
        Phrase.text("Notifications cannot be shown: {1}", reason)
    }

    package static func notInSidebar(_ folder: String, because reason: String) -> String {
        Phrase.text("The folder {1} cannot be shown in sidebars: {2}", folder, reason)
    }

    package static func sidebarNotUpdated(_ folder: String, because reason: String) -> String {
        Phrase.text("A change of {1} could not be announced to the sidebar: {2}", folder, reason)
    }

    package static func sidebarMenuNotUpdated(_ folder: String, because reason: String) -> String {
        Phrase.text("A change of the menu of {1} could not be announced to the sidebar: {2}", folder, reason)
    }

    package static func sidebarActionRefused(_ reason: String) -> String {
        Phrase.text("An action of the sidebar was refused: {1}", reason)
    }

    package static func trayNotUpdated(_ signal: String, because reason: String) -> String {
        Phrase.text("{1} of the tray icon could not be sent: {2}", signal, reason)
    }

    package static func trayRefused(_ reason: String) -> String {
        Phrase.text("The tray does not accept Roundel's icon: {1}", reason)
    }

    package static func noTrayMenu(_ reason: String) -> String {
        Phrase.text("The tray has no menu of the providers: {1}", reason)
    }

    package static func trayMenuNotUpdated(_ reason: String) -> String {
        Phrase.text("A change of the tray's menu could not be announced: {1}", reason)
    }

    package static func trayItemNotChosen(_ item: String, because reason: String) -> String {
        Phrase.text("The item {1} of the tray's menu could not be chosen: {2}", item, reason)
    }

    package static func notShown(_ folder: String, because reason: String) -> String {
        Phrase.text("{1} cannot be shown: {2}", folder, reason)
    }

    package static func notificationNotShown(_ reason: String) -> String {
        Phrase.text("A notification was not shown: {1}", reason)
    }

    package static func notificationsNotRemembered(_ reason: String) -> String {
        Phrase.text("Which notifications were shown cannot be kept for the next start: {1}", reason)
    }

    package static func noNotificationButtons(_ reason: String) -> String {
        Phrase.text("The buttons of notifications do nothing: {1}", reason)
    }
}

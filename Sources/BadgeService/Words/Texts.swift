internal import RoundelBus
internal import Support

// MARK: At the start and in the session's log

/// Names, paths and reasons are arguments.
extension Texts {
    // MARK: The program

    static var usage: String {
        Phrase.text(
            """
            Usage: roundeld [--replace] [--version]

            The badge service of Roundel, on the session bus.
            """)
    }

    static func noOption(_ argument: String) -> String {
        Phrase.text("There is no option “{1}”; try --help.", argument)
    }

    static func cannotStart(_ reason: String) -> String {
        Phrase.text("The badge service cannot start: {1}", reason)
    }

    static var sessionEnded: String { Phrase.text("Session ended; stopping.") }

    static var takenOver: String { Phrase.text("Another badge service has taken over.") }

    static var alreadyRunning: String {
        Phrase.text("A badge service is running already; --replace takes its place.")
    }

    static func nameRefused(_ name: String, because reason: String) -> String {
        Phrase.text("The bus does not give the name {1}: {2}", name, reason)
    }

    // MARK: Its files

    static func stateUnreadable(_ path: String, because reason: String, keptAs place: String) -> String {
        Phrase.text(
            """
            The list of providers {1} cannot be read ({2}). It is kept as {3}; providers register their folders again, \
            and those that were switched off are on.
            """, path, reason, place)
    }

    static func stateStuck(_ path: String, because reason: String, notRenamed problem: String) -> String {
        Phrase.text(
            """
            The list of providers {1} cannot be read ({2}) and not be renamed ({3}). Move it away; until then nothing is \
            saved.
            """, path, reason, problem)
    }

    static func stateNotSaved(_ path: String, because reason: String) -> String {
        Phrase.text(
            """
            The list of providers cannot be written to {1}: {2}. Check that its directory is writable and the disk is \
            not full.
            """, path, reason)
    }

    static func stateNotSavedYet(_ path: String) -> String {
        Phrase.text(
            """
            The list of providers has not been written to {1} yet: its file system does not answer. It is written when it \
            does; what changes is kept in memory until then.
            """, path)
    }

    static var manifestsNotRead: String {
        Phrase.text(
            """
            The manifests of providers cannot be read: their file system does not answer. Until it does, those that were \
            read before stand.
            """)
    }

    static func manifestMisnamed(_ path: String) -> String {
        Phrase.text(
            """
            The provider manifest {1} is ignored: its file name is not a provider id (a-z, then at most 31 of a-z 0-9 -).
            """, path)
    }

    static func manifestUnreadable(_ path: String) -> String {
        Phrase.text("The provider manifest {1} is ignored: it cannot be read.", path)
    }

    static func manifestWithoutBusName(_ path: String) -> String {
        Phrase.text(
            "The provider manifest {1} is ignored: it has no valid BusName in its group [Provider].", path)
    }

    static func manifestWithBadRules(_ path: String) -> String {
        Phrase.text("The provider manifest {1} is ignored: its Rules are not understood.", path)
    }

    static func manifestWithBadServices(_ path: String) -> String {
        Phrase.text(
            "The provider manifest {1} is ignored: its Services are not names of interfaces, or it has no ObjectPath.",
            path)
    }

    // MARK: Providers and observers

    static func manifestNameNotFollowed(_ name: String, because reason: String) -> String {
        Phrase.text("The bus name {1} of a manifest cannot be followed: {2}", name, reason)
    }

    static func providerNotStarted(_ id: String, as busName: String, because reason: String) -> String {
        Phrase.text("The provider “{1}” could not be started as {2}: {3}", id, busName, reason)
    }

    static func clientFellBehind(_ client: String) -> String {
        Phrase.text("{1} does not read its signals; its observations are ended.", client)
    }

    static func clientNotFollowed(_ client: String, because reason: String) -> String {
        Phrase.text("The bus does not report when {1} leaves: {2}", client, reason)
    }

    static func providersNotAnnounced(_ reason: String) -> String {
        Phrase.text("A change of the providers could not be announced: {1}", reason)
    }

    static func propertiesNotAnnounced(_ reason: String) -> String {
        Phrase.text("A change of properties could not be announced: {1}", reason)
    }

    static func notSent(_ message: String, to receiver: String, because reason: String) -> String {
        Phrase.text("{1} could not be sent to {2}: {3}", message, receiver, reason)
    }
}

// MARK: Folders that wait for consent

extension Texts {
    /// The title of the notification that asks, and the item of the tray's menu that consents.
    static func allow(_ provider: String, in folder: String) -> String {
        Phrase.text("Allow “{1}” to show badges in {2}", provider, folder)
    }

    /// Why it asks: which folder contains the new one, or is inside it.
    static func reason(_ folder: String, isInside: Bool, _ other: String, of provider: String) -> String {
        isInside
            ? Phrase.text("{1} is inside {2}, where “{3}” shows badges now.", folder, other, provider)
            : Phrase.text("{1} contains {2}, where “{3}” shows badges and goes on doing so.", folder, other, provider)
    }

    /// The button of the notification.
    static var allow: String { Phrase.text("Allow") }
}

// MARK: Answers to calls

extension Texts {
    /// The error of a provider that could not be started, in the list of providers.
    static func notStarted(_ reason: String) -> String { Phrase.text("It could not be started: {1}", reason) }

    /// The answer to a question that was not sent to a provider.
    static func tooManyQuestions(_ count: Int) -> String {
        Phrase.counted(
            count, one: "It has not answered {1} earlier question.", other: "It has not answered {1} earlier questions."
        )
    }

    /// OpenSettings, while an earlier call is unanswered.
    static func settingsAskedFor(_ provider: ProviderID) -> String {
        Phrase.text("The provider “{1}” has not yet shown the settings that were asked for before.", provider.rawValue)
    }

    /// OpenSettings for a provider that has no settings, or did not show them.
    static func noSettings(_ provider: ProviderID, reason: String = "") -> String {
        if reason.isEmpty { return Phrase.text("The provider “{1}” has no settings to show.", provider.rawValue) }
        return Phrase.text("The provider “{1}” has no settings to show: {2}", provider.rawValue, reason)
    }

    /// A call with more folders than a provider may have.
    static func tooManyFolders(_ limit: Int) -> String {
        Phrase.counted(limit, one: "A provider has at most {1} folder.", other: "A provider has at most {1} folders.")
    }

    /// The engine's answer to a call of the service itself is of an unexpected kind.
    static var unexpectedAnswer: String { Phrase.text("The badge service gave an answer of another kind.") }
}

internal import Support
internal import SyncEngine
internal import SystemPackage

/// The texts that the worker logs.
extension Words {
    static var notWaitedFor: String {
        Phrase.text("A file system does not answer; the worker ends without waiting for it.")
    }

    /// The reason to delay sleep, as shown by `systemd-inhibit --list`.
    static var whySleepWaits: String { Phrase.text("Files are being synced") }

    static var usage: String {
        Phrase.text(
            """
            Usage: roundel-worker [--check | --version]

            The sync worker of Roundel, on the session bus. --check says what keeps it from starting.
            """)
    }

    static func noOption(_ argument: String) -> String {
        Phrase.text("There is no option “{1}”; try --help.", argument)
    }

    static func cannotStart(_ why: String) -> String { Phrase.text("The sync worker cannot start: {1}", why) }

    static func noLock(_ failure: StateLock.Failure) -> String {
        switch failure {
        case .held(let directory):
            Phrase.text(
                """
                Another roundel-worker already works with {1}. End it, or set XDG_STATE_HOME to another \
                directory.
                """, path(directory))
        case .system(let directory, let error):
            Phrase.text(
                "The state directory {1} cannot be used: {2}. Make it one that you can write, then try again.",
                path(directory), "\(error)")
        }
    }

    static var sessionEnded: String { Phrase.text("Session ended; stopping.") }

    static var anotherWorker: String { Phrase.text("Another sync worker is running already on this bus.") }

    static func refused(_ why: String) -> String { Phrase.text("The badge service refuses the worker: {1}", why) }

    static func notShown(_ why: String) -> String { Phrase.text("The folders are not shown: {1}", why) }

    static var noBadgeService: String {
        Phrase.text("The badge service is not running; folders are checked for changes from time to time.")
    }

    static func badgeServiceNotStarted(_ why: String) -> String {
        Phrase.text("The badge service could not be started: {1}", why)
    }

    static func notSent(_ signal: String, because why: String) -> String {
        Phrase.text("{1} could not be sent: {2}", signal, why)
    }

    /// The texts of the toolbar's button.
    static var toolbar: (name: String, tooltip: String) { (Phrase.text("Sync"), Phrase.text("Synced folders")) }
}

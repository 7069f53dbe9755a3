internal import SyncEngine
internal import SystemPackage

/// What the worker says in the log of its session.
extension Words {
    static var usage: String {
        say("Usage: roundel-worker [--version]\n\nThe sync worker of Roundel, on the session bus.")
    }

    static func noOption(_ argument: String) -> String { say("There is no option “%1$s”; try --help.", argument) }

    static func cannotStart(_ why: String) -> String { say("The sync worker cannot start: %1$s", why) }

    static func noLock(_ failure: StateLock.Failure) -> String {
        switch failure {
        case .held(let directory):
            say(
                "Another roundel-worker already works with %1$s. End it, or set XDG_STATE_HOME to another directory.",
                path(directory))
        case .system(let directory, let error):
            say("The state directory %1$s cannot be used: %2$s.", path(directory), "\(error)")
        }
    }

    static var sessionEnded: String { say("Session ended; stopping.") }

    static var anotherWorker: String { say("Another sync worker is running already on this bus.") }

    static func refused(_ why: String) -> String { say("The badge service refuses the worker: %1$s", why) }

    static func notShown(_ why: String) -> String { say("The folders are not shown: %1$s", why) }

    static var noBadgeService: String {
        say("The badge service is not running; folders are checked for changes from time to time.")
    }

    static func badgeServiceNotStarted(_ why: String) -> String {
        say("The badge service could not be started: %1$s", why)
    }

    static func notSent(_ signal: String, _ why: String) -> String { say("%1$s could not be sent: %2$s", signal, why) }

    /// The toolbar's button.
    static var toolbar: (name: String, tooltip: String) { (say("Sync"), say("Synced folders")) }
}

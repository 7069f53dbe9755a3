import Glibc
import SystemPackage

/// Starts the one thread that everything else here runs on.
enum WatcherThread {
    static func start(
        source: InotifySource, settings: WatcherSettings, commands: CommandMailbox, outbox: Outbox
    ) throws(FileWatchError) {
    }
}

/// How long a session waits on purpose. Debug builds may scale these values (`Patience.Syncing.session` in SyncEngine).
package struct SessionPauses: Hashable, Sendable {
    /// After the last deletion, for further ones: longer than a watcher takes to report them.
    package var quiet = Duration.seconds(3)
    /// Before an event is continued that leads to ever more work.
    package var continuation = Duration.seconds(1)
    /// Before a side that could not be reached is probed again.
    package var offline = Duration.seconds(30)
    /// Before a folder that a safeguard stopped is probed again.
    package var stopped = Duration.seconds(60)
    /// Before directories that could not be listed, or file systems that are not mounted, are looked at again.
    package var incomplete = Duration.seconds(30)
    /// Before an item that failed is tried again; each further pause is twice as long.
    package var item = Duration.seconds(1)
    /// The longest pause between two attempts for an item.
    package var longestItem = Duration.seconds(300)
    /// Before an item that cannot be synced as it is, for example because of its name, is planned again.
    package var blockedItem = Duration.seconds(60)
    /// Before a file that a program is writing is tried again.
    package var writtenItem = Duration.seconds(1)
    /// Before an item is planned again that waited for another one to which nothing had to be done.
    package var waitingItem = Duration.seconds(1)
    /// How long a file that a demand brought stays if a wish wants it at the remote alone.
    package var fetchedFile = Duration.seconds(60)
    /// How long ready operations wait for transfers in flight, at the least.
    package var publication = Duration.milliseconds(250)
    /// The same at the most.
    package var longestPublication = Duration.seconds(2)

    /// The pauses of release builds.
    package init() {}

    /// The same pauses, each changed in this way.
    package func mapped(_ change: (Duration) -> Duration) -> SessionPauses {
        var pauses = self
        for pause in Self.all { pauses[keyPath: pause] = change(pauses[keyPath: pause]) }
        return pauses
    }

    private static var all: [WritableKeyPath<SessionPauses, Duration>] {
        [
            \.quiet, \.continuation, \.offline, \.stopped, \.incomplete, \.item, \.longestItem, \.blockedItem,
            \.writtenItem, \.waitingItem, \.fetchedFile, \.publication, \.longestPublication,
        ]
    }
}

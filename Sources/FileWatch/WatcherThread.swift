import CLinux
import SystemPackage

/// Starts the one thread that ``Watcher`` runs on.
enum WatcherThread {
    static func start(
        source: sending InotifySource, settings: WatcherSettings, commands: CommandMailbox, outbox: Outbox
    ) throws(FileWatchError) {
        // The source is made here and used by the new thread alone, from its first line on.
        nonisolated(unsafe) let source = source
        let isStarted = DetachedThread.start {
            clinux_name_thread("watcher")
            Watcher(source: source, settings: settings, commands: commands, outbox: outbox).run()
        }
        if !isStarted { throw .cannotStart(what: "thread", .resourceTemporarilyUnavailable) }
    }
}

/// A POSIX thread that nobody joins.
enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Whether the system gave a thread; `body` runs on it with every signal blocked.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))
        let result = clinux_start_thread(
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque(), 512 * 1024)
        if result != 0 { work.release() }
        return result == 0
    }
}

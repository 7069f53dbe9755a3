import Glibc
import Support
public import SystemPackage

/// Watches folders and single directories from its own thread.
///
/// Every method returns immediately and makes no system call on the given path; results arrive as ``WatchEvent``s. The
/// thread sleeps while nothing changes, and ends when the last reference is released.
public final class FileWatcher: Sendable {
    private let commands: CommandMailbox
    private let outbox: WatchOutbox

    /// Starts the watcher's thread.
    ///
    /// - Parameter wake: Called from that thread when events are available and none were before; it must not block.
    /// - Throws: ``FileWatchError`` if the system provides no inotify instance, eventfd or thread.
    public convenience init(wake: @escaping @Sendable () -> Void) throws(FileWatchError) {
        try self.init(settings: WatcherSettings(), wake: wake)
    }

    package init(settings: WatcherSettings, wake: @escaping @Sendable () -> Void) throws(FileWatchError) {
        guard let commands = CommandMailbox() else {
            throw .cannotStart(what: "event descriptor", Errno(rawValue: errno))
        }
        self.commands = commands
        outbox = WatchOutbox(wake: wake)
        // The source is created here and used only by the new thread.
        nonisolated(unsafe) let source = try InotifySource()
        let outbox = outbox
        do {
            try DetachedThread.start("watcher") {
                Watcher(source: source, settings: settings, commands: commands, outbox: outbox).run()
            }
        } catch {
            throw .cannotStart(what: "thread", error)
        }
    }

    deinit {
        commands.send(.stop)
    }

    /// Watches the root at `path`, and with `recursive` everything below it; replaces an earlier folder with this ID.
    ///
    /// Symbolic links among the ancestors of `path` are followed, but not the root or links below it. A root that does
    /// not exist is watched when it appears.
    public func setFolder(_ id: FolderID, at path: FilePath, recursive: Bool) {
        commands.send(.setFolder(id, path, recursive: recursive))
    }

    /// Stops watching a folder; an event about it may still arrive. Unknown IDs are ignored.
    public func removeFolder(_ id: FolderID) {
        commands.send(.removeFolder(id))
    }

    /// Watches one directory without its subdirectories, so that vanished items and its own disappearance are reported.
    /// Observing it again changes nothing, so callers have to count observers themselves.
    public func observe(_ directory: FilePath) {
        commands.send(.observe(directory))
    }

    /// Ends ``observe(_:)`` for the same spelling.
    public func unobserve(_ directory: FilePath) {
        commands.send(.unobserve(directory))
    }

    /// Watches a symbolic link on the way to a directory. ``WatchEvent/linkChanged(_:)`` with the link's own path
    /// reports when it no longer leads there: it, or a directory on the way to it, was removed, moved or replaced.
    /// After that, the link is not watched any more. A link that already leads elsewhere is reported immediately. Links
    /// on a file system whose changes the kernel does not see are not watched.
    public func follow(_ link: PathAlias) {
        commands.send(.follow(link))
    }

    /// Ends ``follow(_:)`` for the link at this path.
    public func unfollow(_ link: FilePath) {
        commands.send(.unfollow(link))
    }

    /// Checks that these names still exist in an observed directory. Missing ones are reported by
    /// ``WatchEvent/itemsVanished(directory:names:)``. Meant for ``WatchEvent/observing(_:)``.
    public func verify(_ directory: FilePath, _ names: [FilePath.Component]) {
        commands.send(.verify(directory, names))
    }

    /// Requests ``WatchEvent/flushed(token:)``, which comes after every change made in the folder before this call. A
    /// folder that is unknown, missing or not watched recursively is answered as well.
    public func flush(_ folder: FolderID, token: UInt64) {
        commands.send(.flush(folder, token: token))
    }

    /// Requests ``WatchEvent/resolved(token:_:)``; a file system that does not respond delays it by at most two
    /// seconds.
    public func resolve(_ path: FilePath, token: UInt64) {
        commands.send(.resolve(path, token: token))
    }

    /// Requests ``WatchEvent/located(token:_:links:)``; a file system that does not respond delays it by at most two
    /// seconds. The tokens must differ from those of ``resolve(_:token:)``.
    public func locate(_ directory: FilePath, token: UInt64) {
        commands.send(.locate(directory, token: token))
    }

    /// Returns all events since the last call, the oldest first.
    public func takeEvents() -> [WatchEvent] {
        outbox.takeAll()
    }

    package func pause(_ gate: PauseGate) {
        commands.send(.pause(gate))
    }
}

import Glibc
import Support
public import SystemPackage

/// Watches folders and single directories from a thread of its own.
///
/// Every method returns at once and makes no system call on a path that it is given; results come as
/// ``WatchEvent``s. The thread sleeps while nothing changes. Dropping the last reference stops it.
public final class FileWatcher: Sendable {
    private let commands: CommandMailbox
    private let outbox: WatchOutbox

    /// Starts the watcher's thread.
    ///
    /// - Parameter wake: called from that thread when events wait and none waited before; it must not block.
    /// - Throws: ``FileWatchError`` if the system gives no inotify instance, eventfd or thread.
    public convenience init(wake: @escaping @Sendable () -> Void) throws(FileWatchError) {
        try self.init(settings: WatcherSettings(), wake: wake)
    }

    package init(settings: WatcherSettings, wake: @escaping @Sendable () -> Void) throws(FileWatchError) {
        guard let commands = CommandMailbox() else {
            throw .cannotStart(what: "event descriptor", Errno(rawValue: errno))
        }
        self.commands = commands
        outbox = WatchOutbox(wake: wake)
        // The source is made here and used by the new thread alone, from its first line on.
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

    /// Watches the root at `path`, and with `recursive` everything below it; replaces what `id` named before.
    ///
    /// Ancestors of `path` may be symbolic links and are followed; the root and what is below it are not. A root that
    /// does not exist is watched when it appears.
    public func setFolder(_ id: FolderID, at path: FilePath, recursive: Bool) {
        commands.send(.setFolder(id, path, recursive: recursive))
    }

    /// Ends the watching of a folder; an event about it may still be on its way. Unknown ids are passed over.
    public func removeFolder(_ id: FolderID) {
        commands.send(.removeFolder(id))
    }

    /// Follows one directory, not what is below it, so that vanished items and its own end are reported.
    /// Observing it again changes nothing: count the observers yourself.
    public func observe(_ directory: FilePath) {
        commands.send(.observe(directory))
    }

    /// Ends what ``observe(_:)`` began, by the same spelling.
    public func unobserve(_ directory: FilePath) {
        commands.send(.unobserve(directory))
    }

    /// Follows a symbolic link on the way to a directory, so that ``WatchEvent/linkChanged(_:)`` with the link's own
    /// path says when it does not lead there any more: it, or a directory on the way to it, was removed, moved or replaced.
    /// The link is not followed from then on. One that leads elsewhere already is reported at once. Links on a file system
    /// whose changes the kernel does not see are not followed.
    public func follow(_ link: PathAlias) {
        commands.send(.follow(link))
    }

    /// Ends what ``follow(_:)`` began for the link at this path.
    public func unfollow(_ link: FilePath) {
        commands.send(.unfollow(link))
    }

    /// Checks that these names still exist in an observed directory. Missing ones are reported by
    /// ``WatchEvent/itemsVanished(directory:names:)``. Meant for ``WatchEvent/observing(_:)``.
    public func verify(_ directory: FilePath, _ names: [FilePath.Component]) {
        commands.send(.verify(directory, names))
    }

    /// Asks for ``WatchEvent/flushed(token:)``, which comes after every change made in the folder before this call.
    /// A folder that is unknown, missing or not watched recursively is answered as well.
    public func flush(_ folder: FolderID, token: UInt64) {
        commands.send(.flush(folder, token: token))
    }

    /// Asks for ``WatchEvent/resolved(token:_:)``; a file system that does not answer delays it by two seconds at most.
    public func resolve(_ path: FilePath, token: UInt64) {
        commands.send(.resolve(path, token: token))
    }

    /// Asks for ``WatchEvent/located(token:_:links:)``; a file system that does not answer delays it by two seconds at most.
    /// Tokens are not to be those of ``resolve(_:token:)``.
    public func locate(_ directory: FilePath, token: UInt64) {
        commands.send(.locate(directory, token: token))
    }

    /// Everything that happened since the last call, oldest first.
    public func takeEvents() -> [WatchEvent] {
        outbox.takeAll()
    }

    package func pause(_ gate: PauseGate) {
        commands.send(.pause(gate))
    }
}

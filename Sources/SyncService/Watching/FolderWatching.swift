internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore

/// Watches the remotes that are directories, follows which sides of the folders are not watched completely, and has
/// those scanned from time to time.
final class FolderWatching {
    private let book: FolderBook
    private let hub: HubLink
    private let loop: EventLoop
    private var remotes: RemoteWatch?
    private var report: WatchReport?
    /// The URIs of the folders in which the badge service does not notice every change.
    private var unreliable: Set<String> = []
    private lazy var rescanTimer = loop.makeTimer { [unowned self] in
        for unit in book.folders.all { unit.rescanIfDue() }
        planRescans()
    }

    init(_ book: FolderBook, _ hub: HubLink, loop: EventLoop, bus: Connection) throws {
        (self.book, self.hub, self.loop) = (book, hub, loop)
        remotes = try RemoteWatch(loop: loop) { [unowned self] id, directories, items, isOverflow in
            self.book.folders.unit(withID: id)?
                .changed(.remote, directories: directories, items: items, isOverflow: isOverflow)
        } onStatus: { [unowned self] in
            follow()
        }
        report = try WatchReport(bus: bus) { [unowned self] folders in
            unreliable = folders
            follow()
        }
    }

    /// A folder is in the book from now on.
    func come(_ unit: FolderUnit) {
        // Where items are only uploaded, nothing of the remote is looked at.
        if unit.settings.uploadOnly == nil, let path = unit.remote.directory {
            remotes?.watch(path, for: unit.settings.id)
        }
        follow(unit)
    }

    /// A folder is in the book no longer.
    func go(_ unit: FolderUnit) { remotes?.remove(unit.settings.id) }

    func stop() { rescanTimer.cancel() }

    // MARK: What is not watched

    /// The badge service watches the folders from now on.
    func hubIsThere() {
        follow()
        report?.read()
    }

    /// The badge service watches nothing any more.
    func hubIsGone() {
        unreliable = []
        follow()
    }

    /// Updates for each folder which of its sides are not watched completely.
    func follow() {
        for unit in book.folders.all { follow(unit) }
        planRescans()
    }

    private func follow(_ unit: FolderUnit) {
        var unwatched: Set<Side> = []
        if !hub.isRegistered || unreliable.contains(unit.uri.uri) { unwatched.insert(.local) }
        if unit.settings.uploadOnly == nil && remotes?.isReliable(unit.settings.id) != true {
            unwatched.insert(.remote)
        }
        unit.setUnwatched(unwatched)
    }

    /// Schedules the next scan of a folder; none if all changes are reported.
    func planRescans() {
        guard let next = book.folders.all.compactMap(\.nextRescan).min() else { return rescanTimer.cancel() }
        rescanTimer.set(at: next)
    }
}

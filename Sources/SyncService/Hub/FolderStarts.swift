internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore

/// Starts folders: each once changes in it are watched, because changes are reported only from then on, and the first
/// scan finds the earlier ones. Without a badge service, they start nevertheless.
final class FolderStarts {
    private let book: FolderBook
    private let hub: HubLink
    private let metered: MeteredFolders
    private let loop: EventLoop
    private lazy var patienceTimer = loop.makeTimer { [unowned self] in
        for unit in book.folders.all { start(unit) }
    }

    init(_ book: FolderBook, _ hub: HubLink, _ metered: MeteredFolders, loop: EventLoop) {
        (self.book, self.hub, self.metered, self.loop) = (book, hub, metered, loop)
    }

    /// The worker starts.
    func begin() {
        hub.setFolders(book.folders)
        hub.startService()
        patienceTimer.set(after: Patience.Worker.service)
    }

    func stop() { patienceTimer.cancel() }

    /// A folder is in the book from now on.
    func come(_ unit: FolderUnit, _ start: FolderStart) {
        switch start {
        case .withAll: break
        case .byCall(let caller):
            unit.runs.expectFirst(of: caller)
            hub.setFolders(book.folders)
            patienceTimer.set(after: Patience.Worker.firstSync)
        case .now:
            hub.setFolders(book.folders) { [weak self, weak unit] in
                guard let self, let unit else { return }
                hub.flush(unit.uri) { [weak self, weak unit] in
                    if let unit { self?.start(unit) }
                }
            }
        }
    }

    /// The badge service watches the folders from now on.
    func hubIsThere() {
        patienceTimer.cancel()
        for unit in book.folders.all {
            hub.flush(unit.uri) { [weak self, weak unit] in
                guard let unit else { return }
                // Changes made while the folder was not watched were not reported.
                if unit.hasStarted { unit.changed(.local, isOverflow: true) } else { self?.start(unit) }
            }
            unit.reporter.publishStatus()
        }
    }

    /// A folder on demand was mounted: from now on changes in it can be watched, and those before were not reported.
    func wasMounted(_ unit: FolderUnit) {
        hub.setFolders(book.folders) { [weak self, weak unit] in
            guard let self, let unit else { return }
            hub.flush(unit.uri) { [weak unit] in unit?.wasMounted() }
        }
    }

    /// A folder on demand answers no more: what is watched there is gone.
    func wasUnmounted() { hub.setFolders(book.folders) }

    private func start(_ unit: FolderUnit) {
        metered.whenKnown(for: unit) { [weak unit] in
            guard let contents = unit?.contents else {
                unit?.start()
                return
            }
            // Its directories are being moved, after which another object stands for the folder.
            guard unit?.isBecomingOrdinary == false else { return }
            contents.mount.begin { [weak unit] in unit?.start() }
        }
    }
}

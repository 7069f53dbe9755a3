internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// Folders that are no longer synced. Their kept versions can still be listed and restored, and expire as before.
final class RemovedFolders {
    private let book: FolderBook
    private let places: WorkerPlaces
    private let kinds: RemoteKinds
    private let blocking: BlockingWork
    private let loop: EventLoop
    /// The folders whose removal was interrupted, and is tried again.
    private var unfinished: Set<String> = []
    /// Until the next try; longer each time, because it stops the folder each time.
    private var pause = Patience.Worker.removal
    private lazy var unfinishedTimer = loop.makeTimer { [unowned self] in
        pause = min(pause * 2, Patience.Worker.longestRemoval)
        finish()
    }
    private lazy var ageingTimer = loop.makeTimer { [unowned self] in age() }

    init(_ book: FolderBook, _ places: WorkerPlaces, _ kinds: RemoteKinds, blocking: BlockingWork, loop: EventLoop) {
        (self.book, self.places, self.kinds) = (book, places, kinds)
        (self.blocking, self.loop) = (blocking, loop)
    }

    /// The folders named by a text that may have kept versions: first the synced ones, then the removed ones, the last
    /// removed first. "" means all.
    /// - Throws: `UnknownFolder`.
    func keptPlaces(named text: String) throws(WorkerError) -> [KeptPlace] {
        let item = try? ItemURI(text)
        let gone = removedPlaces.filter { place in
            text.isEmpty || place.id == text || item?.isWithin(place.uri) == true
        }
        do throws(WorkerError) {
            return try book.folders.units(named: text).map { KeptPlace($0) } + gone
        } catch {
            if gone.isEmpty { throw error }
            return gone
        }
    }

    private var removedPlaces: [KeptPlace] {
        book.removed.reversed().compactMap { folder in
            do throws(WorkerError) {
                return try KeptPlace(folder, places, kinds)
            } catch {
                log(.error, error.message)
                return nil
            }
        }
    }

    // MARK: Removing

    /// Removes a folder from the settings. Its files remain, and its kept versions remain for the usual time;
    /// `onRemoved` gets how many there are. A folder on demand becomes an ordinary one with what is on this computer.
    ///
    /// - Parameter drops: Whether what is on the remote only is removed from this computer. Otherwise a folder with such
    ///   items stays.
    func remove(
        _ unit: FolderUnit, dropping drops: Bool,
        _ onRemoved: @escaping (Result<SyncKeptVersions, WorkerError>) -> Void
    ) {
        let away = unit.items.presentation(of: .root)?.contents
        let (files, bytes) = (away?.filesAway ?? 0, away?.bytesAway ?? 0)
        if files > 0 && !drops { return onRemoved(.failure(.placeholdersLeft(files, bytes, in: unit.settings.label))) }
        book.remove(unit) { [unowned self] result in
            switch result {
            case .failure(let error):
                tryAgain(unit.settings.id, because: error)
                onRemoved(.failure(error))
            case .success(let roots):
                planAgeing()
                withExtendedLifetime(unit) {
                    countKept(of: unit.settings.id) { [unowned self] count in
                        var kept = count
                        (kept.dropped, kept.droppedBytes) = (UInt64(clamping: files), UInt64(clamping: bytes))
                        let (id, isEmpty) = (unit.settings.id, kept.versions == 0 && !kept.isPartial)
                        // In this order: who ends in between forgets it later. Nobody waits for it, as a side may be silent.
                        removeRemains(of: unit.settings, roots) { [unowned self] in if isEmpty { forget(id) } }
                        onRemoved(.success(kept))
                    }
                }
            }
        }
    }

    /// Goes on with the removals that were interrupted.
    func resume() {
        unfinished = Set(book.folders.all.filter(\.isBeingRemoved).map(\.settings.id))
        finish()
    }

    private func finish() {
        for id in unfinished.sorted() {
            unfinished.remove(id)
            guard let unit = book.folders.unit(withID: id), unit.isBeingRemoved else { continue }
            remove(unit, dropping: true) { result in
                if case .failure(let error) = result { log(.error, error.message) }
            }
        }
    }

    /// A folder that was not removed and is not to be synced any more either is removed later, and says why it is there.
    private func tryAgain(_ id: String, because reason: WorkerError) {
        guard let unit = book.folders.unit(withID: id), unit.isBeingRemoved else { return }
        unit.contents?.mount.isKeptAway(because: reason.message)
        unfinished.insert(id)
        unfinishedTimer.set(after: pause)
    }

    /// Counts the kept versions of a removed folder.
    private func countKept(of id: String, _ onCounted: @escaping (SyncKeptVersions) -> Void) {
        guard let place = removedPlaces.first(where: { $0.id == id }) else { return onCounted(SyncKeptVersions()) }
        let kept = place.kept
        blocking.run(within: Patience.Worker.keptVersions, { SyncKeptVersions(kept) }) { count in
            var result = count ?? SyncKeptVersions()
            result.isPartial = result.isPartial || count == nil
            onCounted(result)
        }
    }

    /// Removes what syncing needed of a folder that was just removed. What is kept stays.
    private func removeRemains(of folder: FolderSettings, _ roots: FolderRoots?, _ done: @escaping () -> Void) {
        let removed = RemovedFolder(folder, roots ?? .unknown, removed: WallClock.microseconds)
        guard let kept = try? KeptPlace(removed, places, kinds).kept else { return done() }
        let isBegun = blocking.run({ kept.removeRemains() }) { _ in done() }
        if !isBegun { done() }
    }

    /// Forgets a removed folder that has no kept versions any more.
    func forget(_ id: String) {
        book.forget(id)
        planAgeing()
    }

    // MARK: Ageing

    /// Removes old versions of the removed folders, now and from time to time, which no folder does for them, and
    /// forgets folders that have none left.
    func age() {
        for place in removedPlaces {
            let (kept, id) = (place.kept, place.id)
            let aged: @Sendable () -> Int? = {
                let count = kept.age()
                if count == 0 { kept.removeRemains() }
                return count
            }
            _ = blocking.run(aged) { [unowned self] count in
                if count == 0 { forget(id) }
            }
        }
        planAgeing()
    }

    func stop() {
        ageingTimer.cancel()
        unfinishedTimer.cancel()
    }

    private func planAgeing() {
        if book.removed.isEmpty { ageingTimer.cancel() } else { ageingTimer.set(after: Patience.Worker.ageing) }
    }
}

extension SyncKeptVersions {
    fileprivate init(_ kept: KeptOfFolder) {
        self.init()
        let (items, unlisted) = kept.versions()
        versions = UInt64(clamping: items.count)
        bytes = items.reduce(0) { $0.addingReportingOverflow($1.version.size).partialValue }
        isPartial = unlisted != nil
    }
}

extension WorkerError {
    /// A folder on demand is not removed without consent, because not all of it is here.
    fileprivate static func placeholdersLeft(_ files: Int, _ bytes: Int64, in folder: String) -> WorkerError {
        WorkerError(
            .placeholdersLeft,
            tr(
                files,
                one:
                    """
                    1 file of “{2}” ({3}) is on the remote only, and would be removed from this computer with the \
                    folder.
                    """,
                other:
                    """
                    {1} files of “{2}” ({3}) are on the remote only, and would be removed from this computer with the \
                    folder.
                    """, folder, Quantity.bytes(UInt64(clamping: bytes))))
    }
}

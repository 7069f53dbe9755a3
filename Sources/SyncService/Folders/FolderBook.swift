internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncEngine
internal import SystemPackage

/// Which folders are synced, and how: owns the settings, adds, removes, moves and changes folders.
final class FolderBook {
    /// Who learns what happens to the folders.
    struct Listener {
        /// Makes the object of a folder, which saves with the last argument what it finds out about its server.
        var make:
            (FolderSettings, WorkerSettings, @escaping (RemoteFindings) throws(WorkerError) -> Void)
                throws(WorkerError) -> FolderUnit
        /// A folder is in the book from now on, and has to be started.
        var onCome: (FolderUnit, FolderStart) -> Void
        /// A folder is in the book no longer.
        var onGo: (FolderUnit, FolderLeave) -> Void
        /// There are other folders, or other choices for one.
        var onChange: () -> Void
    }

    /// The folders that are synced.
    private(set) var folders = FolderSet(all: [])
    private let blocking: BlockingWork
    private var settings: SettingsFile
    private var listener: Listener?
    /// The folders that are being moved, with their old and new places, by their IDs.
    private var moving: [String: (unit: FolderUnit, places: [SyncedPlace])] = [:]

    /// Reads the settings file.
    init(_ path: FilePath, blocking: BlockingWork) throws(WorkerError) {
        self.blocking = blocking
        settings = try SettingsFile(path)
    }

    /// The bytes that transfers leave free on each file system; nil for the default.
    var keepFree: Int64? { settings.current.keepFree }

    /// All places in use; no other folder may overlap one of them.
    var syncedPlaces: [SyncedPlace] { folders.all.map(\.place) + moving.values.flatMap(\.places) }

    /// Takes in the folders of the settings. Called once, before anything else.
    func open(_ listener: Listener) {
        self.listener = listener
        for folder in settings.current.folders {
            do throws(WorkerError) {
                take(try unit(for: folder), .withAll)
            } catch {
                log(.error, error.message)
            }
        }
    }

    private func unit(for folder: FolderSettings) throws(WorkerError) -> FolderUnit {
        guard let listener else { throw .unknownFolder(folder.uri) }
        let id = folder.id
        return try listener.make(folder, settings.current) { [weak self] found throws(WorkerError) in
            guard let self, let unit = folders.unit(withID: id) ?? moving[id]?.unit else { return }
            try change(unit) { ($0.traits, $0.server) = (found.traits, found.identity) }
        }
    }

    private func take(_ unit: FolderUnit, _ start: FolderStart) {
        folders = FolderSet(all: folders.all + [unit])
        listener?.onCome(unit, start)
    }

    private func drop(_ unit: FolderUnit) { folders = FolderSet(all: folders.all.filter { $0 !== unit }) }

    // MARK: Adding and removing

    /// Adds a new folder and starts to sync it.
    func add(_ folder: FolderSettings, _ start: FolderStart) throws(WorkerError) -> FolderUnit {
        let unit = try unit(for: folder)
        try settings.change { $0.folders.append(folder) }
        take(unit, start)
        listener?.onChange()
        return unit
    }

    /// Removes a folder, whose files remain. `onRemoved` gets the roots of which something may be kept, nil if nothing
    /// is, once the folder has stopped.
    func remove(_ unit: FolderUnit, _ onRemoved: @escaping (Result<FolderRoots?, WorkerError>) -> Void) {
        switch unit.notedRoots {
        case .neverSynced: remove(unit, keptFrom: nil, onRemoved)
        case .noted(let roots): remove(unit, keptFrom: roots, onRemoved)
        case .unreadable:
            // What is kept must be found again nevertheless. A side that does not answer is counted as one that could
            // not be read.
            blocking.run(within: Patience.Worker.roots, unit.rootsOnDisk) { [unowned self] roots in
                guard folders.all.contains(where: { $0 === unit }) else {
                    return onRemoved(.failure(.unknownFolder(unit.settings.uri)))
                }
                remove(unit, keptFrom: roots ?? .unknown, onRemoved)
            }
        }
    }

    private func remove(
        _ unit: FolderUnit, keptFrom roots: FolderRoots?,
        _ onRemoved: @escaping (Result<FolderRoots?, WorkerError>) -> Void
    ) {
        do throws(WorkerError) {
            try forget(unit, keptFrom: roots)
        } catch {
            return onRemoved(.failure(error))
        }
        unit.stop {
            unit.removePartials()
            onRemoved(.success(roots))
        }
    }

    private func forget(_ unit: FolderUnit, keptFrom roots: FolderRoots?) throws(WorkerError) {
        let id = unit.settings.id
        let kept = roots.map { RemovedFolder(unit.settings, $0, removed: WallClock.microseconds) }
        try settings.change { settings in
            settings.folders.removeAll { $0.id == id }
            if let kept { settings.removed = (settings.removed ?? []) + [kept] }
        }
        drop(unit)
        unit.depart(because: .removedMeanwhile(unit.settings.label))
        listener?.onGo(unit, .forGood)
        listener?.onChange()
    }

    /// The folders that are no longer synced but still have kept versions.
    var removed: [RemovedFolder] { settings.current.removed ?? [] }

    /// Forgets a removed folder that has no kept versions any more.
    func forget(_ id: String) {
        let rest = removed.filter { $0.id != id }
        guard rest != removed else { return }
        do throws(WorkerError) {
            try settings.change { $0.removed = rest.isEmpty ? nil : rest }
        } catch {
            log(.warning, error.message)
        }
    }

    // MARK: Moving

    /// Records the new place of a folder, and continues to sync it there.
    func relocate(_ unit: FolderUnit, to place: NewPlace, _ onMoved: @escaping (WorkerError?) -> Void) {
        let id = unit.settings.id
        var target = unit.place
        target.folder = place.uri.filePath
        moving[id] = (unit, [unit.place, target])
        drop(unit)
        listener?.onGo(unit, .toComeBack)
        unit.stop { [unowned self] in
            moving[id] = nil
            var folder = unit.settings
            // A label that the user chose stays.
            if folder.label == unit.uri.label { folder.label = place.uri.label }
            folder.uri = place.uri.uri
            do throws(WorkerError) {
                try leave(unit, for: place, folder)
                try takeUp(folder)
                unit.depart(because: .movedMeanwhile(unit.settings.label, to: place.uri))
                onMoved(nil)
            } catch {
                goBack(unit, from: folder)
                unit.depart(because: .movedMeanwhile(unit.settings.label, to: unit.uri))
                onMoved(error)
            }
        }
    }

    /// The settings are saved first: if that fails, the database still belongs to the old place.
    private func leave(_ unit: FolderUnit, for place: NewPlace, _ folder: FolderSettings) throws(WorkerError) {
        defer { unit.close() }
        try settings.change(unit.settings, to: folder)
        try unit.leave(for: place)
    }

    /// Continues to sync a folder at its old place after a failed move.
    private func goBack(_ unit: FolderUnit, from folder: FolderSettings) {
        do throws(WorkerError) { try settings.change(folder, to: unit.settings) } catch { log(.error, error.message) }
        do throws(WorkerError) { try takeUp(unit.settings) } catch { log(.error, error.message) }
    }

    /// Continues to sync a folder that was stopped.
    private func takeUp(_ folder: FolderSettings) throws(WorkerError) {
        take(try unit(for: folder), .now)
        listener?.onChange()
    }

    // MARK: Choices

    /// Changes the settings of a folder: the user's choices, or what was found out about its server.
    func change(_ unit: FolderUnit, _ body: (inout FolderSettings) -> Void) throws(WorkerError) {
        readAgain()
        var folder = unit.settings
        body(&folder)
        if folder == unit.settings { return }
        try settings.change(unit.settings, to: folder)
        unit.apply(folder)
        listener?.onChange()
    }

    /// Pauses or resumes a folder, and saves that.
    func setPaused(_ isPaused: Bool, _ unit: FolderUnit) throws(WorkerError) {
        try change(unit) { $0.paused = isPaused }
        unit.reporter.publishStatus()
    }

    /// Sets how a folder may use the network.
    func setNetworkUse(_ use: NetworkUse, of unit: FolderUnit) throws(WorkerError) {
        guard unit.usesNetwork else { throw .noNetwork(unit.settings.label) }
        try change(unit) { $0.network = use == .usual ? nil : use }
    }

    /// Reads the settings again if the user changed the file. What it says about existing folders holds from now on;
    /// where they are, and which there are, from the next start on.
    func readAgain() {
        do throws(WorkerError) {
            try settings.refresh()
        } catch {
            return log(.warning, error.message)
        }
        for unit in folders.all {
            guard let chosen = settings.current.folders.first(where: { $0.id == unit.settings.id }) else { continue }
            var folder = unit.settings
            (folder.label, folder.paused, folder.network) = (chosen.label, chosen.paused, chosen.network)
            do throws(WorkerError) {
                try FolderSettings.requirePatterns(chosen.excludes)
                folder.excludes = chosen.excludes
            } catch {
                log(.warning, error.message)
            }
            guard folder != unit.settings else { continue }
            unit.apply(folder)
            listener?.onChange()
        }
    }
}

/// When a folder that comes is started.
enum FolderStart: Equatable {
    /// With all folders of the settings, when the worker starts.
    case withAll
    case now
    /// By a call of Sync that this caller will soon make, whose result counts everything. If that does not come, the
    /// folder starts by itself.
    case byCall(from: String)
}

/// How a folder goes.
enum FolderLeave {
    case forGood
    /// It is moved, and comes back at once.
    case toComeBack
}

extension WorkerError {
    static func unknownFolder(_ text: String) -> WorkerError {
        WorkerError(.unknownFolder, tr("“{1}” is not in a synced folder. See: roundel list", ShownPath.given(text)))
    }

    /// The answer to a call that waited for a folder, which is synced at this place now.
    fileprivate static func movedMeanwhile(_ label: String, to place: ItemURI) -> WorkerError {
        WorkerError(
            .failed,
            tr(
                "“{1}” was interrupted, because the folder was moved meanwhile. Try again with its place now: {2}",
                label, ShownPath.word(place.filePath)))
    }

    /// - Parameter folder: The label of a folder that syncs with a directory.
    static func noNetwork(_ folder: String) -> WorkerError {
        WorkerError(
            .unsupported,
            tr("“{1}” is synced with a directory, which Roundel does not reach over a network of its own.", folder))
    }
}

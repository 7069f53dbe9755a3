internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
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
    private let dismantling: MountDismantling
    private var settings: SettingsFile
    private var listener: Listener?
    /// The folders that are being moved, with their old and new places, by their IDs.
    private var moving: [String: (unit: FolderUnit, places: [SyncedPlace])] = [:]

    /// Reads the settings file.
    init(_ path: FilePath, dismantling: MountDismantling, blocking: BlockingWork) throws(WorkerError) {
        (self.dismantling, self.blocking) = (dismantling, blocking)
        settings = try SettingsFile(path)
    }

    /// The bytes that transfers leave free on each file system; nil for the default.
    var keepFree: Int64? { settings.current.keepFree }

    /// The certificates that a person gave for servers, by their origins.
    var certificates: [String: ServerCertificates] { settings.current.servers ?? [:] }

    /// Keeps the certificates for a server; those that are empty are forgotten.
    func set(_ certificates: ServerCertificates, for server: String) throws(WorkerError) {
        var all = self.certificates
        all[server] = certificates.isEmpty ? nil : certificates
        try settings.change { $0.servers = all.isEmpty ? nil : all }
    }

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
        if unit.settings.isOnDemand { return removeOnDemand(unit, keptFrom: roots, onRemoved) }
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

    /// A folder on demand becomes an ordinary one before it is forgotten: until then it is known what is to be done.
    private func removeOnDemand(
        _ unit: FolderUnit, keptFrom roots: FolderRoots?,
        _ onRemoved: @escaping (Result<FolderRoots?, WorkerError>) -> Void
    ) {
        // If it is not removed in the end, they are still wanted.
        unit.notePins()
        rebuild(unit) {
            $0.onDemand?.step = .removing
        } doing: { [dismantling] folder, done in
            dismantling.carryOut(folder) { done($0.map { Setback(error: $0) }) }
        } then: { [unowned self] folder in
            do throws(WorkerError) { try forget(unit, keptFrom: roots) } catch {
                // It is an ordinary folder already, which is not to be synced: to forget it is all that is left to do.
                goBack(unit, to: folder, from: folder)
                unit.depart(because: .changedMeanwhile(folder.label))
                return onRemoved(.failure(error))
            }
            unit.forgetClearing()
            unit.removePartials()
            onRemoved(.success(roots))
        } failed: { error in
            onRemoved(.failure(error))
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
                goBack(unit, to: unit.settings, from: folder)
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

    /// Continues with a folder that was stopped after its change failed.
    ///
    /// - Parameters:
    ///   - former: The settings that it has from now on.
    ///   - folder: Those for which the change was to be.
    private func goBack(_ unit: FolderUnit, to former: FolderSettings, from folder: FolderSettings) {
        do throws(WorkerError) { try settings.change(folder, to: former) } catch { log(.error, error.message) }
        do throws(WorkerError) { try takeUp(former) } catch { log(.error, error.message) }
    }

    /// Continues to sync a folder that was stopped.
    @discardableResult
    private func takeUp(_ folder: FolderSettings) throws(WorkerError) -> FolderUnit {
        let unit = try unit(for: folder)
        take(unit, .now)
        listener?.onChange()
        return unit
    }

    // MARK: On demand

    /// Makes a folder one on demand, whose contents are kept at a place on its file system.
    func turnOnDemand(
        _ unit: FolderUnit, contents: ItemURI, _ done: @escaping (Result<FolderUnit, WorkerError>) -> Void
    ) {
        // The worker may have been killed before it could end what it kept only to make an ordinary folder of it.
        if unit.wishes[.root] == .alwaysHere {
            do throws(WorkerError) { try unit.unpinWhole() } catch { return done(.failure(error)) }
        }
        turn(unit, done) {
            $0.onDemand = OnDemandSettings(contents: contents.uri, step: .turningOn)
        } doing: { [dismantling] folder, done in
            dismantling.carryOut(folder) { error in
                guard let error else { return done(nil) }
                // What was moved already is moved back. If it cannot be, the folder must go on to know where it is.
                dismantling.takeBack(folder) { isBack in
                    done(Setback(error: error, settings: isBack ? nil : folder))
                }
            }
        } then: {
            $0.onDemand?.step = nil
        }
    }

    /// Makes a folder on demand, all of whose contents are here, an ordinary one.
    func turnOrdinary(_ unit: FolderUnit, _ done: @escaping (Result<FolderUnit, WorkerError>) -> Void) {
        turn(unit, done) {
            $0.onDemand?.step = .turningOff
        } doing: { [dismantling] folder, done in
            // Also one that was interrupted goes on as one on demand, so that what is missing can be fetched.
            var back = folder
            back.onDemand?.step = nil
            dismantling.carryOut(folder) { done($0.map { Setback(error: $0, settings: back) }) }
        } then: {
            $0.onDemand = nil
        }
    }

    private func turn(
        _ unit: FolderUnit, _ done: @escaping (Result<FolderUnit, WorkerError>) -> Void,
        _ begin: @escaping (inout FolderSettings) -> Void,
        doing work: @escaping (FolderSettings, @escaping (Setback?) -> Void) -> Void,
        then end: @escaping (inout FolderSettings) -> Void
    ) {
        rebuild(unit, begin, doing: work) { [unowned self] folder in
            var changed = folder
            end(&changed)
            let result: Result<FolderUnit, WorkerError>
            do throws(WorkerError) {
                try settings.change(folder, to: changed)
                result = .success(try takeUp(changed))
            } catch {
                // The note stays: what is left to do is done when the worker starts again.
                goBack(unit, to: folder, from: changed)
                result = .failure(error)
            }
            unit.depart(because: .changedMeanwhile(folder.label))
            done(result)
        } failed: { error in
            done(.failure(error))
        }
    }

    /// What was kept here only until a folder has become an ordinary one is not kept any more.
    func endKeepingAll(of unit: FolderUnit) {
        // A person has pinned the whole folder meanwhile.
        if unit.settings.isOnDemand, unit.settings.onDemand?.keepsAllForNow != true { return }
        do throws(WorkerError) {
            try unit.unpinWhole()
            try change(unit) { $0.onDemand?.keepsAllForNow = nil }
        } catch {
            log(.warning, error.message)
        }
    }

    /// Takes away from this computer what the remote has as well, of which the folder then knows nothing more.
    func clear(
        _ unit: FolderUnit, removesLocal: Bool, _ done: @escaping (Result<SyncClearedContents, WorkerError>) -> Void
    ) {
        let clearing = unit.clearing(removesLocal: removesLocal)
        var cleared = SyncClearedContents()
        rebuild(unit) { _ in
        } doing: { [blocking] folder, done in
            let isBegun = blocking.run({ clearing.run() }) { result in
                switch result {
                case .success(let removed):
                    cleared = removed
                    done(nil)
                case .failure(let error):
                    let sentence = tr("“{1}” could not be cleared: {2}.", folder.label, "\(error)")
                    done(Setback(error: WorkerError(.failed, sentence)))
                }
            }
            if !isBegun { done(Setback(error: .tooMuchWaits)) }
        } then: { [unowned self] folder in
            let result: Result<SyncClearedContents, WorkerError>
            do throws(WorkerError) {
                try takeUp(folder)
                result = .success(cleared)
            } catch {
                result = .failure(error)
            }
            unit.depart(because: .changedMeanwhile(folder.label))
            done(result)
        } failed: { error in
            done(.failure(error))
        }
    }

    /// Why a change of a folder was not carried out.
    private struct Setback {
        let error: WorkerError
        /// The settings with which the folder goes on; nil for those from before.
        var settings: FolderSettings?
    }

    /// Notes a change of a folder, stops the folder and carries the change out.
    ///
    /// - Parameters:
    ///   - work: Carries it out, when the folder is closed.
    ///   - end: Is given the settings with the note, when the change was carried out and the folder is closed.
    ///   - failed: The folder goes on as it was, or, if that cannot be, is taken up again when the worker starts.
    private func rebuild(
        _ unit: FolderUnit, _ begin: (inout FolderSettings) -> Void,
        doing work: @escaping (FolderSettings, @escaping (Setback?) -> Void) -> Void,
        then end: @escaping (FolderSettings) -> Void, failed: @escaping (WorkerError) -> Void
    ) {
        let before = unit.settings
        var noted = before
        begin(&noted)
        do throws(WorkerError) { try settings.change(before, to: noted) } catch { return failed(error) }
        moving[before.id] = (unit, [unit.place])
        drop(unit)
        listener?.onGo(unit, .toComeBack)
        unit.stop { [unowned self] in
            unit.letGo()
            unit.close()
            work(noted) { [unowned self] setback in
                moving[before.id] = nil
                guard let setback else { return end(noted) }
                goBack(unit, to: setback.settings ?? before, from: noted)
                unit.depart(because: .changedMeanwhile(before.label))
                failed(setback.error)
            }
        }
    }

    /// Takes up the changes of directories that were interrupted, but for removals. Called once, before any folder starts.
    func resumeChanges() {
        for unit in folders.all {
            if unit.settings.onDemand?.keepsAllForNow == true { endKeepingAll(of: unit) }
            switch unit.settings.onDemand?.step {
            case .turningOff:
                turnOrdinary(unit) { result in
                    if case .failure(let error) = result { log(.error, error.message) }
                }
            // Its mount takes up the first.
            case .turningOn, .removing, nil: break
            }
        }
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
    ///
    /// - Parameter pause: Replaces one that the folder has; nil resumes it.
    func setPause(_ pause: FolderPause?, _ unit: FolderUnit) throws(WorkerError) {
        try change(unit) { $0.pause = pause }
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
            (folder.label, folder.pause, folder.network) = (chosen.label, chosen.pause, chosen.network)
            if let rule = chosen.onDemand {
                folder.onDemand?.freeBelow = rule.freeBelow
                folder.onDemand?.freeUnused = rule.freeUnused
            }
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
        WorkerError(.unknownFolder, tr("“{1}” is not in a synced folder.", ShownPath.given(text)))
    }

    /// The answer to a call that waited for a folder, which is synced at this place now.
    fileprivate static func movedMeanwhile(_ label: String, to place: ItemURI) -> WorkerError {
        WorkerError(
            .failed,
            tr(
                "“{1}” was interrupted, because the folder was moved meanwhile. Try again with its place now: {2}",
                label, ShownPath.short(place.filePath)))
    }

    /// The answer to a call that waited for a folder that has become one on demand, or an ordinary one.
    fileprivate static func changedMeanwhile(_ label: String) -> WorkerError {
        WorkerError(.failed, tr("“{1}” was interrupted, because the folder was changed meanwhile. Try again.", label))
    }

    /// - Parameter folder: The label of a folder that syncs with a directory.
    static func noNetwork(_ folder: String) -> WorkerError {
        WorkerError(
            .unsupported,
            tr("“{1}” is synced with a directory, which Roundel does not reach over a network of its own.", folder))
    }
}

internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SystemPackage

/// One call of SetOnDemand, which is answered at the end. While contents are fetched, it is given up if the caller leaves
/// the bus.
final class OnDemandCall {
    private let call: MethodCall
    private unowned let service: Worker
    private var work: ContentsWork?
    private var caller: Registration?
    private var giveUp: () -> Void = {}
    private var isOver = false

    static func begin(_ isOn: Bool, _ unit: FolderUnit, _ call: MethodCall, _ service: Worker) throws {
        if unit.settings.isOnDemand == isOn { return call.reply { try $0.appendNoExtras() } }
        if unit.settings.uploadOnly != nil { throw WorkerError.downloadsNothing }
        let waiting = OnDemandCall(call, service)
        let id = unit.settings.id
        try requireNone(for: unit, service)
        guard service.contentsCalls.keep(waiting, for: id) else { throw WorkerError.tooMuchWaits }
        if isOn { return waiting.turnOn(unit) }
        do {
            waiting.caller = try service.bus.watchName(call.sender) { [weak waiting] owner in
                if owner == nil { waiting?.abandon() }
            }
        } catch {
            waiting.letGo()
            throw error
        }
        service.lost.whenKnown([unit.uri]) { waiting.turnOff(id) }
    }

    /// - Throws: `InUse` while a folder is being made one on demand, or an ordinary one.
    static func requireNone(for unit: FolderUnit, _ service: Worker) throws(WorkerError) {
        if service.contentsCalls.isUnderWay(for: unit.settings.id) { throw .changesAlready(unit.settings.label) }
    }

    private init(_ call: MethodCall, _ service: Worker) { (self.call, self.service) = (call, service) }

    // MARK: On

    private func turnOn(_ unit: FolderUnit) {
        let (id, folder) = (unit.settings.id, unit.uri.filePath)
        service.placement.findContents(id, for: folder) { [self] result in
            switch result {
            case .failure(let error): end(error)
            case .success(let place):
                let isBegun = service.blocking.run({ OpenFiles.program(in: folder) }) { [self] program in
                    if let program { return end(.inUse(folder, by: program)) }
                    move(id, behind: place)
                }
                if !isBegun { end(.tooMuchWaits) }
            }
        }
    }

    private func move(_ id: String, behind place: ItemURI) {
        guard let unit = service.folders.unit(withID: id), !unit.settings.isOnDemand else {
            return end(.unknownFolder(id))
        }
        service.book.turnOnDemand(unit, contents: place) { [self] result in
            switch result {
            case .failure(let error): end(error)
            case .success(let unit): mount(unit)
            }
        }
    }

    /// A folder that cannot be mounted is what it was before.
    private func mount(_ unit: FolderUnit) {
        guard let mount = unit.contents?.mount else { return end(.unknownFolder(unit.settings.uri)) }
        mount.begin { [self] in
            if mount.isThere { return end(nil) }
            let label = unit.settings.label
            let reason = WorkerError(
                .failed, tr("“{1}” could not be mounted, so it stays as it was. {2}", label, mount.trouble ?? ""))
            service.book.turnOrdinary(unit) { [self] _ in end(reason) }
        }
    }

    // MARK: Off

    private func turnOff(_ id: String) {
        guard !isOver else { return }
        guard let unit = service.folders.unit(withID: id), unit.settings.isOnDemand else {
            return end(.unknownFolder(id))
        }
        do throws(WorkerError) { try keepAll(of: unit) } catch { return end(error) }
        fetchAll(unit)
    }

    /// Whatever the remote gets meanwhile comes with its contents. That it is only for now is noted first.
    private func keepAll(of unit: FolderUnit) throws(WorkerError) {
        if unit.wishes[.root] == .alwaysHere { return }
        // It was pinned before its trees were thrown away.
        if unit.isToBePinned(.root) { return try unit.wish(.alwaysHere, for: [.root]) }
        let id = unit.settings.id
        try service.book.change(unit) { $0.onDemand?.keepsAllForNow = true }
        // Another object may stand for the folder by then.
        giveUp = { [unowned service] in
            if let unit = service.folders.unit(withID: id) { service.book.endKeepingAll(of: unit) }
        }
        do throws(WorkerError) { try unit.wish(.alwaysHere, for: [.root]) } catch {
            giveUp()
            throw error
        }
    }

    private func fetchAll(_ unit: FolderUnit) {
        work = service.moving.begin(.here, service.moving.select([unit.uri])) { [weak self] progress in
            guard let self, !isOver else { return }
            service.contentsReports.note(progress, of: self, for: call.sender)
        } _: { [weak self] result in
            self?.fetched(result, unit)
        }
    }

    private func fetched(_ result: Result<ContentsWork, WorkerError>, _ unit: FolderUnit) {
        guard !isOver else { return }
        work = nil
        var failure: WorkerError?
        switch result {
        case .failure(let error): failure = error
        case .success(let work): failure = work.firstFailure
        }
        if let failure {
            giveUp()
            return end(WorkerError(.failed, failure.message))
        }
        // From here on it is carried out, whoever waits. If a placeholder came meanwhile, it is refused.
        caller?.cancel()
        caller = nil
        service.book.turnOrdinary(unit) { [self] result in
            giveUp()
            switch result {
            case .success: end(nil)
            case .failure(let error): end(error)
            }
        }
    }

    private func abandon() {
        if let work { service.moving.stop(work) }
        giveUp()
        letGo()
    }

    private func end(_ error: WorkerError?) {
        guard !isOver else { return }
        if let error { call.fail(error.busError) } else { call.reply { try $0.appendNoExtras() } }
        letGo()
    }

    private func letGo() {
        isOver = true
        caller?.cancel()
        caller = nil
        giveUp = {}
        service.contentsReports.forget(self, of: call.sender)
        service.contentsCalls.letGo(self)
    }
}

extension WorkerError {
    /// Two changes of a folder at once would undo each other.
    fileprivate static func changesAlready(_ label: String) -> WorkerError {
        WorkerError(.inUse, tr("“{1}” is being changed already. Wait until that is done, then try again.", label))
    }
}

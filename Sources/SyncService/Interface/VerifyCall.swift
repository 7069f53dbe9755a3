internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// One call of Verify, over one or several folders, one after the other. It is cancelled if the caller leaves the bus.
final class VerifyCall {
    private let call: MethodCall
    private unowned let service: Worker
    /// Where to start; nil for all folders.
    private let place: ItemURI?
    private var remaining: [FolderUnit]
    private var running: FolderVerification?
    private var result = SyncVerification()
    private var caller: Registration?
    private var isOver = false
    private let isOnlyFolder: Bool

    /// Starts the comparison that a call requests, which gets its reply at the end.
    /// - Throws: `UnknownFolder`, or `Failed` if nothing can be compared.
    static func begin(_ call: MethodCall, _ place: ItemURI?, _ service: Worker) throws {
        let units = try service.folders.units(named: place?.uri ?? "")
        if units.isEmpty {
            throw WorkerError(.unknownFolder, tr("No folder is synced, so nothing can be compared."))
        }
        if let place, let unit = units.first, unit.items.node(at: place) == nil {
            throw WorkerError.notSyncedItem(place)
        }
        let verify = VerifyCall(call, place, units, service)
        guard service.verifications.keep(verify) else { throw WorkerError.tooMuchWaits }
        verify.caller = try service.bus.watchName(call.sender) { [weak verify] owner in
            if owner == nil { verify?.abandon() }
        }
        verify.next()
    }

    private init(_ call: MethodCall, _ place: ItemURI?, _ units: [FolderUnit], _ service: Worker) {
        self.call = call
        self.place = place
        self.service = service
        remaining = units.reversed()
        isOnlyFolder = units.count == 1
    }

    /// Cancels the comparison, because the caller left. The object is released when its thread has ended, which a side
    /// can delay.
    private func abandon() {
        isOver = true
        running?.cancel()
        if running == nil { end() }
    }

    private func next() {
        guard !isOver, let unit = remaining.popLast() else { return end() }
        let path = place.flatMap { RelativePath($0, below: unit.uri) } ?? .root
        let (before, id) = (result, unit.settings.id)
        let ended = unit.untilDeparture { [weak self, weak unit] (outcome: Result<VerificationResult, WorkerError>) in
            self?.finished(outcome, unit, id)
        }
        do throws(WorkerError) {
            running = try unit.verify(at: path) { [weak self] progress, total in
                self?.report(progress, total, after: before, unit)
            } _: { outcome in
                ended(outcome)
            }
        } catch {
            ended(.failure(error))
        }
    }

    private func finished(_ outcome: Result<VerificationResult, WorkerError>, _ unit: FolderUnit?, _ id: String) {
        // One that its folder left behind may wait for a side, and nobody waits for it.
        running?.cancel()
        running = nil
        guard !isOver else { return end() }
        guard let unit, !unit.hasDeparted else { return left(id, outcome) }
        switch outcome {
        case .success(let verified): result.add(verified, of: unit)
        case .failure(let error):
            if place != nil || isOnlyFolder {
                call.fail(error.busError)
                return end()
            }
            // The other folders are compared anyway.
            result.differences += 1
            result.items.append(
                .init(
                    folder: unit.settings.id, uri: unit.uri.uri, finding: WireWord(.unreadable), message: error.message)
            )
        }
        next()
    }

    /// The folder was removed or moved while it was compared, which must not look as if nothing differed.
    private func left(_ id: String, _ outcome: Result<VerificationResult, WorkerError>) {
        if let place {
            var reason = WorkerError.notSyncedItem(place)
            if case .failure(let error) = outcome { reason = error }
            call.fail(reason.busError)
            return end()
        }
        if let moved = service.folders.unit(withID: id) { remaining.append(moved) }
        next()
    }

    private func report(
        _ progress: VerificationResult, _ total: Int64?, after before: SyncVerification, _ unit: FolderUnit
    ) {
        guard !isOver else { return }
        var counts = progress
        counts.items = []
        var sum = before
        sum.items = []
        sum.add(counts, of: unit)
        if let total { sum.bytesTotal = before.bytes + UInt64(clamping: total) }
        try? service.bus.emit(Names.workerPath, EngineInterface.verification.name, "VerifyProgress", to: call.sender) {
            writer in
            try writer.append(unit.settings.id)
            try writer.append(map: sum.map)
            try writer.appendNoExtras()
        }
    }

    private func end() {
        isOver = true
        caller?.cancel()
        caller = nil
        if !call.isAnswered {
            call.reply { writer in
                try writer.append(map: result.map)
                try writer.appendNoExtras()
            }
        }
        service.verifications.letGo(self)
    }
}

extension SyncVerification {
    fileprivate mutating func add(_ verified: VerificationResult, of unit: FolderUnit) {
        files += UInt64(clamping: verified.files)
        bytes += UInt64(clamping: verified.bytes)
        differences += UInt64(clamping: verified.differences)
        waiting += UInt64(clamping: verified.waiting)
        items += verified.items.map { item in
            Item(
                folder: unit.settings.id, uri: (item.path.uri(below: unit.uri) ?? unit.uri).uri,
                finding: WireWord(text: item.finding.rawValue),
                message: item.message.isEmpty ? nil : unit.explainer.sentence(item.message))
        }
    }
}

extension WorkerError {
    fileprivate static func notSyncedItem(_ item: ItemURI) -> WorkerError {
        WorkerError(.notSynced, tr("“{1}” is not synced.", ShownPath.short(item.filePath)))
    }
}

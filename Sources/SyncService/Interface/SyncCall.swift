internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// One call of Sync, over one or several folders.
final class SyncCall {
    private let call: MethodCall
    /// The folders that are still synced.
    private var units: [FolderUnit]
    private var remaining: Int
    private var result = SyncRunResult()
    /// Until when to wait for files that programs are writing, for each folder whose first run ended.
    private var deadlines: [ObjectIdentifier: Instant] = [:]
    /// The number of items that could not be synced in each folder's last run.
    private var errors: [ObjectIdentifier: UInt64] = [:]
    /// The folders in whose last run everything was done that could be.
    private var done: Set<ObjectIdentifier> = []
    /// Answers at the deadline, for each folder that waits for a further run, which may never come.
    private var timers: [ObjectIdentifier: LoopTimer] = [:]
    private let loop: EventLoop

    /// Starts the runs that a call requests, and replies to it.
    /// - Throws: `UnknownFolder`, `FolderPaused`, `Unsupported`.
    static func begin(_ call: MethodCall, _ name: String, _ options: VariantMap, _ service: Worker)
        throws(WorkerError)
    {
        let named = try service.folders.units(named: name)
        // A paused folder can be rehearsed, to show what resuming would do.
        if options.bool("dry-run") == true { return rehearse(call, named, service.loop) }
        let units = named.filter { !$0.settings.paused && !$0.isBecomingOrdinary }
        if units.isEmpty, let changing = named.first(where: \.isBecomingOrdinary), !name.isEmpty {
            throw .becomesOrdinary(changing.uri.filePath)
        }
        if units.isEmpty, let paused = named.first, !name.isEmpty {
            throw WorkerError(.folderPaused, tr("“{1}” is paused. Resume it first.", paused.settings.label))
        }
        let waits = options.bool("wait") == true
        let answers = answers(options)
        let run = SyncCall(call, units, service.loop)
        if units.isEmpty || !waits { run.answer() }
        for unit in units {
            let ended = unit.untilDeparture { run.ended($0, unit) }
            service.hub.flush(unit.uri) {
                unit.sync(answering: answers) { ended(.success($0)) }
            }
        }
    }

    private static func answers(_ options: VariantMap) -> SyncAnswers {
        let known: [(String, SyncAnswers)] = [
            ("confirm-deletes", .confirmDeletes), ("restore-deleted", .restoreDeleted), ("unite", .unite),
            ("accept-remote", .acceptRemote), ("same-root", .sameRoot),
        ]
        return SyncAnswers(known.filter { options.bool($0.0) == true }.map(\.1))
    }

    /// Replies with what runs would do, without doing anything.
    private static func rehearse(_ call: MethodCall, _ units: [FolderUnit], _ loop: EventLoop) {
        let run = SyncCall(call, units, loop)
        run.result.steps = []
        if units.isEmpty { return run.answer() }
        for unit in units {
            let ended = unit.untilDeparture { (result: Result<[RehearsedStep], WorkerError>) in
                switch result {
                case .success(let steps): run.rehearsed(steps, unit)
                case .failure(let error) where unit.hasDeparted: run.departed(unit, error)
                case .failure(let error): call.fail(error.busError)
                }
            }
            unit.runs.rehearse { ended($0) }
        }
    }

    private func ended(_ result: Result<RunSummary, WorkerError>, _ unit: FolderUnit) {
        switch result {
        case .success(let summary): finished(unit.runs.summary(summary, for: call.sender), unit)
        case .failure(let error): departed(unit, error)
        }
    }

    /// The folder was removed or moved. The others are synced anyway.
    private func departed(_ unit: FolderUnit, _ reason: WorkerError) {
        units.removeAll { $0 === unit }
        timers.removeValue(forKey: ObjectIdentifier(unit))?.cancel()
        if units.isEmpty { return call.fail(reason.busError) }
        remaining -= 1
        if remaining == 0 { answer() }
    }

    private func rehearsed(_ steps: [RehearsedStep], _ unit: FolderUnit) {
        func count(_ kind: RehearsedStep.Kind) -> UInt64 { UInt64(steps.count { $0.kind == kind }) }
        result.uploaded += count(.upload)
        result.downloaded += count(.download)
        result.moved += count(.move)
        result.permissions += count(.permissions)
        result.deletedLocal += count(.deleteLocal)
        result.deletedRemote += count(.deleteRemote)
        result.conflicts += count(.conflict)
        result.steps?.append(
            contentsOf: steps.map { step in
                SyncRunResult.Step(
                    action: WireWord(text: step.kind.rawValue), uri: (step.path.uri(below: unit.uri) ?? unit.uri).uri,
                    newURI: step.target?.uri(below: unit.uri)?.uri, bytes: UInt64(clamping: step.bytes))
            })
        remaining -= 1
        if remaining == 0 { answer() }
    }

    private init(_ call: MethodCall, _ units: [FolderUnit], _ loop: EventLoop) {
        self.call = call
        self.units = units
        self.loop = loop
        remaining = units.count
    }

    private func finished(_ summary: RunSummary, _ unit: FolderUnit) {
        result.uploaded += UInt64(clamping: summary.uploaded)
        result.downloaded += UInt64(clamping: summary.downloaded)
        result.moved += UInt64(clamping: summary.moved)
        result.permissions += UInt64(clamping: summary.permissions)
        result.deletedLocal += UInt64(clamping: summary.deletedLocal)
        result.deletedRemote += UInt64(clamping: summary.deletedRemote)
        result.conflicts += UInt64(clamping: summary.conflicts)
        let id = ObjectIdentifier(unit)
        errors[id] = UInt64(clamping: summary.errors)
        if summary.waiting == 0 { done.insert(id) } else { done.remove(id) }
        timers.removeValue(forKey: id)?.cancel()
        let deadline = deadlines[id] ?? .now + Patience.Worker.writers
        deadlines[id] = deadline
        // Such items are retried once a second.
        if !call.isAnswered && Instant.now < deadline && !unit.items.triedAgain.isEmpty {
            let ended = unit.untilDeparture { self.ended($0, unit) }
            unit.runs.whenEnded { ended(.success($0)) }
            var unchanged = RunSummary()
            (unchanged.errors, unchanged.waiting) = (summary.errors, summary.waiting)
            let timer = loop.makeTimer { ended(.success(unchanged)) }
            timer.set(at: deadline)
            timers[id] = timer
            return
        }
        remaining -= 1
        if remaining == 0 { answer() }
    }

    /// The state in which the folder's last run left it: what was noticed since then is the next run's.
    private func stateAfterRun(_ unit: FolderUnit) -> ItemSyncState {
        let state = unit.reporter.stateOfItems
        guard done.contains(ObjectIdentifier(unit)), !unit.status.isPartlyUnknown else { return state }
        switch unit.status.phase {
        case .idle, .looking, .syncing: return state == .pending || state == .syncing ? .synced : state
        case .paused, .offline, .stopped, .confirmDeletes: return state
        }
    }

    private func answer() {
        guard !call.isAnswered else { return }
        result.state = units.map(stateAfterRun).max().map { Badge($0.badge) } ?? .synced
        result.needs = units.compactMap(\.reporter.needs).first.map { WireWord($0) }
        result.errors = errors.values.reduce(0, +)
        if !deadlines.isEmpty { result.waiting = units.flatMap { $0.items.triedAgain + $0.items.putOff } }
        call.reply { writer in
            try writer.append(map: result.map)
            try writer.appendNoExtras()
        }
    }
}

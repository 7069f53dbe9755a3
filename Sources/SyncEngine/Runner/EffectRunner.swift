import Support
package import SyncCore
import Synchronization

/// Runs effects, a limited number at the same time, and reports their results.
///
/// Effects of one folder run in any order and at the same time; the caller waits for results where order matters.
package final class EffectRunner: Sendable {
    /// A report about an effect, made on any thread.
    package enum Report: Sendable {
        /// A transfer begins to move bytes.
        case began(EffectID)
        /// An effect ended.
        case finished(EffectID, EffectResult)
        /// The bytes that a transfer has moved so far.
        case progress(EffectID, bytesDone: Int64)
    }

    private struct Hold {
        var onRest: (@Sendable () -> Void)?
    }

    /// A task that runs one effect after the other, because starting a task for each would cost more than a small
    /// effect.
    private struct Lane {
        /// What it runs now.
        var effect: EffectID
        /// Nil until the task is started.
        var task: Task<Void, Never>?
        /// Whether the task should be cancelled as soon as it is started.
        var isCancelled: Bool
        /// Whether abandoning its effect costs nothing but time.
        var isTransferring: Bool
    }

    private struct State {
        var waiting: [(EffectID, Effect)] = []
        var next = 0
        /// What goes before that, and what waits for nothing; the first one is last.
        var demanded: [(EffectID, Effect)] = []
        var awaited: [(EffectID, Effect)] = []
        var lanes: [UInt64: Lane] = [:]
        var lastLane: UInt64 = 0
        var limit = 2
        var isMeasured = false
        var isAbandoned = false
        /// Set while no effects are started. It contains the callback to call once no effect runs any more, until that
        /// happened.
        var hold: Hold?
        /// The contents that are staged but not published yet, and the side of each.
        var staged: [StageID: Side] = [:]
        var questions: OpenQuestions
    }

    private let local: any LocalEndpoint
    private let remote: any Remote
    private let report: @Sendable (Report) -> Void
    private let limit: Int
    /// How many effects for which a program waits may run in addition, so that they wait for no other.
    private static let reserve = 4
    private let threads: WorkThreads
    private let state: Mutex<State>

    /// Creates a runner between two sides.
    ///
    /// - Parameter limit: The maximum number of effects at the same time, besides a few for which a program waits.
    package init(
        local: any LocalEndpoint, remote: any Remote, limit: Int, report: @escaping @Sendable (Report) -> Void
    ) {
        self.local = local
        self.remote = remote
        self.limit = limit
        self.report = report
        threads = WorkThreads(limit: limit + Self.reserve)
        let watched = remote.endsCalls ? Set([Side.local]) : Set(Side.allCases)
        state = Mutex(State(questions: OpenQuestions(of: watched)))
    }

    /// Starts effects as soon as there is capacity.
    package func run(_ effects: [(EffectID, Effect)]) {
        state.withLock { $0.waiting += effects }
        begin()
    }

    /// Has these effects go before less urgent ones. Those that are running already, or have ended, are ignored.
    package func hasten(_ urgencies: [EffectID: Urgency]) {
        state.withLock { state in
            let found = takeWaiting(&state) { urgencies[$0.0] != nil }
            let (demanded, awaited) = (
                found.filter { urgencies[$0.0] == .demanded }, found.filter { urgencies[$0.0] == .awaited }
            )
            state.demanded = demanded.reversed() + state.demanded
            state.awaited = awaited.reversed() + state.awaited
            state.waiting += found.filter { urgencies[$0.0] == .ordinary }
        }
        begin()
    }

    /// Abandons transfers that run or wait: they end with a failure that changes nothing. Whatever has ended is ignored.
    package func abandon(_ ids: Set<EffectID>) {
        let (tasks, waiting) = state.withLock { state in
            let tasks = cancel(&state) { $0.isTransferring && ids.contains($0.effect) }
            return (tasks, takeWaiting(&state) { ids.contains($0.0) })
        }
        for task in tasks { task.cancel() }
        for (id, _) in waiting { report(.finished(id, .abandoned)) }
    }

    /// Takes effects of a kind out of those that wait.
    private func takeWaiting(
        _ state: inout State, where isMeant: ((EffectID, Effect)) -> Bool
    ) -> [(EffectID, Effect)] {
        let all = state.awaited.reversed() + state.demanded.reversed() + state.waiting[state.next...]
        state.awaited.removeAll(where: isMeant)
        state.demanded.removeAll(where: isMeant)
        state.waiting = state.waiting[state.next...].filter { !isMeant($0) }
        state.next = 0
        return all.filter(isMeant)
    }

    private func begin() {
        let new = state.withLock { state in
            var new: [(lane: UInt64, id: EffectID, effect: Effect)] = []
            while mayRunOneMore(state), let (id, effect) = takeNext(&state) {
                state.lastLane += 1
                // Calls to a disk run to their end; waiting for a network is cancelled.
                let isTransferring = effect.footprint.isTransfer
                state.lanes[state.lastLane] = Lane(
                    effect: id, isCancelled: state.isAbandoned, isTransferring: isTransferring)
                new.append((state.lastLane, id, effect))
            }
            return new
        }
        // Not under the lock, because waking a thread takes long.
        for (lane, id, effect) in new {
            let task = Task(executorPreference: threads) { await self.work(in: lane, id, effect) }
            let isCancelled = state.withLock { state in
                state.lanes[lane]?.task = task
                return state.lanes[lane]?.isCancelled ?? false
            }
            if isCancelled { task.cancel() }
        }
    }

    private func mayRunOneMore(_ state: State) -> Bool {
        state.lanes.count < state.limit + (state.awaited.isEmpty ? 0 : Self.reserve)
    }

    private func takeNext(_ state: inout State) -> (EffectID, Effect)? {
        guard state.hold == nil else { return nil }
        if let next = state.awaited.popLast() ?? state.demanded.popLast() { return next }
        guard state.next < state.waiting.count else { return nil }
        defer {
            state.next += 1
            if state.next == state.waiting.count {
                state.waiting.removeAll(keepingCapacity: true)
                state.next = 0
            }
        }
        return state.waiting[state.next]
    }

    private func work(in lane: UInt64, _ id: EffectID, _ effect: Effect) async {
        await measure()
        var next: (EffectID, Effect)? = (id, effect)
        while let (id, effect) = next {
            let result = await perform(effect, id)
            // A failure after an abandoned transfer is not the fault of the side.
            report(.finished(id, Task.isCancelled && effect.footprint.isTransfer ? result.abandoned : result))
            next = goOn(in: lane)
        }
    }

    /// The next effect of a lane; nil ends the lane.
    private func goOn(in lane: UInt64) -> (EffectID, Effect)? {
        let (next, onRest) = state.withLock { state -> ((EffectID, Effect)?, (@Sendable () -> Void)?) in
            // A task that was cancelled because of one effect cannot run another one.
            let isSurplus = state.lanes.count > state.limit && state.awaited.isEmpty
            if !isSurplus, !Task.isCancelled || state.isAbandoned, let next = takeNext(&state) {
                state.lanes[lane]?.effect = next.0
                state.lanes[lane]?.isTransferring = next.1.footprint.isTransfer
                return (next, nil)
            }
            state.lanes[lane] = nil
            return (nil, state.lanes.isEmpty ? state.hold?.onRest.take() : nil)
        }
        onRest?()
        if next == nil { begin() }
        return next
    }

    /// The side whose response is overdue; nil if there is none.
    var silentSide: Side? {
        let now = SuspendingClock.now
        return state.withLock { $0.questions.silentSide(at: now) }
    }

    /// Runs a call to a side and records that its response is expected within the usual time for its kind. `body` can
    /// call `turn` to record that the side responded and that it now waits for the given side.
    private func ask<Answer>(
        _ side: Side, _ kind: OpenQuestions.Kind,
        _ body: (_ turn: @escaping (Side) -> Void) async throws(EffectFailure) -> Answer
    ) async throws(EffectFailure) -> Answer {
        let began = SuspendingClock.now
        let number = state.withLock { $0.questions.ask(side, kind, at: began) }
        defer {
            let now = SuspendingClock.now
            state.withLock { $0.questions.end(number, at: now) }
        }
        return try await body { [self] side in
            let now = SuspendingClock.now
            state.withLock { $0.questions.turn(number, to: side, kind, at: now) }
        }
    }

    /// Asks the remote how many effects are useful at the same time.
    private func measure() async {
        let isFirst = state.withLock { state in
            defer { state.isMeasured = true }
            return !state.isMeasured
        }
        guard isFirst else { return }
        // The closure throws nothing.
        let asked = try? await ask(.remote, .look) { _ async throws(EffectFailure) in await remote.parallelism() }
        let useful = min(limit, asked ?? 1)
        state.withLock { $0.limit = max($0.limit, useful) }
        begin()
    }

    /// Cancels everything that can be cancelled: transfers, and all waiting for a network. These effects end with a
    /// failure.
    package func abandon() {
        let tasks = state.withLock { state in
            state.isAbandoned = true
            return cancel(&state) { _ in true }
        }
        for task in tasks { task.cancel() }
    }

    /// Abandons running and waiting transfers: they end with a failure that changes nothing. Transfers that are added
    /// later are started.
    func abandonTransfers() {
        let (tasks, waiting) = state.withLock { state in
            (cancel(&state) { $0.isTransferring }, takeWaiting(&state) { $0.1.footprint.isTransfer })
        }
        for task in tasks { task.cancel() }
        for (id, _) in waiting { report(.finished(id, .abandoned)) }
    }

    /// Starts nothing more before ``goOn()``, and abandons running transfers: they end with a failure that changes
    /// nothing. `onRest` is called, from any thread, when no effect runs any more.
    func hold(_ onRest: @escaping @Sendable () -> Void) {
        let (isAtRest, tasks) = state.withLock { state in
            let isAtRest = state.lanes.isEmpty
            state.hold = Hold(onRest: isAtRest ? nil : onRest)
            return (isAtRest, cancel(&state) { $0.isTransferring })
        }
        for task in tasks { task.cancel() }
        if isAtRest { onRest() }
    }

    /// Starts nothing more, and abandons running transfers. Once no effect runs any more, discards everything that is
    /// staged, because no session knows about it.
    func retire() {
        hold { [self] in
            Task(executorPreference: threads) { [self] in
                let staged = state.withLock { state in
                    defer { state.staged = [:] }
                    return state.staged
                }
                for side in Side.allCases {
                    let ids = staged.filter { $0.value == side }.map(\.key)
                    if !ids.isEmpty { await endpoint(side).discard(ids) }
                }
            }
        }
    }

    private func isPlaced(_ stage: StageID) { state.withLock { _ = $0.staged.removeValue(forKey: stage) } }

    /// Marks lanes as cancelled, and returns the tasks of those that were already started.
    private func cancel(_ state: inout State, where isMeant: (Lane) -> Bool) -> [Task<Void, Never>] {
        var tasks: [Task<Void, Never>] = []
        for (number, lane) in state.lanes where isMeant(lane) {
            state.lanes[number]?.isCancelled = true
            if let task = lane.task { tasks.append(task) }
        }
        return tasks
    }

    /// Ends ``hold(_:)``.
    func goOn() {
        state.withLock { $0.hold = nil }
        begin()
    }

    private func endpoint(_ side: Side) -> any Endpoint {
        switch side {
        case .local: local
        case .remote: remote
        }
    }

    private func perform(_ effect: Effect, _ id: EffectID) async -> EffectResult {
        do throws(EffectFailure) {
            return try await carryOut(effect, id)
        } catch {
            return .failed(error)
        }
    }

    /// A single switch, so that the compiler reports effects that are not handled here.
    private func carryOut(_ effect: Effect, _ id: EffectID) async throws(EffectFailure) -> EffectResult {
        switch effect {
        case .probeRoots:
            return .roots(
                local: try await ask(.local, .look) { _ async throws(EffectFailure) in await local.root() },
                remote: try await ask(.remote, .look) { _ async throws(EffectFailure) in await remote.root() })
        case .listDirectory(let side, let path, let part):
            return try await ask(side, .look) { _ async throws(EffectFailure) in
                try await endpoint(side).list(path, part)
            }.result
        case .checkEntry(let side, let path, let directory):
            return .entry(
                try await ask(side, .look) { _ async throws(EffectFailure) in
                    try await endpoint(side).entry(path, in: directory)
                })
        case .hashFile(let side, let path, let expected): return try await hash(side, path, expected)
        case .stage(let stage, let side, let path, let expected):
            return try await transfer(stage, from: side, path, expected, id)
        case .within(let points, let inner): return try await perform(inner, id, within: points)
        case .opening(let directories, let inner):
            return try await local.opening(directories) { () async throws(EffectFailure) in
                try await carryOut(inner, id)
            }
        case .syncContents(let side, let stages):
            return try await done(side, .durability) { end async throws(EffectFailure) in
                try await end.syncContents(stages)
            }
        case .syncRenames(let side, let items):
            return try await done(side, .durability) { end async throws(EffectFailure) in
                try await end.syncRenames(items)
            }
        case .discard(let side, let stages):
            for stage in stages { isPlaced(stage) }
            return try await done(side, .change) { end async throws(EffectFailure) in await end.discard(stages) }
        case .markRoot(let side, let known):
            return try await change(side) { end async throws(EffectFailure) in
                .marked(try await end.mark(knownAs: known))
            }
        case .publish(let stage, let side, let path, let expected, let permissions):
            return try await change(side) { end async throws(EffectFailure) in
                let placed = try await end.publish(stage, at: path, replacing: expected, permissions: permissions)
                isPlaced(stage)
                return placed.result
            }
        case .fill(let path, let stage, let expected):
            return try await change(.local) { _ async throws(EffectFailure) in
                let version = try await local.fill(path, with: stage, expecting: expected)
                isPlaced(stage)
                return .wrote(version)
            }
        case .free(let path, let expected, let source, let version):
            try await requireRemote(source, version)
            return try await change(.local) { _ async throws(EffectFailure) in
                .wrote(try await local.free(path, expecting: expected, as: version))
            }
        case .describe(let path, let source, let expected, let permissions):
            return try await change(.local) { _ async throws(EffectFailure) in
                .wrote(try await local.describe(path, as: source, replacing: expected, permissions: permissions))
            }
        case .makeDirectory(let side, let path, let permissions):
            return try await change(side) { end async throws(EffectFailure) in
                .wrote(try await end.makeDirectory(path, permissions: permissions))
            }
        case .setPermissions(let side, let path, let kind, let expected, let permissions):
            return try await change(side) { end async throws(EffectFailure) in
                try await end.setPermissions(path, kind: kind, expecting: expected, to: permissions).result
            }
        case .move(let side, let from, let to, let kind, let expected):
            return try await change(side) { end async throws(EffectFailure) in
                .wrote(try await end.move(from, to: to, kind: kind, expecting: expected))
            }
        case .remove(let side, let path, let kind, let expected):
            return try await done(side, .change) { end async throws(EffectFailure) in
                try await end.remove(path, kind: kind, expecting: expected)
            }
        case .removeTree(let path, let expected, let tag):
            return try await done(.remote, .change) { _ async throws(EffectFailure) in
                try await remote.removeTree(path, expecting: expected, tag: tag)
            }
        case .displace(let item, let name, let newcomer, let permissions):
            return try await change(.local) { _ async throws(EffectFailure) in
                let (here, aside) = try await local.displace(item, aside: name, by: newcomer, permissions: permissions)
                if case .staged(let stage) = newcomer { isPlaced(stage) }
                return EffectResult.displaced(by: here.version, aside: aside).lacking(here.remark)
            }
        case .replaceLocal(let from, let to):
            return try await change(.local) { _ async throws(EffectFailure) in
                .wrote(try await local.replace(to, with: from))
            }
        case .discardLocal(let item):
            return try await done(.local, .change) { _ async throws(EffectFailure) in try await local.discard(item) }
        }
    }

    private func perform(
        _ effect: Effect, _ id: EffectID, within points: [MountPoint]
    ) async throws(EffectFailure) -> EffectResult {
        try await requireMounted(points)
        let result = await perform(effect, id)
        // What was read counts only if the expected file systems are still mounted.
        if effect.footprint.isReading { try await requireMounted(points) }
        return result
    }

    private func requireMounted(_ points: [MountPoint]) async throws(EffectFailure) {
        for side in Side.allCases {
            let paths = points.filter { $0.side == side }.map(\.path)
            try await ask(side, .look) { _ async throws(EffectFailure) in try await endpoint(side).requireMounted(paths)
            }
        }
    }

    /// Fails with `changed` unless a file of the remote still has this version.
    private func requireRemote(_ path: RelativePath, _ version: Version) async throws(EffectFailure) {
        let entry = try await ask(.remote, .look) { _ async throws(EffectFailure) in
            try await remote.entry(path, in: .none)
        }
        guard let entry, entry.kind == .file, version.isCertainly(entry.version) else {
            throw EffectFailure(.changed, Explanation(.changed, .remote, "\(path)"))
        }
    }

    private func hash(
        _ side: Side, _ path: RelativePath, _ expected: Version
    ) async throws(EffectFailure) -> EffectResult {
        try await ask(side, .part) { turn async throws(EffectFailure) in
            let source = HeedfulSource(
                try await endpoint(side).open(path, expecting: expected), of: side, for: side, turn: turn)
            await source.settle()
            let (hash, _, version) = try await ContentTransfer.run(source, leaveOut: { _ in }, write: { _ in })
            return .hashed(hash, version)
        }
    }

    private func transfer(
        _ stage: StageID, from side: Side, _ path: RelativePath, _ expected: Version, _ id: EffectID
    ) async throws(EffectFailure) -> EffectResult {
        try await ask(side, .part) { turn async throws(EffectFailure) in
            let source = HeedfulSource(
                try await endpoint(side).open(path, expecting: expected), of: side, for: side.other, turn: turn)
            report(.began(id))
            turn(side.other)
            var meter = ProgressMeter(total: source.size)
            let (hash, size) = try await endpoint(side.other).stage(stage, from: source, near: path) { done in
                if meter.isDue(done) { report(.progress(id, bytesDone: done)) }
                return !state.withLock { $0.isAbandoned || $0.hold != nil }
            }
            state.withLock { $0.staged[stage] = side.other }
            return .staged(hash, size: size)
        }
    }

    /// Runs a call that changes a side.
    private func change(
        _ side: Side, _ body: (any Endpoint) async throws(EffectFailure) -> EffectResult
    ) async throws(EffectFailure) -> EffectResult {
        try await ask(side, .change) { _ async throws(EffectFailure) in try await body(endpoint(side)) }
    }

    /// Runs a call to a side that has no result.
    private func done(
        _ side: Side, _ kind: OpenQuestions.Kind, _ body: (any Endpoint) async throws(EffectFailure) -> Void
    ) async throws(EffectFailure) -> EffectResult {
        try await ask(side, kind) { _ async throws(EffectFailure) in try await body(endpoint(side)) }
        return .done
    }
}

extension EffectResult {
    /// The result of an abandoned transfer.
    fileprivate static let abandoned = EffectResult.failed(EffectFailure(.changed, Explanation(.abandoned)))

    /// The same result, but with an abandoned transfer in place of a failure of a side.
    fileprivate var abandoned: EffectResult {
        if case .failed = self { return .abandoned }
        return self
    }
}

/// Limits progress reports to one in a while, and none for transfers that are faster.
struct ProgressMeter {
    private var last = SuspendingClock.now
    private let total: Int64

    init(total: Int64) {
        self.total = total
    }

    mutating func isDue(_ done: Int64) -> Bool {
        guard done < total else { return false }
        let now = SuspendingClock.now
        guard now - last >= Patience.Syncing.progress else { return false }
        last = now
        return true
    }
}

import Dispatch
package import SyncCore
import Synchronization

/// Carries effects out on a bounded number of threads and tells what became of them.
///
/// Effects of one folder run in any order and at the same time; whoever issues them waits where order matters.
package final class EffectRunner: Sendable {
    /// What is told, from any thread.
    package enum Report: Sendable {
        /// A transfer begins to move bytes.
        case began(EffectID)
        /// An effect ended.
        case finished(EffectID, EffectResult)
        /// Bytes that a transfer has done so far.
        case progress(EffectID, bytesDone: Int64)
    }

    private struct Hold {
        var onRest: (@Sendable () -> Void)?
    }

    private struct State {
        var waiting: [(EffectID, Effect)] = []
        var next = 0
        var threads = 0
        var limit = 2
        var isMeasured = false
        var isAbandoned = false
        /// Set while nothing is begun: who is told when nothing is carried out any more, until that was.
        var hold: Hold?
        var questions = OpenQuestions()
    }

    private let local: any Endpoint
    private let remote: any Remote
    private let report: @Sendable (Report) -> Void
    private let limit: Int
    private let state = Mutex(State())

    /// A runner between two sides.
    ///
    /// - Parameter limit: Threads at most.
    package init(
        local: any Endpoint, remote: any Remote, limit: Int, report: @escaping @Sendable (Report) -> Void
    ) {
        self.local = local
        self.remote = remote
        self.limit = limit
        self.report = report
    }

    /// Begins effects as soon as a thread is free.
    package func run(_ effects: [(EffectID, Effect)]) {
        state.withLock { $0.waiting += effects }
        startThreads()
    }

    private func startThreads() {
        let started = state.withLock { state in
            if state.hold != nil { return 0 }
            let started = max(0, min(state.limit - state.threads, state.waiting.count - state.next))
            state.threads += started
            return started
        }
        for _ in 0..<started {
            // Each queue has a thread of its own: those of a concurrent one are shared by the whole process and few, and a
            // side that does not answer would keep them from all other folders.
            DispatchQueue(label: "org.roundel.effects").async { self.work() }
        }
    }

    /// The side that has owed an answer for too long; nil if none does.
    var silentSide: Side? {
        let now = SuspendingClock.now
        return state.withLock { $0.questions.silentSide(at: now) }
    }

    /// Asks a side something that it should answer in a time that is usual for its kind. `body` is given what notes that
    /// the question is answered and the next one begins, to a side of its own.
    private func ask<Answer>(
        _ side: Side, _ kind: OpenQuestions.Kind,
        _ body: (_ turn: @escaping (Side) -> Void) throws(EffectFailure) -> Answer
    ) throws(EffectFailure) -> Answer {
        let began = SuspendingClock.now
        let number = state.withLock { $0.questions.ask(side, kind, at: began) }
        defer {
            let now = SuspendingClock.now
            state.withLock { $0.questions.end(number, at: now) }
        }
        return try body { [self] side in
            let now = SuspendingClock.now
            state.withLock { $0.questions.turn(number, to: side, kind, at: now) }
        }
    }

    /// Asks the remote, on a thread that may wait, how many threads are of use.
    private func measure() {
        let isFirst = state.withLock { state in
            defer { state.isMeasured = true }
            return !state.isMeasured
        }
        guard isFirst else { return }
        // The closure throws nothing.
        let parallelism = (try? ask(.remote, .look) { _ throws(EffectFailure) in remote.parallelism }) ?? 1
        let useful = min(limit, parallelism)
        state.withLock { $0.limit = max($0.limit, useful) }
        startThreads()
    }

    /// Abandons transfers under way; they end with a failure that changes nothing.
    package func abandon() {
        state.withLock { $0.isAbandoned = true }
    }

    /// Begins nothing more before ``goOn()``, and abandons transfers under way: they end with a failure that changes
    /// nothing. `onRest` is called, from any thread, when nothing is carried out any more.
    func hold(_ onRest: @escaping @Sendable () -> Void) {
        let isAtRest = state.withLock { state in
            state.hold = Hold(onRest: state.threads > 0 ? onRest : nil)
            return state.threads == 0
        }
        if isAtRest { onRest() }
    }

    /// Ends ``hold(_:)``.
    func goOn() {
        state.withLock { $0.hold = nil }
        startThreads()
    }

    private func work() {
        measure()
        while let (id, effect) = takeNext() {
            report(.finished(id, perform(effect, id)))
        }
    }

    /// The next effect; nil ends the thread.
    private func takeNext() -> (EffectID, Effect)? {
        var onRest: (@Sendable () -> Void)?
        let next = state.withLock { state -> (EffectID, Effect)? in
            if state.hold == nil && state.next < state.waiting.count {
                defer { state.next += 1 }
                return state.waiting[state.next]
            }
            if state.next == state.waiting.count {
                state.waiting.removeAll(keepingCapacity: true)
                state.next = 0
            }
            state.threads -= 1
            if state.threads == 0 { onRest = state.hold?.onRest.take() }
            return nil
        }
        onRest?()
        return next
    }

    private func endpoint(_ side: Side) -> any Endpoint {
        switch side {
        case .local: local
        case .remote: remote
        }
    }

    private func perform(_ effect: Effect, _ id: EffectID) -> EffectResult {
        do throws(EffectFailure) {
            return try carryOut(effect, id)
        } catch {
            return .failed(error)
        }
    }

    /// One switch: an effect that is not carried out here does not compile.
    private func carryOut(_ effect: Effect, _ id: EffectID) throws(EffectFailure) -> EffectResult {
        switch effect {
        case .probeRoots:
            return .roots(
                local: try ask(.local, .look) { _ throws(EffectFailure) in local.root() },
                remote: try ask(.remote, .look) { _ throws(EffectFailure) in remote.root() })
        case .listDirectory(let side, let path, let part):
            return try ask(side, .look) { _ throws(EffectFailure) in try endpoint(side).list(path, part) }.result
        case .checkEntry(let side, let path, let directory):
            return .entry(
                try ask(side, .look) { _ throws(EffectFailure) in try endpoint(side).entry(path, in: directory) })
        case .hashFile(let side, let path, let expected): return try hash(side, path, expected)
        case .stage(let stage, let side, let path, let expected):
            return try transfer(stage, from: side, path, expected, id)
        case .within(let points, let inner): return try perform(inner, id, within: points)
        case .syncContents(let side, let stages):
            return try done(side, .durability) { end throws(EffectFailure) in try end.syncContents(stages) }
        case .syncRenames(let side, let items):
            return try done(side, .durability) { end throws(EffectFailure) in try end.syncRenames(items) }
        case .discard(let side, let stages):
            return try done(side, .change) { end throws(EffectFailure) in end.discard(stages) }
        case .markRoot(let side, let known):
            return try change(side) { end throws(EffectFailure) in .marked(try end.mark(knownAs: known)) }
        case .publish(let stage, let side, let path, let expected, let permissions):
            return try change(side) { end throws(EffectFailure) in
                try end.publish(stage, at: path, replacing: expected, permissions: permissions).result
            }
        case .makeDirectory(let side, let path, let permissions):
            return try change(side) { end throws(EffectFailure) in
                .wrote(try end.makeDirectory(path, permissions: permissions))
            }
        case .setPermissions(let side, let path, let kind, let expected, let permissions):
            return try change(side) { end throws(EffectFailure) in
                try end.setPermissions(path, kind: kind, expecting: expected, to: permissions).result
            }
        case .move(let side, let from, let to, let kind, let expected):
            return try change(side) { end throws(EffectFailure) in
                .wrote(try end.move(from, to: to, kind: kind, expecting: expected))
            }
        case .remove(let side, let path, let kind, let expected):
            return try done(side, .change) { end throws(EffectFailure) in
                try end.remove(path, kind: kind, expecting: expected)
            }
        case .displace(let item, let name, let newcomer, let permissions):
            return try change(.local) { end throws(EffectFailure) in
                let (here, aside) = try end.displace(item, aside: name, by: newcomer, permissions: permissions)
                return EffectResult.displaced(by: here.version, aside: aside).lacking(here.remark)
            }
        case .replaceLocal(let from, let to):
            return try change(.local) { end throws(EffectFailure) in .wrote(try end.replace(to, with: from)) }
        case .discardLocal(let item):
            return try done(.local, .change) { end throws(EffectFailure) in try end.discard(item) }
        }
    }

    private func perform(
        _ effect: Effect, _ id: EffectID, within points: [MountPoint]
    ) throws(EffectFailure) -> EffectResult {
        try requireMounted(points)
        let result = perform(effect, id)
        switch effect {
        // What was seen counts only if it was seen on the file system that is meant.
        case .listDirectory, .checkEntry, .hashFile: try requireMounted(points)
        case .probeRoots, .stage, .within, .syncContents, .publish, .makeDirectory, .setPermissions, .move, .displace,
            .replaceLocal, .discardLocal, .remove, .syncRenames, .markRoot, .discard:
            break
        }
        return result
    }

    private func requireMounted(_ points: [MountPoint]) throws(EffectFailure) {
        for side in Side.allCases {
            let paths = points.filter { $0.side == side }.map(\.path)
            try ask(side, .look) { _ throws(EffectFailure) in try endpoint(side).requireMounted(paths) }
        }
    }

    private func hash(
        _ side: Side, _ path: RelativePath, _ expected: Version
    ) throws(EffectFailure) -> EffectResult {
        try ask(side, .part) { turn throws(EffectFailure) in
            let source = HeedfulSource(
                try endpoint(side).open(path, expecting: expected), of: side, for: side, turn: turn)
            source.settle()
            let (hash, _, version) = try ContentTransfer.run(source, leaveOut: { _ in }, write: { _ in })
            return .hashed(hash, version)
        }
    }

    private func transfer(
        _ stage: StageID, from side: Side, _ path: RelativePath, _ expected: Version, _ id: EffectID
    ) throws(EffectFailure) -> EffectResult {
        try ask(side, .part) { turn throws(EffectFailure) in
            let source = HeedfulSource(
                try endpoint(side).open(path, expecting: expected), of: side, for: side.other, turn: turn)
            report(.began(id))
            turn(side.other)
            var meter = ProgressMeter(total: source.size)
            let (hash, size) = try endpoint(side.other).stage(stage, from: source, near: path) { done in
                if meter.isDue(done) { report(.progress(id, bytesDone: done)) }
                return !state.withLock { $0.isAbandoned || $0.hold != nil }
            }
            return .staged(hash, size: size)
        }
    }

    /// Has a side change something.
    private func change(
        _ side: Side, _ body: (any Endpoint) throws(EffectFailure) -> EffectResult
    ) throws(EffectFailure) -> EffectResult {
        try ask(side, .change) { _ throws(EffectFailure) in try body(endpoint(side)) }
    }

    /// Has a side do something that has no other result.
    private func done(
        _ side: Side, _ kind: OpenQuestions.Kind, _ body: (any Endpoint) throws(EffectFailure) -> Void
    ) throws(EffectFailure) -> EffectResult {
        try ask(side, kind) { _ throws(EffectFailure) in try body(endpoint(side)) }
        return .done
    }
}

/// Thins progress out to one report in two hundred milliseconds, none for what is done sooner.
struct ProgressMeter {
    private static let interval = Duration.milliseconds(200)
    private var last = SuspendingClock.now
    private let total: Int64

    init(total: Int64) {
        self.total = total
    }

    mutating func isDue(_ done: Int64) -> Bool {
        guard done < total else { return false }
        let now = SuspendingClock.now
        guard now - last >= Self.interval else { return false }
        last = now
        return true
    }
}

/// The actions that a session returns, and the effects in flight.
struct Outbox {
    /// How many effects are handed out for each one that runs, so that none has to wait for the next event.
    private static let supply = 4

    /// The most effects in flight.
    private let limit: Int
    private var actions: [SessionAction] = []
    private var inFlight: [EffectID: Purpose] = [:]
    private var lastEffect: UInt64 = 0
    private var summary = RunSummary()
    /// Whether a run has begun and its end was not reported yet.
    private(set) var isRunning = false

    /// - Parameter concurrency: How many effects the caller carries out at the same time.
    init(concurrency: Int) {
        limit = concurrency * Self.supply
    }

    /// Whether no effect is in flight.
    var isIdle: Bool { inFlight.isEmpty }
    /// Whether one more effect may be handed out.
    var hasRoom: Bool { inFlight.count < limit }

    /// The purpose of an effect; nil if it is not in flight.
    func purpose(of id: EffectID) -> Purpose? { inFlight[id] }

    /// Hands out an effect.
    mutating func run(_ effect: Effect, for purpose: Purpose) {
        lastEffect += 1
        let id = EffectID(lastEffect)
        inFlight[id] = purpose
        isRunning = true
        actions.append(.run(id, effect))
    }

    /// Discards the staged contents of an operation that will not be published.
    mutating func discardStage(of operation: Operation) {
        guard let stage = operation.stage, operation.hash != nil else { return }
        run(.discard(operation.side, [stage]), for: .discard)
    }

    /// An effect ended; returns its purpose, or nil if it was not in flight.
    mutating func end(_ id: EffectID) -> Purpose? { inFlight.removeValue(forKey: id) }

    /// Adds an action other than an effect.
    mutating func add(_ action: SessionAction) { actions.append(action) }

    /// Requests a timer. The delay is rounded up to whole milliseconds, in which a loop counts, so that it never fires
    /// early.
    mutating func setTimer(_ timer: SessionTimer, after delay: Duration) {
        let (seconds, attoseconds) = delay.components
        let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        actions.append(.setTimer(timer, after: max(.seconds(seconds) + .milliseconds(part), .milliseconds(1))))
    }

    /// Replaces the effects of this event that were not handed over yet.
    mutating func replaceEffects(_ replacement: (Effect) -> Effect) {
        actions = actions.map { action in
            guard case .run(let id, let effect) = action else { return action }
            return .run(id, replacement(effect))
        }
    }

    /// Hands over all actions of this event in order.
    mutating func handOver() -> [SessionAction] {
        defer { actions = [] }
        return actions
    }

    // MARK: Runs

    /// Begins a run, whose end must be reported.
    mutating func beginRun() { isRunning = true }

    /// Reports an activity and counts it.
    mutating func report(_ activity: Activity) {
        summary.count(activity.kind)
        actions.append(.activity(activity))
    }

    /// Reports what the run did.
    ///
    /// - Parameters:
    ///   - errors: The number of items that could not be synced, as of now.
    ///   - waiting: The number of items that wait, as of now.
    mutating func endRun(errors: Int, waiting: Int) {
        isRunning = false
        (summary.errors, summary.waiting) = (errors, waiting)
        actions.append(.quiescent(summary))
        summary = RunSummary()
    }
}

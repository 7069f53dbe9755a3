/// What a session wants done, and the effects that it has handed out.
struct Outbox {
    /// Effects handed out for each that is carried out at the same time, so that none has to wait for the next answer.
    private static let supply = 4

    /// Effects handed out at most.
    private let limit: Int
    private var actions: [SessionAction] = []
    private var inFlight: [EffectID: Purpose] = [:]
    private var lastEffect: UInt64 = 0
    private var summary = RunSummary()
    /// Whether a run was begun whose end is not reported yet.
    private(set) var isRunning = false

    /// - Parameter concurrency: How many effects the caller carries out at the same time.
    init(concurrency: Int) {
        limit = concurrency * Self.supply
    }

    /// Whether no effect is under way.
    var isIdle: Bool { inFlight.isEmpty }
    /// Whether one more effect may be handed out.
    var hasRoom: Bool { inFlight.count < limit }

    /// What an effect was begun for; nil for one that is not under way.
    func purpose(of id: EffectID) -> Purpose? { inFlight[id] }

    /// Hands out an effect.
    mutating func run(_ effect: Effect, for purpose: Purpose) {
        lastEffect += 1
        let id = EffectID(lastEffect)
        inFlight[id] = purpose
        isRunning = true
        actions.append(.run(id, effect))
    }

    /// Forgets what was staged for an operation that will not be published.
    mutating func discardStage(of operation: Operation) {
        guard let stage = operation.stage, operation.hash != nil else { return }
        run(.discard(operation.side, [stage]), for: .discard)
    }

    /// An effect ended; returns what it was begun for, nil if it was not under way.
    mutating func end(_ id: EffectID) -> Purpose? { inFlight.removeValue(forKey: id) }

    /// Asks for anything but an effect.
    mutating func add(_ action: SessionAction) { actions.append(action) }

    /// Asks for a timer. It is rounded up to the milliseconds that a loop counts in, so that it is never early.
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

    /// Hands over all actions of this event, in their order.
    mutating func handOver() -> [SessionAction] {
        defer { actions = [] }
        return actions
    }

    // MARK: Runs

    /// Something is done whose end has to be reported.
    mutating func beginRun() { isRunning = true }

    /// Reports something that was done, and counts it.
    mutating func report(_ activity: Activity) {
        summary.count(activity.kind)
        actions.append(.activity(activity))
    }

    /// Reports what the run did.
    ///
    /// - Parameter errors: Items that could not be synced, as they stand now.
    mutating func endRun(errors: Int) {
        isRunning = false
        summary.errors = errors
        actions.append(.quiescent(summary))
        summary = RunSummary()
    }
}

/// The actions that a session returns, and the effects in flight.
struct Outbox {
    /// How many effects are handed out for each one that runs, so that none has to wait for the next event.
    private static let supply = 4

    /// The most effects in flight.
    private let limit: Int
    private var actions: [SessionAction] = []
    private var inFlight: [EffectID: Purpose] = [:]
    /// Those of them that are not ordinary. Each urgency has the limit for itself; what is awaited has none.
    private var urgencies: [EffectID: Urgency] = [:]
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
    /// Whether one more ordinary effect may be handed out.
    var hasRoom: Bool { inFlight.count - urgencies.count < limit }
    /// Whether one more effect of an urgency may be handed out.
    func hasRoom(for urgency: Urgency) -> Bool {
        switch urgency {
        case .ordinary: hasRoom
        case .demanded: urgencies.values.count { $0 == .demanded } < limit
        case .awaited: true
        }
    }

    /// The purpose of an effect; nil if it is not in flight.
    func purpose(of id: EffectID) -> Purpose? { inFlight[id] }

    /// Hands out an effect.
    mutating func run(_ effect: Effect, for purpose: Purpose, _ urgency: Urgency = .ordinary) {
        lastEffect += 1
        let id = EffectID(lastEffect)
        inFlight[id] = purpose
        isRunning = true
        actions.append(.run(id, effect))
        hasten(id, urgency)
    }

    private mutating func hasten(_ id: EffectID, _ urgency: Urgency) {
        guard urgency > urgencies[id] ?? .ordinary else { return }
        urgencies[id] = urgency
        actions.append(.hasten(id, urgency))
    }

    /// The transfer of an item is more urgent from now on, if it was handed out.
    mutating func hastenTransfer(of item: NodeID, _ urgency: Urgency) {
        for id in transfers(of: item) { hasten(id, urgency) }
    }

    /// Nobody wants the transfer of an item any more.
    mutating func abandonTransfer(of item: NodeID) {
        for id in transfers(of: item) { actions.append(.abandon(id)) }
    }

    private func transfers(of item: NodeID) -> [EffectID] {
        inFlight.filter { if case .stage(item) = $0.value { true } else { false } }.keys.sorted()
    }

    /// Discards the staged contents of an operation that will not be published.
    mutating func discardStage(of operation: Operation) {
        guard let stage = operation.stage, operation.hash != nil else { return }
        run(.discard(operation.side, [stage]), for: .discard)
    }

    /// An effect ended; returns its purpose, or nil if it was not in flight.
    mutating func end(_ id: EffectID) -> Purpose? {
        urgencies[id] = nil
        return inFlight.removeValue(forKey: id)
    }

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
    mutating func replaceEffects(_ replacement: (Effect) throws -> Effect) rethrows {
        actions = try actions.map { action in
            guard case .run(let id, let effect) = action else { return action }
            return .run(id, try replacement(effect))
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

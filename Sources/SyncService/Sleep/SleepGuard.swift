/// Decides when to delay the machine's sleep, and what stops meanwhile.
///
/// While something is in flight, a lock delays sleep for as long as the machine allows, some seconds. When it is about
/// to sleep, nothing more is started, and the lock is released as soon as nothing is running.
struct SleepGuard {
    enum Event {
        /// Whether something is in flight.
        case busy(Bool)
        /// The requested lock was granted or refused.
        case lockAnswered(isGranted: Bool)
        /// The machine is about to sleep.
        case sleepIsComing
        /// Nothing is running any more.
        case atRest
        /// The machine is awake again, or did not sleep after all.
        case awake
        /// The service that grants the locks is gone, and the lock with it.
        case lost
    }

    enum Action: Equatable {
        case requestLock, releaseLock
        /// Start nothing more, and report when nothing is running.
        case hold
        case goOn
    }

    private enum Lock { case none, requested, held }

    private var lock = Lock.none
    private var isBusy = false
    private var isSleeping = false
    private var isAtRest = false

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .busy(let isBusy):
            self.isBusy = isBusy
            return adjustLock()
        case .lockAnswered(let isGranted):
            lock = isGranted ? .held : .none
            // A refused lock is requested again with the next work, not immediately.
            return isGranted ? adjustLock() : []
        case .sleepIsComing:
            if isSleeping { return [] }
            (isSleeping, isAtRest) = (true, false)
            return [.hold]
        case .atRest:
            isAtRest = true
            return adjustLock()
        case .awake: return wake() + adjustLock()
        case .lost:
            lock = .none
            return wake()
        }
    }

    private mutating func wake() -> [Action] {
        guard isSleeping else { return [] }
        isSleeping = false
        return [.goOn]
    }

    private mutating func adjustLock() -> [Action] {
        let isNeeded = isSleeping ? !isAtRest : isBusy
        switch lock {
        case .none where isNeeded && !isSleeping:
            lock = .requested
            return [.requestLock]
        case .held where !isNeeded:
            lock = .none
            return [.releaseLock]
        case .none, .held, .requested: return []
        }
    }
}

/// Decides when the machine is asked to wait before it sleeps, and what stops while it does.
///
/// While something is in flight a lock delays the sleep for as long as the machine allows, some seconds. When it is about
/// to sleep nothing more is begun, and the lock is given back as soon as nothing is carried out any more.
struct SleepGuard {
    enum Event {
        /// Whether something is in flight.
        case busy(Bool)
        /// The lock that was asked for is here, or is refused.
        case lockAnswered(isGranted: Bool)
        /// The machine is about to sleep.
        case sleepIsComing
        /// Nothing is carried out any more.
        case atRest
        /// The machine is awake again, or did not sleep after all.
        case awake
        /// Whoever gives the locks is gone, and the lock with it.
        case lost
    }

    enum Action: Equatable {
        case requestLock, releaseLock
        /// Begin nothing more, and say when nothing is carried out any more.
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
            // One that is refused is asked for again with the next work, not at once.
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

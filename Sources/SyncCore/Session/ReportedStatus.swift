/// The status of the folder as a whole, as it was last reported.
struct ReportedStatus {
    private var last: SessionStatus?

    /// The status, if it is another one than the last that was reported.
    mutating func news(_ status: SessionStatus) -> SessionStatus? {
        if status == last { return nil }
        last = status
        return status
    }
}

extension SessionStatus {
    /// The status of a folder with these items.
    ///
    /// - Parameter halt: Why nothing new is started; nil if all is well.
    init(of items: Items, _ survey: Survey, _ halt: Halt?) throws {
        let counts = try items.countsOfFolder()
        let state = try items.presentation(of: .root).state
        if let halt {
            self.init(of: halt, state, counts)
        } else if items.isPaused {
            self.init(phase: .paused, state: state, counts: counts)
        } else {
            let isSeeking = survey.isRunning || survey.losses.isAwaitingQuiet
            let phase: Phase = items.hasOperations ? .syncing : isSeeking ? .looking : .idle
            self.init(phase: phase, state: state, counts: counts)
            isPartlyUnknown = try survey.isPartlyUnknown(items)
        }
    }

    /// The status of a halted folder.
    private init(of halt: Halt, _ state: ItemSyncState, _ counts: StateCounts) {
        switch halt {
        case .stopped(let reason, _):
            self.init(phase: .stopped, state: .error, counts: counts, message: halt.message)
            stopReason = reason
        case .restored:
            self.init(phase: .stopped, state: .error, counts: counts, message: halt.message)
            stopReason = .remoteRestored
        case .offline:
            self.init(phase: .offline, state: state, counts: counts, message: halt.message)
        case .confirmDeletes(let count, let side, let before):
            self.init(
                phase: .confirmDeletes(count: count, side: side), state: .error, counts: counts, message: halt.message)
            deletedBefore = before
        }
    }
}

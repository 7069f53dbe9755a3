internal import Support

/// When the program that mounts a folder is started, and started again. Pure.
///
/// The program may run already, from before the worker, or be started by somebody else: all that counts is whether the
/// folder answers.
struct MountLife {
    enum Event {
        /// The folder is to be mounted.
        case wanted
        /// The directories are as they have to be.
        case prepared
        /// The directories cannot be used, or the program could not be started or ended, for this reason.
        case failed(String)
        /// The folder answers.
        case answered
        /// It answers no more.
        case fellSilent
        /// The time that was set is over.
        case timer
        /// The folder is not to be mounted any more, or somebody else has the directories.
        case unwanted
    }

    enum Action: Equatable {
        /// See to the directories.
        case prepare
        /// Start the program.
        case start
        /// Ask whether the folder answers.
        case ask
        case setTimer(Instant)
        case cancelTimer
        /// The folder is there.
        case come
        /// The folder is not there, for this reason; none if it is only not there yet.
        case goAway(String?)
    }

    private enum State { case unwanted, preparing, asking, starting(until: Instant), there, waiting }

    private var state = State.unwanted
    private var backOff = BackOff()
    /// Between two questions whether the folder answers; longer each time.
    private var pause = Patience.Worker.mountQuestion

    /// Whether the folder is mounted and answers.
    var isThere: Bool { if case .there = state { true } else { false } }

    /// Whether it is to be mounted.
    var isWanted: Bool { if case .unwanted = state { false } else { true } }

    mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch (state, event) {
        case (.unwanted, .wanted), (.waiting, .wanted), (.waiting, .timer):
            state = .preparing
            return [.cancelTimer, .prepare]
        case (.preparing, .prepared):
            // Whoever serves it already answers at once.
            state = .asking
            pause = Patience.Worker.mountQuestion
            return [.ask, .setTimer(now + pause)]
        case (.asking, .timer):
            state = .starting(until: now + Patience.Worker.mount)
            return [.start, .ask, .setTimer(now + pause)]
        case (.starting(let end), .timer):
            if now >= end { return giveUp(nil, at: now) }
            pause = min(pause * 2, Patience.Worker.longestMountQuestion)
            return [.ask, .setTimer(now + pause)]
        case (.preparing, .answered), (.asking, .answered), (.starting, .answered), (.waiting, .answered):
            state = .there
            backOff.started(at: now)
            return [.cancelTimer, .come]
        case (.preparing, .failed(let reason)), (.starting, .failed(let reason)):
            return giveUp(reason, at: now)
        case (.there, .fellSilent):
            return giveUp(nil, at: now)
        case (.unwanted, .unwanted): return []
        case (.preparing, .unwanted), (.asking, .unwanted), (.starting, .unwanted), (.there, .unwanted),
            (.waiting, .unwanted):
            state = .unwanted
            return [.cancelTimer, .goAway(nil)]
        // A program that ends while the folder is there is heard of by its silence.
        case (.there, .failed), (.there, .answered), (.there, .wanted), (.there, .prepared), (.there, .timer),
            (.preparing, .wanted), (.preparing, .fellSilent), (.preparing, .timer), (.asking, .wanted),
            (.asking, .prepared), (.asking, .failed), (.asking, .fellSilent), (.starting, .wanted),
            (.starting, .prepared), (.starting, .fellSilent), (.waiting, .prepared), (.waiting, .failed),
            (.waiting, .fellSilent), (.unwanted, .prepared), (.unwanted, .failed), (.unwanted, .answered),
            (.unwanted, .fellSilent), (.unwanted, .timer):
            return []
        }
    }

    private mutating func giveUp(_ reason: String?, at now: Instant) -> [Action] {
        state = .waiting
        return [.goAway(reason), .setTimer(backOff.stopped(at: now))]
    }
}

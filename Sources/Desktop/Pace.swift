internal import BadgeService
internal import DBus
internal import Support

/// Holds work back that is asked for more often than anybody can look: the first time it is done at once, then at most
/// once in an interval. With nothing asked for it makes no wake-ups.
final class Pace {
    private let interval: Duration
    private let work: () -> Void
    private let loop: EventLoop
    private var last: Instant?
    private var timer: LoopTimer?

    init(_ loop: EventLoop, interval: Duration, _ work: @escaping () -> Void) {
        self.loop = loop
        self.interval = interval
        self.work = work
    }

    deinit { timer?.cancel() }

    /// Has the work done now, or as soon as the interval has passed.
    func request() {
        let now = Instant.now
        guard let last, now < last + interval else { return run() }
        let timer = timer ?? loop.makeTimer { [weak self] in self?.run() }
        self.timer = timer
        if !timer.isSet { timer.set(at: last + interval) }
    }

    /// Has the work done now, whenever it was done last.
    func run() {
        timer?.cancel()
        last = .now
        work()
    }
}

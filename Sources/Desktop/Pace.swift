internal import BadgeService
internal import DBus
internal import Support

/// Limits how often work is done: the first request runs immediately, later ones at most once in an interval. Without
/// requests it causes no wake-ups.
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

    /// Runs the work now, or as soon as the interval has passed.
    func request() {
        let now = Instant.now
        guard let last, now < last + interval else { return run() }
        let timer = timer ?? loop.makeTimer { [weak self] in self?.run() }
        self.timer = timer
        if !timer.isSet { timer.set(at: last + interval) }
    }

    /// Runs the work now, whenever it last ran.
    func run() {
        timer?.cancel()
        last = .now
        work()
    }
}

internal import Support

/// The transfer rate of a folder over the last seconds. Pure: the caller passes the time.
struct TransferRate {
    /// The time over which the rate is measured.
    static let window = Duration.seconds(15)
    /// The minimum time between two stored moments.
    private static let spacing = Duration.milliseconds(500)
    /// The minimum measuring time; a rate over less time would mean little.
    private static let shortest = Duration.seconds(1)

    private struct Moment {
        var at: Instant
        /// The bytes transferred up to then, in total over all work.
        var moved: UInt64
    }

    private var moments: [Moment] = []
    private var lastDone: UInt64 = 0

    /// Records how many bytes of the current work are done. The number decreases when other work begins.
    mutating func note(done: UInt64, at now: Instant) {
        let moved = (moments.last?.moved ?? 0) &+ (done > lastDone ? done - lastDone : 0)
        lastDone = done
        let rest = moments.drop { $0.at.duration(to: now) > Self.window }
        // After a pause, measuring starts again, because the pause says nothing about the rate from now on.
        if rest.isEmpty { return moments = [Moment(at: now, moved: moved)] }
        moments = Array(rest)
        if moments.count > 1, moments[moments.count - 2].at.duration(to: now) < Self.spacing { moments.removeLast() }
        moments.append(Moment(at: now, moved: moved))
    }

    /// The rate in bytes per second; nil while nothing is transferred, and at the beginning.
    func rate(at now: Instant) -> UInt64? {
        guard let first = moments.first(where: { $0.at.duration(to: now) <= Self.window }), let last = moments.last
        else { return nil }
        let time = first.at.duration(to: now)
        guard time >= Self.shortest, last.moved > first.moved else { return nil }
        return UInt64(exactly: (Double(last.moved - first.moved) / (time / .seconds(1))).rounded())
    }

    /// The seconds until this many more bytes are transferred, at this rate.
    static func remaining(_ bytes: UInt64, at rate: UInt64) -> UInt64 {
        rate == 0 ? .max : bytes / rate + (bytes % rate > 0 ? 1 : 0)
    }
}

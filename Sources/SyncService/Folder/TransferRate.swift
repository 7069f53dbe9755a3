internal import Support

/// How fast the bytes of a folder move, by the last seconds. Pure: the caller gives the time.
struct TransferRate {
    /// The time by which it is judged.
    static let window = Duration.seconds(15)
    /// The time between two moments that are remembered.
    private static let spacing = Duration.milliseconds(500)
    /// Less than this says nothing yet.
    private static let shortest = Duration.seconds(1)

    private struct Moment {
        var at: Instant
        /// Bytes that have moved up to then, whatever work they belonged to.
        var moved: UInt64
    }

    private var moments: [Moment] = []
    private var lastDone: UInt64 = 0

    /// Notes how many bytes of the work in hand are done. They are fewer than before when other work has begun.
    mutating func note(done: UInt64, at now: Instant) {
        let moved = (moments.last?.moved ?? 0) &+ (done > lastDone ? done - lastDone : 0)
        lastDone = done
        let rest = moments.drop { $0.at.duration(to: now) > Self.window }
        // What rested begins anew: the pause says nothing about how fast it goes on.
        if rest.isEmpty { return moments = [Moment(at: now, moved: moved)] }
        moments = Array(rest)
        if moments.count > 1, moments[moments.count - 2].at.duration(to: now) < Self.spacing { moments.removeLast() }
        moments.append(Moment(at: now, moved: moved))
    }

    /// Bytes a second; nil while nothing moves, and at the beginning.
    func rate(at now: Instant) -> UInt64? {
        guard let first = moments.first(where: { $0.at.duration(to: now) <= Self.window }), let last = moments.last
        else { return nil }
        let time = first.at.duration(to: now)
        guard time >= Self.shortest, last.moved > first.moved else { return nil }
        return UInt64(exactly: (Double(last.moved - first.moved) / (time / .seconds(1))).rounded())
    }

    /// Seconds until so many bytes more have moved, at this rate.
    static func remaining(_ bytes: UInt64, at rate: UInt64) -> UInt64 {
        rate == 0 ? .max : bytes / rate + (bytes % rate > 0 ? 1 : 0)
    }
}

internal import Glibc

/// A time of the monotonic clock (CLOCK_MONOTONIC).
package struct Instant: InstantProtocol, Sendable {
    /// The difference between two times.
    package typealias Duration = Swift.Duration

    /// Nanoseconds since a moment before the program began.
    package let nanoseconds: UInt64

    /// Creates a time from a value of the clock.
    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The last possible time.
    package static var max: Instant { Instant(nanoseconds: .max) }

    /// The current time.
    package static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    /// The time this much later, or earlier; limited to the first or last possible time.
    package func advanced(by duration: Duration) -> Instant {
        guard duration < .zero else {
            let (time, isBeyond) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
            return isBeyond ? .max : Instant(nanoseconds: time)
        }
        let (time, isBefore) = nanoseconds.subtractingReportingOverflow(duration.opposite.nanoseconds)
        return Instant(nanoseconds: isBefore ? 0 : time)
    }

    /// How much later the other time is; negative if it is earlier.
    package func duration(to other: Instant) -> Duration {
        other >= self
            ? .nanoseconds(Int64(clamping: other.nanoseconds - nanoseconds))
            : .zero - .nanoseconds(Int64(clamping: nanoseconds - other.nanoseconds))
    }

    /// The time this much later.
    package static func + (time: Instant, duration: Duration) -> Instant { time.advanced(by: duration) }

    /// The time this much earlier.
    package static func - (time: Instant, duration: Duration) -> Instant { time.advanced(by: duration.opposite) }

    /// Orders by time.
    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
    /// The number of whole nanoseconds; 0 for a negative duration, the largest number for one that is too long.
    package var nanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        // The seconds of longer durations do not fit into the type.
        guard self < Self.longest else { return .max }
        let (seconds, rest) = components
        return UInt64(seconds) * 1_000_000_000 + UInt64(rest / 1_000_000_000)
    }

    /// The longest duration whose nanoseconds fit into the type: five centuries.
    private static var longest: Duration {
        Duration(secondsComponent: 18_446_744_073, attosecondsComponent: 709_551_615_000_000_000)
    }

    /// The same duration in the other direction. The most negative duration has no opposite, so it is limited to one
    /// that is longer than all times of the clock.
    fileprivate var opposite: Duration { .zero - Swift.max(self, .zero - .seconds(Int64.max)) }

    /// Milliseconds for poll(2), rounded up so that it does not return too early; 0 for a negative duration.
    package var pollTimeout: Int32 {
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Int32(clamping: milliseconds + (rest == 0 ? 0 : 1))
    }
}

package import Support

/// Bytes that may pass, so many in a second. Whoever wants some to pass takes a ticket for them, and lets them pass
/// when its turn has come: in the order of the tickets, and never more than the rate allows but for a burst at first.
///
/// Pure: the caller gives the time. A new rate counts for those who wait as well.
package struct TokenBucket: Sendable {
    /// The right to let bytes pass, once it is their turn.
    package struct Ticket: Sendable {
        /// Bytes, times a thousand million: up to here the stream of all bytes must have been earned.
        fileprivate let end: Int128
        fileprivate let bytes: Int
    }

    /// Bytes are counted in parts that a nanosecond earns at one byte a second, so that nothing is rounded.
    private static let parts: Int128 = 1_000_000_000
    /// A rest saves as much as is earned in this time: what was quiet begins at once, and no flood follows a rest.
    private static let burst = Duration.milliseconds(250)

    private var rate: UInt64?
    private var earned: Int128 = 0
    private var taken: Int128 = 0
    private var counted: Instant

    /// - Parameter rate: Bytes a second, at least 1; nil for as many as go.
    package init(rate: UInt64?, at now: Instant) {
        self.rate = rate
        counted = now
        earned = saved
    }

    /// What is earned in the time of a burst.
    private var saved: Int128 { Int128(rate ?? 0) * Int128(Self.burst.nanoseconds) }

    /// Other bytes a second from now on; what was saved at a higher rate is not kept.
    package mutating func setRate(_ rate: UInt64?, at now: Instant) {
        count(now)
        self.rate = rate
        earned = min(earned, taken + saved)
    }

    /// Takes a ticket for bytes that are to pass; no negative number of them.
    package mutating func take(_ bytes: Int, at now: Instant) -> Ticket {
        count(now)
        taken += Int128(bytes) * Self.parts
        return Ticket(end: taken, bytes: bytes)
    }

    /// How long it takes until the bytes of a ticket may pass, if nothing changes; 0 if they may now.
    package mutating func wait(for ticket: Ticket, at now: Instant) -> Duration {
        count(now)
        guard let rate, ticket.end > earned else { return .zero }
        let (nanoseconds, rest) = (ticket.end - earned).quotientAndRemainder(dividingBy: Int128(rate))
        return .nanoseconds(Int64(clamping: nanoseconds + (rest == 0 ? 0 : 1)))
    }

    /// The bytes of a ticket do not pass after all: those behind them go sooner.
    package mutating func giveBack(_ ticket: Ticket) {
        earned += Int128(ticket.bytes) * Self.parts
        earned = min(earned, taken + saved)
    }

    /// Earns what the time since the last count brought.
    private mutating func count(_ now: Instant) {
        guard let rate else {
            // Whatever was asked for has passed.
            earned = max(earned, taken)
            counted = max(counted, now)
            return
        }
        guard now > counted else { return }
        // A longer time than this pays for everything, and the product has room.
        let time = min(now.nanoseconds - counted.nanoseconds, 1 << 60)
        earned = min(earned + Int128(rate) * Int128(time), taken + saved)
        counted = now
    }
}

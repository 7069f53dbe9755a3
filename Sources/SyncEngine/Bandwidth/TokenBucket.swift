package import Support

/// Limits the number of bytes that pass per second. A caller takes a ticket for its bytes and lets them pass when its
/// turn has come: tickets are served in order and, except for a first burst, never faster than the rate.
///
/// Pure: the caller passes the time. A new rate applies to waiting tickets as well.
package struct TokenBucket: Sendable {
    /// The right to let bytes pass when it is their turn.
    package struct Ticket: Sendable {
        /// Bytes times a thousand million: this much must have been earned in total before the bytes may pass.
        fileprivate let end: Int128
        fileprivate let bytes: Int
    }

    /// Bytes are counted in units that a nanosecond earns at one byte per second, so that nothing is rounded.
    private static let parts: Int128 = 1_000_000_000
    /// A pause saves as much as is earned in this time: transfers start at once after a pause, but without a flood.
    private static let burst = Duration.milliseconds(250)

    private var rate: UInt64?
    private var earned: Int128 = 0
    private var taken: Int128 = 0
    private var counted: Instant

    /// - Parameter rate: Bytes per second, at least 1; nil for unlimited.
    package init(rate: UInt64?, at now: Instant) {
        self.rate = rate
        counted = now
        earned = saved
    }

    /// What is earned in the time of a burst.
    private var saved: Int128 { Int128(rate ?? 0) * Int128(Self.burst.nanoseconds) }

    /// Sets a new rate; what was saved at a higher rate is lost.
    package mutating func setRate(_ rate: UInt64?, at now: Instant) {
        count(now)
        self.rate = rate
        earned = min(earned, taken + saved)
    }

    /// Takes a ticket for bytes that are about to pass; the number must not be negative.
    package mutating func take(_ bytes: Int, at now: Instant) -> Ticket {
        count(now)
        taken += Int128(bytes) * Self.parts
        return Ticket(end: taken, bytes: bytes)
    }

    /// How long the bytes of a ticket must wait if nothing changes; 0 if they may pass now.
    package mutating func wait(for ticket: Ticket, at now: Instant) -> Duration {
        count(now)
        guard let rate, ticket.end > earned else { return .zero }
        let (nanoseconds, rest) = (ticket.end - earned).quotientAndRemainder(dividingBy: Int128(rate))
        return .nanoseconds(Int64(clamping: nanoseconds + (rest == 0 ? 0 : 1)))
    }

    /// The bytes of a ticket do not pass after all: those behind them pass sooner.
    package mutating func giveBack(_ ticket: Ticket) {
        earned += Int128(ticket.bytes) * Self.parts
        earned = min(earned, taken + saved)
    }

    /// Adds what was earned since the last count.
    private mutating func count(_ now: Instant) {
        guard let rate else {
            // All requested bytes have passed.
            earned = max(earned, taken)
            counted = max(counted, now)
            return
        }
        guard now > counted else { return }
        // A longer time pays for everything anyway, and with this limit the product fits.
        let time = min(now.nanoseconds - counted.nanoseconds, 1 << 60)
        earned = min(earned + Int128(rate) * Int128(time), taken + saved)
        counted = now
    }
}

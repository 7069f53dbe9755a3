package import Support
internal import Synchronization

/// Limits the speed of file transfers over a network, so that a folder uses no more of it than its plan allows.
///
/// Several transfers share it. It has no timer of its own: nothing wakes up while nothing transfers.
package final class TransferPace: Sendable {
    /// The clocks that it uses, and how it waits.
    package struct Clock: Sendable {
        /// The time by the monotonic clock.
        package var now: @Sendable () -> Instant
        /// The local time.
        package var localTime: @Sendable () -> LocalTime
        /// Waits for this long; throws early if the task is cancelled.
        package var sleep: @Sendable (Duration) async throws -> Void

        /// A clock with these functions.
        package init(
            now: @escaping @Sendable () -> Instant, localTime: @escaping @Sendable () -> LocalTime,
            sleep: @escaping @Sendable (Duration) async throws -> Void
        ) {
            self.now = now
            self.localTime = localTime
            self.sleep = sleep
        }

        /// The clocks of this computer.
        package static let ofThisComputer = Clock(now: { .now }, localTime: { .now }) { duration in
            try await Task.sleep(for: duration, clock: .suspending)
        }
    }

    private struct State {
        var plan: BandwidthPlan
        var limits: BandwidthLimits
        /// When the plan was last checked.
        var looked: Instant
        var up: TokenBucket
        var down: TokenBucket

        /// Regularly adopts the limits of the current period.
        mutating func followHour(_ clock: Clock, at now: Instant) {
            if !plan.periods.isEmpty && looked + Patience.Syncing.plan <= now { follow(clock, at: now) }
        }

        /// Adopts the limits that apply now.
        mutating func follow(_ clock: Clock, at now: Instant) {
            looked = now
            limits = plan.limits(at: clock.localTime())
            up.setRate(limits.up, at: now)
            down.setRate(limits.down, at: now)
        }

        mutating func with<Result>(
            _ direction: TransferDirection, _ body: (inout TokenBucket) -> Result
        ) -> Result {
            switch direction {
            case .up: body(&up)
            case .down: body(&down)
            }
        }
    }

    /// The most bytes that pass at once under a limit.
    private static let largestPiece: UInt64 = 64 << 10
    /// The fewest bytes that are worth passing at once.
    private static let smallestPiece: UInt64 = 1 << 10
    /// Pieces per second, for limits in between.
    private static let pieces: UInt64 = 16

    private let clock: Clock
    private let state: Mutex<State>

    /// A pace that follows a plan.
    package init(_ plan: BandwidthPlan = BandwidthPlan(), clock: Clock = .ofThisComputer) {
        self.clock = clock
        let now = clock.now()
        let limits = plan.limits(at: clock.localTime())
        state = Mutex(
            State(
                plan: plan, limits: limits, looked: now, up: TokenBucket(rate: limits.up, at: now),
                down: TokenBucket(rate: limits.down, at: now)))
    }

    /// Sets another plan, which also applies to what waits now.
    package func set(_ plan: BandwidthPlan) {
        let now = clock.now()
        state.withLock { state in
            state.plan = plan
            state.follow(clock, at: now)
        }
    }

    /// The limits that apply now.
    package var limits: BandwidthLimits {
        let now = clock.now()
        return state.withLock { state in
            state.followHour(clock, at: now)
            return state.limits
        }
    }

    /// The most bytes that should pass at once: under a limit, each of several transfers must get its turn before a
    /// server considers it dead.
    package func piece(_ direction: TransferDirection) -> Int {
        guard let limit = limits[direction] else { return .max }
        return Int(min(max(limit / Self.pieces, Self.smallestPiece), Self.largestPiece))
    }

    /// Waits until this many bytes may pass.
    package func pass(_ bytes: Int, _ direction: TransferDirection) async throws {
        guard limits[direction] != nil else { return }
        let now = clock.now()
        let ticket = state.withLock { state in state.with(direction) { $0.take(bytes, at: now) } }
        do {
            while true {
                let now = clock.now()
                let wait = state.withLock { state in
                    state.followHour(clock, at: now)
                    return state.with(direction) { $0.wait(for: ticket, at: now) }
                }
                if wait <= .zero { return }
                try await clock.sleep(min(wait, Patience.Syncing.slowedTransfer))
            }
        } catch {
            state.withLock { state in state.with(direction) { $0.giveBack(ticket) } }
            throw error
        }
    }
}

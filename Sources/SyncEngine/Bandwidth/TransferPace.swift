package import Support
internal import Synchronization

/// Holds back the contents of files that go over a network, so that a folder takes no more of it than its plan allows.
///
/// Several transfers share it. It keeps no time by itself: nothing wakes up while nothing is to pass.
package final class TransferPace: Sendable {
    /// What it knows of time, and how it waits.
    package struct Clock: Sendable {
        /// The time by the monotonic clock.
        package var now: @Sendable () -> Instant
        /// The time by the clock on the wall.
        package var localTime: @Sendable () -> LocalTime
        /// Waits for so long; ends early with an error if the task is cancelled.
        package var sleep: @Sendable (Duration) async throws -> Void

        /// A clock of these.
        package init(
            now: @escaping @Sendable () -> Instant, localTime: @escaping @Sendable () -> LocalTime,
            sleep: @escaping @Sendable (Duration) async throws -> Void
        ) {
            self.now = now
            self.localTime = localTime
            self.sleep = sleep
        }

        /// This computer's.
        package static let ofThisComputer = Clock(now: { .now }, localTime: { .now }) { duration in
            try await Task.sleep(for: duration, clock: .suspending)
        }
    }

    private struct State {
        var plan: BandwidthPlan
        var limits: BandwidthLimits
        /// When the plan was looked at last.
        var looked: Instant
        var up: TokenBucket
        var down: TokenBucket

        /// Takes over the limits of another hour, now and then.
        mutating func followHour(_ clock: Clock, at now: Instant) {
            if !plan.periods.isEmpty && looked + TransferPace.attention <= now { follow(clock, at: now) }
        }

        /// Takes the limits over that hold now.
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

    /// How long a plan with periods is not looked at again.
    private static let attention = Duration.seconds(1)
    /// The longest wait for a turn before it is looked whether that has come sooner: the plan may have changed.
    private static let longestWait = Duration.milliseconds(250)
    /// Bytes that pass at once at most, under a limit.
    private static let largestPiece: UInt64 = 64 << 10
    /// Bytes that are worth passing at once.
    private static let smallestPiece: UInt64 = 1 << 10
    /// Pieces in a second, for a limit between the two.
    private static let pieces: UInt64 = 16

    private let clock: Clock
    private let state: Mutex<State>

    /// A pace by a plan.
    package init(_ plan: BandwidthPlan = BandwidthPlan(), clock: Clock = .ofThisComputer) {
        self.clock = clock
        let now = clock.now()
        let limits = plan.limits(at: clock.localTime())
        state = Mutex(
            State(
                plan: plan, limits: limits, looked: now, up: TokenBucket(rate: limits.up, at: now),
                down: TokenBucket(rate: limits.down, at: now)))
    }

    /// Another plan, also for what waits now.
    package func set(_ plan: BandwidthPlan) {
        let now = clock.now()
        state.withLock { state in
            state.plan = plan
            state.follow(clock, at: now)
        }
    }

    /// The limits that hold now.
    package var limits: BandwidthLimits {
        let now = clock.now()
        return state.withLock { state in
            state.followHour(clock, at: now)
            return state.limits
        }
    }

    /// The most bytes that are best let pass at once: under a limit, each of several transfers is to have its turn
    /// before a server takes it for dead.
    package func piece(_ direction: TransferDirection) -> Int {
        guard let limit = limits[direction] else { return .max }
        return Int(min(max(limit / Self.pieces, Self.smallestPiece), Self.largestPiece))
    }

    /// Waits until so many bytes may pass.
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
                try await clock.sleep(min(wait, Self.longestWait))
            }
        } catch {
            state.withLock { state in state.with(direction) { $0.giveBack(ticket) } }
            throw error
        }
    }
}

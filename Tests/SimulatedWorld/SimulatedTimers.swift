import SyncCore

/// When the timers of a session are due, in nanoseconds of the simulated clock.
struct SimulatedTimers {
    private var due: [SessionTimer: Int64] = [:]

    var isEmpty: Bool { due.isEmpty }

    /// When the first one is due; nil if there is none.
    var next: Int64? { due.values.min() }

    /// Sets a timer, which takes the place of the earlier one.
    mutating func set(_ timer: SessionTimer, after delay: Duration, at now: Int64) {
        due[timer] = now + delay.wholeNanoseconds
    }

    /// Takes the one that has been due for the longest time.
    ///
    /// - Parameter late: One that does not fire now.
    mutating func takeDue(at now: Int64, except late: SessionTimer? = nil) -> SessionTimer? {
        let found = due.filter { $0.value <= now && $0.key != late }
        guard let first = found.min(by: { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") })?.key else { return nil }
        due[first] = nil
        return first
    }
}

/// Every time-out and every pause of the programs, by the part that uses it. Each is one of two kinds:
///
/// - A *limit* is how long something may take before it is given up. A busy machine needs longer limits.
/// - A *pause* is how long something waits on purpose: to collect changes, to leave something alone, until it looks or
///   tries again. A test that is about the result and not about the pause can have shorter ones.
///
/// Debug builds multiply the limits by `ROUNDEL_PATIENCE` and the pauses by `ROUNDEL_PAUSES`, both read once from the
/// environment; release builds read nothing. A value that describes the outside world, such as the resolution of a
/// server's file times, is not here but beside the code that knows that world: it must not be scaled.
package enum Patience {
    /// A limit: scaled by `ROUNDEL_PATIENCE`.
    static func limit(_ time: Duration) -> Duration { scaled(time, by: limitFactor) }

    /// A pause: scaled by `ROUNDEL_PAUSES`.
    package static func pause(_ time: Duration) -> Duration { scaled(time, by: pauseFactor) }

    /// A time multiplied by a factor, in whole nanoseconds.
    static func scaled(_ time: Duration, by factor: Double) -> Duration {
        factor == 1 ? time : .nanoseconds(Int64((Double(time.nanoseconds) * factor).rounded()))
    }

    #if DEBUG
        private static let limitFactor = factor(ProcessEnvironment.text("ROUNDEL_PATIENCE"))
        private static let pauseFactor = factor(ProcessEnvironment.text("ROUNDEL_PAUSES"))

        /// The factor in a variable of the environment; 1 if it is not set, or not a number from 0.001 to 1000.
        static func factor(_ text: String?) -> Double {
            guard let number = text.flatMap({ Double($0) }), (0.001...1_000).contains(number) else { return 1 }
            return number
        }
    #else
        private static let limitFactor = 1.0
        private static let pauseFactor = 1.0
    #endif
}

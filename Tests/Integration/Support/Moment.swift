/// The monotonic clock of the tests' deadlines.
enum Moment {
    static var now: ContinuousClock.Instant { ContinuousClock.now }
}

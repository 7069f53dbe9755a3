package import DBus
package import Support

extension EventLoop {
    /// The time of the loop's clock.
    package static var instant: Instant { Instant(nanoseconds: now()) }
}

extension LoopTimer {
    /// Goes off at this time, and not at the one that was set before.
    package func set(_ time: Instant) { set(deadline: time.nanoseconds) }
}

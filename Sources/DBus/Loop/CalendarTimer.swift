internal import CLinux
internal import Glibc

/// A timer of an event loop that fires at a moment of the calendar. It fires once for each time it is set.
///
/// A `LoopTimer` measures how long the machine is awake. This one follows the calendar's clock: after a suspend it fires
/// at once if its moment has passed, and it follows a clock that is set. It does not wake the machine.
package final class CalendarTimer {
    private let descriptor: Int32
    private let source: FileDescriptorSource

    fileprivate init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(DBusError) {
        let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system("Cannot create a timer for the event loop") }
        self.descriptor = descriptor
        source = loop.watch(fileDescriptor: descriptor, interest: .read) { _ in
            var expirations: UInt64 = 0
            // It may have been set anew since it fired.
            guard read(descriptor, &expirations, 8) == 8 else { return }
            handler()
        }
    }

    deinit {
        source.cancel()
        close(descriptor)
    }

    /// Sets the timer to fire at this moment, soon if that has passed; replaces an earlier setting.
    ///
    /// - Parameter microseconds: Since 1970 in UTC; nil cancels the timer.
    package func set(at microseconds: Int64?) {
        var setting = itimerspec()
        if let microseconds {
            // Zero would disarm it.
            let (seconds, rest) = max(microseconds, 1).quotientAndRemainder(dividingBy: 1_000_000)
            setting.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1000)
        }
        timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
}

extension EventLoop {
    /// Creates a timer that calls `handler` on the loop when it fires. It is not set yet.
    package func makeCalendarTimer(_ handler: @escaping () -> Void) throws(DBusError) -> CalendarTimer {
        try CalendarTimer(self, handler)
    }
}

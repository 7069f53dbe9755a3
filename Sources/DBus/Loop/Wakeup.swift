internal import CLinux
internal import Glibc

/// Wakes an event loop from any thread, over an eventfd(2). Several signals before the loop wakes are one.
public final class Wakeup: Sendable {
    private let descriptor: Int32

    init() throws(DBusError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system("Cannot create an event descriptor for the event loop") }
    }

    deinit { close(descriptor) }

    /// Makes the loop call the handler soon. It may be called from any thread, and never waits.
    public func signal() {
        var one: UInt64 = 1
        // The only failure is a full counter, and then the loop is about to wake anyway.
        _ = write(descriptor, &one, 8)
    }

    fileprivate func attach(to loop: EventLoop, _ handler: @escaping () -> Void) {
        let descriptor = descriptor
        // The closure holds self, so that the descriptor is open while it is polled.
        loop.watch(fileDescriptor: descriptor, interest: .read) { [self] _ in
            acknowledge()
            handler()
        }
    }

    private func acknowledge() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}

extension EventLoop {
    /// A wake-up for the use of other threads; `handler` runs on the loop. It lasts as long as the loop.
    public func makeWakeup(_ handler: @escaping () -> Void) throws(DBusError) -> Wakeup {
        let wakeup = try Wakeup()
        wakeup.attach(to: self, handler)
        return wakeup
    }
}

import CLinux
import Glibc

/// Holds the watcher's thread so that a test can fill the kernel's queue.
package final class PauseGate: Sendable {
    /// Written when the watcher's thread has reached the gate.
    private let reached = eventfd(0, Int32(EFD_CLOEXEC))
    /// Written when the thread may continue.
    private let opened = eventfd(0, Int32(EFD_CLOEXEC))

    package init() {}

    deinit {
        close(reached)
        close(opened)
    }

    /// Waits until the watcher's thread has reached the gate; false if it has not after this many milliseconds.
    package func waitUntilReached(milliseconds: Int32) -> Bool {
        Self.wait(for: reached, milliseconds: milliseconds)
    }

    /// Lets the watcher's thread continue.
    package func open() { eventfd_write(opened, 1) }

    /// Reports that the gate is reached, and waits until it is opened.
    func pass() {
        eventfd_write(reached, 1)
        while !Self.wait(for: opened, milliseconds: -1) {}
    }

    private static func wait(for descriptor: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }
}

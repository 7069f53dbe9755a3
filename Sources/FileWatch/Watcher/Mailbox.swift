import CLinux
import Glibc
import Support

/// Passes commands to the watcher's thread; an eventfd becomes readable with the first one.
final class CommandMailbox: Sendable {
    /// Readable while commands wait; owned by the mailbox.
    let descriptor: Int32
    private let commands = Mailbox<Command>()

    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { return nil }
    }

    deinit {
        close(descriptor)
    }

    func send(_ command: Command) {
        if commands.put(command) { eventfd_write(descriptor, 1) }
    }

    func takeAll() -> [Command] {
        // The counter is cleared first: a command sent in between raises it again, which costs at most one empty turn.
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        return commands.takeAll()
    }
}

/// Passes events to the caller, who is woken each time that the mailbox was empty before.
final class WatchOutbox: Sendable {
    private let events = Mailbox<WatchEvent>()
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func put(_ batch: [WatchEvent]) {
        if events.put(contentsOf: batch) { wake() }
    }

    func takeAll() -> [WatchEvent] {
        events.takeAll()
    }
}

import CLinux
import Glibc
import Synchronization

/// Commands on their way to the watcher's thread; an eventfd becomes readable with the first one.
final class CommandMailbox: Sendable {
    /// Readable while commands wait; owned by the mailbox.
    let descriptor: Int32
    private let commands = Mutex<[Command]>([])

    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { return nil }
    }

    deinit {
        close(descriptor)
    }

    func send(_ command: Command) {
        let wasEmpty = commands.withLock { pending in
            pending.append(command)
            return pending.count == 1
        }
        if wasEmpty { eventfd_write(descriptor, 1) }
    }

    func take() -> [Command] {
        // The counter is cleared first: a command sent in between raises it again and costs one empty turn at most.
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        return commands.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }
}

/// Events on their way to the caller, who is woken once for each time that the box was empty.
final class Outbox: Sendable {
    private let events = Mutex<[WatchEvent]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func put(_ batch: [WatchEvent]) {
        guard !batch.isEmpty else { return }
        let wasEmpty = events.withLock { pending in
            defer { pending += batch }
            return pending.isEmpty
        }
        if wasEmpty { wake() }
    }

    func take() -> [WatchEvent] {
        events.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }
}

import CLinux
import Glibc
import SystemPackage

/// Everything that the watcher's thread knows and does. It is used from that thread alone.
///
/// The order of work makes it gapless: a directory is watched before it is listed, listed before what is in it is
/// watched, and what a listing shows goes through the same doors as what an event says. Whatever an event that is
/// already out of date does to the tree, later events undo, because every change has one.
final class Watcher {
    var source: any EventSource
    var tree = WatchTree()
    var budget: WatchBudget
    let gate: MountGate
    let settings: WatcherSettings
    let commands: CommandMailbox
    let outbox: WatchOutbox
    let opener: DirectoryOpener
    let listing = DirectoryListing()
    var helpers = ResolveHelpers()

    var folders: [FolderID: Anchor] = [:]
    var observed: [FilePath: Anchor] = [:]
    var places = AnchorPlaces()
    /// Anchors whose path has to be followed (again).
    var toLocate: [Anchor] = []

    var scanQueue: [NodeID] = []
    /// What is not watched or not listed, and why folders are named unreliable.
    var refused = RefusedNodes()
    var moves = PendingMoves()
    var flushes: [(folder: FolderID, token: UInt64)] = []
    /// Where the events of a directory go; forgotten whenever the tree or the batches change.
    var sinks: [NodeID: Sinks] = [:]
    var output: [WatchEvent] = []
    var reported = WatchStatus()
    var now: UInt64 = 0
    var isStopped = false

    private var polled = [pollfd](repeating: pollfd(), count: 3)
    private var hasJustRead = false
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 131072, alignment: 8)

    init(source: any EventSource, settings: WatcherSettings, commands: CommandMailbox, outbox: WatchOutbox) {
        self.source = source
        self.settings = settings
        self.commands = commands
        self.outbox = outbox
        budget = WatchBudget(limit: settings.watchLimit())
        gate = MountGate(path: settings.mountTable)
        opener = DirectoryOpener(gate: gate)
    }

    deinit {
        buffer.deallocate()
    }

    /// Runs until ``Command/stop``.
    func run() {
        while !isStopped {
            let ready = wait()
            now = Self.monotonicTime()
            if ready.mounts || gate.hasNewer { mountsChanged() }
            if ready.commands {
                for command in commands.take() { handle(command) }
            }
            if ready.events { readEvents() }
            expireMoves()
            locateAnchors()
            scanSlice()
            locateAnchors()
            retryRefused()
            deliver()
            // An open directory would keep its file system from being unmounted.
            if scanQueue.isEmpty { opener.forgetAll() }
        }
    }

    /// What is mounted where, as far as it was acted on.
    var mounts: MountTable { gate.table }

    // MARK: Waiting

    private struct Ready {
        var commands: Bool
        var events: Bool
        var mounts: Bool
    }

    /// While events keep coming they are read every two milliseconds and not one by one: nothing is handed over sooner
    /// anyway, and a command still wakes the thread at once.
    private func wait() -> Ready {
        let isBusy = hasJustRead
        hasJustRead = false
        polled[0] = pollfd(fd: commands.descriptor, events: Int16(POLLIN), revents: 0)
        polled[1] = pollfd(fd: gate.descriptor, events: Int16(POLLPRI), revents: 0)
        polled[2] = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
        let due = timeout()
        let limit = isBusy ? min(due < 0 ? 2 : due, 2) : due
        let count = poll(&polled, isBusy ? 2 : 3, limit)
        if count < 0 { return Ready(commands: false, events: false, mounts: false) }
        return Ready(
            commands: polled[0].revents != 0, events: isBusy || polled[2].revents != 0,
            mounts: polled[1].revents & Int16(POLLPRI) != 0)
    }

    /// Milliseconds until something is due, rounded up; -1 if nothing is.
    private func timeout() -> Int32 {
        if !scanQueue.isEmpty || !toLocate.isEmpty || gate.hasNewer { return 0 }
        var due = moves.deadline ?? .max
        if let deadline = helpers.deadline { due = min(due, deadline) }
        for folder in folders.values { due = min(due, folder.changes.deadline ?? .max) }
        for anchor in observed.values { due = min(due, anchor.vanishPeriod?.deadline ?? .max) }
        if due == .max { return -1 }
        let current = Self.monotonicTime()
        return due <= current ? 0 : Int32(clamping: (due - current + 999_999) / 1_000_000)
    }

    // MARK: Reading

    /// Reads a limited number of times, so that a folder in which much happens leaves time for the rest.
    private func readEvents() {
        for _ in 0..<8 {
            if readOnce() == 0 { return }
            hasJustRead = true
        }
    }

    /// Reads at least what waits now.
    func readEverythingThatWaits() {
        var waiting = Int(clinux_bytes_waiting(source.descriptor))
        while waiting > 0 {
            let count = readOnce()
            if count == 0 { return }
            waiting -= count
        }
    }

    private func readOnce() -> Int {
        let count = source.read(into: buffer)
        if count > 0 {
            InotifyRecord.forEach(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { handle($0) }
        }
        return count
    }

    // MARK: System

    static func monotonicTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

import CLinux
import Glibc
import Support
import SystemPackage

@testable import FileWatch

/// A watcher and what it has said so far.
final class WatchSession {
    struct TimedOut: Error, CustomStringConvertible {
        let description: String
    }

    let watcher: FileWatcher
    private let signal: Int32
    private var lastToken: UInt64 = 0
    /// Everything said, oldest first.
    private(set) var events: [WatchEvent] = []

    init(_ settings: WatcherSettings = WatcherSettings()) throws {
        let signal = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        self.signal = signal
        watcher = try FileWatcher(settings: settings) { eventfd_write(signal, 1) }
    }

    /// Takes what was said since the last time.
    @discardableResult
    func take() -> [WatchEvent] {
        var count: eventfd_t = 0
        eventfd_read(signal, &count)
        let new = watcher.takeEvents()
        events += new
        return new
    }

    /// Waits until something that was said from the event number `start` on fulfils the condition; gives its number.
    @discardableResult
    func wait(
        from start: Int = 0, seconds: Int = 240, for what: String = "an event", until isMet: (WatchEvent) -> Bool
    ) throws -> Int {
        let deadline = Instant.now + .seconds(seconds)
        while true {
            take()
            if let index = events.indices.first(where: { $0 >= start && isMet(events[$0]) }) { return index }
            guard Instant.now < deadline else {
                throw TimedOut(description: "no \(what) within \(seconds) s; last events: \(events.suffix(6))")
            }
            var descriptor = pollfd(fd: signal, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, 200)
        }
    }

    /// Waits until the watcher has said more or a descriptor can be read, and gives whether that can.
    func waitForMore(or descriptor: Int32, seconds: Int = 240) throws -> Bool {
        var descriptors = [
            pollfd(fd: signal, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, 2, Int32(seconds) * 1000) > 0 else {
            throw TimedOut(description: "nothing came within \(seconds) s; last events: \(events.suffix(6))")
        }
        return descriptors[1].revents != 0
    }

    /// Flushes a folder and gives what was said from the last `take` to the answer.
    func flush(_ folder: FolderID, seconds: Int = 240) throws -> [WatchEvent] {
        let start = events.count
        lastToken += 1
        let token = lastToken
        watcher.flush(folder, token: token)
        try wait(from: start, seconds: seconds, for: "answer to Flush") { $0 == .flushed(token: token) }
        return Array(events[start...])
    }

    /// The changes of a folder among some events, as one. Each path is in it once: of a file that is written on a
    /// machine whose cores are all busy, the beginning may be told in one batch and the end in another.
    static func changes(of folder: FolderID, in events: some Sequence<WatchEvent>) -> TreeChanges {
        var all = TreeChanges(folder: folder)
        var isOne = true
        for case .changed(let batch) in events where batch.folder == folder {
            isOne = all == TreeChanges(folder: folder)
            all.directories += batch.directories
            all.items += batch.items
            all.overflow = all.overflow || batch.overflow
        }
        if isOne { return all }
        all.directories = Set(all.directories).sorted(by: FilePath.bytesAscend)
        all.items = Set(all.items).sorted(by: FilePath.bytesAscend)
        return all
    }

    /// Does things of which the watcher hears when all are done: as if they were done at once, however busy the machine
    /// is.
    func atOnce(_ body: () -> Void) throws {
        let gate = PauseGate()
        watcher.pause(gate)
        guard gate.waitUntilReached(milliseconds: 240_000) else {
            throw TimedOut(description: "the watcher does not come to the gate")
        }
        body()
        gate.open()
    }

    func locate(_ path: FilePath) throws -> [FilePath] {
        let start = events.count
        lastToken += 1
        let token = lastToken
        watcher.locate(path, token: token)
        var answer: [FilePath]?
        try wait(from: start, for: "answer to locate") {
            if case .located(token, let places, links: _) = $0 { answer = places }
            return answer != nil
        }
        return answer ?? []
    }

    func resolve(_ path: FilePath) throws -> PathResolution {
        let start = events.count
        lastToken += 1
        let token = lastToken
        watcher.resolve(path, token: token)
        var answer: PathResolution?
        try wait(from: start, for: "answer to resolve") {
            if case .resolved(token, let resolution) = $0 { answer = resolution }
            return answer != nil
        }
        return answer ?? PathResolution(requested: path, resolved: path, kind: .missing)
    }

    deinit {
        // The watcher may wake this descriptor until its thread has ended; an unused number is the smaller evil.
        take()
    }
}

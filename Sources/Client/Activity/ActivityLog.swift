package import DBus
package import RoundelBus

/// The logs of the sync engines, as one.
package struct ActivityLog: Sendable {
    private let bus: AsyncConnection

    /// The logs of the engines on this bus.
    package init(bus: AsyncConnection) { self.bus = bus }

    /// The newest entries, sorted from old to new, and why engines could not be asked.
    /// - Parameter limit: The largest number of entries.
    package func newest(_ limit: UInt32) async throws -> (entries: [SyncActivity], failures: [any Error]) {
        // To an engine, 0 means many.
        guard limit > 0 else { return ([], []) }
        let answers = try await Engines(bus: bus).ask(nil) { (folders: FoldersProxy) in
            try await folders.activity(limit: limit)
        }
        guard answers.answers.count > 1 else { return (answers.answers.first ?? [], answers.failures) }
        let entries = answers.answers.joined().sorted { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        return (entries.suffix(Int(limit)), answers.failures)
    }

    /// The newest entries, then those that are added, each once, until the bus is gone.
    /// - Parameter limit: The largest number of entries at first.
    package func follow(after limit: UInt32) async throws -> AsyncThrowingStream<[SyncActivity], any Error> {
        let added = EventMerge<[SyncActivity]>()
        for engine in await Engines(bus: bus).all(offering: .folders) {
            added.add(try FoldersProxy(bus: bus, engine: engine.address).activityAdded()) { $0 }
        }
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    var seen = SeenActivity()
                    continuation.yield(seen.unseen(try await newest(limit).entries))
                    for await entries in added.events { continuation.yield(seen.unseen(entries)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// The entries of the log that are known already: one that is added between a call and its reply arrives twice.
struct SeenActivity {
    /// Each folder counts its entries by itself.
    private var last: [String: UInt64] = [:]

    /// Those of some entries, in the order of each folder, that were not seen before.
    mutating func unseen(_ entries: [SyncActivity]) -> [SyncActivity] {
        entries.filter { entry in
            guard entry.sequence > last[entry.folder, default: 0] else { return false }
            last[entry.folder] = entry.sequence
            return true
        }
    }
}

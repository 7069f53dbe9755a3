package import DBus
package import RoundelBus

/// The log of the worker.
package struct ActivityLog: Sendable {
    private let bus: AsyncConnection

    /// The log of the worker on this bus.
    package init(bus: AsyncConnection) { self.bus = bus }

    /// The newest entries, sorted from old to new.
    /// - Parameter limit: The largest number of entries.
    package func newest(_ limit: UInt32) async throws -> [SyncActivity] {
        // To the worker, 0 means many.
        limit == 0 ? [] : try await SyncWorkerProxy(bus: bus).activity(limit: limit)
    }

    /// The newest entries, then those that are added, each once, until the bus is gone.
    /// - Parameter limit: The largest number of entries at first.
    package func follow(after limit: UInt32) throws -> AsyncThrowingStream<[SyncActivity], any Error> {
        let added = try SyncWorkerProxy(bus: bus).activityAdded()
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    var seen = SeenActivity()
                    continuation.yield(seen.unseen(try await newest(limit)))
                    for await entries in added { continuation.yield(seen.unseen(entries)) }
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

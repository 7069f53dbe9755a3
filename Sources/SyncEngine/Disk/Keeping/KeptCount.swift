import Synchronization

/// How much a store of replaced versions holds, as far as it was counted along.
final class KeptCount: Sendable {
    /// Some of which may be gone by now.
    private let held = Mutex(ReplacedStore.Amount())

    /// Counts a version that enters the store.
    func add(_ version: FileStatus) {
        held.withLock { held in
            held.bytes = held.bytes.addingReportingOverflow(version.room).partialValue
            held.versions += 1
        }
    }

    /// Whether the store may hold more than it should.
    func isOver(_ limits: ReplacedStore.Limits) -> Bool { held.withLock { limits.areExceeded(by: $0) } }

    /// The store was opened or pruned, and holds this much.
    func wasCounted(_ amount: ReplacedStore.Amount) { held.withLock { $0 = amount } }
}

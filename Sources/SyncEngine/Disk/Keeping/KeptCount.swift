import Synchronization

/// How much a store of replaced versions holds, as far as it was counted along.
final class KeptCount: Sendable {
    private struct State {
        /// Bytes in the store, some of which may be gone by now.
        var bytes: UInt64 = 0
        /// How many versions entered the store since it was last pruned.
        var entered = 0
    }

    private let state = Mutex(State())

    /// Counts a version that enters the store.
    func add(_ version: FileStatus) {
        state.withLock { state in
            state.bytes = state.bytes.addingReportingOverflow(version.room).partialValue
            state.entered += 1
        }
    }

    /// Whether the store may hold more than it should.
    func isOver(_ limits: ReplacedStore.Limits) -> Bool {
        state.withLock { $0.bytes > limits.size || $0.entered > limits.count / 10 }
    }

    /// The store was opened, and held this many bytes.
    func wasCounted(_ bytes: UInt64) { state.withLock { $0.bytes = bytes } }

    /// The store was pruned, and holds this many bytes.
    func wasPruned(_ bytes: UInt64) { state.withLock { $0 = State(bytes: bytes) } }
}

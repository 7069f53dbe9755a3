import Glibc
package import SyncCore
import Synchronization
package import SystemPackage

/// Which large transfers of a folder are under way, so that a restart goes on with them.
///
/// It is a database of its own beside that of the trees: what it says must be durable in the midst of a transfer, when the
/// trees have a transaction open that is not to be committed yet. It is opened when a large transfer begins, or where one
/// was begun before, and closed when nothing is noted. Damaged, it is begun anew, and transfers with it.
///
/// Calls wait for the disk that the database is on.
package final class TransferLedger: Sendable {
    /// One transfer: there is one at most from a file.
    struct Key: Hashable, Sendable {
        var side: Side
        var path: RelativePath

        init(_ origin: TransferOrigin) { (side, path) = (origin.side, origin.path) }
    }

    private struct State {
        var store: TransferStore?
        /// Whether nothing is noted, as far as that is known.
        var isEmpty = false
        var claimed: Set<Key> = []
    }

    /// Bytes of a file from which on a transfer of it is noted. To send less again costs about what it takes to note it, make
    /// what has arrived durable, and look at both sides before going on; and it is what is lost at most of a larger file.
    package static let least: Int64 = 16 << 20
    /// Transfers that are noted at a time, but for those that begin in the same moment; others are not gone on with.
    static let most = 64
    /// Bytes that may arrive before they are noted.
    static let interval: Int64 = 16 << 20

    private let path: FilePath
    private let state = Mutex(State())

    /// - Parameter path: Of the database. Nothing is opened yet.
    package init(at path: FilePath) { self.path = path }

    /// Takes up a transfer; nil for a small file, if it is under way already, or if nothing can be noted now.
    package func claim(_ origin: TransferOrigin) -> TransferClaim? {
        guard origin.version.size >= Self.least else { return nil }
        let key = Key(origin)
        return state.withLock { state in
            guard !state.claimed.contains(key), let store = store(&state, isNeeded: true) else { return nil }
            do {
                let record = try store.record(key)
                guard try record != nil || store.count() < Self.most else { return nil }
                state.claimed.insert(key)
                return TransferClaim(key, record, in: self)
            } catch {
                state.store = nil
                return nil
            }
        }
    }

    /// Takes up all transfers that are noted and not under way.
    package func claimOthers() -> [TransferClaim] {
        state.withLock { state in
            guard let records = try? store(&state)?.records() else { return [] }
            return records.compactMap { record in
                let key = Key(record.origin)
                guard state.claimed.insert(key).inserted else { return nil }
                return TransferClaim(key, record, in: self)
            }
        }
    }

    /// The names under which a side keeps what has arrived from the other one.
    package func places(from side: Side) -> Set<EntryName> {
        state.withLock { state in
            let records = (try? store(&state)?.records()) ?? []
            return Set(records.filter { $0.origin.side == side }.map(\.place))
        }
    }

    /// Closes the database.
    func close() {
        state.withLock { state in state.store = nil }
    }

    /// Closes the database if nothing is noted.
    func rest() {
        state.withLock { state in
            guard state.claimed.isEmpty, let store = state.store, (try? store.count()) == 0 else { return }
            (state.store, state.isEmpty) = (nil, true)
        }
    }

    func release(_ key: Key) {
        _ = state.withLock { $0.claimed.remove(key) }
    }

    /// Changes what is noted; false if that failed.
    func write(_ body: (TransferStore) throws -> Void) -> Bool {
        state.withLock { state in
            guard let store = store(&state, isNeeded: true) else { return false }
            do {
                try body(store)
                state.isEmpty = false
                return true
            } catch {
                // It is opened anew for the next attempt, and begun anew if it is damaged.
                state.store = nil
                return false
            }
        }
    }

    /// The open database; nil if it cannot be opened, or there is none and none is needed.
    private func store(_ state: inout State, isNeeded: Bool = false) -> TransferStore? {
        if let store = state.store { return store }
        if !isNeeded && (state.isEmpty || access(path.string, F_OK) != 0) { return nil }
        state.store = try? TransferStore.open(path)
        return state.store
    }
}

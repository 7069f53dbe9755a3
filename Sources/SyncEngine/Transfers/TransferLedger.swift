import Glibc
package import SyncCore
import Synchronization
package import SystemPackage

/// The large transfers of a folder that are in progress, so that they can be resumed after a restart, and the directories
/// that are aside on a server to be removed.
///
/// This is a database separate from the trees: its notes must become durable in the middle of a transfer, while the
/// trees have an open transaction that must not be committed yet. It is opened when a large transfer begins or was
/// begun before, and closed when nothing is noted. If it is damaged, it is replaced, and transfers start over.
///
/// Calls block on the disk that holds the database.
package final class TransferLedger: Sendable {
    /// One transfer: each file has at most one.
    struct Key: Hashable, Sendable {
        var side: Side
        var path: RelativePath

        init(_ origin: TransferOrigin) { (side, path) = (origin.side, origin.path) }
    }

    private struct State {
        var store: TransferStore?
        /// Whether the database is known to be empty.
        var isEmpty = false
        var claimed: Set<Key> = []
    }

    /// The smallest file, in bytes, whose transfer is noted. Sending less than this again costs about as much as noting
    /// the transfer, making the received bytes durable, and checking both sides before resuming. Of a larger file, this
    /// is also the most that is lost.
    package static let least: Int64 = 16 << 20
    /// The most transfers that are noted at a time, except for those that begin at the same moment; others are not
    /// resumed.
    static let most = 64
    /// How many bytes may arrive before they are noted.
    static let interval: Int64 = 16 << 20

    private let path: FilePath
    private let state = Mutex(State())

    /// - Parameter path: The path of the database. It is not opened yet.
    package init(at path: FilePath) { self.path = path }

    /// Claims a transfer; nil for a small file, if the transfer is claimed already, or if nothing can be noted now.
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

    /// Claims all noted transfers that are not claimed already.
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

    /// The names under which the data that arrived from this side is kept on the other one.
    package func places(from side: Side) -> Set<EntryName> {
        state.withLock { state in
            let records = (try? store(&state)?.records()) ?? []
            return Set(records.filter { $0.origin.side == side }.map(\.place))
        }
    }

    // MARK: Directories that are aside

    /// Notes a directory before it is moved aside.
    ///
    /// - Returns: Whether the note is durable. If not, do not move it, because nothing would bring it back.
    package func note(_ record: AsideRecord) -> Bool { write { try $0.note(record) } }

    /// Forgets a directory that is no longer aside. After ``close()`` the note stays for the next run.
    package func forgetAside(_ place: EntryName) {
        state.withLock { state in try? state.store?.forgetAside(place) }
    }

    /// The noted directories, including those of earlier runs.
    package func asides() -> [AsideRecord] {
        state.withLock { state in (try? store(&state)?.asides()) ?? [] }
    }

    // MARK: Closing

    /// Closes the database.
    func close() {
        state.withLock { state in state.store = nil }
    }

    /// Closes the database if nothing is noted.
    func rest() {
        state.withLock { state in
            guard state.claimed.isEmpty, let store = state.store, (try? store.isEmpty()) == true else { return }
            (state.store, state.isEmpty) = (nil, true)
        }
    }

    func release(_ key: Key) {
        _ = state.withLock { $0.claimed.remove(key) }
    }

    /// Changes the notes; false if that failed.
    func write(_ body: (TransferStore) throws -> Void) -> Bool {
        state.withLock { state in
            guard let store = store(&state, isNeeded: true) else { return false }
            do {
                try body(store)
                state.isEmpty = false
                return true
            } catch {
                // The next attempt opens it again, and replaces it if it is damaged.
                state.store = nil
                return false
            }
        }
    }

    /// The open database; nil if it cannot be opened, or if it does not exist and is not needed.
    private func store(_ state: inout State, isNeeded: Bool = false) -> TransferStore? {
        if let store = state.store { return store }
        if !isNeeded && (state.isEmpty || access(path.string, F_OK) != 0) { return nil }
        state.store = try? TransferStore.open(path)
        return state.store
    }
}

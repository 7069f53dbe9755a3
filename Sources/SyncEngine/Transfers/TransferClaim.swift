package import SyncCore
import Synchronization

/// The one transfer of a file that is under way, and what is noted of it. Nobody else goes on with it, or removes what it
/// left, before the last reference to this is gone.
///
/// What cannot be noted now is not there after a restart: less is gone on with, and nothing is taken for more than it is.
package final class TransferClaim: Sendable {
    private let ledger: TransferLedger
    private let key: TransferLedger.Key
    private let known: Mutex<TransferRecord?>

    init(_ key: TransferLedger.Key, _ record: TransferRecord?, in ledger: TransferLedger) {
        self.key = key
        self.ledger = ledger
        known = Mutex(record)
    }

    deinit { ledger.release(key) }

    /// What is noted; nil if nothing is.
    package var record: TransferRecord? { known.withLock { $0 } }

    /// Notes a transfer that begins, in the place of what was noted.
    ///
    /// - Returns: Whether that is durable. If not, nothing is to be kept of the transfer, as nobody would find it.
    package func begin(_ record: TransferRecord) -> Bool {
        known.withLock { known in
            known = ledger.write { try $0.begin(record) } ? record : nil
            return known != nil
        }
    }

    /// So many bytes are durable, and have this hash.
    func note(bytes: Int64, _ hash: ContentHash) {
        known.withLock { known in
            guard var record = known, ledger.write({ try $0.note(bytes: bytes, hash, of: key) }) else { return }
            (record.bytes, record.hash) = (bytes, hash)
            known = record
        }
    }

    /// A server confirmed a chunk.
    package func note(chunk: Int64, _ hash: ContentHash) {
        known.withLock { known in
            guard var record = known, ledger.write({ try $0.note(chunk: chunk, hash, of: key) }) else { return }
            record.chunks[chunk] = hash
            known = record
        }
    }

    /// The transfer is over, or cannot be gone on with: nothing is kept of it any more.
    package func forget() {
        known.withLock { known in
            guard known != nil else { return }
            known = nil
            _ = ledger.write { try $0.forget(key) }
        }
    }
}

package import SyncCore
import Synchronization

/// Exclusive use of a file's transfer, and what is noted of it. No one else resumes the transfer or removes its remains
/// while this object exists.
///
/// A failed write only means that less is resumed after a restart; progress is never overstated.
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

    /// What is noted of the transfer; nil if nothing is.
    package var record: TransferRecord? { known.withLock { $0 } }

    /// Notes a new transfer, replacing what was noted.
    ///
    /// - Returns: Whether the note is durable. If not, keep nothing of the transfer, because nothing would find it
    ///   later.
    package func begin(_ record: TransferRecord) -> Bool {
        known.withLock { known in
            known = ledger.write { try $0.begin(record) } ? record : nil
            return known != nil
        }
    }

    /// Notes that this many bytes are durable, and their hash.
    func note(bytes: Int64, _ hash: ContentHash) {
        known.withLock { known in
            guard var record = known, ledger.write({ try $0.note(bytes: bytes, hash, of: key) }) else { return }
            (record.bytes, record.hash) = (bytes, hash)
            known = record
        }
    }

    /// Notes a chunk that a server confirmed.
    package func note(chunk: Int64, _ hash: ContentHash) {
        known.withLock { known in
            guard var record = known, ledger.write({ try $0.note(chunk: chunk, hash, of: key) }) else { return }
            record.chunks[chunk] = hash
            known = record
        }
    }

    /// The transfer is over or cannot be resumed: forgets everything noted of it.
    package func forget() {
        known.withLock { known in
            guard known != nil else { return }
            known = nil
            _ = ledger.write { try $0.forget(key) }
        }
    }
}

package import SyncCore

/// Which version of which file a transfer takes to the other side.
package struct TransferOrigin: Hashable, Sendable {
    /// The side that is read.
    package var side: Side
    /// Where the file stands there.
    package var path: RelativePath
    /// What it was when it was opened.
    package var version: Version

    /// An origin.
    package init(_ side: Side, _ path: RelativePath, _ version: Version) {
        self.side = side
        self.path = path
        self.version = version
    }
}

/// What is known of a transfer that was begun: enough to go on with it, or to remove what it left.
package struct TransferRecord: Hashable, Sendable {
    /// Of what it is.
    package var origin: TransferOrigin
    /// The name under which the other side keeps what has arrived, among what it has staged.
    package var place: EntryName
    /// The collection that takes chunks on a server; nil where there is none.
    package var upload: EntryName?
    /// Bytes at the beginning of the file in `place` that are durable; 0 where chunks are counted.
    package var bytes: Int64 = 0
    /// The hash of those bytes; nil while there are none.
    package var hash: ContentHash?
    /// Of each chunk that a server confirmed, by its number, the hash of what was sent.
    package var chunks: [Int64: ContentHash] = [:]

    /// A transfer of which nothing has arrived yet.
    package init(_ origin: TransferOrigin, at place: EntryName, upload: EntryName? = nil) {
        self.origin = origin
        self.place = place
        self.upload = upload
    }

    /// Whether it can go on with this version of the same file, which may be a later look at it.
    package func fits(_ other: TransferOrigin) -> Bool {
        origin.side == other.side && origin.path == other.path && origin.version.size == other.version.size
            && origin.version.modified == other.version.modified && origin.version.isSame(as: other.version)
    }
}

/// A side that keeps what has arrived of a large transfer to it for a later run.
package protocol KeepsPartialTransfers: Endpoint {
    /// Removes all that it keeps of a transfer; false if something may still be there, so that it is to be tried again.
    func removePartial(_ record: TransferRecord) async -> Bool
}

extension EffectFailure {
    /// Whether a transfer that ended so can be gone on with: nothing is wrong with what has arrived.
    package var leavesPartial: Bool {
        switch reason {
        case .unreachable, .busy: true
        case .changed: message.code == .abandoned
        case .notFound, .exists, .notEmpty, .nameClash, .denied, .noSpace, .io, .notMounted: false
        }
    }
}

package import SyncCore

/// The version of a file that a transfer copies to the other side.
package struct TransferOrigin: Hashable, Sendable {
    /// The side that is read.
    package var side: Side
    /// The path of the file there.
    package var path: RelativePath
    /// The version of the file when it was opened.
    package var version: Version

    /// An origin.
    package init(_ side: Side, _ path: RelativePath, _ version: Version) {
        self.side = side
        self.path = path
        self.version = version
    }
}

/// What is known of a transfer that was begun: enough to resume it or to remove its remains.
package struct TransferRecord: Hashable, Sendable {
    /// The source of the transfer.
    package var origin: TransferOrigin
    /// The name of the partial file among the other side's staged files.
    package var place: EntryName
    /// The collection for chunks on a server; nil without chunks.
    package var upload: EntryName?
    /// The bytes of each chunk but the last; nil without chunks, or if an earlier version of this program noted it.
    package var chunkLength: Int64?
    /// Bytes at the beginning of the file in `place` that are durable; 0 where chunks are counted.
    package var bytes: Int64 = 0
    /// The hash of those bytes; nil while there are none.
    package var hash: ContentHash?
    /// The hash of what was sent in each chunk that a server confirmed, by chunk number.
    package var chunks: [Int64: ContentHash] = [:]

    /// A transfer of which nothing has arrived yet.
    package init(_ origin: TransferOrigin, at place: EntryName, upload: EntryName? = nil) {
        self.origin = origin
        self.place = place
        self.upload = upload
    }

    /// Whether the transfer can be resumed with this version, which may come from a later look at the same file.
    package func fits(_ other: TransferOrigin) -> Bool {
        origin.side == other.side && origin.path == other.path && origin.version.size == other.version.size
            && origin.version.modified == other.version.modified && origin.version.isSame(as: other.version)
    }
}

/// A side that keeps the received part of a large transfer for a later run.
package protocol KeepsPartialTransfers: Endpoint {
    /// Removes everything kept of a transfer; false if something may remain, so that it must be tried again.
    func removePartial(_ record: TransferRecord) async -> Bool
}

extension EffectFailure {
    /// Whether a transfer that ended with this failure can be resumed: what has arrived is intact.
    package var leavesPartial: Bool {
        switch reason {
        case .unreachable, .busy, .putOff: true
        case .changed: message.code == .abandoned
        case .notFound, .exists, .notEmpty, .nameClash, .denied, .noSpace, .io, .notMounted: false
        }
    }
}

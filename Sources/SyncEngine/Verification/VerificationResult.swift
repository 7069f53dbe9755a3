package import SyncCore

/// Something that is not the same on both sides, although it should be.
package struct VerifiedItem: Hashable, Sendable {
    /// What is wrong with it.
    package enum Finding: String, Hashable, Sendable, CaseIterable {
        /// Other contents, or a file on one side and a directory on the other.
        case different
        /// It is not on this computer.
        case missingLocal = "missing-local"
        /// It is not on the remote.
        case missingRemote = "missing-remote"
        /// It could not be read on one side.
        case unreadable
    }

    /// Where it is, below the folder.
    package var path: RelativePath
    /// What is wrong with it.
    package var finding: Finding
    /// Why it could not be read; nothing otherwise.
    package var message = Explanation.nothing
}

/// What a verification has done so far, or did.
package struct VerificationResult: Hashable, Sendable {
    /// Files that were read on both sides and are equal.
    package var files = 0
    /// Bytes that were read on each side.
    package var bytes: Int64 = 0
    /// Items that are not the same on both sides.
    package var differences = 0
    /// Items that were not judged, as they are being changed or not synced yet.
    package var waiting = 0
    /// Some of the items that are not the same, in the order in which they were found.
    package var items: [VerifiedItem] = []

    /// Nothing done.
    package init() {}

    /// The most items that are named: a message on the bus has to hold them.
    private static let namedAtMost = 10_000

    mutating func add(_ item: VerifiedItem) {
        differences += 1
        if items.count < Self.namedAtMost { items.append(item) }
    }
}

/// An item that did not look the same on both sides, as it was seen when nothing was in flight.
package struct Suspect: Hashable, Sendable {
    /// What it looked like.
    package enum Sight: Hashable, Sendable {
        case different
        case missing(Side)
        case unreadable(Side, Explanation)
    }

    /// Where it is, below the folder.
    package var path: RelativePath
    /// What it looked like.
    package var sight: Sight
    /// The versions that were seen.
    package var seen: [Side: Version]
}

/// What the folder knows about a suspect.
package enum Standing: Hashable, Sendable {
    /// It knows it as it was seen, synced, and has nothing to do about it.
    case settled
    /// It has something to do about it, or does not know it.
    case waiting
    /// It knows another version of it, or more, and has nothing to do: a change that nobody has told.
    case unnoticed
    /// It does not sync it.
    case excluded
}

/// What a verification asks of the folder while it runs, on its own thread. Each may wait for the folder's loop.
package protocol VerifiedFolder: Sendable {
    /// Returns when what changed up to now was reported to the folder and nothing is in flight, or after a while.
    func settle()
    /// What the folder knows about suspects, in their order; none if it is gone. It checks what it did not notice.
    func standings(of suspects: [Suspect]) -> [Standing]
    /// So much is done.
    func report(_ progress: VerificationResult)
}

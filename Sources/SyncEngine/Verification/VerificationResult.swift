package import SyncCore

/// An item that differs between the sides although it should not.
package struct VerifiedItem: Hashable, Sendable {
    /// What is wrong with it.
    package enum Finding: String, Hashable, Sendable, CaseIterable {
        /// Different contents, or a file on one side and a directory on the other.
        case different
        /// It is missing on this computer.
        case missingLocal = "missing-local"
        /// It is missing on the remote.
        case missingRemote = "missing-remote"
        /// It could not be read on one side.
        case unreadable
    }

    /// Its path below the folder.
    package var path: RelativePath
    /// What is wrong with it.
    package var finding: Finding
    /// Why it could not be read; empty otherwise.
    package var message = Explanation.nothing
}

/// The progress or result of a verification.
package struct VerificationResult: Hashable, Sendable {
    /// Files that were read on both sides and are equal.
    package var files = 0
    /// Bytes that were read on each side.
    package var bytes: Int64 = 0
    /// The number of items that differ.
    package var differences = 0
    /// Items that were not judged because they are being changed or are not synced yet, or because the folder did not
    /// say what it knows about them.
    package var waiting = 0
    /// Items that differ, in the order in which they were found, up to a maximum.
    package var items: [VerifiedItem] = []

    /// Nothing done.
    package init() {}

    /// The most items that are listed: they must fit into one bus message.
    private static let namedAtMost = 10_000

    mutating func add(_ item: VerifiedItem) {
        differences += 1
        if items.count < Self.namedAtMost { items.append(item) }
    }
}

/// An item that looked different on the two sides, as it was seen when nothing was in flight.
package struct Suspect: Hashable, Sendable {
    /// How it looked.
    package enum Sight: Hashable, Sendable {
        case different
        case missing(Side)
        case unreadable(Side, Explanation)
    }

    /// Its path below the folder.
    package var path: RelativePath
    /// How it looked.
    package var sight: Sight
    /// The versions that were seen.
    package var seen: [Side: Version]
}

/// What the folder knows about a suspect.
package enum Standing: Hashable, Sendable {
    /// The folder knows it exactly as it was seen, it is synced, and no work remains for it.
    case settled
    /// Work remains for it, or the folder does not know it.
    case waiting
    /// The folder knows another version of it, or more, and no work remains: a change that was not reported.
    case unnoticed
    /// It is not synced.
    case excluded
}

/// What a verification needs from the folder while it runs on its own thread. Each call may wait for the folder's loop.
package protocol VerifiedFolder: Sendable {
    /// Returns when the changes so far have been reported to the folder and nothing is in flight, or after a timeout.
    func settle()
    /// What the folder knows about the suspects, in the given order; empty if the folder is gone or does not
    /// answer. Has unnoticed ones checked.
    func standings(of suspects: [Suspect]) -> [Standing]
    /// Reports the progress.
    func report(_ progress: VerificationResult)
}

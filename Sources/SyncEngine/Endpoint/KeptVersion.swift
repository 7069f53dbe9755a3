package import SyncCore

/// A version that syncing replaced or removed on one of the sides, and that can be put back.
package struct KeptVersion: Hashable, Sendable {
    /// Why it went.
    package enum Reason: String, Hashable, Sendable {
        /// The other side deleted it, or a decision on a conflict did.
        case deleted
        /// A version of the other side replaced it.
        case replaced
    }

    /// Where it is kept.
    package enum Place: String, Hashable, Sendable {
        /// In the desktop's trash, where file managers show it.
        case desktop
        /// In the folder's own store on this computer, for 30 days and up to 1 GiB.
        case store
        /// In the folder's own store at the remote, for 30 days and up to 1 GiB.
        case remote
    }

    /// Names it among the versions of its folder.
    package var id: String
    /// Where it was, below the folder.
    package var path: RelativePath
    /// Why it went.
    package var reason: Reason
    /// Where it is kept.
    package var place: Place
    /// When it went, in seconds since 1970.
    package var date: Int64
    /// In bytes.
    package var size: UInt64
    /// Whether it is a directory.
    package var isDirectory: Bool
}

/// A side that keeps what is replaced and removed on it.
package protocol KeepsVersions: Endpoint {
    /// Everything that can be put back, the newest first.
    func keptVersions() throws(EffectFailure) -> [KeptVersion]
    /// Puts a version back on this side, at its path or, where that is taken, beside it; returns where it is now.
    func restore(_ version: KeptVersion) throws(EffectFailure) -> RelativePath
}

package import SyncCore
package import SystemPackage

/// A version that syncing replaced or removed on one of the sides, and that can be put back.
package struct KeptVersion: Hashable, Sendable {
    /// Why it was replaced or removed.
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

    /// Identifies it among the versions of its folder.
    package var id: String
    /// Its path below the folder.
    package var path: RelativePath
    /// Why it was replaced or removed.
    package var reason: Reason
    /// Where it is kept.
    package var place: Place
    /// When it was replaced or removed, in seconds since 1970.
    package var date: Int64
    /// When it was put where it is kept, by the clock of that file system, in nanoseconds since 1970: orders versions
    /// of the same second.
    package var stored: Int64
    /// The size in bytes.
    package var size: UInt64
    /// Whether it is a directory.
    package var isDirectory: Bool

    /// Identifies it among the versions of all folders.
    package var identifier: String { place.rawValue + ":" + id }
}

/// A side that keeps what is replaced and removed on it.
package protocol KeepsVersions: Sendable {
    /// Everything that can be put back, the newest first.
    func keptVersions() throws(EffectFailure) -> [KeptVersion]
    /// A part of it, and one version more where there are more.
    func keptVersions(_ page: KeptPage) throws(EffectFailure) -> [KeptVersion]
    /// Puts a version back, at its path or, if that is taken, beside it; returns its new path.
    ///
    /// - Parameter place: The directory below which it is put back; nil for the root of this side.
    func restore(_ version: KeptVersion, below place: FilePath?) throws(EffectFailure) -> RelativePath
    /// Permanently deletes a version from the engine's own stores.
    func delete(_ version: KeptVersion) throws(EffectFailure)
}

extension KeepsVersions {
    /// Puts a version back on this side.
    func restore(_ version: KeptVersion) throws(EffectFailure) -> RelativePath {
        try restore(version, below: nil)
    }
}

internal import SyncCore

/// What the backend of a remote can do, according to rclone.
package struct RcloneTraits: Hashable, Sendable {
    /// A file can be moved or copied without transferring its contents through this computer.
    package var movesFiles = true
    /// A directory can be moved in one step.
    package var movesDirectories = true
    /// A directory exists until it is removed. On other backends it exists only while it contains something.
    package var keepsEmptyDirectories = true
    /// The first component of a path is a bucket, in which any path can be written.
    package var isBucket = false
    /// Names that differ only in case are the same.
    package var foldsCase = false
    /// The kind of hash that is available for each file without reading it; nil if there is none.
    package var hash: String?
    /// The time within which two changes of a file may get the same modification time.
    package var grain = Duration.milliseconds(30)
    /// Whether a file keeps its modification time.
    package var keepsModified = true

    /// A backend that can do everything.
    package init() {}

    init(_ info: RcloneInfo) {
        movesFiles = info.features.move || info.features.copy
        movesDirectories = info.features.directoryMove
        keepsEmptyDirectories = info.features.emptyDirectories
        isBucket = info.features.isBucket
        foldsCase = info.features.foldsCase
        if !info.features.slowHash { hash = Self.known.first(where: info.hashes.contains) ?? info.hashes.first }
        // If a backend keeps no times, rclone reports a precision of centuries.
        keepsModified = info.precision < Self.year
        // Two clock ticks, and some time for the response.
        if info.precision >= Self.fine {
            grain = .milliseconds(200) + (keepsModified ? .nanoseconds(info.precision) : .seconds(1)) * 2
        }
    }

    private static let known = ["sha256", "sha1", "md5"]
    private static let fine: Int64 = 1_000_000
    private static let year: Int64 = 31_556_952 * 1_000_000_000
}

internal import SyncCore

/// What the backend of a remote can do, as rclone says.
package struct RcloneTraits: Hashable, Sendable {
    /// A file can be moved, or copied, without its contents coming through this computer.
    package var movesFiles = true
    /// A directory can be moved in one step.
    package var movesDirectories = true
    /// A directory is there as long as nobody removes it. On the others it is there because something is in it.
    package var keepsEmptyDirectories = true
    /// The first part of a path is a bucket, in which any path can be written to.
    package var isBucket = false
    /// Two names that differ in case alone are one.
    package var foldsCase = false
    /// The kind of hash that is told of each file without reading it; nil if there is none.
    package var hash: String?
    /// In which two changes of a file can leave one time.
    package var grain = Duration.milliseconds(30)
    /// Whether a file keeps the time of its last change.
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
        // Where a backend keeps no times, rclone says that it tells hundreds of years apart.
        keepsModified = info.precision < Self.year
        // Two ticks of a clock, and some time for the answer.
        if info.precision >= Self.fine {
            grain = .milliseconds(200) + (keepsModified ? .nanoseconds(info.precision) : .seconds(1)) * 2
        }
    }

    private static let known = ["sha256", "sha1", "md5"]
    private static let fine: Int64 = 1_000_000
    private static let year: Int64 = 31_556_952 * 1_000_000_000
}

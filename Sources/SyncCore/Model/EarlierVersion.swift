/// Identifies a version of a file that the remote held before: a copy restored from a backup has its size and
/// modification time.
package struct EarlierVersion: Hashable, Sendable {
    /// Bytes in the file.
    package var size: Int64
    /// The modification time in nanoseconds since 1970.
    package var modified: Int64

    /// From a version as a side reports it.
    package init(_ version: Version) {
        self.init(size: version.size, modified: version.modified)
    }

    /// From its parts.
    package init(size: Int64, modified: Int64) {
        self.size = size
        self.modified = modified
    }

    /// Whether a file looks like this version restored; some archives keep only microseconds or seconds.
    func isRestored(as version: Version) -> Bool {
        guard size == version.size else { return false }
        return [1, 1_000, 1_000_000_000].contains { unit in
            version.modified % unit == 0 && modified - modified % unit == version.modified
        }
    }
}

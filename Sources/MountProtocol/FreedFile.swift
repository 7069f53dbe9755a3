/// A file whose contents are to go.
package struct FreedFile: Hashable, Sendable {
    /// As the worker saw the file when it compared it with the remote; times in nanoseconds since 1970. It must have
    /// seen it later than `changed` by more than the grain of the file system's clock: what was written within the
    /// same tick has the same times.
    package let size: UInt64
    package let modified: Int64
    package let changed: Int64
    /// The version at the remote that they are equal to.
    package let version: [UInt8]

    package init(size: UInt64, modified: Int64, changed: Int64, version: [UInt8]) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.version = version
    }
}

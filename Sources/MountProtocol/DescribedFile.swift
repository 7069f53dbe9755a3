/// A placeholder that is to stand for another version.
package struct DescribedFile: Hashable, Sendable {
    /// As the worker saw the file; times in nanoseconds since 1970.
    package let size: UInt64
    package let modified: Int64
    package let changed: Int64
    /// What it is to stand for. A file of no bytes is no placeholder: its contents are here.
    package let contents: Placeholder
    /// The date that it is to have, in nanoseconds since 1970.
    package let date: Int64

    package init(size: UInt64, modified: Int64, changed: Int64, contents: Placeholder, date: Int64) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.contents = contents
        self.date = date
    }
}

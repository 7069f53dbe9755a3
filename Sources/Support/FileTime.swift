package import Glibc

/// A moment in nanoseconds since 1970, any of them, as dates of files have it.
package struct FileTime: Hashable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// As calls of the system take it.
    package var timespec: timespec {
        let second: Int64 = 1_000_000_000
        let part = nanoseconds % second
        // Nothing is multiplied back, which the earliest ones would not survive.
        return Glibc.timespec(
            tv_sec: Int(nanoseconds / second - (part < 0 ? 1 : 0)), tv_nsec: Int(part < 0 ? part + second : part))
    }
}

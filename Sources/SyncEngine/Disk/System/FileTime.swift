package import Glibc

extension timespec {
    /// A moment in nanoseconds since 1970, any of them.
    package init(nanoseconds: Int64) {
        let second: Int64 = 1_000_000_000
        let part = nanoseconds % second
        // Nothing is multiplied back, which the earliest ones would not survive.
        self.init(
            tv_sec: Int(nanoseconds / second - (part < 0 ? 1 : 0)), tv_nsec: Int(part < 0 ? part + second : part))
    }
}

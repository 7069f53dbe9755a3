internal import CFuse

/// The date on which a file was used last.
enum LastUse {
    private static let day = 86_400

    /// Whether a file that is used gets a new one, as relatime decides it: also what is used within the second of its last
    /// change has one then. `now` is in seconds since 1970, as are the dates, which may be before it.
    static func isOld(of item: fuse_attr, now: Int) -> Bool {
        let used = (Int64(bitPattern: item.atime), item.atimensec)
        let isNewer =
            used > (Int64(bitPattern: item.mtime), item.mtimensec)
            && used > (Int64(bitPattern: item.ctime), item.ctimensec)
        return !isNewer || used.0 <= Int64(now - day)
    }
}

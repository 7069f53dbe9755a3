internal import Glibc

/// The days of the user's time zone.
package enum LocalDay {
    /// The first moment of the day that is this many days after that of a moment.
    ///
    /// - Parameters:
    ///   - days: At most some thousands.
    ///   - microseconds: Since 1970 in UTC, as is the result.
    package static func start(_ days: Int32 = 0, after microseconds: Int64) -> Int64 {
        var (seconds, parts) = (time_t(microseconds / 1_000_000), tm())
        guard localtime_r(&seconds, &parts) != nil else { return microseconds }
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (0, 0, 0, -1)
        // mktime(3) puts what is past the end of a month into the next one.
        parts.tm_mday += days
        return Int64(mktime(&parts)) * 1_000_000
    }
}

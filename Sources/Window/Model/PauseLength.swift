internal import Glibc

/// For how long the user pauses a folder.
package enum PauseLength: String, CaseIterable, Sendable {
    /// For sixty minutes.
    case hour
    /// Until the user's next day begins.
    case tomorrow
    /// Until the user resumes it.
    case forGood = "for-good"

    /// When syncing goes on by itself; nil for never.
    /// - Parameter now: The current moment, in microseconds since 1970, as the result.
    package func end(after now: Int64) -> Int64? {
        switch self {
        case .hour: return now + 3_600_000_000
        case .tomorrow:
            var (seconds, parts) = (time_t(now / 1_000_000), tm())
            localtime_r(&seconds, &parts)
            // A day may have 23 or 25 hours: mktime(3) knows, if it may find out whether it is summer.
            (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (0, 0, 0, -1)
            parts.tm_mday += 1
            return Int64(mktime(&parts)) * 1_000_000
        case .forGood: return nil
        }
    }
}

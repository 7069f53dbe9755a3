import Glibc
import Support

extension TimeText {
    /// Local time for display: the time if it is today, otherwise the day.
    static func local(_ microseconds: Int64) -> String {
        let day = text(microseconds, "%Y-%m-%d", in: .local)
        let today = text(Int64(time(nil)) * 1_000_000, "%Y-%m-%d", in: .local)
        return text(microseconds, day == today ? "%H:%M:%S" : "%Y-%m-%d %H:%M", in: .local)
    }
}

import Glibc

/// Formats moments for users and for programs.
enum TimeText {
    /// ISO 8601 in UTC with seconds: `2026-11-21T08:05:06Z`.
    /// - Parameter microseconds: Since 1970 in UTC.
    static func utc(_ microseconds: Int64) -> String {
        format(microseconds, "%Y-%m-%dT%H:%M:%SZ", gmtime_r)
    }

    /// Local time for display: the time if it is today, otherwise the day.
    static func local(_ microseconds: Int64) -> String {
        let day = format(microseconds, "%Y-%m-%d", localtime_r)
        let today = format(Int64(time(nil)) * 1_000_000, "%Y-%m-%d", localtime_r)
        return format(microseconds, day == today ? "%H:%M:%S" : "%Y-%m-%d %H:%M", localtime_r)
    }

    private static func format(
        _ microseconds: Int64, _ pattern: String,
        _ convert: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> String {
        // Rounded down, also for moments before 1970.
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        var seconds = time_t(rest < 0 ? whole - 1 : whole)
        var parts = tm()
        guard convert(&seconds, &parts) != nil else { return "" }
        var buffer = [UInt8](repeating: 0, count: 64)
        let length = buffer.withUnsafeMutableBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, pattern, &parts) }
        }
        return String(decoding: buffer.prefix(length), as: UTF8.self)
    }
}

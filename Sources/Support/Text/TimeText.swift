internal import Glibc

/// Formats moments.
package enum TimeText {
    /// The time zone in which a moment is shown.
    package enum Zone: Sendable {
        /// Coordinated Universal Time.
        case utc
        /// The time zone of the user.
        case local
    }

    /// ISO 8601 in UTC with seconds: `2026-11-21T08:05:06Z`.
    /// - Parameter microseconds: Since 1970 in UTC.
    package static func utc(_ microseconds: Int64) -> String { text(microseconds, "%Y-%m-%dT%H:%M:%SZ", in: .utc) }

    /// A moment that is soon to come, by the user's clock: the time of day, and the day if that is not today.
    /// - Parameters:
    ///   - microseconds: Since 1970 in UTC.
    ///   - now: The current moment, likewise.
    package static func coming(_ microseconds: Int64, now: Int64) -> String {
        let clock = text(microseconds, "%H:%M", in: .local)
        if (LocalDay.start(after: now)..<LocalDay.start(1, after: now)).contains(microseconds) { return clock }
        if (LocalDay.start(1, after: now)..<LocalDay.start(2, after: now)).contains(microseconds) {
            // Translators: {1} is a time of day. It continues “Paused until”.
            return tr("tomorrow {1}", clock)
        }
        return text(microseconds, "%Y-%m-%d %H:%M", in: .local)
    }

    /// The day and the time in words, in the time zone of the user: `today 06:35`.
    /// - Parameters:
    ///   - microseconds: Since 1970 in UTC.
    ///   - now: The same of the present.
    package static func day(_ microseconds: Int64, now: Int64) -> String {
        let time = text(microseconds, "%H:%M", in: .local)
        switch text(microseconds, "%Y-%m-%d", in: .local) {
        case text(now, "%Y-%m-%d", in: .local): return tr("today {1}", time)
        case text(now - 86_400_000_000, "%Y-%m-%d", in: .local): return tr("yesterday {1}", time)
        case let day: return "\(day) \(time)"
        }
    }

    /// The moment in a form of strftime(3); "" for one that has none.
    /// - Parameter microseconds: Since 1970 in UTC.
    package static func text(_ microseconds: Int64, _ pattern: String, in zone: Zone) -> String {
        // Rounded down, also for moments before 1970.
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        var seconds = time_t(rest < 0 ? whole - 1 : whole)
        var parts = tm()
        let isKnown =
            switch zone {
            case .utc: gmtime_r(&seconds, &parts) != nil
            case .local: localtime_r(&seconds, &parts) != nil
            }
        guard isKnown else { return "" }
        var buffer = [UInt8](repeating: 0, count: 64)
        let length = buffer.withUnsafeMutableBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, pattern, &parts) }
        }
        return String(decoding: buffer.prefix(length), as: UTF8.self)
    }
}

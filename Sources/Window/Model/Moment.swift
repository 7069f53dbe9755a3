internal import Glibc
internal import Support

/// Moments in words, by the user's clock. They are microseconds since 1970 in UTC.
package enum Moment {
    /// The current moment.
    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec / 1000)
    }

    /// A moment that is past: its time if it is today, otherwise its date as well.
    static func past(_ moment: Int64, now: Int64) -> String {
        let day = "%Y-%m-%d"
        let isToday = TimeText.text(moment, day, in: .local) == TimeText.text(now, day, in: .local)
        return TimeText.text(moment, isToday ? "%H:%M" : "%Y-%m-%d %H:%M", in: .local)
    }

    /// How long ago a moment is, in whole minutes at least.
    static func age(of moment: Int64, now: Int64) -> String {
        let seconds = max(0, now - moment) / 1_000_000
        return seconds < 60 ? tr("less than a minute ago") : tr("{1} ago", Quantity.time(UInt64(seconds)))
    }
}

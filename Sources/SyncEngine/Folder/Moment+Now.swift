import Glibc
package import SyncCore

extension Moment {
    /// The present.
    package static var now: Moment {
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return Moment(instant: .now, unixSeconds: Int64(seconds), utcOffset: parts.tm_gmtoff)
    }
}

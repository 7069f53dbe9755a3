import SyncEngine

/// The one limit that rclone has for all that it does, from those of the transfers that run.
///
/// Each way the smallest holds: none of them takes more than it may, and one without a limit goes slower beside it.
struct RcloneBandwidth: Sendable {
    private var transfers: [UInt64: (direction: TransferDirection, limit: UInt64?)] = [:]
    private var last: UInt64 = 0

    /// A transfer begins, that may take so many bytes a second; nil for as many as go. Returns its number.
    mutating func begin(_ direction: TransferDirection, limit: UInt64?) -> UInt64 {
        last += 1
        transfers[last] = (direction, limit)
        return last
    }

    /// A transfer may take another number of bytes from now on.
    mutating func change(_ number: UInt64, to limit: UInt64?) { transfers[number]?.limit = limit }

    /// A transfer has ended.
    mutating func end(_ number: UInt64) { transfers[number] = nil }

    /// What holds for all of them together.
    var limits: BandwidthLimits {
        var limits = BandwidthLimits.none
        for (direction, limit) in transfers.values {
            if let limit { limits[direction] = min(limits[direction] ?? limit, limit) }
        }
        return limits
    }

    /// Limits as `core/bwlimit` takes them: those of uploads, then those of downloads, in bytes a second.
    static func rate(_ limits: BandwidthLimits) -> String {
        func text(_ limit: UInt64?) -> String { limit.map { "\($0)B" } ?? "off" }
        return limits == .none ? "off" : "\(text(limits.up)):\(text(limits.down))"
    }
}

import SyncEngine

/// Derives rclone's single, global limit from those of the running transfers.
///
/// In each direction the smallest limit applies: none is exceeded, and transfers without a limit are slowed down as
/// well.
struct RcloneBandwidth: Sendable {
    private var transfers: [UInt64: (direction: TransferDirection, limit: UInt64?)] = [:]
    private var last: UInt64 = 0

    /// Adds a transfer with a limit in bytes per second, nil for unlimited; returns its number.
    mutating func begin(_ direction: TransferDirection, limit: UInt64?) -> UInt64 {
        last += 1
        transfers[last] = (direction, limit)
        return last
    }

    /// Changes the limit of a transfer.
    mutating func change(_ number: UInt64, to limit: UInt64?) { transfers[number]?.limit = limit }

    /// A transfer has ended.
    mutating func end(_ number: UInt64) { transfers[number] = nil }

    /// The limits for all of them together.
    var limits: BandwidthLimits {
        var limits = BandwidthLimits.none
        for (direction, limit) in transfers.values {
            if let limit { limits[direction] = min(limits[direction] ?? limit, limit) }
        }
        return limits
    }

    /// The argument of `core/bwlimit`: the limit of uploads, then that of downloads, in bytes per second.
    static func rate(_ limits: BandwidthLimits) -> String {
        func text(_ limit: UInt64?) -> String { limit.map { "\($0)B" } ?? "off" }
        return limits == .none ? "off" : "\(text(limits.up)):\(text(limits.down))"
    }
}

package import RoundelBus

/// The changes that the user requests to a folder's use of the network.
package struct LimitChange: Equatable, Sendable {
    /// Certain hours for which limits are set.
    package struct Hours: Equatable, Sendable {
        private let from: UInt32
        private let until: UInt32
        private let days: [SyncNetworkUse.Day]

        /// - Parameters:
        ///   - from: The first minute, since midnight.
        ///   - until: The first minute after them; if it is not later, it is on the next day.
        ///   - days: The days on which they begin; empty for every day.
        package init(from: UInt32, until: UInt32, days: [SyncNetworkUse.Day] = []) {
            self.from = from
            self.until = until
            self.days = days
        }

        fileprivate func are(_ period: SyncNetworkUse.Period) -> Bool {
            (period.from, period.until) == (from, until) && Set(period.days.map(\.text)) == Set(days.map(\.rawValue))
        }

        /// A period without limits at these hours.
        fileprivate var period: SyncNetworkUse.Period {
            SyncNetworkUse.Period(from: from, until: until, days: days.map { WireWord($0) })
        }
    }

    /// The upload limit in bytes per second, 0 for no limit; nil to keep it.
    package var up: UInt64?
    /// The download limit in bytes per second, 0 for no limit; nil to keep it.
    package var down: UInt64?
    /// The hours to change; nil for all other times.
    package var hours: Hours?
    /// Whether limits are removed: those of the hours, or all.
    package var removes = false
    /// Whether the folder should sync on a metered connection; nil to keep the setting.
    package var isAllowedOnMetered: Bool?

    /// A change of nothing.
    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool { self == LimitChange() }

    /// Applies the changes.
    /// - Returns: False if limits of hours should be removed but there are none; then nothing changes.
    package func apply(to use: inout SyncNetworkUse) -> Bool {
        guard let hours else {
            if removes { (use.up, use.down, use.periods) = (0, 0, []) }
            use.up = up ?? use.up
            use.down = down ?? use.down
            use.isAllowedOnMetered = isAllowedOnMetered ?? use.isAllowedOnMetered
            return true
        }
        let index = use.periods.firstIndex { hours.are($0) }
        if removes {
            guard let index else { return false }
            use.periods.remove(at: index)
        } else {
            var period = index.map { use.periods.remove(at: $0) } ?? hours.period
            period.up = up ?? period.up
            period.down = down ?? period.down
            // If hours overlap, the last setting counts.
            use.periods.insert(period, at: 0)
        }
        use.isAllowedOnMetered = isAllowedOnMetered ?? use.isAllowedOnMetered
        return true
    }
}

import RoundelBus

/// The changes that the user requests to a folder's use of the network.
struct LimitChange: Equatable, Sendable {
    /// Certain hours for which limits are set.
    struct Hours: Equatable, Sendable {
        var hours: HoursArgument
        /// The days on which they begin; empty for every day.
        var days: [SyncNetworkUse.Day]

        fileprivate func are(_ period: SyncNetworkUse.Period) -> Bool {
            (period.from, period.until) == (hours.from, hours.until)
                && Set(period.days.map(\.text)) == Set(days.map(\.rawValue))
        }
    }

    /// The upload limit in bytes per second, 0 for no limit; nil to keep it.
    var up: UInt64?
    /// The download limit in bytes per second, 0 for no limit; nil to keep it.
    var down: UInt64?
    /// The hours to change; nil for all other times.
    var hours: Hours?
    /// Whether limits are removed: those of the hours, or all.
    var removes = false
    /// Whether the folder should sync on a metered connection; nil to keep the setting.
    var isAllowedOnMetered: Bool?

    /// Whether nothing changes.
    var isEmpty: Bool { self == LimitChange() }

    /// Applies the changes.
    /// - Returns: False if limits of hours should be removed but there are none; then nothing changes.
    func apply(to use: inout SyncNetworkUse) -> Bool {
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
            var period =
                index.map { use.periods.remove(at: $0) }
                ?? SyncNetworkUse.Period(
                    from: hours.hours.from, until: hours.hours.until, days: hours.days.map { WireWord($0) })
            period.up = up ?? period.up
            period.down = down ?? period.down
            // If hours overlap, the last setting counts.
            use.periods.insert(period, at: 0)
        }
        use.isAllowedOnMetered = isAllowedOnMetered ?? use.isAllowedOnMetered
        return true
    }
}

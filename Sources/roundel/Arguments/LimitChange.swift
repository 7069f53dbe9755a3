import RoundelBus

/// What a person wants to be otherwise in what a folder may have of the network.
struct LimitChange: Equatable, Sendable {
    /// Certain hours, for which limits are set.
    struct Hours: Equatable, Sendable {
        var hours: HoursArgument
        /// On which they begin; none for every day.
        var days: [SyncNetworkUse.Day]

        fileprivate func are(_ period: SyncNetworkUse.Period) -> Bool {
            (period.from, period.until) == (hours.from, hours.until)
                && Set(period.days.map(\.text)) == Set(days.map(\.rawValue))
        }
    }

    /// Bytes a second to the remote, 0 for no limit; nil where it stays.
    var up: UInt64?
    /// Bytes a second to this computer, 0 for no limit; nil where it stays.
    var down: UInt64?
    /// The hours that it is about; nil for all others.
    var hours: Hours?
    /// Whether limits are removed: those of the hours, or all.
    var removes = false
    /// Whether the folder is to sync on a metered connection; nil where that stays.
    var isAllowedOnMetered: Bool?

    /// Whether nothing is to be otherwise.
    var isEmpty: Bool { self == LimitChange() }

    /// Carries it out.
    /// - Returns: False where limits of hours are to be removed that have none; nothing is changed then.
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
            // What was said last counts where hours overlap.
            use.periods.insert(period, at: 0)
        }
        use.isAllowedOnMetered = isAllowedOnMetered ?? use.isAllowedOnMetered
        return true
    }
}

internal import DBus
internal import RoundelBus
internal import Support
internal import SyncEngine

/// How the user lets a folder use the network.
struct NetworkUse: Codable, Equatable {
    /// The speed limits for contents of files.
    var plan = BandwidthPlan()
    /// Whether it may sync on its own on a metered connection.
    var isAllowedOnMetered = false

    /// Unlimited, on unmetered connections.
    static let usual = NetworkUse()

    init() {}

    /// Parses the argument of SetNetworkUse. Every value must be valid: a mistyped limit must not become no limit.
    /// - Throws: `InvalidLimit`.
    init(_ map: VariantMap) throws(WorkerError) {
        plan.up = try Self.limit(map, "up") ?? 0
        plan.down = try Self.limit(map, "down") ?? 0
        if let value = map["metered"] {
            guard let isAllowed = value.bool else { throw .wrongType("metered") }
            isAllowedOnMetered = isAllowed
        }
        guard let value = map["periods"] else { return }
        guard let periods = value.maps else { throw .wrongType("periods") }
        guard periods.count <= BandwidthPlan.mostPeriods else {
            throw WorkerError(
                .invalidLimit, tr("A folder has limits for 24 different hours at most. Remove some first."))
        }
        for period in periods { plan.periods.append(try Self.period(period)) }
    }

    private static func period(_ map: VariantMap) throws(WorkerError) -> BandwidthPlan.Period {
        guard let from = map.uint32("from"), let until = map.uint32("until"), from < LocalTime.minutesOfADay,
            (1...UInt32(LocalTime.minutesOfADay)).contains(until), from != until
        else {
            throw WorkerError(
                .invalidLimit, tr("Hours begin at 00:00 to 23:59 and end at another time, 00:01 to 24:00."))
        }
        var days: [Weekday] = []
        if let value = map["days"] {
            guard let words = value.strings else { throw .wrongType("days") }
            for word in words {
                guard let day = Weekday(rawValue: word) else {
                    throw WorkerError(
                        .invalidLimit,
                        tr("“{1}” is not a day: give mon, tue, wed, thu, fri, sat or sun.", String(word.prefix(100))))
                }
                if !days.contains(day) { days.append(day) }
            }
        }
        return BandwidthPlan.Period(
            from: UInt16(from), until: UInt16(until), days: days, up: try limit(map, "up"),
            down: try limit(map, "down"))
    }

    /// The limit of a key; nil if it is missing.
    private static func limit(_ map: VariantMap, _ key: String) throws(WorkerError) -> UInt64? {
        guard let value = map[key] else { return nil }
        guard let limit = value.uint64 else { throw .wrongType(key) }
        guard limit == 0 || BandwidthPlan.range.contains(limit) else {
            throw WorkerError(
                .invalidLimit,
                tr(
                    """
                    A limit is 0 for none, or at least 20,000 bytes a second, below which servers end connections, \
                    and at most 1,000,000,000,000.
                    """))
        }
        return limit
    }

    /// The form for the bus.
    var wire: SyncNetworkUse {
        var use = SyncNetworkUse()
        (use.up, use.down, use.isAllowedOnMetered) = (plan.up, plan.down, isAllowedOnMetered)
        use.periods = plan.periods.map { period in
            SyncNetworkUse.Period(
                from: UInt32(period.from), until: UInt32(period.until),
                days: period.days.map { WireWord(text: $0.rawValue) }, up: period.up, down: period.down)
        }
        return use
    }
}

extension WorkerError {
    fileprivate static func wrongType(_ key: String) -> WorkerError {
        WorkerError(.invalidLimit, tr("The value of “{1}” is of another type than the interface says.", key))
    }
}

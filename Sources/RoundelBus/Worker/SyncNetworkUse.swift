package import DBus

/// How a folder may use the network, as set by SetNetworkUse.
public struct SyncNetworkUse: SyncWorkerValue {
    /// A day of the week.
    public enum Day: String, CaseIterable, Sendable {
        /// Monday.
        case monday = "mon"
        /// Tuesday.
        case tuesday = "tue"
        /// Wednesday.
        case wednesday = "wed"
        /// Thursday.
        case thursday = "thu"
        /// Friday.
        case friday = "fri"
        /// Saturday.
        case saturday = "sat"
        /// Sunday.
        case sunday = "sun"
    }

    /// Hours with other limits, in local time.
    public struct Period: SyncWorkerValue {
        /// The first minute of the period, since midnight: 0 to 1,439.
        public var from: UInt32
        /// The first minute after the period: 1 to 1,440. If it is not later than ``from``, it is on the next day.
        public var until: UInt32
        /// The days on which the period begins; empty for every day.
        public var days: [WireWord<Day>]
        /// The upload limit in bytes per second, 0 for no limit; nil for the limit at other times.
        public var up: UInt64?
        /// The download limit in bytes per second, 0 for no limit; nil for the limit at other times.
        public var down: UInt64?

        /// Creates a period.
        public init(
            from: UInt32, until: UInt32, days: [WireWord<Day>] = [], up: UInt64? = nil, down: UInt64? = nil
        ) {
            self.from = from
            self.until = until
            self.days = days
            self.up = up
            self.down = down
        }

        /// Reads the dictionary of the interface.
        package init?(_ map: VariantMap) {
            guard let from = map.uint32("from"), let until = map.uint32("until") else { return nil }
            self.init(
                from: from, until: until, days: (map.strings("days") ?? []).map { WireWord(text: $0) },
                up: map.uint64("up"), down: map.uint64("down"))
        }

        /// The dictionary of the interface.
        package var map: VariantMap {
            var map: VariantMap = ["from": .uint32(from), "until": .uint32(until)]
            if !days.isEmpty { map["days"] = .strings(days.map(\.text)) }
            map.set("up", up)
            map.set("down", down)
            return map
        }
    }

    /// The upload limit in bytes per second: 20,000 to 1,000,000,000,000, or 0 for no limit.
    public var up: UInt64 = 0
    /// The download limit in bytes per second, with the same range as ``up``.
    public var down: UInt64 = 0
    /// Other limits for certain hours, at most 24 periods; if several apply at the same time, the first one counts.
    public var periods: [Period] = []
    /// Whether the folder also syncs automatically on a metered connection.
    public var isAllowedOnMetered = false

    /// Unlimited, on connections that are not metered.
    public init() {}

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        up = map.uint64("up") ?? 0
        down = map.uint64("down") ?? 0
        periods = (map.maps("periods") ?? []).compactMap(Period.init)
        isAllowedOnMetered = map.bool("metered") ?? false
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map: VariantMap = ["up": .uint64(up), "down": .uint64(down), "metered": .bool(isAllowedOnMetered)]
        if !periods.isEmpty { map["periods"] = .maps(periods.map(\.map)) }
        return map
    }
}

/// How a folder uses the network now, as returned by NetworkUse.
public struct SyncNetworkReport: SyncWorkerValue {
    /// The ID of the folder.
    public var id: String
    /// Its `file://` URI.
    public var uri: String
    /// How the folder may use the network.
    public var use: SyncNetworkUse
    /// The current upload limit in bytes per second; 0 for no limit.
    public var upNow: UInt64 = 0
    /// The current download limit in bytes per second; 0 for no limit.
    public var downNow: UInt64 = 0
    /// When the limits change next, in microseconds since 1970 in UTC; nil if never.
    public var changes: Int64?
    /// Whether it waits for a connection that is not metered.
    public var isHeld = false

    /// Creates a report without limits.
    public init(id: String, uri: String, use: SyncNetworkUse = SyncNetworkUse()) {
        self.id = id
        self.uri = uri
        self.use = use
    }

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        guard let id = map.string("id"), let uri = map.string("uri"), let use = SyncNetworkUse(map) else { return nil }
        self.init(id: id, uri: uri, use: use)
        upNow = map.uint64("up-now") ?? 0
        downNow = map.uint64("down-now") ?? 0
        changes = map.int64("changes")
        isHeld = map.bool("held") ?? false
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map = use.map
        map["id"] = .string(id)
        map["uri"] = .string(uri)
        map["up-now"] = .uint64(upNow)
        map["down-now"] = .uint64(downNow)
        map["held"] = .bool(isHeld)
        map.set("changes", changes)
        return map
    }
}

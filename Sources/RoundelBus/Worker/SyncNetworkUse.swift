package import DBus

/// What a folder may have of the network, as SetNetworkUse takes it.
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

    /// Hours at which other limits hold, in local time.
    public struct Period: SyncWorkerValue {
        /// Its first minute, since midnight: 0 to 1,439.
        public var from: UInt32
        /// The first minute after it: 1 to 1,440. What is not later than ``from`` is of the next day.
        public var until: UInt32
        /// The days on which it begins; none for every day.
        public var days: [WireWord<Day>]
        /// Bytes a second to the remote, 0 for no limit; nil for what holds otherwise.
        public var up: UInt64?
        /// Bytes a second to this computer, 0 for no limit; nil for what holds otherwise.
        public var down: UInt64?

        /// Certain hours.
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

    /// Bytes a second to the remote: 20,000 to 1,000,000,000,000, or 0 for no limit.
    public var up: UInt64 = 0
    /// Bytes a second to this computer, as ``up``.
    public var down: UInt64 = 0
    /// Other limits for certain hours, at most 24; of several that hold at once the first counts.
    public var periods: [Period] = []
    /// Whether the folder syncs by itself on a metered connection as well.
    public var isAllowedOnMetered = false

    /// As much as there is, of connections that are not metered.
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

/// What a folder has of the network now, as NetworkUse gives it.
public struct SyncNetworkReport: SyncWorkerValue {
    /// The id of the folder.
    public var id: String
    /// Its `file://` URI.
    public var uri: String
    /// What it may have.
    public var use: SyncNetworkUse
    /// Bytes a second to the remote now; 0 for no limit.
    public var upNow: UInt64 = 0
    /// Bytes a second to this computer now; 0 for no limit.
    public var downNow: UInt64 = 0
    /// When other limits hold than now, microseconds since 1970 in UTC; nil if never.
    public var changes: Int64?
    /// Whether it waits for a connection that is not metered.
    public var isHeld = false

    /// A folder without limits.
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

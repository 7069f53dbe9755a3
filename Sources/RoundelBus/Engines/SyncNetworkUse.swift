/// How a folder may use the network, as set by SetNetworkUse.
public struct SyncNetworkUse: Record {
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
    public struct Period: Record {
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

        /// A minute since midnight as a time of day: `08:00`, `24:00` at the end of the day.
        package static func clock(_ minute: UInt32) -> String {
            func two(_ number: UInt32) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return two(minute / 60) + ":" + two(minute % 60)
        }

        package static let blank = Period(from: 0, until: 0)

        package static let fields: [Field<Period>] = [
            .init("from", .minute, \.from, .needed), .init("until", .minute, \.until, .needed),
            .init("days", .words(), \.days, .sparse), .init(optional: "up", .count, \.up),
            .init(optional: "down", .count, \.down),
        ]
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

    package static let blank = SyncNetworkUse()

    package static let fields: [Field<SyncNetworkUse>] = [
        .init("up", .count, \.up), .init("down", .count, \.down), .init("periods", .list(), \.periods, .sparse),
        .init("metered", .truth, \.isAllowedOnMetered),
    ]
}

/// How a folder uses the network now, as returned by NetworkUse.
public struct SyncNetworkReport: Record {
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

    package static let blank = SyncNetworkReport(id: "", uri: "")

    package static let fields = place + SyncNetworkUse.fields.map { $0.within(\.use) } + now

    private static let place: [Field<SyncNetworkReport>] = [
        .item(\.uri), .init("id", .text, \.id, [.needed, .hidden]),
    ]
    private static let now: [Field<SyncNetworkReport>] = [
        .init("up-now", .count, \.upNow), .init("down-now", .count, \.downNow),
        .init(optional: "changes", .time, \.changes), .init("held", .truth, \.isHeld),
    ]
}

internal import DBus
internal import Support

/// The form of a value on the bus and in JSON.
struct FieldForm<Value>: Sendable {
    /// Reads a value of the bus; nil for one of another type.
    let read: @Sendable (DBusValue) -> Value?
    /// The value on the bus.
    let wire: @Sendable (Value) -> DBusValue
    /// The value in JSON.
    let json: @Sendable (Value) -> JSON
}

extension FieldForm where Value == String {
    /// A text.
    static var text: Self { Self(read: \.string, wire: DBusValue.string, json: JSON.string) }
}

extension FieldForm where Value == [String] {
    /// Some texts.
    static var texts: Self { Self(read: \.strings, wire: { .strings($0) }, json: { .strings($0) }) }
}

extension FieldForm where Value == Bool {
    /// A truth value.
    static var truth: Self { Self(read: \.bool, wire: DBusValue.bool, json: JSON.bool) }
}

extension FieldForm where Value == UInt64 {
    /// A number of items, bytes or seconds.
    static var count: Self { Self(read: \.uint64, wire: DBusValue.uint64, json: { .number($0) }) }
}

extension FieldForm where Value == Int64 {
    /// A moment in microseconds since 1970 in UTC; in JSON in ISO 8601.
    static var time: Self { Self(read: \.int64, wire: DBusValue.int64, json: { .string(TimeText.utc($0)) }) }
}

extension FieldForm where Value == UInt8 {
    /// A progress in percent; in JSON null if it is more than 100.
    static var percent: Self { Self(read: \.byte, wire: DBusValue.byte, json: { $0 <= 100 ? .number($0) : .null }) }
}

extension FieldForm where Value == UInt32 {
    /// A minute since midnight; in JSON a time of day.
    static var minute: Self {
        Self(read: \.uint32, wire: DBusValue.uint32, json: { .string(SyncNetworkUse.Period.clock($0)) })
    }
}

extension FieldForm where Value == Badge {
    /// The identifier of a badge.
    static var badge: Self {
        Self(
            read: { $0.string.map { Badge($0) } }, wire: { .string($0.identifier) },
            json: { .string($0.identifier) })
    }
}

extension FieldForm where Value == [Badge: UInt64] {
    /// A number for each badge, `a{st}`.
    static var counts: Self {
        Self(
            read: { value in
                guard case .dictionary(_, _, let entries) = value else { return nil }
                var counts: [Badge: UInt64] = [:]
                for entry in entries {
                    if let key = entry.key.string, let count = entry.value.uint64 { counts[Badge(key)] = count }
                }
                return counts
            },
            wire: { counts in
                .dictionary(
                    key: "s", value: "t", sorted(counts).map { .init(key: .string($0.0), value: .uint64($0.1)) })
            },
            json: { .object(sorted($0).map { .init($0.0, .number($0.1)) }) })
    }

    private static func sorted(_ counts: [Badge: UInt64]) -> [(String, UInt64)] {
        counts.map { ($0.key.identifier, $0.value) }.sorted { $0.0 < $1.0 }
    }
}

extension FieldForm {
    /// A word that later versions may add others to.
    static func word<Known>() -> Self where Value == WireWord<Known> {
        Self(read: { $0.string.map { WireWord(text: $0) } }, wire: { .string($0.text) }, json: { .string($0.text) })
    }

    /// Some such words.
    static func words<Known>() -> Self where Value == [WireWord<Known>] {
        Self(
            read: { $0.strings?.map { WireWord(text: $0) } }, wire: { .strings($0.map(\.text)) },
            json: { .strings($0.map(\.text)) })
    }

    /// One of some words; no other is read.
    static func choice() -> Self where Value: RawRepresentable<String> & Sendable {
        Self(
            read: { $0.string.flatMap { Value(rawValue: $0) } }, wire: { .string($0.rawValue) },
            json: { .string($0.rawValue) })
    }

    /// Some objects. One that cannot be read is left out.
    static func list<Element: Record>() -> Self where Value == [Element] {
        Self(
            read: { $0.maps?.compactMap { Element($0) } }, wire: { .maps($0.map(\.map)) },
            json: { .array($0.map(\.json)) })
    }
}

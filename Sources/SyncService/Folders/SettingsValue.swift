internal import Foundation

/// A value in the settings file. The file may have keys that this program does not know, which are kept.
indirect enum SettingsValue: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case text(String)
    case list([SettingsValue])
    case object([String: SettingsValue])

    /// The value of a key; nil if there is none.
    subscript(key: String) -> SettingsValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// What remains of `theirs` and `ours`, which two have made of `base` independently: of two changes of the same value,
    /// ours. Objects are merged by their keys, and lists of objects by the key `id`.
    ///
    /// Nil stands for a value that is absent. A list's entry that one of the two removed stays removed.
    static func merged(
        base: SettingsValue?, theirs: SettingsValue?, ours: SettingsValue?
    ) -> SettingsValue? {
        if ours == base { return theirs }
        if theirs == base { return ours }
        switch (theirs, ours) {
        case (.object(let left)?, .object(let right)?):
            let keys = Set(left.keys).union(right.keys)
            var result: [String: SettingsValue] = [:]
            for key in keys { result[key] = merged(base: base?[key], theirs: left[key], ours: right[key]) }
            return .object(result)
        case (.list(let left)?, .list(let right)?):
            return mergedLists(base: base?.elements ?? [], theirs: left, ours: right)
        case (.object?, _), (.list?, _), (.null?, _), (.bool?, _), (.integer?, _), (.unsigned?, _), (.number?, _),
            (.text?, _), (nil, _):
            return ours
        }
    }

    private static func mergedLists(
        base: [SettingsValue], theirs: [SettingsValue], ours: [SettingsValue]
    ) -> SettingsValue {
        func find(_ key: SettingsValue, in list: [SettingsValue]) -> SettingsValue? { list.first { $0.key == key } }
        let order = theirs + ours.filter { find($0.key, in: theirs) == nil }
        return .list(
            order.compactMap { entry in
                let key = entry.key
                let (before, left, right) = (find(key, in: base), find(key, in: theirs), find(key, in: ours))
                if before != nil && (left == nil || right == nil) { return nil }
                return merged(base: before, theirs: left, ours: right)
            })
    }

    private var elements: [SettingsValue]? {
        guard case .list(let elements) = self else { return nil }
        return elements
    }

    /// What makes an entry of a list the same one after a change: its ID, or all of it.
    private var key: SettingsValue { self["id"] ?? self }
}

extension SettingsValue: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([SettingsValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: SettingsValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension SettingsValue {
    /// The value that stands for some settings.
    init(describing settings: some Encodable) throws {
        self = try JSONDecoder().decode(SettingsValue.self, from: try JSONEncoder().encode(settings))
    }

    /// The settings that this value stands for.
    func decoded<Settings: Decodable>() throws -> Settings {
        try JSONDecoder().decode(Settings.self, from: try JSONEncoder().encode(self))
    }

    /// What remains of two changes of the same settings: of two changes of the same value, ours.
    static func mergedSettings<Settings: Codable>(
        base: Settings, theirs: Settings, ours: Settings
    ) throws -> Settings {
        let merged = SettingsValue.merged(
            base: try SettingsValue(describing: base), theirs: try SettingsValue(describing: theirs),
            ours: try SettingsValue(describing: ours))
        return try (merged ?? .null).decoded()
    }
}

package import DBus

/// A value that is sent as a dictionary `a{sv}` in ``SyncWorkerProxy``'s interface. In both directions, unknown keys
/// are ignored and missing keys have their default values.
package protocol SyncWorkerValue: Sendable, Equatable {
    /// Reads a dictionary; nil if a required key is missing.
    init?(_ map: VariantMap)
    /// The dictionary; unknown values are left out.
    var map: VariantMap { get }
}

extension VariantMap {
    /// Sets a key if there is a value.
    mutating func set(_ key: String, _ text: String?) {
        if let text { self[key] = .string(text) }
    }

    mutating func set<Known>(_ key: String, _ word: WireWord<Known>?) {
        if let word { self[key] = .string(word.text) }
    }

    /// The word of a key; nil if it is missing or not a string.
    func word<Known>(_ key: String, of type: Known.Type = Known.self) -> WireWord<Known>? {
        string(key).map { WireWord(text: $0) }
    }

    mutating func set(_ key: String, _ number: UInt64?) {
        if let number { self[key] = .uint64(number) }
    }

    mutating func set(_ key: String, _ number: Int64?) {
        if let number { self[key] = .int64(number) }
    }
}

package import DBus

/// A value that travels as a dictionary `a{sv}` of ``SyncWorkerProxy``'s interface. Unknown keys are ignored and
/// absent ones have their default, in both directions.
package protocol SyncWorkerValue: Sendable, Equatable {
    /// Reads a dictionary; nil if a key is missing without which it means nothing.
    init?(_ map: VariantMap)
    /// The dictionary; keys that are not known are left out.
    var map: VariantMap { get }
}

extension VariantMap {
    /// Sets a key where there is something to say.
    mutating func set(_ key: String, _ text: String?) {
        if let text { self[key] = .string(text) }
    }

    mutating func set<Known>(_ key: String, _ word: WireWord<Known>?) {
        if let word { self[key] = .string(word.text) }
    }

    /// The word of a key; nil where it is absent or no string.
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

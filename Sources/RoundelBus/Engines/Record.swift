package import DBus
package import Support

/// An object of an engine's interface: a dictionary `a{sv}` on the bus, and an object of JSON. Its table of keys is the
/// one place that says what it has.
///
/// In both directions, unknown keys are ignored and missing keys have their default values.
package protocol Record: Sendable, Equatable {
    /// The object that a dictionary is read into.
    static var blank: Self { get }
    /// Its keys in the order of JSON.
    static var fields: [Field<Self>] { get }
}

extension Record {
    /// Reads a dictionary; nil if a needed key is missing.
    package init?(_ map: VariantMap) {
        self = Self.blank
        for field in Self.fields {
            guard field.read(map, &self) else { return nil }
        }
    }

    /// The dictionary; unknown values are left out.
    package var map: VariantMap {
        var map: VariantMap = [:]
        for field in Self.fields { field.write(self, &map) }
        return map
    }

    /// The object of JSON.
    package var json: JSON { .object(members) }

    /// Its members.
    package var members: [JSON.Member] { Self.fields.flatMap { $0.members(self) } }

    /// The keys of JSON.
    package static var names: [String] { fields.flatMap(\.names) }
}

internal import DBus
internal import Support

/// When a key is in the dictionary on the bus, and in the object of JSON. Without a rule it is in both; a reader does
/// without it.
struct FieldRules: OptionSet, Sendable {
    let rawValue: UInt8

    /// Without it in the dictionary, there is no object.
    static let needed = FieldRules(rawValue: 1)
    /// It is in the dictionary only if it differs from a blank object's.
    static let sparse = FieldRules(rawValue: 2)
    /// It is in the dictionary and in JSON only if it differs from a blank object's.
    static let rare = FieldRules(rawValue: 2 | 4)
    /// It is not in JSON.
    static let hidden = FieldRules(rawValue: 8)
}

/// A key of an object of an engine's interface.
///
/// On the bus the words of a key are joined with `-`, in JSON with `_`.
package struct Field<Object: Sendable>: Sendable {
    /// The keys of JSON that come from this one.
    let names: [String]
    /// Reads the key of a dictionary into an object; false if it is needed and missing.
    let read: @Sendable (VariantMap, inout Object) -> Bool
    /// Writes the key into a dictionary.
    let write: @Sendable (Object, inout VariantMap) -> Void
    /// The members of JSON.
    let members: @Sendable (Object) -> [JSON.Member]

    /// A key that has a value in every object.
    init<Value: Equatable & Sendable>(
        _ key: String, _ form: FieldForm<Value>, _ path: any WritableKeyPath<Object, Value> & Sendable,
        _ rules: FieldRules = []
    ) where Object: Record {
        let name = Self.name(of: key)
        let isSet: @Sendable (Value) -> Bool = { $0 != Object.blank[keyPath: path] }
        names = rules.contains(.hidden) ? [] : [name]
        read = { map, object in
            guard let value = map[key].flatMap(form.read) else { return !rules.contains(.needed) }
            object[keyPath: path] = value
            return true
        }
        write = { object, map in
            let value = object[keyPath: path]
            if !rules.contains(.sparse) || isSet(value) { map[key] = form.wire(value) }
        }
        members = { object in
            let value = object[keyPath: path]
            let isLeftOut = rules.contains(.hidden) || rules.contains(.rare) && !isSet(value)
            return isLeftOut ? [] : [.init(name, form.json(value))]
        }
    }

    /// A key that is missing on the bus where there is no value. In JSON it is null then, or missing as well if it is
    /// rare.
    init<Value: Sendable>(
        optional key: String, _ form: FieldForm<Value>, _ path: any WritableKeyPath<Object, Value?> & Sendable,
        _ rules: FieldRules = []
    ) {
        let name = Self.name(of: key)
        names = rules.contains(.hidden) ? [] : [name]
        read = { map, object in
            object[keyPath: path] = map[key].flatMap(form.read)
            return true
        }
        write = { object, map in
            if let value = object[keyPath: path] { map[key] = form.wire(value) }
        }
        members = { object in
            let value = object[keyPath: path]
            let isLeftOut = rules.contains(.hidden) || rules.contains(.rare) && value == nil
            return isLeftOut ? [] : [.init(name, .optional(value, form.json))]
        }
    }

    /// The URI of an item; in JSON beside its path for display.
    /// - Parameters:
    ///   - shown: The key of the path in JSON.
    ///   - isNeeded: Whether there is no object without it. Otherwise it may be "", which is missing on the bus.
    static func item(
        _ path: any WritableKeyPath<Object, String> & Sendable, key: String = "uri", shown: String = "path",
        isNeeded: Bool = true
    ) -> Field {
        Field(
            names: [name(of: key), shown],
            read: { map, object in
                guard let uri = map.string(key) else { return !isNeeded }
                object[keyPath: path] = uri
                return true
            },
            write: { object, map in
                let uri = object[keyPath: path]
                if isNeeded || !uri.isEmpty { map[key] = .string(uri) }
            },
            members: { object in
                let uri = object[keyPath: path]
                let isMissing = !isNeeded && uri.isEmpty
                return [
                    .init(name(of: key), isMissing ? .null : .string(uri)),
                    .init(shown, isMissing ? .null : .string(ItemURI.displayPath(of: uri))),
                ]
            })
    }

    /// A key of JSON that follows from others.
    static func derived(_ name: String, _ value: @escaping @Sendable (Object) -> JSON) -> Field {
        Field(names: [name], read: { _, _ in true }, write: { _, _ in }, members: { [.init(name, value($0))] })
    }

    /// The key in an object that holds this one's.
    func within<Outer>(_ path: any WritableKeyPath<Outer, Object> & Sendable) -> Field<Outer> {
        Field<Outer>(
            names: names, read: { [read] in read($0, &$1[keyPath: path]) },
            write: { [write] in write($0[keyPath: path], &$1) }, members: { [members] in members($0[keyPath: path]) })
    }

    private init(
        names: [String], read: @escaping @Sendable (VariantMap, inout Object) -> Bool,
        write: @escaping @Sendable (Object, inout VariantMap) -> Void,
        members: @escaping @Sendable (Object) -> [JSON.Member]
    ) {
        (self.names, self.read, self.write, self.members) = (names, read, write, members)
    }

    private static func name(of key: String) -> String { String(key.map { $0 == "-" ? "_" : $0 }) }
}

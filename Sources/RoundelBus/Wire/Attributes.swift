package import DBus

extension AttributeValue {
    /// Converts a D-Bus value; nil for types that attributes do not have.
    package init?(wire value: DBusValue) {
        if let text = value.string {
            self = .string(text)
        } else if let byte = value.byte {
            self = .byte(byte)
        } else if let number = value.uint64 {
            self = .unsigned(number)
        } else if let number = value.int64 {
            self = .signed(number)
        } else if let strings = value.strings {
            self = .strings(strings)
        } else if let truth = value.bool {
            self = .truth(truth)
        } else {
            return nil
        }
    }

    /// The value for the bus.
    package var wire: DBusValue {
        switch self {
        case .string(let text): .string(text)
        case .byte(let byte): .byte(byte)
        case .unsigned(let number): .uint64(number)
        case .signed(let number): .int64(number)
        case .strings(let strings): .strings(strings)
        case .truth(let truth): .bool(truth)
        }
    }
}

extension AttributeValue {
    /// The attributes of an item in a reply, without those that the interface does not define or that have another
    /// type.
    static func attributes(in map: VariantMap) -> [AttributeKey: AttributeValue] {
        var attributes: [AttributeKey: AttributeValue] = [:]
        for (name, value) in map {
            guard let key = AttributeKey(rawValue: name), let value = AttributeValue(wire: value), value.fits(key)
            else {
                continue
            }
            attributes[key] = value
        }
        return attributes
    }
}

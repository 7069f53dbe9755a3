public import DBus

extension AttributeValue {
    /// The value of a D-Bus type that attributes have; nil for others.
    public init?(wire value: DBusValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .byte(let byte): self = .byte(byte)
        case .uint64(let number): self = .unsigned(number)
        case .int64(let number): self = .signed(number)
        default:
            guard let strings = value.strings else { return nil }
            self = .strings(strings)
        }
    }

    /// The value as it goes over the bus.
    public var wire: DBusValue {
        switch self {
        case .string(let text): .string(text)
        case .byte(let byte): .byte(byte)
        case .unsigned(let number): .uint64(number)
        case .signed(let number): .int64(number)
        case .strings(let strings): .strings(strings)
        }
    }
}

extension AttributeValue {
    /// The attributes of an item in a reply; those that the interface does not know, or knows by another type, are left
    /// out.
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

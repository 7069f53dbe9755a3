/// The value of an attribute of an item; the cases are the types of the interface.
public enum AttributeValue: Equatable, Sendable {
    case string(String)
    case byte(UInt8)
    case unsigned(UInt64)
    case signed(Int64)
    case strings([String])
    case truth(Bool)

    /// Whether the interface has this key with this value's type; other attributes are dropped.
    package func fits(_ key: String) -> Bool { AttributeKey(rawValue: key).map(fits) ?? false }

    /// Whether this value has the type that the interface defines for the key.
    package func fits(_ key: AttributeKey) -> Bool {
        switch (key.type, self) {
        case (.string, .string), (.unsigned, .unsigned), (.signed, .signed), (.strings, .strings),
            (.truth, .truth):
            true
        case (.percentage, .byte(let value)): Progress.isValid(value)
        case (.string, _), (.percentage, _), (.unsigned, _), (.signed, _), (.strings, _), (.truth, _): false
        }
    }
}

/// The value of an attribute of an item; the cases are the types that the interface knows.
public enum AttributeValue: Equatable, Sendable {
    case string(String)
    case byte(UInt8)
    case unsigned(UInt64)
    case signed(Int64)
    case strings([String])

    /// Whether the interface knows the key and gives it this value's type; others are dropped.
    package func fits(_ key: String) -> Bool { AttributeKey(rawValue: key).map(fits) ?? false }

    /// Whether the interface gives the key this value's type.
    package func fits(_ key: AttributeKey) -> Bool {
        switch (key.type, self) {
        case (.string, .string), (.unsigned, .unsigned), (.signed, .signed), (.strings, .strings): true
        case (.percentage, .byte(let value)): Progress.isValid(value)
        case (.string, _), (.percentage, _), (.unsigned, _), (.signed, _), (.strings, _): false
        }
    }
}

/// The value of an attribute of an item; the cases are the types that the interface knows.
public enum AttributeValue: Equatable, Sendable {
    case string(String)
    case byte(UInt8)
    case unsigned(UInt64)
    case signed(Int64)
    case strings([String])

    /// Whether the interface knows the key and gives it this value's type; others are dropped.
    public func fits(_ key: String) -> Bool {
        switch (key, self) {
        case ("state", .string), ("label", .string), ("message", .string), ("remote-uri", .string): true
        case ("progress", .byte(let value)): Progress.isValid(value)
        case ("bytes-done", .unsigned), ("bytes-total", .unsigned): true
        case ("last-synced", .signed), ("last-used", .signed): true
        case ("tags", .strings): true
        default: false
        }
    }
}

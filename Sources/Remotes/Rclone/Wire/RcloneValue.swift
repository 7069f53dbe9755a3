/// A value in a request to rclone.
package enum RcloneValue: Encodable, Sendable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([RcloneValue])
    case object([String: RcloneValue])

    /// Encodes it as JSON.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .flag(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }

    /// Every text in it.
    var texts: [String] {
        switch self {
        case .text(let value): [value]
        case .flag, .number: []
        case .list(let values): values.flatMap(\.texts)
        case .object(let values): values.values.flatMap(\.texts)
        }
    }
}

extension RcloneValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    package init(stringLiteral value: String) { self = .text(value) }
    /// A flag.
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    /// A number.
    package init(integerLiteral value: Int) { self = .number(value) }
    /// A list.
    package init(arrayLiteral elements: RcloneValue...) { self = .list(elements) }
    /// An object; of two members with the same name, the later one counts.
    package init(dictionaryLiteral elements: (String, RcloneValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

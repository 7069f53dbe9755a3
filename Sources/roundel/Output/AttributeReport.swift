import RoundelBus
import Support

/// The attributes of an item, as printed by `roundel badge --attributes`.
struct AttributeReport: Sendable, Equatable {
    /// The keys in the order of display.
    private static let keys: [AttributeKey] = [
        .state, .label, .message, .progress, .bytesDone, .bytesTotal, .contents, .bytesHere, .bytesOnline, .filesHere,
        .filesOnline, .pinned, .lastSynced, .lastUsed, .permissions,
        .remoteURI, .tags,
    ]

    private let values: [AttributeKey: AttributeValue]

    init(_ values: [AttributeKey: AttributeValue]) { self.values = values }

    /// An object with the keys of the interface, with `_` for `-`; keys without a value are left out. Times are in ISO
    /// 8601.
    var json: JSON {
        .object(
            Self.keys.compactMap { key in
                values[key].map { .init(String(key.rawValue.map { $0 == "-" ? "_" : $0 }), Self.json(of: $0)) }
            })
    }

    private static func json(of value: AttributeValue) -> JSON {
        switch value {
        case .string(let text): .string(text)
        case .byte(let number): .number(number)
        case .unsigned(let number): .number(number)
        case .signed(let time): .string(TimeText.utc(time))
        case .strings(let texts): .strings(texts)
        case .truth(let truth): .bool(truth)
        }
    }

    /// A line for each value.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table([.left, .left], flexible: 1)
        for key in Self.keys {
            guard let value = values[key] else { continue }
            table.append([Table.Cell(key.rawValue, .dim), Table.Cell(Self.text(of: value, key))])
        }
        return table.lines(on: terminal, indent: "  ")
    }

    private static func text(of value: AttributeValue, _ key: AttributeKey) -> String {
        switch value {
        case .unsigned(let count) where key == .filesHere || key == .filesOnline: "\(count)"
        case .string(let text): text
        case .byte(let number): Quantity.percent(number)
        case .unsigned(let number): Quantity.bytes(number)
        case .signed(let time): TimeText.local(time)
        case .strings(let texts): TextList.of(texts)
        case .truth(let truth): truth ? tr("yes") : tr("no")
        }
    }
}

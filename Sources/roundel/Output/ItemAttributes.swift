import DBus

/// What is known of an item beyond its badge, as `roundel badge --attributes` prints it.
struct ItemAttributes: Sendable, Equatable {
    /// The keys of the interface, in the order in which a person reads them.
    private static let keys = [
        "state", "label", "message", "progress", "bytes-done", "bytes-total", "last-synced", "last-used", "remote-uri",
        "tags",
    ]

    private let values: VariantMap

    init(_ values: VariantMap) { self.values = values }

    /// An object with the keys of the interface, `_` for `-`; those without a value are left out. Times are ISO 8601.
    var json: JSON {
        .object(
            Self.keys.compactMap { key in
                json(of: key).map { .init(String(key.map { $0 == "-" ? "_" : $0 }), $0) }
            })
    }

    private func json(of key: String) -> JSON? {
        switch values[key] {
        case .string(let text): .string(text)
        case .byte(let number): .number(number)
        case .uint64(let number): .number(number)
        case .int64(let time): .string(Moment.utc(time))
        case let value?: value.strings.map(JSON.strings)
        case nil: nil
        }
    }

    /// A line for each value.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table([.left, .left], flexible: 1)
        for key in Self.keys {
            guard let text = text(of: key) else { continue }
            table.append([Table.Cell(key, .dim), Table.Cell(text)])
        }
        return table.lines(on: terminal, indent: "  ")
    }

    private func text(of key: String) -> String? {
        switch values[key] {
        case .string(let text): text
        case .byte(let number): "\(number) %"
        case .uint64(let number): Quantity.bytes(number)
        case .int64(let time): Moment.local(time)
        case let value?: value.strings?.joined(separator: ", ")
        case nil: nil
        }
    }
}

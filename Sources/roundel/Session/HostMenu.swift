import DBus

/// The four places that a menu can be for.
enum MenuKind: UInt32, Sendable, CaseIterable {
    case items = 0
    case container = 1
    case sidebar = 2
    case toolbar = 3

    init?(word: String) {
        guard let kind = MenuKind.allCases.first(where: { "\($0)" == word }) else { return nil }
        self = kind
    }
}

/// A menu that the service gave; its id is good for five minutes.
struct HostMenu: Sendable, Equatable {
    let id: UInt64
    let items: [MenuItem]

    /// The item of this id, however deep.
    func item(_ id: String) -> MenuItem? { MenuItem.find(id, in: items) }

    var json: JSON { .array(items.map(\.json)) }

    /// The tree of labels with the ids behind them.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table([.left, .left])
        for item in items { item.append(to: &table, depth: 0, on: terminal) }
        return table.lines(on: terminal)
    }
}

/// One item of a menu.
struct MenuItem: Sendable, Equatable {
    let id: String
    let label: String
    let icon: String
    let isEnabled: Bool
    /// Nil where the item has no check mark.
    let isChecked: Bool?
    let isSeparator: Bool
    let children: [MenuItem]

    init(_ map: VariantMap) {
        id = map.string("id") ?? ""
        label = map.string("label") ?? ""
        icon = map.string("icon") ?? ""
        isEnabled = map.bool("enabled") ?? true
        isChecked = map.bool("checked")
        isSeparator = map.string("type") == "separator"
        children = (map.maps("children") ?? []).map(MenuItem.init)
    }

    fileprivate static func find(_ id: String, in items: [MenuItem]) -> MenuItem? {
        for item in items {
            if item.id == id, !item.isSeparator { return item }
            if let child = find(id, in: item.children) { return child }
        }
        return nil
    }

    var json: JSON {
        if isSeparator { return .object([.init("type", "separator")]) }
        return .object([
            .init("type", "item"), .init("id", .string(id)), .init("label", .string(label)),
            .init("icon", .string(icon)), .init("enabled", .bool(isEnabled)),
            .init("checked", .optional(isChecked, JSON.bool)), .init("children", .array(children.map(\.json))),
        ])
    }

    fileprivate func append(to table: inout Table, depth: Int, on terminal: Terminal) {
        let indent = String(repeating: "  ", count: depth)
        guard !isSeparator else {
            let rule = terminal.hasUnicode ? "────" : "----"
            table.append([Table.Cell(indent + rule, .dim), Table.Cell("")])
            return
        }
        let check = isChecked.map { $0 ? "[x] " : "[ ] " } ?? ""
        let note = isEnabled ? "" : terminal.isInteractive ? "" : " (disabled)"
        table.append([
            Table.Cell(indent + check + label + note, isEnabled ? .plain : .dim),
            Table.Cell(children.isEmpty ? id : "", .dim),
        ])
        for child in children { child.append(to: &table, depth: depth + 1, on: terminal) }
    }
}

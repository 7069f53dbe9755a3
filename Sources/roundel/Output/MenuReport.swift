import RoundelBus
import Support

extension MenuKind {
    /// Parses a kind of menu from the command line.
    init?(word: String) {
        guard let kind = MenuKind.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }

    /// The word for this kind on the command line.
    var word: String {
        switch self {
        case .items: "items"
        case .container: "container"
        case .sidebar: "sidebar"
        case .toolbar: "toolbar"
        }
    }
}

extension HostedMenu {
    var json: JSON { .array(items.map(\.json)) }

    /// The tree of labels, each followed by its ID.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table([.left, .left])
        for item in items { item.append(to: &table, depth: 0, on: terminal) }
        return table.lines(on: terminal)
            + incomplete.map { tr("{1} did not answer in time.", DisplayText.escaped($0)) }
    }
}

extension MenuItem {
    fileprivate var json: JSON {
        if isSeparator { return .object([.init("type", "separator")]) }
        return .object([
            .init("type", "item"), .init("id", .string(id)), .init("label", .string(label)),
            .init("icon", .string(icon)), .init("enabled", .bool(enabled)),
            .init("checked", .optional(checked, JSON.bool)), .init("children", .array(children.map(\.json))),
        ])
    }

    fileprivate func append(to table: inout Table, depth: Int, on terminal: Terminal) {
        let indent = String(repeating: "  ", count: depth)
        guard !isSeparator else {
            let rule = terminal.hasUnicode ? "────" : "----"
            table.append([Table.Cell(indent + rule, .dim), Table.Cell("")])
            return
        }
        let check = checked.map { $0 ? "[x] " : "[ ] " } ?? ""
        let name = enabled || terminal.isInteractive ? label : tr("{1} (disabled)", label)
        table.append([
            Table.Cell(indent + check + name, enabled ? .plain : .dim),
            Table.Cell(children.isEmpty ? id : "", .dim),
        ])
        for child in children { child.append(to: &table, depth: depth + 1, on: terminal) }
    }
}

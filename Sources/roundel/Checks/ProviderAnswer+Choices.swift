import Checking
import DBus
import RoundelBus

extension ProviderAnswer {
    /// Whether the answer came earlier, or is one at all.
    func isQuicker(than other: ProviderAnswer) -> Bool { after < other.after }

    /// The name after which a page goes on; nil for no page.
    var nextPage: String? { values.flatMap { $0.count == 6 ? $0[4].string : nil } }

    /// The ids of the items that can be chosen in a menu.
    func choices(of kind: MenuKind, selected: Int) -> [String] {
        guard let maps = values?.first?.maps else { return [] }
        let items = maps.compactMap { try? MenuItem(wire: $0) }
        return items.flatMap(\.choices)
            .filter { item in
                let rules = item.rules
                return rules?.kinds?.contains(kind.rawValue) ?? true
                    && (rules?.min.map { $0 <= selected } ?? true) && (rules?.max.map { $0 >= selected } ?? true)
            }
            .map(\.id)
    }
}

extension MenuItem {
    /// The items that can be chosen in it.
    fileprivate var choices: [MenuItem] {
        guard enabled, !isSeparator else { return [] }
        return children.isEmpty ? (id.isEmpty ? [] : [self]) : children.flatMap(\.choices)
    }
}

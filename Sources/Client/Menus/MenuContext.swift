package import RoundelBus

/// What a menu is for: the directory shown and the selected items in it.
package struct MenuContext: Equatable, Sendable {
    /// Why a kind of menu is not for these items.
    package enum Mistake: Error, Hashable, Sendable {
        /// A menu of items needs one at least.
        case noItem
        /// A menu of this kind is for one item.
        case severalItems
    }

    /// The folder or item on which the menu opens; nil for the toolbar outside all folders.
    package let target: ItemURI?
    /// The selected items.
    package let selection: [ItemURI]

    /// The kinds of menu that may contain an action for these items, in the order in which they are requested.
    static func kinds(for items: [ItemURI]) -> [MenuKind] {
        switch items.count {
        case 0: [.toolbar]
        case 1: [.items, .container, .sidebar, .toolbar]
        default: [.items, .toolbar]
        }
    }

    /// - Parameter directory: The directory of a container or sidebar menu without an item.
    /// - Throws: ``Mistake``, and any error of `directory`.
    package init(_ kind: MenuKind, items: [ItemURI], directory: () throws -> ItemURI) throws {
        switch kind {
        case .items:
            guard let first = items.first else { throw Mistake.noItem }
            target = first.parent ?? first
            selection = items
        case .container, .sidebar:
            guard items.count <= 1 else { throw Mistake.severalItems }
            target = try items.first ?? directory()
            selection = []
        case .toolbar:
            target = items.first.map { $0.parent ?? $0 }
            selection = items
        }
    }
}

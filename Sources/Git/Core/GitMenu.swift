package import RoundelBus
internal import Support

/// What can be done with items.
package enum GitAction: String, CaseIterable, Sendable {
    case stage, unstage, discard, compare
}

/// The menu of a selection.
package enum GitMenu {
    /// What is known of a selected item.
    package struct Item: Equatable, Sendable {
        package var state: FileState?
        package var isStaged: Bool

        package init(_ state: FileState?, isStaged: Bool = false) { (self.state, self.isStaged) = (state, isStaged) }
    }

    /// The menu; empty where git knows none of the items.
    package static func menu(_ items: [Item]) -> [MenuItem] {
        let states = items.compactMap(\.state)
        guard !states.isEmpty else { return [] }
        let isResolution = states.allSatisfy { $0 == .conflicted }
        let children = [
            item(.stage, isResolution ? tr("Mark as Resolved") : tr("Stage"), states.contains { isStageable($0) }),
            item(.unstage, tr("Unstage"), items.contains { $0.isStaged }),
            MenuItem(id: "", isSeparator: true),
            item(.compare, tr("Compare with Last Commit"), items.count == 1 && isComparable(items[0])),
            item(.discard, tr("Discard Changes, Keep Copy in Trash"), states.contains(.modified)),
        ]
        return [
            MenuItem(
                id: "git", label: "Git", icon: "emblem-roundel-git-modified", children: children,
                rules: MenuRules(kinds: [MenuKind.items.rawValue], min: 1))
        ]
    }

    private static func item(_ action: GitAction, _ label: String, _ isEnabled: Bool) -> MenuItem {
        MenuItem(id: action.rawValue, label: label, enabled: isEnabled)
    }

    private static func isStageable(_ state: FileState) -> Bool {
        switch state {
        case .untracked, .modified, .conflicted: true
        case .ignored, .clean, .staged: false
        }
    }

    private static func isComparable(_ item: Item) -> Bool {
        switch item.state {
        case .modified, .staged, .conflicted: true
        case .ignored, .clean, .untracked, nil: false
        }
    }
}

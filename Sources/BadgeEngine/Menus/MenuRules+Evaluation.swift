internal import RoundelBus

extension MenuRules {
    /// Whether the rules need to know which items are directories.
    var needKinds: Bool { directories == false || files == false }

    /// Whether the rules admit a selection. They exclude only what certainly does not apply: an item of unknown badge
    /// or kind is no restriction.
    func allows(
        _ kind: MenuKind, _ selection: [ItemURI], _ selectionBadges: [Badge?], _ isDirectory: [ItemURI: Bool]
    ) -> Bool {
        if let kinds, !kinds.contains(kind.rawValue) { return false }
        if let min, selection.count < Int(min) { return false }
        if let max, selection.count > Int(max) { return false }
        if let badges {
            for badge in selectionBadges {
                if let badge, !badges.contains(badge) { return false }
            }
        }
        guard needKinds else { return true }
        return selection.allSatisfy { item in
            switch isDirectory[item] {
            case true: directories ?? true
            case false: files ?? true
            case nil: true
            }
        }
    }
}

extension MenuItem {
    /// Whether this item's rules, or those below it, need to know which items are directories.
    var needsKinds: Bool { rules?.needKinds ?? false || children.contains { $0.needsKinds } }

    /// Whether a provider's whole menu is within the limits of number, depth, length and uniqueness.
    static func isWithinLimits(_ items: [MenuItem]) -> Bool {
        var count = 0
        var ids: Set<String> = []
        return isWithinLimits(items, level: 1, &count, &ids)
    }

    private static func isWithinLimits(
        _ items: [MenuItem], level: Int, _ count: inout Int, _ ids: inout Set<String>
    ) -> Bool {
        guard items.isEmpty || level <= Limits.menuDepth else { return false }
        count += items.count
        guard count <= Limits.menuItems else { return false }
        for item in items {
            guard item.label.isWithin(Limits.menuText), item.id.isWithin(Limits.menuText),
                item.icon.isWithin(Limits.menuText)
            else { return false }
            if item.id.isEmpty {
                // An item that can be chosen must have an id.
                guard item.isSeparator || !item.children.isEmpty || !item.enabled else { return false }
            } else {
                guard ids.insert(item.id).inserted else { return false }
            }
            guard isWithinLimits(item.children, level: level + 1, &count, &ids) else { return false }
        }
        return true
    }
}

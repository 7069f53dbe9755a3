internal import RoundelBus

/// What rules need to know of the selected items beside their badges.
struct RuleFacts: OptionSet {
    let rawValue: UInt8

    /// Which are directories.
    static let kinds = RuleFacts(rawValue: 1)
    /// Of which types of data the files can be, by their names.
    static let types = RuleFacts(rawValue: 2)
}

extension MenuRules {
    /// What the rules need to know.
    var neededFacts: RuleFacts {
        var facts: RuleFacts = []
        if directories == false || files == false { facts.insert(.kinds) }
        if types != nil { facts.formUnion([.kinds, .types]) }
        return facts
    }

    /// Whether the rules admit a selection. They exclude only what certainly does not apply: an item of unknown badge,
    /// kind or type is no restriction.
    func allows(
        _ kind: MenuKind, _ selection: [ItemURI], _ selectionBadges: [Badge?], _ isDirectory: [ItemURI: Bool],
        _ census: TypeCensus
    ) -> Bool {
        if let kinds, !kinds.contains(kind.rawValue) { return false }
        if let min, selection.count < Int(min) { return false }
        if let max, selection.count > Int(max) { return false }
        if let badges {
            for badge in selectionBadges {
                if let badge, !badges.contains(badge) { return false }
            }
        }
        if let types, !census.canBe(types) { return false }
        guard directories == false || files == false else { return true }
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
    /// What this item's rules, and those below it, need to know.
    var neededFacts: RuleFacts {
        children.reduce(into: rules?.neededFacts ?? []) { $0.formUnion($1.neededFacts) }
    }

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

internal import RoundelBus
internal import Support

/// A menu that a caller was given.
struct GivenMenu {
    /// What a provider was shown when it made its part.
    struct Part {
        let target: ItemURI?
        let selection: [ItemURI]
    }

    /// An item that can be chosen.
    struct Entry {
        let provider: ProviderID
        /// The provider's own id.
        let item: String
        let label: String
        let isEnabled: Bool
    }

    let client: String
    let expires: Instant
    var parts: [ProviderID: Part]
    /// By the id towards hosts.
    var entries: [String: Entry]
    /// Providers whose part has died with them.
    var gone: Set<ProviderID> = []
}

/// The menus that callers keep.
struct MenuTable {
    private var menus: [UInt64: GivenMenu] = [:]
    private var byClient: [String: [UInt64]] = [:]
    private var last: UInt64 = 0

    func contains(_ id: UInt64) -> Bool { menus[id] != nil }

    subscript(id: UInt64) -> GivenMenu? { menus[id] }

    mutating func add(_ menu: GivenMenu) -> UInt64 {
        last += 1
        menus[last] = menu
        byClient[menu.client, default: []].append(last)
        if let own = byClient[menu.client], own.count > Limits.menusPerCaller { remove(own[0]) }
        return last
    }

    mutating func remove(_ id: UInt64) {
        guard let menu = menus.removeValue(forKey: id) else { return }
        byClient[menu.client]?.removeAll { $0 == id }
        if byClient[menu.client]?.isEmpty ?? false { byClient[menu.client] = nil }
    }

    mutating func removeAll(of client: String) {
        for id in byClient[client] ?? [] {
            menus[id] = nil
        }
        byClient[client] = nil
    }

    /// The parts of a provider die with it, and menus that had no other.
    mutating func removeAll(of provider: ProviderID) {
        for (id, menu) in menus where menu.parts[provider] != nil {
            guard menu.parts.count > 1 else {
                remove(id)
                continue
            }
            menus[id]?.parts[provider] = nil
            menus[id]?.entries = menu.entries.filter { $0.value.provider != provider }
            menus[id]?.gone.insert(provider)
        }
    }
}

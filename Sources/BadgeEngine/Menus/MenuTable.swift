internal import RoundelBus
internal import Support

/// A menu that was returned to a caller.
struct GivenMenu {
    /// What a provider was shown when it built its part.
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

    /// What a caller chose from one of its menus.
    enum Choice {
        /// A provider's item, with what the provider was shown when it built the menu.
        case item(Entry, Part)
        /// The service's own entry for this directory.
        case invitation(ItemURI)
    }

    let client: String
    let expires: Instant
    private var parts: [ProviderID: Part] = [:]
    /// By the id that hosts use.
    private var entries: [String: Entry] = [:]
    /// Providers that ended, and their parts with them.
    private var gone: Set<ProviderID> = []
    /// The directory that the service's own entry is about, if the menu has it.
    var invited: ItemURI?

    init(client: String, expires: Instant) {
        self.client = client
        self.expires = expires
    }

    mutating func add(_ part: Part, of provider: ProviderID) { parts[provider] = part }

    /// The number of bytes in the selected URIs.
    fileprivate var selectionBytes: Int {
        (invited?.path.utf8.count ?? 0)
            + parts.values.reduce(0) { $0 + $1.selection.reduce(0) { $0 + $1.path.utf8.count } }
    }

    /// Adds an item that can be chosen.
    /// - Parameter id: The id that hosts use.
    mutating func add(_ entry: Entry, as id: String) { entries[id] = entry }

    /// The item with a host's id, with its provider's part.
    func choice(_ item: String) -> Result<Choice, Refusal> {
        if item == FolderInvitation.id, let invited { return .success(.invitation(invited)) }
        guard let entry = entries[item], let part = parts[entry.provider] else {
            if let owner = ProviderID(String(item.prefix { $0 != "/" })), gone.contains(owner) {
                return .failure(.menuProviderEnded(owner))
            }
            return .failure(.noSuchMenuItem(String(item.prefix(100))))
        }
        return entry.isEnabled ? .success(.item(entry, part)) : .failure(.menuItemDisabled(item))
    }

    /// The parts that an earlier menu for the same selection had and this one has not are gone.
    fileprivate mutating func replaces(_ former: GivenMenu) {
        gone = former.gone.union(former.parts.keys).subtracting(parts.keys)
    }

    func hasPart(of provider: ProviderID) -> Bool { parts[provider] != nil }

    /// Removes the part of a provider that ended; false if the menu has no other part.
    mutating func withdraw(_ provider: ProviderID) -> Bool {
        guard parts.count > 1 else { return false }
        parts[provider] = nil
        entries = entries.filter { $0.value.provider != provider }
        gone.insert(provider)
        return true
    }
}

/// The menus that callers hold.
struct MenuTable {
    private var menus: [UInt64: GivenMenu] = [:]
    private struct Client {
        var menus: [(number: UInt64, bytes: Int)] = []
        var bytes = 0
    }

    private var clients: [String: Client] = [:]
    private var last: UInt64 = 0

    func contains(_ id: UInt64) -> Bool { menus[id] != nil }

    subscript(id: UInt64) -> GivenMenu? { menus[id] }

    mutating func add(_ menu: GivenMenu) -> UInt64 {
        last += 1
        menus[last] = menu
        let bytes = menu.selectionBytes
        clients[menu.client, default: Client()].menus.append((last, bytes))
        clients[menu.client]?.bytes += bytes
        while let own = clients[menu.client],
            own.menus.count > Limits.menusPerCaller || own.bytes > Limits.selectionBytes && own.menus.count > 1
        { remove(own.menus[0].number) }
        return last
    }

    /// Replaces a menu that is held by one for the same selection.
    mutating func replace(_ id: UInt64, with menu: GivenMenu) {
        guard let former = menus[id] else { return }
        menus[id] = menu
        menus[id]?.replaces(former)
        guard let position = clients[menu.client]?.menus.firstIndex(where: { $0.number == id }) else { return }
        let growth = menu.selectionBytes - former.selectionBytes
        clients[menu.client]?.menus[position].bytes += growth
        clients[menu.client]?.bytes += growth
    }

    mutating func remove(_ id: UInt64) {
        guard let menu = menus.removeValue(forKey: id) else { return }
        guard let position = clients[menu.client]?.menus.firstIndex(where: { $0.number == id }) else { return }
        let bytes = clients[menu.client]?.menus.remove(at: position).bytes ?? 0
        clients[menu.client]?.bytes -= bytes
        if clients[menu.client]?.menus.isEmpty ?? false { clients[menu.client] = nil }
    }

    mutating func removeAll(of client: String) {
        for menu in clients[client]?.menus ?? [] {
            menus[menu.number] = nil
        }
        clients[client] = nil
    }

    /// Removes the parts of a provider that ended, and menus that had no other part.
    mutating func removeAll(of provider: ProviderID) {
        for (id, menu) in menus where menu.hasPart(of: provider) {
            let isLeft = menus[id]?.withdraw(provider) ?? false
            if !isLeft { remove(id) }
        }
    }
}

internal import RoundelBus
internal import Support

/// The menus that are being put together, and those that callers were given.
struct Menus {
    private var builds = MenuBuilds()
    private var menus = MenuTable()

    /// An item that a caller chose from one of its menus.
    struct Choice {
        let entry: GivenMenu.Entry
        /// What its provider was shown when it made the menu.
        let part: GivenMenu.Part
    }

    /// Whether a menu still waits for something.
    func isBuilding(_ id: MenuBuildID) -> Bool { builds[id] != nil }

    /// Whether a menu still waits for a provider.
    func isWaiting(for provider: ProviderID, in id: MenuBuildID) -> Bool {
        builds[id]?.parts.contains { $0.provider == provider && $0.isWaiting } ?? false
    }

    /// Whether a caller still has a menu.
    func isGiven(_ menu: UInt64) -> Bool { menus.contains(menu) }

    // MARK: Putting a menu together

    /// Begins a menu: asks the providers that take part, after a look at the items where rules of manifests need it.
    mutating func open(_ build: MenuBuild, _ out: inout ActionQueue) {
        var build = build
        build.filter()
        let needsKinds = build.parts.contains { !$0.selection.isEmpty && ($0.rules?.needKinds ?? false) }
        let isEmpty = build.parts.isEmpty
        let id = builds.add(build)
        guard !isEmpty else { return finish(id, &out) }
        out.deadlines.add(out.now + Limits.patience, .menu(id))
        if needsKinds {
            builds[id]?.stage = .looking
            look(id, &out)
        } else {
            ask(id, &out)
        }
    }

    private mutating func look(_ id: MenuBuildID, _ out: inout ActionQueue) {
        guard let parts = builds[id]?.parts else { return }
        let token = out.makeToken()
        let items = Set(parts.flatMap(\.selection)).sorted()
        builds.inspect(id, token, items)
        out.act(.inspectItems(token, items))
    }

    /// What a look at items found, in their order.
    mutating func inspected(_ token: RequestToken, _ facts: [Bool?], _ out: inout ActionQueue) {
        guard let id = builds.inspected(token), var build = builds[id], build.inspection == token else { return }
        var isDirectory: [ItemURI: Bool] = [:]
        for (item, fact) in zip(build.inspected, facts) {
            isDirectory[item] = fact
        }
        build.isDirectory = isDirectory
        if build.stage == .looking { build.filter() }
        builds[id] = build
        if build.stage == .asking {
            goOn(id, &out)
        } else if build.parts.isEmpty {
            finish(id, &out)
        } else {
            ask(id, &out)
        }
    }

    private mutating func ask(_ id: MenuBuildID, _ out: inout ActionQueue) {
        guard let build = builds[id] else { return }
        builds[id]?.stage = .asking
        for (position, part) in build.parts.enumerated() {
            builds[id]?.parts[position].isWaiting = true
            let request = ProviderRequest.getMenu(kind: build.kind, target: part.target, selection: part.selection)
            out.ask(part.provider, at: part.endpoint, request, for: .menu(id))
        }
        goOn(id, &out)
    }

    /// A provider has answered.
    /// - Parameter items: its part; nil if the answer was wrong.
    mutating func answered(_ items: [MenuItem]?, by provider: ProviderID, for id: MenuBuildID, _ out: inout ActionQueue)
    {
        guard let position = builds[id]?.parts.firstIndex(where: { $0.provider == provider }) else { return }
        builds[id]?.parts[position].isWaiting = false
        builds[id]?.parts[position].items = items
        goOn(id, &out)
    }

    /// Gives the menu if nothing is waited for. Looks at the items as soon as an answer needs that, so that another
    /// provider's lateness does not leave its rules undecided.
    private mutating func goOn(_ id: MenuBuildID, _ out: inout ActionQueue) {
        guard let build = builds[id], build.stage == .asking else { return }
        let needsKinds = build.parts.contains { part in
            !part.selection.isEmpty && (part.items ?? []).contains(where: \.needsKinds)
        }
        if needsKinds && build.isDirectory == nil {
            if build.inspection == nil { look(id, &out) }
        } else if !build.parts.contains(where: \.isWaiting) {
            finish(id, &out)
        }
    }

    /// Gives the menu with what there is.
    mutating func finish(_ id: MenuBuildID, _ out: inout ActionQueue) {
        guard let build = builds.take(id) else { return }
        let expires = out.now + Limits.menuLifetime
        var menu = GivenMenu(client: build.client, expires: expires, parts: [:], entries: [:])
        var items: [MenuItem] = []
        for part in build.parts.sorted(by: { ($0.name, $0.provider) < ($1.name, $1.provider) }) {
            guard let own = part.items else { continue }
            menu.parts[part.provider] = GivenMenu.Part(target: part.target, selection: part.selection)
            items += own.compactMap { given($0, part, build, &menu) }
        }
        let number = menus.add(menu)
        out.deadlines.add(expires, .menuExpiry(number))
        out.reply(build.token, .menu(number, items))
    }

    /// An item as hosts get it; nil if its rules leave it out, or everything below it.
    private func given(
        _ item: MenuItem, _ part: MenuBuild.Part, _ build: MenuBuild, _ menu: inout GivenMenu
    ) -> MenuItem? {
        guard build.applies(item.rules, to: part) else { return nil }
        var result = item
        result.rules = nil
        result.children = item.children.compactMap { given($0, part, build, &menu) }
        if !item.children.isEmpty && result.children.isEmpty { return nil }
        guard !item.id.isEmpty else { return result }
        result.id = "\(part.provider)/\(item.id)"
        if !item.isSeparator && item.children.isEmpty {
            menu.entries[result.id] = GivenMenu.Entry(
                provider: part.provider, item: item.id, label: item.label, isEnabled: item.enabled)
        }
        return result
    }

    // MARK: Menus that were given

    /// The item that a caller chose.
    func choice(_ item: String, of number: UInt64, by client: String, at now: Instant) -> Result<Choice, Refusal> {
        guard let menu = menus[number], menu.client == client, menu.expires > now else { return .failure(.menuExpired) }
        guard let entry = menu.entries[item], let part = menu.parts[entry.provider] else {
            if let owner = ProviderID(String(item.prefix { $0 != "/" })), menu.gone.contains(owner) {
                return .failure(.menuProviderEnded(owner))
            }
            return .failure(.noSuchMenuItem(String(item.prefix(100))))
        }
        return entry.isEnabled ? .success(Choice(entry: entry, part: part)) : .failure(.menuItemDisabled(item))
    }

    /// The time of a menu is over.
    mutating func expire(_ menu: UInt64) { menus.remove(menu) }

    /// A provider is gone or switched off: its part of every menu dies with it.
    mutating func withdraw(_ provider: ProviderID, _ out: inout ActionQueue) {
        menus.removeAll(of: provider)
        for id in builds.withdraw(provider) { goOn(id, &out) }
    }

    /// The caller is gone; gives its calls that nobody waits for any more.
    mutating func removeAll(of client: String) -> [CallToken] {
        menus.removeAll(of: client)
        return builds.removeAll(of: client)
    }
}

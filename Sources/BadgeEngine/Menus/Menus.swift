internal import RoundelBus
internal import Support

/// The menus that are being built, and those that were returned to callers.
struct Menus {
    private var builds = MenuBuilds()
    private var menus = MenuTable()

    /// Whether a menu still waits for something.
    func isBuilding(_ id: MenuBuildID) -> Bool { builds[id] != nil }

    /// Whether a menu still waits for a provider.
    func isWaiting(for provider: ProviderID, in id: MenuBuildID) -> Bool {
        builds[id]?.isWaiting(for: provider) ?? false
    }

    /// Whether a caller still holds a menu.
    func isGiven(_ menu: UInt64) -> Bool { menus.contains(menu) }

    // MARK: Building a menu

    /// Starts a menu: asks its providers, but first inspects the items if rules of manifests require it.
    mutating func open(_ build: MenuBuild, _ out: inout ActionQueue) {
        var build = build
        let step = build.begin()
        let id = builds.add(build)
        if step != .finish { out.deadlines.add(out.now + Limits.patience, .menu(id)) }
        perform(step, id, &out)
    }

    private mutating func perform(_ step: MenuBuild.Step, _ id: MenuBuildID, _ out: inout ActionQueue) {
        switch step {
        case .wait: break
        case .inspect(let facts):
            if facts.contains(.kinds) {
                let token = out.makeToken()
                out.act(.inspectItems(token, builds.inspect(.kinds, of: id, token)))
            }
            if facts.contains(.types) {
                let token = out.makeToken()
                out.act(.findTypes(token, builds.inspect(.types, of: id, token)))
            }
        case .askProviders: ask(id, &out)
        case .finish: finish(id, &out)
        }
    }

    /// Applies the results of an inspection, in the order of the items.
    mutating func inspected(_ token: RequestToken, _ facts: [Bool?], _ out: inout ActionQueue) {
        guard let id = builds.inspected(token), let step = builds[id]?.setKinds(facts, token) else { return }
        perform(step, id, &out)
    }

    /// Applies the types of items, in the order of the items.
    mutating func typed(_ token: RequestToken, _ types: [[DataType]], _ out: inout ActionQueue) {
        guard let id = builds.inspected(token), let step = builds[id]?.setTypes(types, token) else { return }
        perform(step, id, &out)
    }

    private mutating func ask(_ id: MenuBuildID, _ out: inout ActionQueue) {
        builds[id]?.beginAsking()
        guard let build = builds[id] else { return }
        out.asker = build.client
        for part in build.parts {
            let request = ProviderRequest.getMenu(kind: build.kind, target: part.target, selection: part.selection)
            out.ask(part.provider, at: part.endpoint, request, for: .menu(id))
        }
    }

    /// A provider has answered.
    /// - Parameter items: Its part; nil if the answer was invalid.
    mutating func answered(_ items: [MenuItem]?, by provider: ProviderID, for id: MenuBuildID, _ out: inout ActionQueue)
    {
        guard builds[id]?.involves(provider) ?? false else { return }
        builds[id]?.answer(items, by: provider)
        goOn(id, &out)
    }

    private mutating func goOn(_ id: MenuBuildID, _ out: inout ActionQueue) {
        guard let step = builds[id]?.nextStep else { return }
        perform(step, id, &out)
    }

    /// A menu takes longer than a caller waits: returns it with the parts that have arrived, or, if that was done,
    /// gives up the others.
    /// - Returns: The providers that were given up.
    mutating func overdue(_ id: MenuBuildID, _ out: inout ActionQueue) -> [ProviderID] {
        guard let build = builds[id] else { return [] }
        let givenUp = build.given == nil ? [] : builds[id]?.leaveOutMissing() ?? []
        finish(id, &out)
        return givenUp
    }

    /// Returns the menu with the parts that have arrived, or completes the one that was returned.
    private mutating func finish(_ id: MenuBuildID, _ out: inout ActionQueue) {
        guard let build = builds[id] else { return }
        let missing = build.missing
        if missing.isEmpty { _ = builds.remove(id) }
        if let number = build.given {
            guard let held = menus[number] else { return }
            let (menu, items) = make(build, expires: held.expires)
            menus.replace(number, with: menu)
            return out.act(
                .signalMenu(client: build.client, HostedMenu(id: number, items: items, incomplete: missing)))
        }
        let expires = out.now + Limits.menuLifetime
        let (menu, items) = make(build, expires: expires)
        let number = menus.add(menu)
        out.deadlines.add(expires, .menuExpiry(number))
        if !missing.isEmpty {
            builds[id]?.given = number
            out.deadlines.add(out.now + Limits.latePatience, .menu(id))
        }
        builds.removeGiven(unless: menus.contains)
        out.reply(build.token, .menu(HostedMenu(id: number, items: items, incomplete: missing)))
    }

    private func make(_ build: MenuBuild, expires: Instant) -> (GivenMenu, [MenuItem]) {
        var menu = GivenMenu(client: build.client, expires: expires)
        var items: [MenuItem] = []
        if let invitation = build.invitation, invitation.isDirectory {
            menu.invited = invitation.directory
            items.append(FolderInvitation.item)
        }
        for part in build.parts.sorted(by: { ($0.name, $0.provider) < ($1.name, $1.provider) }) {
            // A part that exceeds the limit is left out completely, like a provider's menu that does.
            guard let own = part.items, items.total + own.total <= Limits.mergedMenuItems else { continue }
            menu.add(GivenMenu.Part(target: part.target, selection: part.selection), of: part.provider)
            items += own.compactMap { given($0, part, build, &menu) }
        }
        return (menu, items)
    }

    /// An item as hosts get it; nil if its rules exclude it or everything below it.
    private func given(
        _ item: MenuItem, _ part: MenuBuild.Part, _ build: MenuBuild, _ menu: inout GivenMenu
    ) -> MenuItem? {
        guard build.applies(item.rules, to: part) else { return nil }
        var result = item
        result.rules = nil
        result.children = item.children.compactMap { given($0, part, build, &menu) }
        if !item.children.isEmpty && result.children.isEmpty { return nil }
        if !result.icon.isIconName { result.icon = "" }
        guard !item.id.isEmpty else { return result }
        result.id = "\(part.provider)/\(item.id)"
        if !item.isSeparator && item.children.isEmpty {
            menu.add(
                GivenMenu.Entry(provider: part.provider, item: item.id, label: item.label, isEnabled: item.enabled),
                as: result.id)
        }
        return result
    }

    // MARK: Menus that were returned

    /// The item that a caller chose.
    func choice(
        _ item: String, of number: UInt64, by client: String, at now: Instant
    ) -> Result<GivenMenu.Choice, Refusal> {
        guard let menu = menus[number], menu.client == client, menu.expires > now else { return .failure(.menuExpired) }
        return menu.choice(item)
    }

    /// A menu has expired.
    mutating func expire(_ menu: UInt64) {
        menus.remove(menu)
        builds.removeGiven { $0 != menu }
    }

    /// A provider ended or was switched off: removes its part from every menu.
    mutating func withdraw(_ provider: ProviderID, _ out: inout ActionQueue) {
        for id in builds.withdraw(provider) { goOn(id, &out) }
        menus.removeAll(of: provider)
    }

    /// The caller left; returns its calls, which need no answer.
    mutating func removeAll(of client: String) -> [CallToken] {
        menus.removeAll(of: client)
        return builds.removeAll(of: client)
    }
}

extension [MenuItem] {
    /// The number of items, including those in submenus.
    fileprivate var total: Int { reduce(0) { $0 + 1 + $1.children.total } }
}

internal import RoundelBus
internal import Support

/// Menus and their actions.
extension Engine {
    mutating func getMenu(_ call: HostCall, _ kind: UInt32, _ target: ItemURI?, _ selection: [ItemURI]) {
        guard let kind = MenuKind(rawValue: kind) else {
            return fail(call.token, .noSuchMenu(kind: kind))
        }
        guard selection.count <= Limits.namesPerCall else {
            return fail(call.token, .tooManySelected)
        }
        var build = MenuBuild(
            token: call.token, client: call.caller, kind: kind, parts: menuParts(kind, target, selection))
        filter(&build)
        let needsKinds = build.parts.contains { part in
            !part.selection.isEmpty && (providers[part.provider]?.manifest?.rules?.needKinds ?? false)
        }
        let id = builds.add(build)
        guard !build.parts.isEmpty else { return finishMenu(id) }
        deadlines.add(now + Limits.patience, .menu(id))
        if needsKinds {
            builds[id]?.stage = .looking
            look(id)
        } else {
            askForMenus(id)
        }
    }

    /// What each provider is shown: its own items alone.
    private func menuParts(_ kind: MenuKind, _ target: ItemURI?, _ selection: [ItemURI]) -> [MenuBuild.Part] {
        var targets: [ProviderID: ItemURI] = [:]
        var selections: [ProviderID: [(ItemURI, Badge?)]] = [:]
        if let target, let (provider, spelling, _) = owned(target) { targets[provider] = spelling }
        for item in selection {
            guard let (provider, spelling, location) = owned(item) else { continue }
            selections[provider, default: []].append((spelling, knownBadge(location)))
        }
        let asked =
            switch kind {
            case .items: selections.keys.sorted()
            case .container, .sidebar: targets.keys.sorted()
            case .toolbar: providers.ids
            }
        return asked.compactMap { id in
            guard let record = providers[id], record.isEnabled, record.endpoint != nil else { return nil }
            let own = selections[id] ?? []
            return MenuBuild.Part(
                provider: id, name: record.name, target: targets[id], selection: own.map(\.0), badges: own.map(\.1))
        }
    }

    /// Whose an item is, how that provider spells it, and where it is.
    func owned(_ uri: ItemURI) -> (provider: ProviderID, spelling: ItemURI, location: ItemURI)? {
        let location = folderTable.locate(uri)
        guard let folder = folderTable.folder(containing: location) else { return nil }
        return (folder.provider, folderTable.spelling(of: location, in: folder), location)
    }

    /// The badge of an item that somebody was given; nil if nobody was.
    private func knownBadge(_ location: ItemURI) -> Badge? {
        guard let parent = location.parent, let name = location.name, let id = directories.id(at: parent),
            let index = directories[id].items.find(name), directories[id].items.marks[index].contains(.known)
        else { return nil }
        return badges.badge(directories[id].items.states[index].badge)
    }

    /// Leaves out the providers whose manifest rules the selection out.
    private func filter(_ build: inout MenuBuild) {
        let all = build
        build.parts.removeAll { part in !all.applies(providers[part.provider]?.manifest?.rules, to: part) }
    }

    private mutating func look(_ id: MenuBuildID) {
        guard let parts = builds[id]?.parts else { return }
        let token = answers.makeToken()
        let items = Set(parts.flatMap(\.selection)).sorted()
        builds.inspect(id, token, items)
        act(.inspectItems(token, items))
    }

    mutating func itemsInspected(_ token: RequestToken, _ facts: [Bool?]) {
        guard let id = builds.inspected(token), var build = builds[id], build.inspection == token else { return }
        var isDirectory: [ItemURI: Bool] = [:]
        for (item, fact) in zip(build.inspected, facts) {
            isDirectory[item] = fact
        }
        build.isDirectory = isDirectory
        if build.stage == .looking { filter(&build) }
        builds[id] = build
        if build.stage == .asking {
            goOn(id)
        } else if build.parts.isEmpty {
            finishMenu(id)
        } else {
            askForMenus(id)
        }
    }

    private mutating func askForMenus(_ id: MenuBuildID) {
        guard let build = builds[id] else { return }
        builds[id]?.stage = .asking
        for (position, part) in build.parts.enumerated() {
            guard let endpoint = providers[part.provider]?.endpoint else { continue }
            let token = answers.makeToken()
            answers.add(token, PendingRequest(provider: part.provider, purpose: .menu(id)))
            builds[id]?.parts[position].isWaiting = true
            act(.ask(token, endpoint, .getMenu(kind: build.kind, target: part.target, selection: part.selection)))
        }
        goOn(id)
    }

    mutating func takeMenu(_ answer: ProviderAnswer, _ provider: ProviderID, _ id: MenuBuildID) {
        guard let position = builds[id]?.parts.firstIndex(where: { $0.provider == provider }) else { return }
        builds[id]?.parts[position].isWaiting = false
        if case .menu(let items) = answer, MenuItem.isWithinLimits(items) {
            builds[id]?.parts[position].items = items
        } else {
            blame(provider, answer)
        }
        goOn(id)
    }

    /// A provider is gone or switched off: its part of every menu dies with it.
    mutating func withdrawMenus(of provider: ProviderID) {
        menus.removeAll(of: provider)
        for id in builds.withdraw(provider) {
            goOn(id)
        }
    }

    /// Gives the menu if nothing is waited for. Looks at the items as soon as an answer needs that, so that another
    /// provider's lateness does not leave its rules undecided.
    private mutating func goOn(_ id: MenuBuildID) {
        guard let build = builds[id], build.stage == .asking else { return }
        let needsKinds = build.parts.contains { part in
            !part.selection.isEmpty && (part.items ?? []).contains(where: \.needsKinds)
        }
        if needsKinds && build.isDirectory == nil {
            if build.inspection == nil { look(id) }
        } else if !build.parts.contains(where: \.isWaiting) {
            finishMenu(id)
        }
    }

    /// Gives the menu with what there is.
    mutating func finishMenu(_ id: MenuBuildID) {
        guard let build = builds.take(id) else { return }
        var menu = GivenMenu(client: build.client, expires: now + Limits.menuLifetime, parts: [:], entries: [:])
        var items: [MenuItem] = []
        for part in build.parts.sorted(by: { ($0.name, $0.provider) < ($1.name, $1.provider) }) {
            guard let own = part.items else { continue }
            menu.parts[part.provider] = GivenMenu.Part(target: part.target, selection: part.selection)
            items += own.compactMap { given($0, part, build, &menu) }
        }
        let menuID = menus.add(menu)
        deadlines.add(menu.expires, .menuExpiry(menuID))
        reply(build.token, .menu(menuID, items))
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

    // MARK: Actions

    mutating func activate(_ call: HostCall, _ id: UInt64, _ item: String, _ options: ActivationOptions) {
        guard let menu = menus[id], menu.client == call.caller, menu.expires > now else {
            return fail(call.token, .menuExpired)
        }
        guard let entry = menu.entries[item], let part = menu.parts[entry.provider],
            let endpoint = providers[entry.provider]?.endpoint
        else {
            if let owner = ProviderID(String(item.prefix { $0 != "/" })), menu.gone.contains(owner) {
                return fail(call.token, .menuProviderEnded(owner))
            }
            return fail(call.token, .noSuchMenuItem(String(item.prefix(100))))
        }
        guard entry.isEnabled else {
            return fail(call.token, .menuItemDisabled(item))
        }
        let activation = PendingRequest.Activation(
            client: call.caller, menu: id, item: item, label: entry.label, showsResult: options.showsResult)
        let request = ProviderRequest.activate(
            item: entry.item, target: part.target, selection: part.selection, options)
        begin(activation, of: entry.provider, endpoint, request, for: call.token)
    }

    /// Has a provider carry an action out and answers the call, unless too many have not finished: the bus keeps a place
    /// for the answer to each of them, and has only so many.
    mutating func begin(
        _ activation: PendingRequest.Activation, of provider: ProviderID, _ endpoint: ProviderEndpoint,
        _ request: ProviderRequest, for call: CallToken
    ) {
        let open = answers.activations(of: activation.client, at: provider)
        guard open.ofCaller < Limits.activationsPerCaller, open.ofProvider < Limits.activationsPerProvider else {
            return fail(call, .tooManyActions(max(open.ofCaller, open.ofProvider)))
        }
        reply(call, .done)
        let token = answers.makeToken()
        answers.add(token, PendingRequest(provider: provider, purpose: .activation(activation)))
        act(.ask(token, endpoint, request))
    }

    mutating func takeOutcome(
        _ answer: ProviderAnswer, _ provider: ProviderID, _ activation: PendingRequest.Activation
    ) {
        let outcome: ActionOutcome
        let message: String
        switch answer {
        case .failed(let name, let text):
            outcome = name == RoundelError.Code.cancelled.name ? .cancelled : .failed
            message = text
        case .gone:
            outcome = .failed
            message = Texts.endedBeforeFinished(provider)
        case .badges, .directory, .menu, .attributes, .done, .malformed:
            outcome = .done
            message = ""
        }
        act(
            .signalActionFinished(
                client: activation.client, menu: activation.menu, item: activation.item, outcome, message: message))
        if outcome == .failed && !activation.showsResult {
            let name = providers[provider]?.name ?? provider.rawValue
            act(.showFailure(ActionFailure(provider: name, label: activation.label, message: message)))
        }
    }
}

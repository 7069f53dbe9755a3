internal import RoundelBus
internal import Support

/// Menus, and the actions of menus and notices.
extension Engine {
    mutating func getMenu(_ call: HostCall, _ kind: UInt32, _ target: ItemURI?, _ selection: [ItemURI]) {
        guard let kind = MenuKind(rawValue: kind) else {
            return fail(call.token, .noSuchMenu(kind: kind))
        }
        let build = MenuBuild(
            token: call.token, client: call.caller, kind: kind, parts: menuParts(kind, target, selection, call.caller),
            invitation: invitation(kind, target, selection, call.caller))
        menus.open(build, &out)
    }

    /// What each provider gets to see: only its own items.
    private func menuParts(
        _ kind: MenuKind, _ target: ItemURI?, _ selection: [ItemURI], _ caller: String
    ) -> [MenuBuild.Part] {
        var targets: [ProviderID: ItemURI] = [:]
        var selections: [ProviderID: [(ItemURI, Badge?)]] = [:]
        if let target, let (provider, spelling) = owned(place(ofTarget: target, for: caller)) {
            targets[provider] = spelling
        }
        for item in selection {
            let location = place(ofItem: item, for: caller)
            guard let (provider, spelling) = owned(location) else { continue }
            selections[provider, default: []].append((spelling, knownBadge(location)))
        }
        let asked =
            switch kind {
            case .items: selections.keys.sorted()
            case .container, .sidebar: targets.keys.sorted()
            case .toolbar: providers.ids
            }
        return asked.compactMap { id in
            guard let record = providers[id], record.isEnabled, let endpoint = record.endpoint else { return nil }
            let own = selections[id] ?? []
            return MenuBuild.Part(
                provider: id, endpoint: endpoint, name: record.name, rules: record.manifest?.rules,
                target: targets[id], selection: own.map(\.0), badges: own.map(\.1))
        }
    }

    /// The provider of the item at a place, and how that provider spells it.
    func owned(_ location: ItemURI) -> (provider: ProviderID, spelling: ItemURI)? {
        guard let folder = folderTable.folder(containing: location) else { return nil }
        return (folder.provider, folderTable.spelling(of: location, in: folder))
    }

    /// The badge of an item that some host was given; nil if none was.
    private func knownBadge(_ location: ItemURI) -> Badge? {
        guard let parent = location.parent, let name = location.name, let id = directories.id(at: parent),
            let state = directories[id].knownState(name)
        else { return nil }
        return badges.badge(state.badge)
    }

    mutating func applyMenu(_ answer: ProviderAnswer, _ provider: ProviderID, _ id: MenuBuildID) {
        var items: [MenuItem]?
        if case .menu(let given) = answer, MenuItem.isWithinLimits(given) { items = given }
        if items != nil {
            noteAnswer(of: provider, to: .menus)
        } else if menus.isWaiting(for: provider, in: id) {
            blame(provider, answer)
            noteFailure(.wrong, of: provider, at: .menus)
        }
        menus.answered(items, by: provider, for: id, &out)
    }

    // MARK: Actions

    mutating func activate(_ call: HostCall, _ id: UInt64, _ item: String, _ options: ActivationOptions) {
        let entry: GivenMenu.Entry
        let part: GivenMenu.Part
        switch menus.choice(item, of: id, by: call.caller, at: out.now) {
        case .success(.invitation(let directory)): return addFolder(call, directory, from: id, options)
        case .success(.item(let chosen, let shown)): (entry, part) = (chosen, shown)
        case .failure(let refusal): return fail(call.token, refusal)
        }
        guard let endpoint = providers[entry.provider]?.endpoint else {
            return fail(call.token, .menuProviderEnded(entry.provider))
        }
        let activation = PendingRequest.Activation(
            client: call.caller, menu: id, item: item, label: entry.label, showsResult: options.showsResult)
        let request = ProviderRequest.activate(
            item: entry.item, target: part.target, selection: part.selection, options)
        begin(activation, of: entry.provider, endpoint, request, for: call.token)
    }

    /// Asks a provider to carry out an action of one of its notices.
    mutating func activateNotice(
        _ call: HostCall, _ folder: ItemURI, _ notice: String, _ action: String, _ options: ActivationOptions
    ) {
        if notice == WaitingFolder.notice, action == WaitingFolder.allow, allowFromNotice(call, folder) { return }
        if notice == TroubledProvider.notice, action == TroubledProvider.turnOff, turnOffFromNotice(call, folder) {
            return
        }
        let owner = folderTable.byLocation[folderTable.locate(folder)]
        guard let owner, let endpoint = providers[owner.provider]?.endpoint,
            let given = providers[owner.provider]?.notices[owner.offer.folder]?.first(where: { $0.id == notice }),
            let chosen = given.actions.first(where: { $0.id == action })
        else {
            return fail(call.token, .alreadyDecided(folder))
        }
        let activation = PendingRequest.Activation(
            client: call.caller, menu: 0, item: "\(owner.provider)/\(action)", label: chosen.label,
            showsResult: options.showsResult)
        let request = ProviderRequest.activate(item: action, target: owner.offer.folder, selection: [], options)
        begin(activation, of: owner.provider, endpoint, request, for: call.token)
    }

    /// Asks a provider to carry out an action and answers the call, unless too many actions are unfinished: the bus
    /// limits the number of pending replies.
    private mutating func begin(
        _ activation: PendingRequest.Activation, of provider: ProviderID, _ endpoint: ProviderEndpoint,
        _ request: ProviderRequest, for call: CallToken
    ) {
        let open = out.answers.activations(of: activation.client, at: provider)
        guard open.ofCaller < Limits.activationsPerCaller, open.ofProvider < Limits.activationsPerProvider else {
            return fail(call, .tooManyActions(max(open.ofCaller, open.ofProvider)))
        }
        reply(call, .done)
        out.ask(provider, at: endpoint, request, for: .activation(activation))
    }

    mutating func reportOutcome(
        _ answer: ProviderAnswer, _ provider: ProviderID, _ activation: PendingRequest.Activation
    ) {
        let outcome: ActionOutcome
        var message = ""
        var clipboard: ClipboardText?
        switch answer {
        case .failed(let name, let text):
            outcome = name == RoundelError.Code.cancelled.name ? .cancelled : .failed
            message = text.shortened(to: Limits.errorText)
        case .gone:
            outcome = .failed
            message = tr("The provider {1} ended before the action was finished.", provider.rawValue)
        case .malformed:
            // The user must not paste what was copied earlier, believing that it is the result.
            outcome = .failed
            message = Self.answeredWrongly
            blame(provider, answer)
        case .product(.clipboard(let text)):
            outcome = .done
            clipboard = text
        case .product(.message(let text)):
            outcome = .done
            message = text.shortened(to: Limits.errorText)
        case .badges, .directory, .menu, .attributes, .done:
            outcome = .done
        }
        act(
            .signalActionFinished(
                client: activation.client,
                FinishedAction(
                    menu: activation.menu, item: activation.item, outcome: outcome, message: message,
                    clipboard: clipboard)))
        if !activation.showsResult && (outcome == .failed || outcome == .done && !message.isEmpty) {
            let name = providers[provider]?.name ?? provider.rawValue
            act(
                .showReport(
                    ActionReport(
                        provider: name, label: activation.label, message: message, hasFailed: outcome == .failed)))
        }
    }
}

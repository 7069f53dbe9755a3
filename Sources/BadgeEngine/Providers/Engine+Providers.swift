internal import RoundelBus
internal import Support

/// Providers that start, end, and are switched on and off.
extension Engine {
    mutating func peerLeft(_ name: String) {
        endAll(name)
        for call in menus.removeAll(of: name) + folderChecks.removeAll(of: name) + placeQuestions.removeAll(of: name) {
            fail(call, .callerLeft)
        }
        if let id = providers.provider(at: name) { providerGone(id, isFinal: false) }
    }

    /// A provider has ended or unregistered: withdraws what it reported, but remembers its folders.
    /// - Parameter isFinal: Whether it ended on purpose, so that it is not restarted.
    mutating func providerGone(_ id: ProviderID, isFinal: Bool) {
        let buttonBefore = toolbarItem
        providers.disconnect(id)
        menus.withdraw(id, &out)
        for (token, request) in out.answers.removeAll(of: id) {
            abandon(token, request)
        }
        for call in providers[id]?.changes.reset() ?? [] {
            failGone(call, id)
        }
        for directory in directories.orderedIDs where directories[directory].placement.concerned[id] != nil {
            directories[directory].withdraw(id)
            directories.touch(directory)
        }
        withdrawStatus(of: id)
        withdrawPictures(of: id)
        if toolbarItem != buttonBefore { act(.propertiesChanged(.toolbarItem)) }
        forgetOrRestart(id, isFinal: isFinal)
        act(.providersChanged)
    }

    private mutating func withdrawStatus(of id: ProviderID) {
        guard let record = providers[id] else { return }
        providers[id]?.withdrawReports()
        // Nothing was announced for a disabled provider.
        guard record.isEnabled else { return }
        if !record.status.isEmpty { act(.propertiesChanged(.folderStatus)) }
        if !record.notices.isEmpty { act(.propertiesChanged(.notices)) }
    }

    private mutating func withdrawPictures(of id: ProviderID) {
        guard let pictures = providers[id]?.pictures, !pictures.isEmpty else { return }
        providers[id]?.forgetPictures()
        act(.removePictures(pictures.values.sorted()))
    }

    private mutating func forgetOrRestart(_ id: ProviderID, isFinal: Bool) {
        providers[id]?.endRegistration()
        badges.startAnew(id)
        if !(providers[id]?.keepsFolders ?? true) { withdrawFolders(of: id) }
        if providers[id]?.isForgettable ?? false {
            providers.forget(id)
        } else if !isFinal {
            providers[id]?.noteError(tr("It ended unexpectedly."))
            activate(id)
        }
    }

    /// Starts an enabled, startable provider that is not running.
    mutating func activate(_ id: ProviderID) {
        guard let record = providers[id], record.isStartable, !record.hasWithdrawn, record.endpoint == nil,
            let manifest = record.manifest
        else { return }
        act(.activateProvider(id, busName: manifest.busName))
    }

    /// Ends a question whose provider is gone.
    private mutating func abandon(_ token: RequestToken, _ request: PendingRequest) {
        switch request.purpose {
        case .badges(let id, _), .directory(let id, _):
            if directories.contains(id) { directories[id].closeQuestion(token) }
        case .changes, .menu: break
        case .attributes(let call, let keys): applyAttributes(.gone, request.provider, call, keys: keys)
        case .activation(let activation): reportOutcome(.gone, request.provider, activation)
        }
    }

    mutating func activationFailed(_ id: ProviderID, _ message: String) {
        guard providers[id] != nil, providers[id]?.endpoint == nil, providers[id]?.noteError(message) ?? false
        else { return }
        act(.providersChanged)
    }

    // MARK: Manifests and the saved state

    mutating func manifestsChanged(_ manifests: [Manifest]) {
        let before = providers.ids.compactMap { providers[$0]?.summary }
        let newBefore = newProviders
        let new = Dictionary(manifests.map { ($0.id, $0) }) { first, _ in first }
        for id in providers.ids where providers[id]?.manifest != nil && new[id] == nil {
            providers[id]?.setManifest(nil)
            act(.providerSettled(id))
        }
        for (id, manifest) in new.sorted(by: { $0.key < $1.key }) { install(manifest, id) }
        forgetGhosts()
        if knowsManifests {
            knowsManifests = false
            keepOnWhatWas()
        }
        if newProviders != newBefore { act(.propertiesChanged(.newProviders)) }
        if providers.ids.compactMap({ providers[$0]?.summary }) != before { act(.providersChanged) }
    }

    private mutating func install(_ manifest: Manifest, _ id: ProviderID) {
        let old = providers[id]?.manifest
        let squatter = old == nil ? providers[id]?.endpoint?.connection : nil
        let wasEnabled = providers[id]?.isEnabled
        providers.update(id) { $0.setManifest(manifest) }
        if let squatter, squatter == manifest.owner, wasEnabled == true, providers[id]?.isNew ?? false {
            // It runs and shows badges already: nothing new comes with its manifest.
            providers[id]?.setEnabled(true)
            act(.persist)
        }
        if let wasEnabled, wasEnabled != providers[id]?.isEnabled { switched(id) }
        if let squatter, squatter != manifest.owner {
            // Until now, any program could use the id; the one using it is not the one in the manifest.
            providerGone(id, isFinal: true)
            withdrawFolders(of: id)
        }
        // It may have owned its name and ended before it registered.
        let hasLeft = old?.owner != nil && manifest.owner == nil
        if old?.busName != manifest.busName || hasLeft { activate(id) }
    }

    /// Forgets the folders of providers that do not run and that nothing starts.
    private mutating func forgetGhosts() {
        for id in providers.ids where providers[id]?.endpoint == nil && !(providers[id]?.keepsFolders ?? true) {
            if !(providers[id]?.folders.isEmpty ?? true) {
                withdrawFolders(of: id)
                act(.persist)
            }
            if providers[id]?.isForgettable ?? false { providers.forget(id) }
        }
    }

    mutating func restore(_ state: SavedState) {
        let numbers = Set(state.providers.values.flatMap(\.ranks.values)).sorted()
        let ranks = Dictionary(uniqueKeysWithValues: numbers.map { ($0, makeRank()) })
        let last = makeRank()
        for (id, saved) in state.providers {
            var saved = saved
            for folder in saved.folders { saved.ranks[folder.folder] = saved.ranks[folder.folder] ?? .max }
            saved.ranks = saved.ranks.mapValues { ranks[$0] ?? last }
            providers.update(id) { $0.restore(saved) }
        }
        knowsManifests = !state.hasAsked
        if let allowed = state.allowed { allowedNestings = allowed } else { allowWhatIs() }
        foldersDidChange()
    }

    /// An earlier version did not ask: its folders keep showing what they show.
    private mutating func allowWhatIs() {
        while true {
            let waiting = providers.folderTable(allowedNestings).waiting.values
            let wanted = allowedNestings.union(waiting.flatMap { $0.nestings.map(\.0) })
            guard wanted.count > allowedNestings.count, FolderNesting.areWithinLimits(wanted) else { return }
            allowedNestings = wanted
        }
    }

    // MARK: The settings

    mutating func handle(_ call: SettingsCall) {
        switch call.request {
        case .list: reply(call.token, .providers(summaries))
        case .enable(let id): known(id, call.token) { engine, id in engine.enable(id, call.token) }
        case .disable(let id): known(id, call.token) { engine, id in engine.disable(id, call.token) }
        case .forget(let id): known(id, call.token) { engine, id in engine.forget(id, call.token) }
        case .allow(let id, let folder): known(id, call.token) { engine, id in engine.allow(id, folder, call.token) }
        case .disallow(let id, let folder):
            known(id, call.token) { engine, id in engine.disallow(id, folder, call.token) }
        case .openSettings(let id): known(id, call.token) { engine, id in engine.act(.openSettings(call.token, id)) }
        }
    }

    private var summaries: [ProviderSummary] {
        let waiting = Dictionary(grouping: waitingFolders, by: \.provider)
        return providers.ids.compactMap { id in
            var summary = providers[id]?.summary
            summary?.waiting = (waiting[id] ?? []).map {
                ProviderSummary.Waiting(folder: $0.folder, provider: $0.other.provider, other: $0.other.folder)
            }
            return summary
        }
    }

    private mutating func known(_ text: String, _ token: CallToken, _ then: (inout Engine, ProviderID) -> Void) {
        guard let id = ProviderID(text), providers[id] != nil else {
            return fail(token, .unknownProvider(String(text.prefix(64))))
        }
        then(&self, id)
    }

    /// Forgets what is stored about a provider that does not run.
    private mutating func forget(_ id: ProviderID, _ token: CallToken) {
        guard providers[id]?.endpoint == nil else {
            return fail(token, .providerRunning(id))
        }
        forgetConsents(of: id)
        withdrawFolders(of: id)
        providers[id]?.clearError()
        if providers[id]?.manifest == nil {
            if providers[id]?.keptChoice != nil { act(.persist) }
            if providers[id]?.isNew ?? false { act(.propertiesChanged(.newProviders)) }
            providers.forget(id)
        }
        reply(token, .done)
        act(.providersChanged)
    }

    private mutating func enable(_ id: ProviderID, _ token: CallToken) {
        providers[id]?.allowStart()
        guard !(providers[id]?.isEnabled ?? true) else {
            reply(token, .done)
            return activate(id)
        }
        if providers[id]?.isNew ?? false { act(.propertiesChanged(.newProviders)) }
        providers[id]?.setEnabled(true)
        act(.persist)
        reply(token, .done)
        switched(id)
        forwardEverything(id)
        activate(id)
    }

    mutating func disable(_ id: ProviderID, _ token: CallToken) {
        guard providers[id]?.isEnabled ?? false else { return leaveOff(id, token) }
        let button = toolbarItem
        let images = badgeImages
        providers[id]?.setEnabled(false)
        act(.persist)
        reply(token, .done)
        menus.withdraw(id, &out)
        for call in providers[id]?.changes.reset() ?? [] {
            fail(call, .switchedOff(id))
        }
        act(.providerSettled(id))
        switched(id, button, images)
        expel(id)
    }

    /// The user does not want a provider that is off: of a new one this is the answer.
    private mutating func leaveOff(_ id: ProviderID, _ token: CallToken) {
        guard providers[id]?.isNew ?? false else { return reply(token, .done) }
        providers[id]?.setEnabled(false)
        act(.persist)
        reply(token, .done)
        act(.propertiesChanged(.newProviders))
        act(.providersChanged)
    }

    mutating func switched(
        _ id: ProviderID, _ button: ToolbarItem? = nil, _ images: [BadgeImage]? = nil
    ) {
        foldersDidChange()
        var changed: ChangedProperties = []
        if button.map({ $0 != toolbarItem }) ?? (providers[id]?.registration?.toolbarItem != nil) {
            changed.insert(.toolbarItem)
        }
        if images.map({ $0 != badgeImages }) ?? !(providers[id]?.images.isEmpty ?? true) { changed.insert(.badges) }
        if !changed.isEmpty { act(.propertiesChanged(changed)) }
        act(.providersChanged)
    }
}

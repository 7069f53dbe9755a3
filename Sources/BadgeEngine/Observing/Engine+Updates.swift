package import RoundelBus

/// Updates of providers and events of the watcher.
extension Engine {
    mutating func updateBadges(_ call: RegistryCall, _ provider: ProviderID, _ uri: ItemURI, _ columns: BadgeColumns) {
        guard columns.isRectangular else {
            return fail(call.token, .unequalColumns)
        }
        guard columns.count <= Limits.namesPerCall else {
            return fail(call.token, .tooManyRows)
        }
        if let badge = columns.badges.first(where: { !$0.isAllowed(for: provider) }) {
            return fail(call.token, .badgeTaken(badge, provider))
        }
        guard columns.progress.allSatisfy(Progress.isValid) else {
            return fail(call.token, .badProgress)
        }
        guard badges.hasRoom(for: columns.badges, of: provider) else {
            return fail(call.token, .tooManyBadges)
        }
        let location = folderTable.locate(uri)
        guard providers[provider]?.hasClaimed ?? false, ownsSomething(provider, in: location) else {
            return fail(call.token, .nothingOwned(uri, provider))
        }
        guard let id = directories.id(at: location) else { return reply(call.token, .observed(false)) }
        reply(call.token, .observed(true))
        makeRoomForBadges()
        let wantsWhole = directories[id].wantsWhole
        for (row, name) in columns.names.enumerated() where directories[id].provider(of: name) == provider {
            let state = state(columns, row, of: provider)
            directories[id].update(name, state, wantsWhole: wantsWhole)
        }
        touch(id)
    }

    private func ownsSomething(_ provider: ProviderID, in location: ItemURI) -> Bool {
        if let folder = folderTable.folder(containing: location), folder.provider == provider { return true }
        return folderTable.folders(in: location).contains { $0.provider == provider }
            || isDisabledFolder(provider, location)
    }

    /// A disabled provider may go on telling; nobody hears it.
    private func isDisabledFolder(_ provider: ProviderID, _ location: ItemURI) -> Bool {
        guard let record = providers[provider], !record.isEnabled else { return false }
        return record.folders.contains { location.isWithin($0.location) || $0.location.parent == location }
    }

    mutating func itemsVanished(_ directory: ItemURI, _ names: [ItemName]) {
        let location = folderTable.locate(directory)
        if let id = directories.id(at: location) {
            directories[id].vanish(names)
            touch(id)
        }
        let gone = Set(names)
        let depth = location.isRoot ? 1 : location.path.utf8.count + 1
        for id in directories.orderedIDs where directories[id].location.isBelow(location) {
            let rest = directories[id].location.path.dropFirst(depth).prefix { $0 != "/" }
            guard gone.contains(ItemName(canonical: String(rest))) else { continue }
            endDirectories(within: location.appending(ItemName(canonical: String(rest))))
        }
    }

    /// The items of a directory that its observers asked about or were told of, in no particular order.
    package func knownNames(in directory: ItemURI) -> [ItemName] {
        guard let id = directories.id(at: folderTable.locate(directory)) else { return [] }
        return directories[id].items.indicesInUse.map { directories[id].items.names[Int($0)] }
    }

    /// What is known in the directory and not among `names` has vanished. Directories below are left to their own
    /// watches, which tell when they vanish.
    mutating func itemsPresent(_ directory: ItemURI, _ names: [ItemName]) {
        guard let id = directories.id(at: folderTable.locate(directory)) else { return }
        let present = Set(names)
        directories[id].vanish(knownNames(in: directory).filter { !present.contains($0) })
        touch(id)
    }

    // MARK: Changes below folders

    mutating func forward(_ changes: FolderChanges) {
        guard let folder = folderTable.byLocation[folderTable.locate(changes.folder)], folder.offer.watch,
            providers.activeEndpoint(folder.provider) != nil
        else { return }
        providers[folder.provider]?.changes.add(changes)
        sendChanges(folder.provider)
    }

    private mutating func sendChanges(_ provider: ProviderID) {
        guard let endpoint = providers.activeEndpoint(provider) else { return }
        let token = out.answers.makeToken()
        guard let changes = providers[provider]?.changes.next(token) else { return }
        out.answers.add(token, PendingRequest(provider: provider, purpose: .changes))
        act(.ask(token, endpoint, .itemsChanged(changes)))
    }

    /// A provider accepted changes, or refused them: then the next change is reported as the whole folder.
    mutating func changesAnswered(_ provider: ProviderID, _ token: RequestToken, _ answer: ProviderAnswer) {
        var isAccepted = false
        if case .done = answer { isAccepted = true } else { blame(provider, answer) }
        for flush in providers[provider]?.changes.answer(token, isAccepted: isAccepted) ?? [] {
            if flush.isAccepted {
                reply(flush.call, .done)
            } else {
                fail(flush.call, .changesRefused(provider))
            }
        }
        sendChanges(provider)
    }

    /// Reports to a provider that anything may have changed in its watched folders, once they are watched again: what it
    /// reads then cannot change unnoticed.
    mutating func forwardEverything(_ provider: ProviderID) {
        for folder in providers[provider]?.folders ?? [] where folder.offer.watch {
            act(.reportWhenWatched(folder.offer.folder))
        }
    }

    mutating func flush(_ call: RegistryCall, _ provider: ProviderID, _ uri: ItemURI) {
        guard isFolder(uri, of: provider) else { return fail(call.token, .notYourFolder(uri, provider)) }
        flushCalls[call.token] = OpenFlush(provider: provider, folder: uri)
        act(.flushWatcher(call.token, uri))
    }

    mutating func flushed(_ token: CallToken) {
        guard let flush = flushCalls.removeValue(forKey: token) else { return }
        guard providers[flush.provider]?.endpoint != nil else { return failGone(token, flush.provider) }
        if providers[flush.provider]?.changes.flush(token, flush.folder) ?? true { reply(token, .done) }
        sendChanges(flush.provider)
    }

    func isFolder(_ uri: ItemURI, of provider: ProviderID) -> Bool {
        providers[provider]?.folders.contains { $0.offer.folder == uri } ?? false
    }

    mutating func failGone(_ token: CallToken, _ provider: ProviderID) {
        fail(token, .providerNotRunning(provider))
    }
}

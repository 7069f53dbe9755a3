internal import RoundelBus
internal import Support

/// Who observes what, and notifying providers.
extension Engine {
    mutating func handle(_ call: HostCall) {
        switch call.request {
        case .beginObserving(let uri): begin(call, uri)
        case .endObserving(let uri): end(call, uri)
        case .requestBadges(let uri, let names): requestBadges(call, uri, names)
        case .requestDirectory(let uri, let after, let limit): requestDirectory(call, uri, after, limit)
        case .getMenu(let kind, let target, let selection): getMenu(call, kind, target, selection)
        case .activate(let menu, let item, let options): activate(call, menu, item, options)
        case .activateNotice(let folder, let notice, let action, let options):
            activateNotice(call, folder, notice, action, options)
        case .getAttributes(let uri, let keys): getAttributes(call, uri, keys)
        case .getItemService(let uri, let interface): getItemService(call, uri, interface)
        }
    }

    private mutating func begin(_ call: HostCall, _ uri: ItemURI) {
        // A spelling in use goes on to mean the same, even if the folder that made it known is gone.
        let inUse = observers.directory(call.caller, uri)
        let location = inUse.map { directories[$0].location } ?? folderTable.locate(uri)
        guard folderTable.isMonitored(location) else { return reply(call.token, .monitored(false)) }
        let existing = inUse ?? directories.id(at: location)
        let isCounted = existing.map { observers.observes(call.caller, $0) } ?? false
        guard isCounted || observers.directoryCount(call.caller) < Limits.directoriesPerCaller else {
            return fail(call.token, .tooManyDirectories)
        }
        let id = existing ?? directories.insert(location)
        if existing == nil { place(id) }
        addObserver(id, call.caller, uri)
        reply(call.token, .monitored(true))
        reconcile(id)
    }

    private mutating func addObserver(_ id: DirectoryID, _ client: String, _ spelling: ItemURI) {
        observers.add(client, spelling, id)
        guard let position = directories[id].observer(client) else {
            directories[id].observers.append(Observer(client: client, spellings: [(spelling, 1)]))
            return
        }
        if let known = directories[id].observers[position].spellings.firstIndex(where: { $0.uri == spelling }) {
            directories[id].observers[position].spellings[known].count += 1
        } else {
            directories[id].observers[position].spellings.append((spelling, 1))
        }
    }

    /// The directory that a caller observes by this spelling or another one.
    func observedDirectory(_ client: String, _ uri: ItemURI) -> DirectoryID? {
        if let id = observers.directory(client, uri) { return id }
        guard let id = directories.id(at: folderTable.locate(uri)), observers.observes(client, id) else { return nil }
        return id
    }

    mutating func failNotObserving(_ token: CallToken, _ uri: ItemURI) {
        fail(token, .notObserving(uri))
    }

    private mutating func end(_ call: HostCall, _ uri: ItemURI) {
        guard let id = observedDirectory(call.caller, uri), let position = directories[id].observer(call.caller) else {
            return failNotObserving(call.token, uri)
        }
        let spellings = directories[id].observers[position].spellings
        let used = spellings.firstIndex { $0.uri == uri } ?? 0
        directories[id].observers[position].spellings[used].count -= 1
        if spellings[used].count == 1 {
            if spellings.count == 1 {
                removeObserver(id, call.caller)
            } else {
                directories[id].observers[position].spellings.remove(at: used)
                observers.removeSpelling(call.caller, spellings[used].uri)
            }
        }
        reply(call.token, .done)
    }

    /// Ends one caller's share in a directory, with the directory if it was the last.
    mutating func removeObserver(_ id: DirectoryID, _ client: String) {
        guard let position = directories[id].observer(client) else { return }
        let observer = directories[id].observers.remove(at: position)
        observers.recount(client, from: observer.counted, to: KeptNames())
        observers.remove(client, id, observer.spellings.map(\.uri))
        failHeldCalls(id, of: client)
        if directories[id].observers.isEmpty {
            close(id)
        } else {
            if !directories[id].wantsWhole { dropLoad(id) }
            directories[id].needsSweep = true
            touch(id)
        }
    }

    private mutating func failHeldCalls(_ id: DirectoryID, of client: String) {
        let held = directories[id].held
        guard !held.isEmpty else { return }
        directories[id].held.removeAll { $0.client == client }
        for call in held where call.client == client {
            failNotObserving(call.token, directories[id].location)
        }
    }

    /// Forgets a directory that nobody observes.
    private mutating func close(_ id: DirectoryID) {
        reconcile(id)
        for request in directories[id].requests {
            _ = out.answers.take(request)
        }
        directories.remove(id)
        if directories.isEmpty { badges = BadgeInterner() }
    }

    /// Ends all observations of a caller.
    mutating func endAll(_ client: String) {
        guard let directoriesOfClient = observers.clients[client]?.directories else { return }
        let ordered = directoriesOfClient.sorted { directories[$0].location < directories[$1].location }
        for id in ordered {
            removeObserver(id, client)
        }
    }

    /// Ends all observations of a caller and sends it Reset.
    mutating func reset(_ client: String) {
        endAll(client)
        act(.signalReset(client: client))
    }

    /// A directory is gone, with everything below it: it ends for everyone.
    mutating func endDirectories(within location: ItemURI) {
        for id in directories.orderedIDs where directories[id].location.isWithin(location) {
            for observer in directories[id].observers {
                removeObserver(id, observer.client)
            }
        }
    }

    // MARK: Providers

    /// Determines the owners of a directory and its items.
    mutating func place(_ id: DirectoryID) {
        let location = directories[id].location
        var concerned: [ProviderID: ItemURI] = [:]
        var roots: [ItemName: ProviderID] = [:]
        for folder in folderTable.folders(in: location) {
            guard let name = folder.location.name, let parent = folder.offer.folder.parent else { continue }
            roots[name] = folder.provider
            if concerned[folder.provider].map({ parent < $0 }) ?? true { concerned[folder.provider] = parent }
        }
        if let folder = folderTable.folder(containing: location) {
            let spelling = folderTable.spelling(of: location, in: folder)
            concerned[folder.provider] = spelling
            directories[id].owner = DirectoryRecord.Owner(
                provider: folder.provider, folder: folder.location, spelling: spelling)
        } else {
            directories[id].owner = nil
        }
        directories[id].roots = roots
        directories[id].concerned = concerned
    }

    /// Sends providers and the watcher the begins and ends that follow from who observes.
    mutating func reconcile(_ id: DirectoryID) {
        let isObserved = !directories[id].observers.isEmpty
        var wanted: [ProviderID: DirectoryRecord.Told] = [:]
        if isObserved {
            for (provider, spelling) in directories[id].concerned {
                guard let endpoint = providers.activeEndpoint(provider) else { continue }
                wanted[provider] = DirectoryRecord.Told(endpoint: endpoint, spelling: spelling)
            }
        }
        let told = directories[id].told
        if wanted != told {
            for (provider, old) in told.sorted(by: { $0.key < $1.key }) where wanted[provider] != old {
                act(.tell(old.endpoint, .endObserving(old.spelling)))
            }
            for (provider, new) in wanted.sorted(by: { $0.key < $1.key }) where told[provider] != new {
                act(.tell(new.endpoint, .beginObserving(new.spelling)))
            }
            directories[id].told = wanted
        }
        watch(id, isObserved ? directories[id].owner?.spelling : nil)
    }

    private mutating func watch(_ id: DirectoryID, _ wanted: ItemURI?) {
        let watched = directories[id].watched
        guard watched != wanted else { return }
        if let watched { act(.unwatchDirectory(watched)) }
        if let wanted { act(.watchDirectory(wanted)) }
        directories[id].watched = wanted
    }
}

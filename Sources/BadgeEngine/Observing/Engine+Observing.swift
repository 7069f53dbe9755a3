package import RoundelBus

/// Observations of hosts, and the end of observed directories.
extension Engine {
    mutating func handle(_ call: HostCall) {
        out.asker = call.caller
        // Before it waits, because all that waits is kept.
        if let refusal = call.request.refusal { return fail(call.token, refusal) }
        if !waitsForPlaces(call) { perform(call) }
    }

    /// Handles a call once the places of its directories are known, as far as possible.
    mutating func perform(_ call: HostCall) {
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
        // A spelling in use keeps its meaning, even if the folder that defined it is gone.
        let inUse = observers.directory(call.caller, uri)
        let location = place(ofDirectory: uri, for: call.caller)
        guard folderTable.isMonitored(location) else { return reply(call.token, .monitored(false)) }
        // Every spelling counts: each is kept, and gets its own signal of each change.
        guard inUse != nil || observers.spellingCount(call.caller) < Limits.directoriesPerCaller else {
            return fail(call.token, .tooManyDirectories)
        }
        let existing = inUse ?? directories.id(at: location)
        let id = existing ?? directories.insert(location, Placement(location, in: folderTable))
        observers.add(call.caller, uri, id, by: inUse == nil ? foundPlaces[uri]?.links ?? [] : [])
        directories[id].addObserver(call.caller, uri)
        reply(call.token, .monitored(true))
        directories[id].notifyProviders(providers, &out)
    }

    /// The directory that a caller observes under this spelling or another one.
    func observedDirectory(_ client: String, _ uri: ItemURI) -> DirectoryID? {
        if let id = observers.directory(client, uri) { return id }
        guard let id = directories.id(at: place(ofDirectory: uri, for: client)), observers.observes(client, id)
        else { return nil }
        return id
    }

    mutating func failNotObserving(_ token: CallToken, _ uri: ItemURI) {
        fail(token, .notObserving(uri))
    }

    private mutating func end(_ call: HostCall, _ uri: ItemURI) {
        guard let id = observedDirectory(call.caller, uri), let position = directories[id].position(of: call.caller)
        else { return failNotObserving(call.token, uri) }
        switch directories[id].endObservation(by: position, uri) {
        case .sameSpelling: break
        case .otherSpellings(let ended): observers.removeSpelling(call.caller, ended)
        case .nothing: removeObserver(id, call.caller)
        }
        reply(call.token, .done)
    }

    /// Ends one caller's observation of a directory, and forgets the directory if the caller was the last.
    private mutating func removeObserver(_ id: DirectoryID, _ client: String) {
        guard directories[id].removeObserver(client, &observers, &out) else { return }
        if directories[id].isObserved { directories.touch(id) } else { close(id) }
    }

    /// Forgets a directory that is no longer observed.
    private mutating func close(_ id: DirectoryID) {
        directories[id].close(providers, &out)
        directories.remove(id)
        if directories.isEmpty { badges = BadgeInterner() }
    }

    /// Ends all observations of a caller.
    mutating func endAll(_ client: String) {
        let ordered = observers.directories(client).sorted { directories[$0].location < directories[$1].location }
        for id in ordered {
            removeObserver(id, client)
        }
    }

    /// Ends all observations of a caller and sends it Reset.
    mutating func reset(_ client: String) {
        endAll(client)
        act(.signalReset(client: client))
    }

    // MARK: What the watcher reports

    /// A directory has vanished with its items. Directories below have their own watches, which report the same. It is
    /// still observed: no signal tells a host that it ended, and the host may continue to show whatever takes its
    /// place.
    mutating func directoryVanished(_ directory: ItemURI) {
        guard let id = directories.id(at: folderTable.locate(directory)) else { return }
        directories[id].leave(providers, &out)
        directories.touch(id)
    }

    mutating func directoryReturned(_ directory: ItemURI) {
        guard let id = directories.id(at: folderTable.locate(directory)) else { return }
        directories[id].comeBack(providers, &out)
        directories.touch(id)
    }

    /// Callers that observe something through this link must start again, because the link has another target now.
    mutating func linkChanged(_ link: ItemURI) {
        for client in observers.clients(through: link) { reset(client) }
    }

    mutating func itemsVanished(_ directory: ItemURI, _ names: [ItemName]) {
        guard let id = directories.id(at: folderTable.locate(directory)) else { return }
        directories[id].vanish(names)
        directories.touch(id)
    }

    /// The names of a directory that its observers asked about or were notified of, in no particular order.
    package func knownNames(in directory: ItemURI) -> [ItemName] {
        guard let id = directories.id(at: folderTable.locate(directory)) else { return [] }
        return directories[id].items.namesInUse
    }

    /// Known items of the directory that are not among `names` have vanished. Directories below have their own watches,
    /// which report when they vanish.
    mutating func itemsPresent(_ directory: ItemURI, _ names: [ItemName]) {
        guard let id = directories.id(at: folderTable.locate(directory)) else { return }
        let present = Set(names)
        directories[id].vanish(knownNames(in: directory).filter { !present.contains($0) })
        directories.touch(id)
    }
}

extension HostRequest {
    /// Why a call is refused whatever it is about: it has more than one call may have. Nil if it is not.
    fileprivate var refusal: Refusal? {
        switch self {
        case .requestBadges(_, let names): return names.count <= Limits.namesPerCall ? nil : .tooManyNames
        case .getMenu(let kind, target: _, let selection):
            guard MenuKind(rawValue: kind) != nil else { return .noSuchMenu(kind: kind) }
            guard selection.count <= Limits.namesPerCall else { return .tooManySelected }
            let bytes = selection.reduce(0) { $0 + $1.path.utf8.count }
            return bytes <= Limits.selectionBytes ? nil : .tooMuchSelected
        case .getAttributes(_, let keys):
            guard keys.count <= Limits.attributeKeys else { return .tooManyKeys }
            return keys.allSatisfy { $0.utf8.count <= Limits.attributeKey } ? nil : .keyTooLong
        case .beginObserving, .endObserving, .requestDirectory, .activate, .activateNotice, .getItemService: return nil
        }
    }
}

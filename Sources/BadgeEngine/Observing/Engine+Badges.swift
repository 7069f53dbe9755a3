package import RoundelBus

/// The badges of items: requests of hosts, answers and updates of providers.
extension Engine {
    mutating func requestBadges(_ call: HostCall, _ uri: ItemURI, _ names: [ItemName]) {
        guard let id = observedDirectory(call.caller, uri) else { return failNotObserving(call.token, uri) }
        directories[id].requestBadges(call, names, badges, providers, &observers, &out)
    }

    /// The names of items that are kept for a directory, mostly in the order of the first requests; empty if the caller
    /// does not observe it.
    package func names(in directory: ItemURI, observedBy client: String) -> [ItemName] {
        observedDirectory(client, directory).map { directories[$0].items.names } ?? []
    }

    mutating func requestDirectory(_ call: HostCall, _ uri: ItemURI, _ after: ItemName?, _ limit: UInt32) {
        guard let id = observedDirectory(call.caller, uri) else { return failNotObserving(call.token, uri) }
        let limit = limit == 0 ? Limits.namesPerCall : min(Int(limit), Limits.namesPerCall)
        directories[id].requestWhole(call, after: after, limit: limit, providers, &out)
        directories.touch(id)
    }

    /// Answers held calls, sends signals that are due, and forgets items that are no longer needed.
    mutating func process(_ id: DirectoryID) {
        directories[id].process(badges, &out)
        guard directories[id].recount(in: &observers) else { return }
        // A caller with too many vanished names must start again: it then requests only what it still shows.
        for client in directories[id].clients where observers.kept(client).gone > Limits.goneNamesPerCaller {
            reset(client)
        }
    }

    mutating func releaseOverdueCalls(_ id: DirectoryID) {
        directories[id].releaseOverdueCalls(badges, &out)
        directories.touch(id)
    }

    // MARK: What providers say

    mutating func applyBadges(
        _ answer: ProviderAnswer, _ token: RequestToken, _ provider: ProviderID, _ id: DirectoryID, _ indices: [Int32]
    ) {
        guard directories.contains(id) else { return }
        makeRoomForBadges()
        directories[id].closeQuestion(token)
        directories.touch(id)
        guard case .badges(let columns) = answer, columns.hasEqualValueColumns, columns.count == indices.count else {
            blame(provider, answer)
            noteFailure(.wrong, of: provider, at: .badges)
            return directories[id].answer(token, indices, nil, of: provider, &badges)
        }
        noteAnswer(of: provider, to: .badges)
        directories[id].answer(token, indices, columns, of: provider, &badges)
    }

    mutating func applyPage(
        _ answer: ProviderAnswer, _ token: RequestToken, _ provider: ProviderID, _ id: DirectoryID, _ after: ItemName?
    ) {
        guard directories.contains(id), let received = directories[id].endPage(token) else { return }
        makeRoomForBadges()
        directories.touch(id)
        guard case .directory(let columns, let next) = answer, isPage(columns, after: after, next: next) else {
            blame(provider, answer)
            noteFailure(.wrong, of: provider, at: .badges)
            return directories[id].finishLoad()
        }
        noteAnswer(of: provider, to: .badges)
        directories[id].applyPage(columns, next: next, received: received, of: provider, &badges, providers, &out)
    }

    /// Whether a page is well formed and the next one starts later, so that the listing ends.
    private func isPage(_ columns: BadgeColumns, after: ItemName?, next: ItemName?) -> Bool {
        guard columns.isRectangular, columns.count <= Limits.namesPerCall else { return false }
        guard let next else { return true }
        guard columns.count > 0 else { return false }
        return after.map { $0 < next } ?? true
    }

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
            let waiting = waitingFolder(around: uri, of: provider)
            return fail(call.token, waiting.map { .consentNeeded($0) } ?? .nothingOwned(uri, provider))
        }
        guard let id = directories.id(at: location) else { return reply(call.token, .observed(false)) }
        reply(call.token, .observed(true))
        makeRoomForBadges()
        directories[id].update(columns, by: provider, &badges)
        directories.touch(id)
    }

    private func ownsSomething(_ provider: ProviderID, in location: ItemURI) -> Bool {
        if let folder = folderTable.folder(containing: location), folder.provider == provider { return true }
        return folderTable.folders(in: location).contains { $0.provider == provider }
            || isDisabledFolder(provider, location)
    }

    /// A disabled provider may continue reporting; its reports are ignored.
    private func isDisabledFolder(_ provider: ProviderID, _ location: ItemURI) -> Bool {
        guard let record = providers[provider], !record.isEnabled else { return false }
        return record.folders.contains { location.isWithin($0.location) || $0.location.parent == location }
    }

    /// Frees the numbers of badges that no item has any more, before they run out.
    private mutating func makeRoomForBadges() {
        guard badges.isCrowded else { return }
        var needed: Set<UInt16> = []
        for id in directories.ids { directories[id].collectBadges(into: &needed) }
        badges.keep(needed)
    }
}

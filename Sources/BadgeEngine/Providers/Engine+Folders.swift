internal import RoundelBus

/// The folders of providers, and the effects of changes to the set of enabled ones.
extension Engine {
    // MARK: SetFolders

    mutating func setFolders(_ call: RegistryCall, _ provider: ProviderID, _ offers: [FolderOffer]) {
        if offers.contains(where: { $0.folder.isRoot }) {
            return fail(call.token, .rootFolder)
        }
        guard FolderOffer.areWithinLimits(offers) else { return fail(call.token, .tooManyFolders) }
        let check = FolderCheck(provider: provider, connection: call.caller, offers: offers)
        if let offer = offers.first(where: { !$0.icon.isIconName }) { return fail(call.token, .iconIsPath(offer.icon)) }
        guard !offers.isEmpty else { return accept(call.token, check, []) }
        folderChecks.begin(call.token, check)
        act(.checkFolders(call.token, offers.map(\.folder)))
    }

    mutating func foldersChecked(_ token: CallToken, _ facts: [FolderFacts]) {
        guard let (check, waiting) = folderChecks.end(token) else { return }
        finish(check, token, facts)
        // If one of them is another SetFolders, the remaining ones wait again.
        for call in waiting { handle(call) }
    }

    private mutating func finish(_ check: FolderCheck, _ token: CallToken, _ facts: [FolderFacts]) {
        guard providers.provider(at: check.connection) == check.provider else {
            return fail(token, .registrationLost(check.provider))
        }
        var folders: [RegisteredFolder] = []
        let present = PresentFolders(providers[check.provider]?.folders ?? [], directories)
        let rank = makeRank()
        for (offer, facts) in zip(check.offers, facts) {
            switch facts.kind {
            case .directory, .missing: break
            case .file: return fail(token, .fileAsFolder(offer.folder))
            case .symlink: return fail(token, .symlinkAsFolder(offer.folder))
            }
            var folder = made(offer, facts, check.provider, present)
            let isMoved = (providers[check.provider]?.hasClaimed ?? false) && present.isMoved(folder)
            folder.rank = isMoved ? rank : providers[check.provider]?.ranks[offer.folder] ?? rank
            folders.append(folder)
        }
        if let refusal = clash(folders, of: check.provider) { return fail(token, refusal) }
        accept(token, check, folders)
    }

    /// A folder at its resolved place, or at the place where hosts observe it, if both are the same.
    private func made(
        _ offer: FolderOffer, _ facts: FolderFacts, _ provider: ProviderID, _ present: PresentFolders
    ) -> RegisteredFolder {
        let spellings = facts.spellings
        var location = spellings.last ?? offer.folder
        if let old = present.observedLocation(of: offer.folder), old == offer.folder || spellings.contains(old) {
            location = old
        }
        return RegisteredFolder(
            provider: provider, offer: offer, location: location, spellings: spellings, kind: facts.kind)
    }

    /// Why a set of folders cannot be registered: a duplicate, one inside another, or another provider's folder; nil if
    /// it can.
    private func clash(_ folders: [RegisteredFolder], of provider: ProviderID) -> Refusal? {
        for folder in folders {
            if let other = folderTable.any(at: folder.location), other.provider != provider,
                isHeld(by: other.provider)
            {
                return .folderTaken(folder.offer.folder, by: other.provider)
            }
        }
        // In this order, a folder is directly followed by those inside it.
        let sorted = folders.sorted { NestedFolders.precedes($0.location, $1.location) }
        for (folder, next) in zip(sorted, sorted.dropFirst()) where next.location.isWithin(folder.location) {
            return next.location == folder.location ? .folderTwice : .folderInside(next.offer.folder, provider)
        }
        return nil
    }

    /// Whether a provider that is not running keeps its folders for its return.
    private func isHeld(by provider: ProviderID) -> Bool {
        guard let record = providers[provider] else { return false }
        return record.endpoint != nil || record.isStartable
    }

    private mutating func accept(_ token: CallToken, _ check: FolderCheck, _ folders: [RegisteredFolder]) {
        let places = Set(folders.map(\.location))
        let before = savedState
        let old = folderTable
        // Providers that will not come back on their own lose the folders that this one claims.
        for id in providers.ids where id != check.provider && (providers[id]?.isEnabled ?? false) {
            providers[id]?.giveUpFolders(at: places)
        }
        providers[check.provider]?.claim(folders)
        renewFolderTable()
        // The reply promises that the folders survive a crash.
        if savedState != before { act(.persist) }
        let waiting = folders.filter { folderTable.waiting[$0.location]?.folder.provider == check.provider }
            .map(\.offer.folder)
        reply(token, waiting.isEmpty ? .done : .registered(waiting: waiting))
        folderTableDidChange(from: old)
    }

    // MARK: Effects

    /// Applies the current folders of the providers to everything that depends on them.
    mutating func foldersDidChange() {
        let old = folderTable
        if renewFolderTable() { act(.persist) }
        folderTableDidChange(from: old)
    }

    /// Computes the folders that are shown. Whoever is shown comes before those that wait: they do not take its place
    /// without consent when the one that they wait for goes. Returns whether the order of the folders changed.
    @discardableResult
    private mutating func renewFolderTable() -> Bool {
        folderTable = providers.folderTable(allowedNestings)
        guard !folderTable.overtaken.isEmpty else { return false }
        for folder in folderTable.overtaken {
            let rank = makeRank()
            providers[folder.provider]?.renewRank(of: folder.offer.folder, rank)
        }
        folderTable = providers.folderTable(allowedNestings)
        return true
    }

    private mutating func folderTableDidChange(from old: FolderTable) {
        announceFolders(old)
        for client in observersOfMovedItems() {
            reset(client)
        }
        for id in directories.orderedIDs {
            let placement = Placement(directories[id].location, in: folderTable)
            directories[id].place(placement, providers, &out)
            directories.touch(id)
        }
    }

    private mutating func announceFolders(_ old: FolderTable) {
        let before = old.byLocation.mapValues { FolderKey($0) }
        let after = folderTable.byLocation.mapValues { FolderKey($0) }
        let waitingBefore = old.waiting.mapValues { WaitingKey($0) }
        let waitingAfter = folderTable.waiting.mapValues { WaitingKey($0) }
        guard before != after || waitingBefore != waitingAfter else { return }
        var changed: ChangedProperties = waitingBefore == waitingAfter ? [] : .consents
        if Set(before.values.map(\.offer.folder)) != Set(after.values.map(\.offer.folder)) {
            changed.formUnion([.folders, .folderStatus])
            if providers.records.values.contains(where: { !$0.notices.isEmpty }) { changed.insert(.notices) }
        }
        // A provider that syncs a folder needs to know its changes even before the user consents to its badges.
        let folders = Array(folderTable.byLocation.values) + folderTable.waiting.values.map(\.folder)
        let watched = folders.map { WatchedFolder(folder: $0.offer.folder, tree: $0.offer.watch) }
        act(.setWatchedFolders(watched.sorted { $0.folder < $1.folder }))
        if !changed.isEmpty { act(.propertiesChanged(changed)) }
        act(.providersChanged)
    }

    /// The parts of a folder whose changes are announced.
    private struct FolderKey: Equatable {
        let provider: ProviderID
        let offer: FolderOffer

        init(_ folder: RegisteredFolder) {
            provider = folder.provider
            offer = folder.offer
        }
    }

    /// The parts of a waiting folder whose changes are announced.
    private struct WaitingKey: Equatable {
        let folder: FolderKey
        let nestings: [FolderNesting]

        init(_ waiting: FolderTable.Waiting) {
            folder = FolderKey(waiting.folder)
            nestings = waiting.nestings.map(\.0)
        }
    }

    /// The callers that observe a directory with items that no longer belong to their folder, sorted.
    private func observersOfMovedItems() -> [String] {
        var clients: Set<String> = []
        for id in directories.ids where hasMovedItems(directories[id]) {
            clients.formUnion(directories[id].clients)
        }
        return clients.sorted()
    }

    private func hasMovedItems(_ record: DirectoryRecord) -> Bool {
        guard folderTable.isMonitored(record.location) else { return true }
        return record.placement.losesItems(to: Placement(record.location, in: folderTable))
    }

    /// A registered folder appeared, vanished or was replaced.
    mutating func folderChanged(_ facts: FolderFacts) {
        guard let folder = folderTable.any(spelled: facts.folder) else { return }
        let location = folder.location
        guard providers[folder.provider]?.hasFolder(at: location) ?? false else { return }
        let isNewSpelling = facts.spellings.contains { !folder.spellings.contains($0) && $0 != location }
        let isRespelled = facts.kind == .directory && isNewSpelling
        providers[folder.provider]?.updateFolder(
            at: location, facts.kind, spellings: isRespelled ? facts.spellings : nil)
        if isRespelled {
            respell(folder)
        } else {
            // Thousands of folders may vanish together with their disk.
            folderTable.setKind(facts.kind, at: location)
        }
        // With a new spelling, more directories are monitored, so hosts must retry where they were refused.
        if isNewSpelling || folder.isBlocked { act(.propertiesChanged(.folders)) }
    }
}

extension Engine {
    /// A path that led elsewhere until now may lead into another provider's folder, which was there first.
    private mutating func respell(_ folder: RegisteredFolder) {
        if providers[folder.provider]?.hasClaimed ?? false {
            let rank = makeRank()
            providers[folder.provider]?.renewRank(of: folder.offer.folder, rank)
        }
        let old = folderTable
        if renewFolderTable() { act(.persist) }
        if Set(old.waiting.keys) != Set(folderTable.waiting.keys) { folderTableDidChange(from: old) }
    }
}

/// A provider's current folders, to compare with its new ones.
private struct PresentFolders {
    private var locations: [ItemURI: ItemURI] = [:]
    private var folders: [ItemURI: RegisteredFolder] = [:]
    /// Every observed directory and its ancestors.
    private var observed: Set<ItemURI> = []
    private var observedParents: Set<ItemURI> = []

    init(_ folders: [RegisteredFolder], _ directories: DirectoryTable) {
        guard !folders.isEmpty else { return }
        for folder in folders {
            locations[folder.offer.folder] = folder.location
            self.folders[folder.offer.folder] = folder
        }
        for id in directories.ids {
            let location = directories[id].location
            observedParents.insert(location)
            var ancestor: ItemURI? = location
            while let place = ancestor, observed.insert(place).inserted { ancestor = place.parent }
        }
    }

    /// Whether an existing folder now leads elsewhere.
    func isMoved(_ new: RegisteredFolder) -> Bool {
        guard let old = folders[new.offer.folder] else { return false }
        return ([new.location] + new.spellings).contains { $0 != old.location && !old.spellings.contains($0) }
    }

    /// The place of the folder, if hosts observe it, something in it, or its parent.
    func observedLocation(of folder: ItemURI) -> ItemURI? {
        guard let location = locations[folder] else { return nil }
        let isObserved = observed.contains(location) || location.parent.map(observedParents.contains) ?? false
        return isObserved ? location : nil
    }
}

extension FolderOffer {
    /// Whether these folders are within a provider's limits.
    fileprivate static func areWithinLimits(_ offers: [FolderOffer]) -> Bool {
        let bytes = offers.reduce(0) { $0 + $1.folder.uri.utf8.count + $1.label.utf8.count + $1.icon.utf8.count }
        return offers.count <= Limits.foldersPerProvider && bytes <= Limits.folderText
    }
}

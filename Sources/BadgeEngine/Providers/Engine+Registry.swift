internal import RoundelBus

/// The calls of providers.
extension Engine {
    mutating func handle(_ call: RegistryCall) {
        if folderChecks.isOpen(call.caller) { return wait(call) }
        if case .register(let registration) = call.request { return register(call, registration) }
        guard let provider = providers.provider(at: call.caller) else {
            return fail(call.token, .notRegistered)
        }
        switch call.request {
        case .register: break
        case .setFolders(let offers): setFolders(call, provider, offers)
        case .setBadgeImages(let images): setBadgeImages(call, provider, images)
        case .updateBadges(let uri, let columns): updateBadges(call, provider, uri, columns)
        case .setFolderStatus(let uri, let status, let notices): setFolderStatus(call, provider, uri, status, notices)
        case .flush(let uri): flush(call, provider, uri)
        case .unregister: unregister(call, provider)
        }
    }

    /// Keeps a call until the folders of an earlier SetFolders are checked.
    private mutating func wait(_ call: RegistryCall) {
        if !folderChecks.wait(call) { fail(call.token, .tooManyCallsWait) }
    }

    private mutating func register(_ call: RegistryCall, _ registration: ProviderRegistration) {
        guard let id = ProviderID(registration.id) else {
            return fail(call.token, .badProviderID)
        }
        guard mayBe(id, call.caller) else {
            return fail(call.token, .idTaken(id))
        }
        guard providers[id] != nil || providers.strangers < Limits.strangers else {
            return fail(call.token, .tooManyStrangers(id))
        }
        let buttonBefore = toolbarItem
        let endpoint = ProviderEndpoint(connection: call.caller, object: registration.object)
        if let old = providers[id]?.endpoint, old != endpoint { providerGone(id, isFinal: true) }
        providers.update(id) { record in
            record.registration = registration
            record.lastError = ""
            record.hasWithdrawn = false
        }
        badges.startAnew(id)
        providers.connect(id, endpoint)
        reply(call.token, .done)
        act(.providerSettled(id))
        if toolbarItem != buttonBefore { act(.propertiesChanged(.toolbarItem)) }
        act(.providersChanged)
    }

    /// Whether a connection may register under an id.
    private func mayBe(_ id: ProviderID, _ connection: String) -> Bool {
        if let present = providers.provider(at: connection), present != id { return false }
        guard let record = providers[id] else { return true }
        if let manifest = record.manifest { return manifest.owner == connection }
        return record.endpoint == nil || record.endpoint?.connection == connection
    }

    private mutating func setBadgeImages(_ call: RegistryCall, _ provider: ProviderID, _ images: [BadgeImage]) {
        guard images.count <= Limits.badgeImages else {
            return fail(call.token, .tooManyBadgeImages)
        }
        if let image = images.first(where: { $0.badge == .none || !$0.badge.isAllowed(for: provider) }) {
            return fail(call.token, .badgeTaken(image.badge, provider))
        }
        let before = badgeImages
        providers[provider]?.images = images
        reply(call.token, .done)
        if badgeImages != before { act(.propertiesChanged(.badges)) }
    }

    private mutating func setFolderStatus(
        _ call: RegistryCall, _ provider: ProviderID, _ uri: ItemURI, _ status: FolderStatus,
        _ notices: [FolderNotice]
    ) {
        guard isFolder(uri, of: provider) else { return fail(call.token, .notYourFolder(uri, provider)) }
        guard Progress.isValid(status.progress) else {
            return fail(call.token, .badProgress)
        }
        if let refusal = FolderNotice.refusal(of: notices) { return fail(call.token, .badNotices(refusal)) }
        reply(call.token, .done)
        var changed: ChangedProperties = []
        if (providers[provider]?.status[uri] ?? .unknown) != status { changed.insert(.folderStatus) }
        if (providers[provider]?.notices[uri] ?? []) != notices { changed.insert(.notices) }
        guard !changed.isEmpty else { return }
        providers[provider]?.status[uri] = status
        providers[provider]?.notices[uri] = notices.isEmpty ? nil : notices
        if providers[provider]?.isEnabled ?? false { act(.propertiesChanged(changed)) }
    }

    private mutating func unregister(_ call: RegistryCall, _ provider: ProviderID) {
        providers[provider]?.hasWithdrawn = true
        withdrawFolders(of: provider)
        reply(call.token, .done)
        providerGone(provider, isFinal: true)
    }

    /// Forgets a provider's folders and what it gave for them.
    mutating func withdrawFolders(of provider: ProviderID) {
        let before = savedState
        let hadImages = !(providers[provider]?.images.isEmpty ?? true)
        providers[provider]?.folders = []
        providers[provider]?.status = [:]
        providers[provider]?.notices = [:]
        providers[provider]?.images = []
        if savedState != before { act(.persist) }
        if hadImages { act(.propertiesChanged(.badges)) }
        foldersDidChange()
    }

    // MARK: Folders

    private mutating func setFolders(_ call: RegistryCall, _ provider: ProviderID, _ offers: [FolderOffer]) {
        if offers.contains(where: { $0.folder.isRoot }) {
            return fail(call.token, .rootFolder)
        }
        guard FolderOffer.areWithinLimits(offers) else { return fail(call.token, .tooManyFolders) }
        let check = FolderCheck(provider: provider, connection: call.caller, offers: offers)
        guard !offers.isEmpty else { return accept(call.token, check, []) }
        folderChecks.begin(call.token, check)
        act(.checkFolders(call.token, offers.map(\.folder)))
    }

    mutating func foldersChecked(_ token: CallToken, _ facts: [FolderFacts]) {
        guard let (check, waiting) = folderChecks.end(token) else { return }
        finish(check, token, facts)
        // One that sets folders itself makes the rest wait again.
        for call in waiting { handle(call) }
    }

    private mutating func finish(_ check: FolderCheck, _ token: CallToken, _ facts: [FolderFacts]) {
        guard providers.provider(at: check.connection) == check.provider else {
            return fail(token, .registrationLost(check.provider))
        }
        var folders: [RegisteredFolder] = []
        let present = PresentFolders(providers[check.provider]?.folders ?? [], directories)
        for (offer, facts) in zip(check.offers, facts) {
            switch facts.kind {
            case .directory, .missing: break
            case .file: return fail(token, .fileAsFolder(offer.folder))
            case .symlink: return fail(token, .symlinkAsFolder(offer.folder))
            }
            folders.append(made(offer, facts, check.provider, present))
        }
        if let refusal = clash(folders, of: check.provider) { return fail(token, refusal) }
        accept(token, check, folders)
    }

    /// A folder at the place that its facts say, or where hosts observe it as long as that is the same place.
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

    /// Why a set of folders cannot be registered: a folder twice, one inside another, or one that is another's.
    private func clash(_ folders: [RegisteredFolder], of provider: ProviderID) -> Refusal? {
        let sorted = folders.sorted { $0.location < $1.location }
        for folder in folders {
            if let other = folderTable.byLocation[folder.location], other.provider != provider,
                isHeld(by: other.provider)
            {
                return .folderTaken(folder.offer.folder, by: other.provider)
            }
        }
        let places = Set(sorted.map(\.location))
        if places.count < sorted.count { return .folderTwice }
        for folder in sorted {
            var ancestor = folder.location.parent
            while let place = ancestor {
                if places.contains(place) {
                    return .folderInside(folder.offer.folder, provider)
                }
                ancestor = place.parent
            }
        }
        return nil
    }

    /// Whether a provider that is not running keeps its folders for when it comes back.
    private func isHeld(by provider: ProviderID) -> Bool {
        guard let record = providers[provider] else { return false }
        return record.endpoint != nil || record.isStartable
    }

    private mutating func accept(_ token: CallToken, _ check: FolderCheck, _ folders: [RegisteredFolder]) {
        let places = Set(folders.map(\.location))
        let before = savedState
        // What is taken over from a provider that will not come back by itself is that one's no more.
        for id in providers.ids where id != check.provider && (providers[id]?.isEnabled ?? false) {
            providers[id]?.folders.removeAll { places.contains($0.location) }
        }
        let spellings = Set(folders.map(\.offer.folder))
        providers[check.provider]?.folders = folders
        providers[check.provider]?.hasClaimed = true
        if let status = providers[check.provider]?.status {
            providers[check.provider]?.status = status.filter { spellings.contains($0.key) }
        }
        if let notices = providers[check.provider]?.notices {
            providers[check.provider]?.notices = notices.filter { spellings.contains($0.key) }
        }
        // The answer says that the folders outlive a crash.
        if savedState != before { act(.persist) }
        reply(token, .done)
        foldersDidChange()
    }
}

/// The folders that a provider has, to be looked up for each that it is to have.
private struct PresentFolders {
    private var locations: [ItemURI: ItemURI] = [:]
    /// Every observed directory and all above it.
    private var observed: Set<ItemURI> = []
    private var observedParents: Set<ItemURI> = []

    init(_ folders: [RegisteredFolder], _ directories: DirectoryTable) {
        guard !folders.isEmpty else { return }
        for folder in folders { locations[folder.offer.folder] = folder.location }
        for id in directories.ids {
            let location = directories[id].location
            observedParents.insert(location)
            var ancestor: ItemURI? = location
            while let place = ancestor, observed.insert(place).inserted { ancestor = place.parent }
        }
    }

    /// Where the folder is, if hosts observe it, something in it, or the directory that holds it.
    func observedLocation(of folder: ItemURI) -> ItemURI? {
        guard let location = locations[folder] else { return nil }
        let isObserved = observed.contains(location) || location.parent.map(observedParents.contains) ?? false
        return isObserved ? location : nil
    }
}

extension FolderOffer {
    /// Whether a provider can have these folders.
    fileprivate static func areWithinLimits(_ offers: [FolderOffer]) -> Bool {
        let bytes = offers.reduce(0) { $0 + $1.folder.uri.utf8.count + $1.label.utf8.count + $1.icon.utf8.count }
        return offers.count <= Limits.foldersPerProvider && bytes <= Limits.folderText
    }
}

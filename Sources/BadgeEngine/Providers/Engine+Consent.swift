internal import RoundelBus

/// The user's consent to folders above or below those of other providers.
extension Engine {
    /// The folders that show nothing before the user consents, sorted.
    package var waitingFolders: [WaitingFolder] {
        folderTable.waiting.values.compactMap { entry in
            guard let (nesting, isInside) = entry.nestings.first else { return nil }
            let other = isInside ? nesting.outer : nesting.inner
            let provider = entry.folder.provider
            return WaitingFolder(
                provider: provider, name: providers[provider]?.name ?? provider.rawValue,
                folder: entry.folder.offer.folder, other: other,
                otherName: providers[other.provider]?.name ?? other.provider.rawValue, isInside: isInside)
        }.sorted { $0.folder < $1.folder }
    }

    /// The user lets a provider have a folder above or below those of others, as they are now.
    mutating func allow(_ id: ProviderID, _ folder: ItemURI, _ token: CallToken) {
        guard isFolder(folder, of: id) else { return fail(token, .notAFolderOf(folder, id)) }
        guard let entry = waitingFolder(folder, of: id) else { return reply(token, .done) }
        let wanted = allowedNestings.union(entry.nestings.map(\.0))
        guard FolderNesting.areWithinLimits(wanted) else { return fail(token, .tooManyConsents) }
        allowedNestings = wanted
        act(.persist)
        reply(token, .done)
        foldersDidChange()
    }

    /// The user revokes the consent for a folder: from now on it waits if it is above or below another provider's.
    mutating func disallow(_ id: ProviderID, _ folder: ItemURI, _ token: CallToken) {
        let own = FolderNesting.Folder(provider: id, folder: folder)
        let kept = allowedNestings.filter { $0.outer != own && $0.inner != own }
        guard isFolder(folder, of: id) || kept.count < allowedNestings.count else {
            return fail(token, .notAFolderOf(folder, id))
        }
        if kept.count < allowedNestings.count {
            allowedNestings = kept
            let rank = makeRank()
            providers[id]?.renewRank(of: folder, rank)
            act(.persist)
        }
        reply(token, .done)
        foldersDidChange()
    }

    /// Forgets all consents that involve a provider.
    mutating func forgetConsents(of id: ProviderID) {
        let kept = allowedNestings.filter { $0.outer.provider != id && $0.inner.provider != id }
        guard kept.count < allowedNestings.count else { return }
        allowedNestings = kept
        act(.persist)
    }

    /// The entry of a provider's folder that waits; nil if it does not.
    func waitingFolder(_ folder: ItemURI, of id: ProviderID) -> FolderTable.Waiting? {
        guard let own = providers[id]?.folders.first(where: { $0.offer.folder == folder }),
            let entry = folderTable.waiting[own.location], entry.folder.provider == id
        else { return nil }
        return entry
    }

    /// A provider's waiting folder that contains a directory or is in it; nil if there is none.
    func waitingFolder(around directory: ItemURI, of id: ProviderID) -> ItemURI? {
        guard !folderTable.waiting.isEmpty else { return nil }
        return providers[id]?.folders.first { folder in
            guard folderTable.waiting[folder.location]?.folder.provider == id else { return false }
            return directory.isWithin(folder.offer.folder) || folder.offer.folder.parent == directory
        }?.offer.folder
    }

    /// The user consented with the button of the notice. Hosts outside the service cannot do this.
    mutating func allowFromNotice(_ call: HostCall, _ folder: ItemURI) -> Bool {
        guard let entry = folderTable.waiting.values.first(where: { $0.folder.offer.folder == folder }) else {
            return false
        }
        allow(entry.folder.provider, folder, call.token)
        return true
    }
}

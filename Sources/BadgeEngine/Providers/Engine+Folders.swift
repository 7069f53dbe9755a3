internal import RoundelBus

/// What follows when the set of enabled folders changes.
extension Engine {
    /// Brings everything in line with the folders of the providers.
    mutating func foldersDidChange() {
        let old = folderTable
        folderTable = providers.folderTable
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
        guard before != after else { return }
        var changed: ChangedProperties = []
        if Set(before.values.map(\.offer.folder)) != Set(after.values.map(\.offer.folder)) {
            changed = [.folders, .folderStatus]
            if providers.records.values.contains(where: { !$0.notices.isEmpty }) { changed.insert(.notices) }
        }
        let watched = folderTable.byLocation.values.map { folder in
            WatchedFolder(folder: folder.offer.folder, tree: folder.offer.watch)
        }
        act(.setWatchedFolders(watched.sorted { $0.folder < $1.folder }))
        if !changed.isEmpty { act(.propertiesChanged(changed)) }
        act(.providersChanged)
    }

    /// What of a folder is announced when it changes.
    private struct FolderKey: Equatable {
        let provider: ProviderID
        let offer: FolderOffer

        init(_ folder: RegisteredFolder) {
            provider = folder.provider
            offer = folder.offer
        }
    }

    /// Who observes a directory with items that belonged to one folder and now do not, in the order of their names.
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
        let location = folderTable.locate(facts.folder)
        guard let folder = folderTable.byLocation[location],
            let position = providers[folder.provider]?.folders.firstIndex(where: { $0.location == location })
        else { return }
        let isNewSpelling = facts.spellings.contains { !folder.spellings.contains($0) && $0 != location }
        providers[folder.provider]?.folders[position].kind = facts.kind
        if facts.kind == .directory && isNewSpelling {
            providers[folder.provider]?.folders[position].spellings = facts.spellings
            folderTable = providers.folderTable
        } else {
            // Thousands of folders may go with the disk that they are on.
            folderTable.setKind(facts.kind, at: location)
        }
        if facts.kind != .directory { endDirectories(within: location) }
        // With another spelling more directories are monitored, so hosts have to begin where that was refused.
        if isNewSpelling || folder.isBlocked { act(.propertiesChanged(.folders)) }
    }
}

package import RoundelBus

extension Engine {
    /// The property `Folders`: every registered folder as its provider spells it, in order.
    package var folders: [ItemURI] {
        folderTable.byLocation.values.map(\.offer.folder).sorted()
    }

    /// The folders with their providers and options, in order of the folders.
    package var registeredFolders: [(provider: ProviderID, offer: FolderOffer)] {
        folderTable.byLocation.values.map { ($0.provider, $0.offer) }.sorted { $0.offer.folder < $1.offer.folder }
    }

    /// The property `Badges`: the common ones with Roundel's own images, and what enabled providers gave of their own.
    package var badgeImages: [BadgeImage] {
        var images: [Badge: BadgeImage] = [:]
        for image in BadgeImage.common { images[image.badge] = image }
        for id in providers.ids {
            guard let record = providers[id], record.isEnabled else { continue }
            for image in record.images where images[image.badge] == nil { images[image.badge] = image }
        }
        return images.values.sorted { $0.badge.identifier < $1.badge.identifier }
    }

    /// The property `ToolbarItem`: Roundel's own unless exactly one provider gives one.
    package var toolbarItem: ToolbarItem {
        let given = providers.ids.compactMap { id -> ToolbarItem? in
            guard let record = providers[id], record.isEnabled, record.endpoint != nil else { return nil }
            return record.registration?.toolbarItem
        }
        return given.count == 1 ? given[0] : .own
    }

    /// The property `FolderStatus`: one for every registered folder, as its provider spells it.
    package var folderStatus: [ItemURI: FolderStatus] {
        var statuses: [ItemURI: FolderStatus] = [:]
        for folder in folderTable.byLocation.values {
            let uri = folder.offer.folder
            statuses[uri] = providers[folder.provider]?.status[uri] ?? .unknown
        }
        return statuses
    }

    /// The notices of every registered folder that has any, as its provider spells it.
    package var folderNotices: [ItemURI: [FolderNotice]] {
        var notices: [ItemURI: [FolderNotice]] = [:]
        for folder in folderTable.byLocation.values {
            let uri = folder.offer.folder
            notices[uri] = providers[folder.provider]?.notices[uri]
        }
        return notices
    }

    /// What is kept over a restart.
    package var savedState: SavedState {
        var state = SavedState(allowed: allowedNestings)
        for id in providers.ids {
            guard let record = providers[id] else { continue }
            let folders = record.keepsFolders ? record.folders.map(\.offer) : []
            let ranks = record.keepsFolders ? record.ranks : [:]
            guard !record.isEnabled || !folders.isEmpty || !ranks.isEmpty else { continue }
            state.providers[id] = SavedState.Provider(enabled: record.isEnabled, folders: folders, ranks: ranks)
        }
        return state
    }

    /// The number of directories that somebody observes; nothing is kept for others.
    package var observedDirectoryCount: Int { directories.count }
}

extension BadgeImage {
    /// Roundel's own images of the common badges.
    static let common: [BadgeImage] = CommonBadge.allCases.map { common in
        BadgeImage(badge: common.badge, label: common.label, icon: common.icon)
    }
}

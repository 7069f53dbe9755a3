package import RoundelBus

extension Engine {
    /// The property `Folders`: all registered folders as their providers spell them, sorted.
    package var folders: [ItemURI] {
        folderTable.byLocation.values.map(\.offer.folder).sorted()
    }

    /// The folders with their providers and options, sorted by folder.
    package var registeredFolders: [(provider: ProviderID, offer: FolderOffer)] {
        folderTable.byLocation.values.map { ($0.provider, $0.offer) }.sorted { $0.offer.folder < $1.offer.folder }
    }

    /// The property `Badges`: the common ones with Roundel's own images, and those that enabled providers added.
    package var badgeImages: [BadgeImage] {
        var images: [Badge: BadgeImage] = [:]
        for image in BadgeImage.common { images[image.badge] = image }
        for id in providers.ids {
            guard let record = providers[id], record.isEnabled else { continue }
            for image in record.images where images[image.badge] == nil { images[image.badge] = image }
        }
        return images.values.sorted { $0.badge.identifier < $1.badge.identifier }
    }

    /// The property `ToolbarItem`: Roundel's own unless exactly one provider provides one.
    package var toolbarItem: ToolbarItem {
        let given = providers.ids.compactMap { id -> ToolbarItem? in
            guard let record = providers[id], record.isEnabled, record.endpoint != nil else { return nil }
            return record.registration?.toolbarItem
        }
        return given.count == 1 ? given[0] : .own
    }

    /// The property `FolderStatus`: the status of each registered folder, as its provider spells it.
    package var folderStatus: [ItemURI: FolderStatus] {
        var statuses: [ItemURI: FolderStatus] = [:]
        for folder in folderTable.byLocation.values {
            let uri = folder.offer.folder
            statuses[uri] = providers[folder.provider]?.status[uri] ?? .unknown
        }
        return statuses
    }

    /// The notices of all registered folders that have any, as their providers spell them.
    package var folderNotices: [ItemURI: [FolderNotice]] {
        var notices: [ItemURI: [FolderNotice]] = [:]
        for folder in folderTable.byLocation.values {
            let uri = folder.offer.folder
            notices[uri] = providers[folder.provider]?.notices[uri]
        }
        return notices
    }

    /// The state to save for the next start.
    package var savedState: SavedState {
        var state = SavedState(allowed: allowedNestings, hasAsked: !knowsManifests)
        for id in providers.ids {
            guard let record = providers[id] else { continue }
            let folders = record.keepsFolders ? record.folders.map(\.offer) : []
            let ranks = record.keepsFolders ? record.ranks : [:]
            guard record.keptChoice != nil || !folders.isEmpty || !ranks.isEmpty else { continue }
            state.providers[id] = SavedState.Provider(
                enabled: record.keptChoice, folders: folders, ranks: ranks, app: record.program?.app)
        }
        return state
    }

    /// The number of observed directories; nothing is kept for others.
    package var observedDirectoryCount: Int { directories.count }
}

extension BadgeImage {
    /// Roundel's own images of the common badges.
    static let common: [BadgeImage] = CommonBadge.allCases.map { common in
        BadgeImage(badge: common.badge, label: common.label, icon: common.icon)
    }
}

internal import RoundelBus

/// Which badge an item has, by all that is known of its folder. Where something is not known, it is none.
struct BadgeRules {
    let settings: FolderSettings
    let activity: FolderActivity
    let counts: FolderCounts?
    let shown: ShownItems
    let failures: FolderFailures
    let conflicts: ConflictCopies
    let transfers: FolderTransfers
    let lacked: LackedItems

    /// The badge of an item, while Syncthing answers.
    func row(of item: ItemURI) -> BadgeRow {
        let row = unpausedRow(of: item)
        guard settings.isPaused else { return row }
        return BadgeRow(badge: row.badge == .excluded ? .excluded : .paused)
    }

    private func unpausedRow(of item: ItemURI) -> BadgeRow {
        let isRoot = item == settings.root
        let path = FolderPaths(root: settings.root).name(of: item)
        if !isRoot {
            guard let path else { return BadgeRow(badge: .excluded) }
            if IgnorePatterns.isInternal(path) { return BadgeRow(badge: .excluded) }
        }
        if settings.isPaused { return BadgeRow() }
        if case .stopped = activity { return BadgeRow(badge: isRoot ? .error : .none) }
        if failures.concern(item) { return BadgeRow(badge: .error) }
        if conflicts.concern(item) { return BadgeRow(badge: .conflict) }
        if let moving = transfers.row(of: item, blocks: blocks(of: item)) { return moving }
        let own = isRoot ? rootBadge : ownBadge(item, path ?? "")
        guard own == .synced, shown[item]?.disk == .directory || isRoot else { return BadgeRow(badge: own) }
        return BadgeRow(badge: contentBadge(item))
    }

    private func blocks(of item: ItemURI) -> UInt64 {
        if case .known(let record)? = shown[item]?.index { record.global.blocks } else { 0 }
    }

    /// The badge of the folder as a whole.
    private var rootBadge: Badge {
        guard let counts, !settings.devices.isEmpty else { return .none }
        if counts.neededItems > 0 {
            return settings.direction == .sendOnly ? .changedElsewhereOnly : activity == .syncing ? .syncing : .pending
        }
        if counts.changedHereOnly > 0 { return .changedHereOnly }
        return .synced
    }

    /// The badge of an item by itself, whatever is in it.
    private func ownBadge(_ item: ItemURI, _ path: String) -> Badge {
        guard let known = shown[item], let disk = known.disk, disk != .notLooked else { return .none }
        switch known.index {
        case .open, .failed: return .none
        case .absent:
            if disk == .special { return .excluded }
            guard disk != .missing, let isIgnored = shown.ignores?.ignores(path) else { return .none }
            return isIgnored ? .excluded : .pending
        case .known(let record): return badge(of: record, disk, item)
        }
    }

    private func badge(of record: IndexRecord, _ disk: DiskFacts, _ item: ItemURI) -> Badge {
        if record.local.isIgnored || disk == .special { return .excluded }
        if disk == .missing { return .none }
        if !disk.agrees(with: record.local) || record.local.mustRescan { return .pending }
        if record.local.isChangedHereOnly { return .changedHereOnly }
        guard record.isCurrent, !lacked.isLackedHere(item) else {
            return settings.direction == .sendOnly ? .changedElsewhereOnly : .pending
        }
        if settings.devices.isEmpty { return .none }
        return record.isElsewhere || lacked.isSent(item, to: settings.devices) ? .synced : .pending
    }

    /// The badge of a directory that is synced itself, by what is in it.
    private func contentBadge(_ item: ItemURI) -> Badge {
        if lacked.isSomeLackedHere(below: item) || shown.hasUnscanned(below: item) { return .pending }
        return lacked.isAllSent(below: item, to: settings.devices) ? .synced : .pending
    }
}

extension Badge {
    /// Changed in a folder that sends nothing.
    static let changedHereOnly = Badge("syncthing.changed-here")
    /// Changed on other devices, in a folder that does not accept it.
    static let changedElsewhereOnly = Badge("syncthing.changed-elsewhere")
}

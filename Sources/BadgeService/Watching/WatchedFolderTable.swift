internal import BadgeEngine
internal import FileWatch
internal import RoundelBus

/// The watched folders, with the numbers that the watcher uses for them.
struct WatchedFolderTable {
    private var entries: [FolderID: WatchedFolder] = [:]
    private var ids: [ItemURI: FolderID] = [:]
    private var last: UInt32 = 0

    /// The changes the watcher has to make to watch another set.
    struct Changes {
        var removed: [FolderID] = []
        var set: [(FolderID, WatchedFolder)] = []
    }

    mutating func replace(with wanted: [WatchedFolder]) -> Changes {
        var changes = Changes()
        let kept = Set(wanted.map(\.folder))
        for (id, entry) in entries where !kept.contains(entry.folder) {
            changes.removed.append(id)
            entries[id] = nil
            ids[entry.folder] = nil
        }
        for folder in wanted {
            if let id = ids[folder.folder] {
                guard entries[id] != folder else { continue }
                entries[id] = folder
                changes.set.append((id, folder))
            } else {
                last += 1
                let id = FolderID(rawValue: last)
                ids[folder.folder] = id
                entries[id] = folder
                changes.set.append((id, folder))
            }
        }
        return changes
    }

    func id(of folder: ItemURI) -> FolderID? { ids[folder] }

    func uri(of id: FolderID) -> ItemURI? { entries[id]?.folder }
}

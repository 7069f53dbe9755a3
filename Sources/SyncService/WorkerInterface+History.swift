internal import BadgeCore
internal import DBus
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

extension WorkerInterface {
    /// The methods about what was done, and what was taken away.
    static func history(_ service: SyncService) -> [Interface.Method] {
        [
            method("Activity", [("limit", "u")], [("entries", "aa{sv}")]) { [unowned service] call, reader in
                let asked = Int(try reader.readUInt32())
                let entries = service.activities(limit: asked == 0 ? 1000 : min(asked, 10_000))
                call.reply { writer in
                    try writer.append(value: .maps(entries.map(\.map)))
                    try writer.appendNoExtras()
                }
            },
            method("ListTrash", [("folder", "s")], [("items", "aa{sv}")]) { [unowned service] call, reader in
                let units = try service.units(named: try reader.readString())
                var items: [SyncTrashItem] = []
                for unit in units { items += try unit.keptVersions().map { unit.trashItem($0) } }
                items.sort { $0.time > $1.time }
                call.reply { writer in
                    try writer.append(value: .maps(items.map(\.map)))
                    try writer.appendNoExtras()
                }
            },
            method("RestoreTrash", [("uri", "s")], [("restored_uri", "s")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                let id = try reader.readVariantMap().string("id")
                let unit = try service.unit(named: item.uri)
                let restored = try unit.restore(item, id: id)
                call.reply { writer in
                    try writer.append(restored)
                    try writer.appendNoExtras()
                }
            },
        ]
    }
}

extension SyncService {
    /// The newest entries of all folders' logs, the oldest of them first.
    fileprivate func activities(limit: Int) -> [SyncActivity] {
        var entries: [SyncActivity] = []
        for unit in units {
            let records = (try? unit.folder.store.activities(limit: limit)) ?? []
            entries += records.map { unit.activity($0) }
        }
        entries.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        return entries.suffix(limit)
    }
}

extension FolderUnit {
    /// What syncing took away in this folder, the newest first.
    /// - Throws: `Failed` where the folder cannot be looked at.
    fileprivate func keptVersions() throws(WorkerError) -> [KeptVersion] {
        guard let keeper = folder.local as? any KeepsVersions else { return [] }
        do {
            return try keeper.keptVersions()
        } catch {
            throw WorkerError(.failed, error.message)
        }
    }

    fileprivate func trashItem(_ version: KeptVersion) -> SyncTrashItem {
        var item = SyncTrashItem(
            id: version.place.rawValue + ":" + version.id, folder: settings.id,
            uri: (version.path.uri(below: uri) ?? uri).uri, reason: version.reason.rawValue,
            place: version.place.rawValue, time: version.date * 1_000_000)
        item.size = version.size
        item.isDirectory = version.isDirectory
        return item
    }

    /// Puts the newest version of an item back, or the one with this id; returns where it is now.
    /// - Throws: `NotInTrash`, or `Failed` where it cannot be put back.
    fileprivate func restore(_ item: ItemURI, id: String?) throws(WorkerError) -> ItemURI {
        let path = RelativePath(item, below: uri)
        let found = try keptVersions().first { version in
            version.path == path && (id == nil || id == trashItem(version).id)
        }
        guard let found, let keeper = folder.local as? any KeepsVersions else {
            throw WorkerError(.notInTrash, "Nothing was kept of “\(item.uri)”; see roundel trash list.")
        }
        do {
            let place = try keeper.restore(found)
            folder.changed(.local, directories: [place.parent], items: [place])
            return place.uri(below: uri) ?? uri
        } catch {
            throw WorkerError(.failed, error.message)
        }
    }
}

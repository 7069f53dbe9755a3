internal import DBus
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

extension WorkerInterface {
    /// The methods about what was done, and what was taken away.
    static func history(_ service: Worker) -> [Interface.Method] {
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
                TrashListing.begin(call, try service.units(named: try reader.readString()), service)
            },
            method("RestoreTrash", [("uri", "s")], [("restored_uri", "s")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                let id = try reader.readVariantMap().string("id")
                service.restore(item, id: id, of: try service.unit(named: item.uri), call)
            },
        ]
    }
}

extension Worker {
    /// The newest entries of all folders' logs, the oldest of them first.
    fileprivate func activities(limit: Int) -> [SyncActivity] {
        var entries: [SyncActivity] = []
        for unit in units { entries += unit.activities(limit: limit) }
        entries.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        return entries.suffix(limit)
    }
}

extension Worker {
    /// Puts an item of a folder back, and answers with where it is now.
    fileprivate func restore(_ item: ItemURI, id: String?, of unit: FolderUnit, _ call: MethodCall) {
        guard let path = RelativePath(item, below: unit.uri) else {
            return call.fail(WorkerError.notKept(item).busError)
        }
        let kept = unit.kept
        let isBegun = blocking.run({ () -> Result<KeptOfFolder.Restored, WorkerError> in
            Result { () throws(WorkerError) in try kept.restore(path, id: id, of: item) }
        }) { [weak unit] result in
            unit?.letGo()
            switch result {
            case .failure(let error): call.fail(error.busError)
            case .success(let restored):
                unit?.follow(restored)
                let place = unit.flatMap { restored.place.uri(below: $0.uri) } ?? item
                call.reply { writer in
                    try writer.append(place)
                    try writer.append(map: [
                        "side": .string(SyncWorkerProxy.Side(restored.side).rawValue),
                        "count": .uint32(UInt32(clamping: restored.items.count)),
                    ])
                }
            }
        }
        if !isBegun {
            call.fail(WorkerError.tooMuchWaits.busError)
        }
    }
}

extension SyncWorkerProxy.Side {
    fileprivate init(_ side: SyncCore.Side) {
        self =
            switch side {
            case .local: .local
            case .remote: .remote
            }
    }
}

extension FolderUnit {
    /// What was put back is synced from where it is.
    fileprivate func follow(_ restored: KeptOfFolder.Restored) {
        for side in Side.allCases {
            let paths = restored.items.filter { $0.side == side }.map(\.path)
            if !paths.isEmpty { changed(side, items: paths) }
        }
    }
}

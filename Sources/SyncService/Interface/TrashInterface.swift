internal import DBus
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// Kept versions: `org.roundel.Roundel1.Engine.Trash`.
enum TrashInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(
            .trash, methods(service),
            signals: [Interface.Signal("RestoreProgress", [("done", "t"), ("total", "t")] + WorkerInterfaces.extra)])
    }

    private static func methods(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("ListTrash", [("folder", "s")], [("items", "aa{sv}")]) { [unowned service] call, reader in
                let places = try service.removed.keptPlaces(named: try reader.readString())
                TrashListing.begin(call, try reader.readOptions(), places, service)
            },
            .ofWorker("RestoreTrash", [("uri", "s")], [("restored_uri", "s")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                let options = try reader.readOptions()
                service.restore(
                    item, id: options.string("id"), to: try target(options),
                    of: try service.removed.keptPlaces(named: item.uri), call)
            },
            .ofWorker("RestoreTrashSince", [("uri", "s"), ("moment", "x")], [("result", "a{sv}")]) {
                [unowned service] call, reader in
                let (name, moment) = (try reader.readString(), try reader.readInt64())
                try RestoreCall.begin(call, name, since: moment, to: target(try reader.readOptions()), service)
            },
            .ofWorker("ListServerVersions", [("uri", "s")], [("versions", "aa{sv}")]) {
                [unowned service] call, reader in
                let item = try reader.readItemURI()
                try service.versions(of: item).versions(of: item) { result in
                    call.answer(result) { writer, versions in try writer.append(value: .maps(versions.map(\.map))) }
                }
            },
            .ofWorker("RestoreServerVersion", [("uri", "s"), ("id", "s")], [("restored_uri", "s")]) {
                [unowned service] call, reader in
                try service.restore(reader.readItemURI(), try reader.readString(), call)
            },
            .ofWorker("DeleteTrash", [("uri", "s")], [("result", "a{sv}")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                service.delete(item, of: try service.removed.keptPlaces(named: item.uri), call)
            },
        ]
    }

    /// The directory to which to restore.
    private static func target(_ options: VariantMap) throws(WorkerError) -> ItemURI? {
        guard let text = options.string("to") else { return nil }
        return try ItemURI(folder: text)
    }
}

/// A restored item and the index of its folder.
private struct RestoredItem: Sendable {
    var folder: Int
    var restored: KeptOfFolder.Restored
}

extension Worker {
    /// Restores an item from one of these folders, and replies with its place now.
    fileprivate func restore(
        _ item: ItemURI, id: String?, to target: ItemURI?, of places: [KeptPlace], _ call: MethodCall
    ) {
        let asked = places.map { (kept: $0.kept, path: RelativePath(item, below: $0.uri)) }
        let directory = target?.filePath
        let isBegun = blocking.run({ () -> Result<RestoredItem, WorkerError> in
            Result { () throws(WorkerError) in
                var refusal = WorkerError.notKept(item)
                for (index, place) in asked.enumerated() {
                    guard let path = place.path else { continue }
                    do throws(WorkerError) {
                        let restored = try place.kept.restore(path, id: id, of: item, to: directory)
                        return RestoredItem(folder: index, restored: restored)
                    } catch {
                        if error.code != .notInTrash { throw error }
                        if index == 0 { refusal = error }
                    }
                }
                throw refusal
            }
        }) { [unowned self] result in
            letGo(places)
            switch result {
            case .failure(let error): call.fail(error.busError)
            case .success(let done):
                let (place, restored) = (places[done.folder], done.restored)
                if target == nil { follow(restored.items, in: place) }
                let uri = place.uri(of: restored.place, on: restored.side, below: target) ?? item
                call.reply { writer in
                    try writer.append(uri)
                    try writer.append(map: [
                        "side": .string(TrashProxy.Side(target == nil ? restored.side : .local).rawValue),
                        "count": .uint32(UInt32(clamping: restored.items.count)), "synced": .bool(!place.isRemoved),
                    ])
                }
            }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
    }

    /// Deletes what these folders keep of an item and everything below it, and replies with how much that was.
    fileprivate func delete(_ item: ItemURI, of places: [KeptPlace], _ call: MethodCall) {
        let asked = places.map { (kept: $0.kept, path: RelativePath(item, below: $0.uri)) }
        let isBegun = blocking.run({ asked.map { place in place.path.map { place.kept.delete($0) } } }) {
            [unowned self] results in
            letGo(places)
            var sum = SyncDeletedVersions()
            for (place, deleted) in zip(places, results) {
                guard let deleted else { continue }
                sum.versions += deleted.versions
                sum.bytes += deleted.bytes
                sum.desktop += deleted.desktop
                sum.isPartial = sum.isPartial || deleted.isPartial
                if place.isRemoved, place.uri == item, deleted.desktop == 0, !deleted.isPartial {
                    removed.forget(place.id)
                }
            }
            call.reply { writer in
                try writer.append(map: sum.map)
                try writer.appendNoExtras()
            }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
    }

    /// The versions that the server of an item's folder keeps.
    fileprivate func versions(of item: ItemURI) throws(WorkerError) -> FolderVersions {
        guard let versions = try folders.unit(named: item.uri).versions else { throw .keepsNoVersions(item) }
        return versions
    }

    /// Restores a version that the server keeps, and replies with its place.
    fileprivate func restore(_ item: ItemURI, _ version: String, _ call: MethodCall) throws(WorkerError) {
        let (versions, unit) = (try versions(of: item), try folders.unit(named: item.uri))
        let restored: (Result<RelativePath, WorkerError>) -> Void = unit.untilDeparture { [weak unit] result in
            call.answer(
                result.map { path in
                    unit?.changed(.local, items: [path])
                    unit?.letGo()
                    return path.uri(below: unit?.uri ?? item) ?? item
                }
            ) { writer, uri in try writer.append(uri) }
        }
        versions.restore(version, of: item, answer: restored)
    }

    /// Syncs restored items from their places.
    func follow(_ items: [(side: SyncCore.Side, path: RelativePath)], in place: KeptPlace) {
        guard !place.isRemoved, let unit = folders.unit(withID: place.id) else { return }
        for side in Side.allCases {
            let paths = items.filter { $0.side == side }.map(\.path)
            if !paths.isEmpty { unit.changed(side, items: paths) }
        }
    }

    /// Closes directories that were opened to find kept versions.
    func letGo(_ places: [KeptPlace]) {
        for place in places where !place.isRemoved { folders.unit(withID: place.id)?.letGo() }
    }
}

extension TrashProxy.Side {
    fileprivate init(_ side: SyncCore.Side) {
        self =
            switch side {
            case .local: .local
            case .remote: .remote
            }
    }
}

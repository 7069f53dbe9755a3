internal import DBus
internal import RoundelBus
internal import Support

/// The folders and their state: `org.roundel.Roundel1.Engine.Folders`.
enum FoldersInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(
            .folders, folders(service) + running(service) + ExcludesMethods.all(service),
            signals: [
                Interface.Signal("FoldersChanged", WorkerInterfaces.extra),
                Interface.Signal("StatusChanged", [("folder", "s"), ("status", "a{sv}")] + WorkerInterfaces.extra),
                Interface.Signal("ActivityAdded", [("entries", "aa{sv}")] + WorkerInterfaces.extra),
            ])
    }

    // MARK: Folders

    private static func folders(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("AddFolder", [("uri", "s"), ("remote", "s")], [("folder", "s")]) {
                [unowned service] call, reader in
                let (uri, remote) = (try reader.readString(), try reader.readString())
                let options = try reader.readOptions()
                do throws(WorkerError) {
                    service.placement.add(try NewFolder(uri, remote: remote, options, service.kinds), call)
                } catch {
                    guard error.code == .invalidRemote else { throw error }
                    service.placement.refuse(remote, because: error, call)
                }
            },
            .ofWorker("RemoveFolder", [("folder", "s")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                let drops = try reader.readOptions().bool("drop-placeholders") == true
                try OnDemandCall.requireNone(for: unit, service)
                service.removed.remove(unit, dropping: drops) { result in
                    switch result {
                    case .success(let kept): call.reply { try $0.append(map: kept.map) }
                    case .failure(let error): call.fail(error.busError)
                    }
                }
            },
            .ofWorker("RelocateFolder", [("folder", "s"), ("new_uri", "s")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                service.placement.relocate(unit, to: try ItemURI(folder: try reader.readString()), call)
            },
            .ofWorker("ListFolders", [], [("folders", "aa{sv}")]) { [unowned service] call, _ in
                call.reply { writer in
                    try writer.append(value: .maps(service.folders.all.map(\.summary.map)))
                    try writer.appendNoExtras()
                }
            },
            .ofWorker("Space", [("folder", "s")], [("space", "a{sv}")]) { [unowned service] call, reader in
                SpaceCall.begin(call, try service.folders.unit(named: try reader.readString()), service)
            },
            .ofWorker("Status", [("folder", "s")], [("folders", "aa{sv}")]) { [unowned service] call, reader in
                let units = try service.folders.units(named: try reader.readString())
                let transfers = Int(try reader.readOptions().uint32("transfers") ?? 16)
                call.reply { writer in
                    try writer.append(
                        value: .maps(units.map { $0.reporter.report(transfers: min(transfers, 1000)).map }))
                    try writer.append(map: ["watching": .bool(service.hub.isRegistered)])
                }
            },
        ]
    }

    // MARK: Running and its log

    private static func running(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("Sync", [("folder", "s")], [("result", "a{sv}")]) { [unowned service] call, reader in
                let name = try reader.readString()
                try SyncCall.begin(call, name, try reader.readOptions(), service)
            },
            .ofWorker("Problems", [("folder", "s")], [("problems", "aa{sv}")]) { [unowned service] call, reader in
                let name = try reader.readString()
                let limit = Int(try reader.readOptions().uint32("limit") ?? 1_000)
                let (place, units) = (try? ItemURI(name), try service.folders.units(named: name))
                let found = units.map { unit in
                    FolderProblems(unit.items, unit.attributes, of: unit.settings.id)
                        .list(within: place, limit: min(limit, 10_000))
                }
                let more = found.reduce(0) { $0 + $1.more }
                call.reply { writer in
                    try writer.append(value: .maps(found.flatMap(\.problems).map(\.map)))
                    try writer.append(map: more == 0 ? [:] : ["more": .uint64(UInt64(clamping: more))])
                }
            },
            .ofWorker("Pause", [("folder", "s")]) { [unowned service] call, reader in
                let units = try service.folders.units(named: try reader.readString())
                let pause = try FolderPause(try reader.readOptions(), now: WallClock.microseconds)
                for unit in units { try service.book.setPause(pause, unit) }
                call.reply { try $0.appendNoExtras() }
            },
            .ofWorker("Resume", [("folder", "s")]) { [unowned service] call, reader in
                for unit in try service.folders.units(named: try reader.readString()) {
                    try service.book.setPause(nil, unit)
                }
                call.reply { try $0.appendNoExtras() }
            },
            .ofWorker("Address", [("uri", "s")], [("address", "s")]) { [unowned service] call, reader in
                let item = try ItemURI(try reader.readString())
                guard let unit = service.folders.unit(holding: item) else { throw WorkerError.unknownFolder(item.uri) }
                unit.address(of: item) { result in
                    switch result {
                    case .success(let address):
                        call.reply { writer in
                            try writer.append(address)
                            try writer.appendNoExtras()
                        }
                    case .failure(let error): call.fail(error.busError)
                    }
                }
            },
            .ofWorker("Activity", [("limit", "u")], [("entries", "aa{sv}")]) { [unowned service] call, reader in
                let asked = Int(try reader.readUInt32())
                let entries = service.activities(limit: asked == 0 ? 1000 : min(asked, 10_000))
                call.reply { writer in
                    try writer.append(value: .maps(entries.map(\.map)))
                    try writer.appendNoExtras()
                }
            },
        ]
    }
}

extension Worker {
    /// The newest entries of all folders' logs, sorted from old to new.
    fileprivate func activities(limit: Int) -> [SyncActivity] {
        var entries: [SyncActivity] = []
        for unit in folders.all { entries += unit.reporter.activities(limit: limit) }
        entries.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        return entries.suffix(limit)
    }
}

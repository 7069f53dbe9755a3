internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SystemPackage

/// Where the contents of items are: `org.roundel.Roundel1.Engine.Contents`.
enum ContentsInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(
            .contents, moving(service) + choices(service),
            signals: [Interface.Signal("ContentsProgress", [("progress", "a{sv}")] + WorkerInterfaces.extra)])
    }

    // MARK: Items

    private static let uris: [Interface.Argument] = [("uris", "as")]

    private static func moving(_ service: Worker) -> [Interface.Method] {
        [
            moving("Fetch", .here, service), moving("Free", .away, service),
            .ofWorker("Pin", uris) { [unowned service] call, reader in
                try service.moving.pin(try selected(try reader.readStringArray(), service))
                call.reply { try $0.appendNoExtras() }
            },
            .ofWorker("Unpin", uris) { [unowned service] call, reader in
                try service.moving.unpin(try selected(try reader.readStringArray(), service))
                call.reply { try $0.appendNoExtras() }
            },
        ]
    }

    private static func moving(_ name: String, _ aim: Demand.Aim, _ service: Worker) -> Interface.Method {
        .ofWorker(name, uris, [("result", "a{sv}")]) { [unowned service] call, reader in
            let uris = try reader.readStringArray()
            try ContentsCall.begin(aim, call, uris, try reader.readOptions(), service)
        }
    }

    /// The items, which must all be known and in folders on demand.
    private static func selected(_ uris: [String], _ service: Worker) throws(WorkerError) -> [ContentsWork.Item] {
        let selection = service.moving.select(try ContentsCall.items(uris))
        if let refused = selection.refused.first { throw refused.error }
        return selection.items
    }

    // MARK: Folders

    private static func choices(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("SetOnDemand", [("folder", "s"), ("on", "b")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                try OnDemandCall.begin(try reader.readBool(), unit, call, service)
            },
            .ofWorker("Clear", [("folder", "s")], [("result", "a{sv}")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                ClearCall.begin(unit, call, try reader.readOptions(), service)
            },
            .ofWorker("SetRule", [("folder", "s"), ("rule", "a{sv}")]) { [unowned service] call, reader in
                let unit = try onDemand(try reader.readString(), service)
                set(try reader.readOptions(), of: unit.settings.id, call, service)
            },
            .ofWorker("Rule", [("folder", "s")], [("rule", "a{sv}")]) { [unowned service] call, reader in
                let chosen = try onDemand(try reader.readString(), service).settings.onDemand
                var rule = SyncFreeingRule()
                rule.freeBelow = UInt64(clamping: chosen?.freeBelow ?? 0)
                rule.freeUnused = UInt64(clamping: chosen?.freeUnused ?? 0)
                call.reply { writer in
                    try writer.append(map: rule.map)
                    try writer.appendNoExtras()
                }
            },
        ]
    }

    private static func onDemand(_ name: String, _ service: Worker) throws(WorkerError) -> FolderUnit {
        let unit = try service.folders.unit(named: name)
        guard unit.settings.isOnDemand else { throw .notOnDemand(unit.settings.label) }
        return unit
    }

    /// A rule by which nobody could say what was used when is refused.
    private static func set(_ rule: VariantMap, of id: String, _ call: MethodCall, _ service: Worker) {
        let (below, unused) = (rule.uint64("free-below"), rule.uint64("free-unused"))
        func save() {
            do throws(WorkerError) {
                try service.book.change(try onDemand(id, service)) { settings in
                    if let below { settings.onDemand?.freeBelow = below == 0 ? nil : Int64(clamping: below) }
                    if let unused { settings.onDemand?.freeUnused = unused == 0 ? nil : Int64(clamping: unused) }
                }
                call.reply { try $0.appendNoExtras() }
            } catch {
                call.fail(error.busError)
            }
        }
        guard (below ?? 0) > 0 || (unused ?? 0) > 0, let place = service.folders.unit(withID: id)?.contents?.place
        else {
            return save()
        }
        service.blocking.run(within: Patience.Worker.places, { DiskRoom(near: place) }) { room in
            if room.map({ $0?.notesUse == false }) == true {
                return call.fail(WorkerError.usesUnknown(place).busError)
            }
            save()
        }
    }
}

extension WorkerError {
    fileprivate static func usesUnknown(_ place: FilePath) -> WorkerError {
        WorkerError(
            .unsupported,
            tr(
                """
                The file system of “{1}” is mounted with “noatime”, so it is not known which files were used. Mount it \
                with “relatime”, then try again.
                """, ShownPath.short(place)))
    }
}

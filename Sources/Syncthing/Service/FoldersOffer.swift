internal import DBus
internal import RoundelBus
internal import Support

/// What the engine offers beside badges: its folders with their state, their problems and their conflicts. Folders are
/// added and removed, and conflicts resolved, in Syncthing itself.
final class FoldersOffer {
    /// For the registration.
    static let services = Dictionary(
        uniqueKeysWithValues: [EngineInterface.folders, .conflicts].map { ($0.name, SyncthingEngine.object.rawValue) })
    private static let options: [Interface.Argument] = [("options", "a{sv}")]
    private static let extra: [Interface.Argument] = [("extra", "a{sv}")]

    private let bus: Connection
    private unowned let engine: SyncthingEngine
    private var exported: [Registration] = []

    /// - Parameter engine: Must outlive this object.
    init(_ engine: SyncthingEngine, on bus: Connection) throws {
        self.engine = engine
        self.bus = bus
        let sandboxes = SandboxGate(bus: bus)
        exported = try [folders, conflicts].map { interface in
            try bus.export(interface.closedToSandboxes(sandboxes), at: SyncthingEngine.object)
        }
    }

    /// Tells that there are other folders.
    func foldersChanged() { emit("FoldersChanged") { _ in } }

    /// Tells the state of a folder.
    func statusChanged(_ status: SyncFolderStatus) {
        emit("StatusChanged") { writer in
            try writer.append(status.id)
            try writer.append(map: status.map)
        }
    }

    private func emit(_ signal: String, _ write: @escaping (inout MessageWriter) throws -> Void) {
        try? bus.emit(SyncthingEngine.object, EngineInterface.folders.name, signal) { writer in
            try write(&writer)
            try writer.append(map: [:])
        }
    }

    // MARK: Folders

    private var folders: Interface {
        let maps: [Interface.Argument] = [("folders", "aa{sv}")]
        return Interface(
            EngineInterface.folders.name,
            methods: [
                Interface.Method("ListFolders", in: Self.options, out: maps + Self.extra) { [unowned self] call in
                    Self.reply(call, engine.reports.map(\.summary.map))
                },
                Interface.Method("Status", in: [("folder", "s")] + Self.options, out: maps + Self.extra) {
                    [unowned self] call in
                    var reader = call.reader
                    let reports = try engine.reports(named: try reader.readString())
                    let transfers = Int(try reader.readOptions().uint32("transfers") ?? 16)
                    Self.reply(call, reports.map { $0.status(transfers: min(transfers, 1_000)).map })
                },
                pausing("Pause", true), pausing("Resume", false), syncing, problems, address,
            ], properties: [.version],
            signals: [
                Interface.Signal("FoldersChanged", Self.extra),
                Interface.Signal("StatusChanged", [("folder", "s"), ("status", "a{sv}")] + Self.extra),
            ])
    }

    private func pausing(_ name: String, _ isPaused: Bool) -> Interface.Method {
        Interface.Method(name, in: [("folder", "s")] + Self.options, out: Self.extra) { [unowned self] call in
            var reader = call.reader
            let reports = try engine.reports(named: try reader.readString())
            if try reader.readOptions()["until"] != nil {
                throw DBusError(
                    RoundelError(
                        .unsupported,
                        tr("Syncthing cannot pause a folder for a time. Without one it is paused until you resume it."))
                )
            }
            let others = reports.map(\.model.settings).filter { $0.isPaused != isPaused }
            engine.requests.setPaused(isPaused, others) { Self.finish(call, $0) }
        }
    }

    /// The address of Syncthing's own page, which has none for single items.
    private var address: Interface.Method {
        Interface.Method(
            "Address", in: [("uri", "s")] + Self.options, out: [("address", "s")] + Self.extra
        ) { [unowned self] call in
            var reader = call.reader
            _ = try engine.reports(named: try reader.readString())
            guard let page = engine.page else {
                let sentence = tr("Syncthing has no page that a browser could open.")
                throw DBusError(RoundelError(.unsupported, sentence))
            }
            call.reply { writer in
                try writer.append(page)
                try writer.append(map: [:])
            }
        }
    }

    /// Looks through a folder; what Syncthing then finds to sync it syncs by itself, so that there are no numbers.
    private var syncing: Interface.Method {
        Interface.Method(
            "Sync", in: [("folder", "s")] + Self.options, out: [("result", "a{sv}")] + Self.extra
        ) { [unowned self] call in
            var reader = call.reader
            let text = try reader.readString()
            let reports = try engine.reports(named: text)
            let options = try reader.readOptions()
            if let option = options.keys.first(where: { $0 != "wait" && options.bool($0) == true }) {
                throw DBusError(RoundelError(.unsupported, tr("Syncthing cannot do this: {1}.", option)))
            }
            let open = reports.filter { !$0.model.settings.isPaused }
            if let paused = reports.first, open.isEmpty, !text.isEmpty {
                throw DBusError(RoundelError(.folderPaused, tr("“{1}” is paused.", paused.label)))
            }
            scan(open.map(\.model.settings)) { [unowned self] result in
                guard case .success = result else { return Self.finish(call, result) }
                let ids = Set(open.map(\.model.settings.id))
                var run = SyncRunResult()
                run.state = engine.reports.first { ids.contains($0.model.settings.id) }?.state ?? .none
                call.reply { writer in
                    try writer.append(map: run.map)
                    try writer.append(map: [:])
                }
            }
        }
    }

    private func scan(_ folders: [FolderSettings], _ finished: @escaping FolderRequests.Finish) {
        guard let folder = folders.first else { return finished(.success(())) }
        engine.requests.rescan(folder, below: nil) { [unowned self] result in
            guard case .success = result else { return finished(result) }
            scan(Array(folders.dropFirst()), finished)
        }
    }

    private var problems: Interface.Method {
        Interface.Method(
            "Problems", in: [("folder", "s")] + Self.options, out: [("problems", "aa{sv}")] + Self.extra
        ) { [unowned self] call in
            var reader = call.reader
            let text = try reader.readString()
            let reports = try engine.reports(named: text)
            let limit = min(Int(try reader.readOptions().uint32("limit") ?? 1_000), 10_000)
            engine.findConflicts(in: reports) { [unowned self] in
                let found = engine.reports.filter { report in
                    reports.contains { $0.model.settings.id == report.model.settings.id }
                }.map { $0.problems(within: try? ItemURI(text)) }
                let more = found.reduce(0) { $0 + max(0, $1.count - limit) }
                call.reply { writer in
                    try writer.append(value: .maps(found.flatMap { $0.prefix(limit) }.map(\.map)))
                    try writer.append(map: more == 0 ? [:] : ["more": .uint64(UInt64(more))])
                }
            }
        }
    }

    // MARK: Conflicts

    private var conflicts: Interface {
        Interface(
            EngineInterface.conflicts.name,
            methods: [
                Interface.Method(
                    "Conflicts", in: [("uri", "s")] + Self.options, out: [("conflicts", "aa{sv}")] + Self.extra
                ) { [unowned self] call in
                    var reader = call.reader
                    let place = try reader.readOptionalItemURI()
                    engine.findConflicts(in: engine.reports) { [unowned self] in
                        Self.reply(call, engine.reports.flatMap { $0.conflicts(within: place) }.map(\.map))
                    }
                }
            ], properties: [.version])
    }

    // MARK: Answers

    private static func reply(_ call: MethodCall, _ maps: [VariantMap]) {
        call.reply { writer in
            try writer.append(value: .maps(maps))
            try writer.append(map: [:])
        }
    }

    private static func finish(_ call: MethodCall, _ result: Result<Void, RoundelError>) {
        switch result {
        case .success: call.reply { try $0.append(map: [:]) }
        case .failure(let error): call.fail(DBusError(error))
        }
    }
}

internal import DBus
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// `org.roundel.SyncWorker1` on the bus, for the command line and settings programs.
enum WorkerInterface {
    private typealias Argument = Interface.Argument
    static let options: [Interface.Argument] = [("options", "a{sv}")]
    static let extra: [Interface.Argument] = [("extra", "a{sv}")]

    static func make(for service: Worker) -> Interface {
        Interface(
            Names.workerInterface,
            methods: folders(service) + running(service) + network(service) + conflicts(service) + excludes(service)
                + history(service) + logins(service),
            properties: [Interface.Property("Version", "u", .const) { try $0.append(interfaceVersion) }],
            signals: [
                Interface.Signal("FoldersChanged", extra),
                Interface.Signal("StatusChanged", [("folder", "s"), ("status", "a{sv}")] + extra),
                Interface.Signal("ActivityAdded", [("entries", "aa{sv}")] + extra),
                Interface.Signal("VerifyProgress", [("folder", "s"), ("progress", "a{sv}")] + extra),
                Interface.Signal("RestoreProgress", [("done", "t"), ("total", "t")] + extra),
            ])
    }

    /// A method whose handler may throw ``WorkerError``.
    static func method(
        _ name: String, _ input: [Interface.Argument], _ output: [Interface.Argument] = [],
        _ handler: @escaping (MethodCall, inout MessageReader) throws -> Void
    ) -> Interface.Method {
        Interface.Method(name, in: input + options, out: output + extra) { call in
            var reader = call.reader
            do {
                try handler(call, &reader)
            } catch let error as WorkerError {
                throw error.busError
            }
        }
    }

    // MARK: Folders

    private static func folders(_ service: Worker) -> [Interface.Method] {
        [
            method("AddFolder", [("uri", "s"), ("remote", "s")], [("folder", "s")]) { [unowned service] call, reader in
                let (uri, remote) = (try reader.readString(), try reader.readString())
                let options = try reader.readOptions()
                do throws(WorkerError) {
                    service.placement.add(try NewFolder(uri, remote: remote, options, service.kinds), call)
                } catch {
                    guard error.code == .invalidRemote else { throw error }
                    service.placement.refuse(remote, because: error, call)
                }
            },
            method("RemoveFolder", [("folder", "s")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                service.removed.remove(unit) { result in
                    switch result {
                    case .success(let kept): call.reply { try $0.append(map: kept.map) }
                    case .failure(let error): call.fail(error.busError)
                    }
                }
            },
            method("RelocateFolder", [("folder", "s"), ("new_uri", "s")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                service.placement.relocate(unit, to: try ItemURI(folder: try reader.readString()), call)
            },
            method("ListFolders", [], [("folders", "aa{sv}")]) { [unowned service] call, _ in
                call.reply { writer in
                    try writer.append(value: .maps(service.folders.all.map(\.summary.map)))
                    try writer.appendNoExtras()
                }
            },
            method("Status", [("folder", "s")], [("folders", "aa{sv}")]) { [unowned service] call, reader in
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

    // MARK: Running

    private static func running(_ service: Worker) -> [Interface.Method] {
        [
            method("Sync", [("folder", "s")], [("result", "a{sv}")]) { [unowned service] call, reader in
                let name = try reader.readString()
                try SyncCall.begin(call, name, try reader.readOptions(), service)
            },
            method("Verify", [("uri", "s")], [("result", "a{sv}")]) { [unowned service] call, reader in
                try VerifyCall.begin(call, try reader.readOptionalItemURI(), service)
            },
            pausing("Pause", true, service), pausing("Resume", false, service),
        ]
    }

    private static func pausing(_ name: String, _ isPaused: Bool, _ service: Worker) -> Interface.Method {
        method(name, [("folder", "s")]) { [unowned service] call, reader in
            for unit in try service.folders.units(named: try reader.readString()) {
                try service.book.setPaused(isPaused, unit)
            }
            call.reply { try $0.appendNoExtras() }
        }
    }

    // MARK: The network

    private static func network(_ service: Worker) -> [Interface.Method] {
        [
            method("NetworkUse", [("folder", "s")], [("folders", "aa{sv}")]) { [unowned service] call, reader in
                let name = try reader.readString()
                let units = try service.folders.units(named: name)
                if !name.isEmpty, let unit = units.first(where: { !$0.usesNetwork }) {
                    throw WorkerError.noNetwork(unit.settings.label)
                }
                call.reply { writer in
                    try writer.append(value: .maps(units.compactMap(\.network?.report).map(\.map)))
                    try writer.appendNoExtras()
                }
            },
            method("SetNetworkUse", [("folder", "s"), ("use", "a{sv}")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                try service.book.setNetworkUse(try NetworkUse(try reader.readOptions()), of: unit)
                call.reply { try $0.appendNoExtras() }
            },
        ]
    }

    // MARK: Conflicts

    private static func conflicts(_ service: Worker) -> [Interface.Method] {
        [
            method("Conflicts", [("uri", "s")], [("conflicts", "aa{sv}")]) { [unowned service] call, reader in
                let place = try reader.readOptionalItemURI()
                let conflicts = service.folders.all.flatMap { $0.conflicts.list(within: place) }
                call.reply { writer in
                    try writer.append(value: .maps(conflicts.map(\.map)))
                    try writer.appendNoExtras()
                }
            },
            method("Resolve", [("uri", "s"), ("how", "s")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                let how = try reader.readString()
                guard let choice = SyncConflict.Choice(rawValue: how).map(ConflictChoice.init) else {
                    throw WorkerError.unknownChoice(how)
                }
                let unit = try service.folders.unit(named: item.uri)
                let name = unit.conflicts.list(within: item).first?.uri
                let pair = try unit.conflicts.resolve(item, choice)
                let ended = unit.untilDeparture { (result: Result<RunSummary, WorkerError>) in
                    if case .failure(let error) = result { return call.fail(error.busError) }
                    if let refusal = unit.conflicts.refusal(ofDecisionOn: pair) { return call.fail(refusal.busError) }
                    let resolution = ConflictResolution(uri: name, waits: unit.conflicts.waits(decisionOn: pair))
                    call.reply { try $0.append(map: resolution.map) }
                }
                unit.sync { ended(.success($0)) }
            },
        ]
    }

    // MARK: Logins

    private static func logins(_ service: Worker) -> [Interface.Method] {
        [
            method("BeginLogin", [("remote", "s")], [("login", "s"), ("address", "s")]) {
                [unowned service] call, reader in
                try service.browserLogins.begin(at: try service.kinds.loginPlace(try reader.readString()), call)
            },
            method("AwaitLogin", [("login", "s")], [("user", "s")]) { [unowned service] call, reader in
                try service.browserLogins.wait(for: try reader.readString(), call)
            },
            method("CheckLogin", [("remote", "s")]) { [unowned service] call, reader in
                try service.accountLogins.check(at: try service.kinds.loginPlace(try reader.readString()), call)
            },
            method("EndLogin", [("remote", "s")]) { [unowned service] call, reader in
                try service.accountLogins.end(at: try service.kinds.loginPlace(try reader.readString()), call)
            },
        ]
    }

    // MARK: Excludes

    private static func excludes(_ service: Worker) -> [Interface.Method] {
        let input: [Interface.Argument] = [("folder", "s"), ("patterns", "as")]
        return [
            method("ListExcludes", [("folder", "s")], [("patterns", "as")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                call.reply { writer in
                    try writer.append(strings: unit.settings.excludes)
                    try writer.append(map: ["bundled": .strings(ExcludePatterns.own + ExcludePatterns.defaults)])
                }
            },
            method("AddExcludes", input) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                let patterns = try reader.readStringArray()
                try FolderSettings.requirePatterns(patterns)
                try service.book.change(unit) { $0.add(excludes: patterns) }
                call.reply { try $0.appendNoExtras() }
            },
            method("RemoveExcludes", input) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                let patterns = try reader.readStringArray()
                if let bad = patterns.first(where: { !unit.settings.excludes.contains($0) }) {
                    throw WorkerError.unknownPattern(String(bad.prefix(100)))
                }
                try service.book.change(unit) { $0.remove(excludes: patterns) }
                call.reply { try $0.appendNoExtras() }
            },
        ]
    }
}

extension ConflictChoice {
    fileprivate init(_ choice: SyncConflict.Choice) {
        self =
            switch choice {
            case .mine: .mine
            case .theirs: .theirs
            case .both: .both
            }
    }
}

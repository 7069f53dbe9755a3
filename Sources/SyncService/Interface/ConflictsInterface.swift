internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The conflicts: `org.roundel.Roundel1.Engine.Conflicts`.
enum ConflictsInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(.conflicts, methods(service))
    }

    private static func methods(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("Conflicts", [("uri", "s")], [("conflicts", "aa{sv}")]) { [unowned service] call, reader in
                let place = try reader.readOptionalItemURI()
                let conflicts = service.folders.all.flatMap { $0.conflicts.list(within: place) }
                call.reply { writer in
                    try writer.append(value: .maps(conflicts.map(\.map)))
                    try writer.appendNoExtras()
                }
            },
            .ofWorker("Resolve", [("uri", "s"), ("how", "s")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                let how = try reader.readString()
                guard let choice = SyncConflict.Choice(rawValue: how).map(ConflictChoice.init) else {
                    throw WorkerError(.failed, tr("A conflict is resolved as mine, theirs or both, not “{1}”.", how))
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

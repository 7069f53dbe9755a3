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
                let asks = try reader.readOptions().bool("authors") ?? false
                service.listConflicts(within: place, asksAuthors: asks, call)
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

extension Worker {
    /// Of how many conflicts servers are asked at once who wrote their versions.
    private static let mostAuthors = 20

    fileprivate func listConflicts(within place: ItemURI?, asksAuthors: Bool, _ call: MethodCall) {
        func list() -> [(unit: FolderUnit, conflicts: [SyncConflict])] {
            folders.all.map { ($0, $0.conflicts.list(within: place)) }
        }
        func answer() {
            call.reply { writer in
                try writer.append(value: .maps(list().flatMap(\.conflicts).map(\.map)))
                try writer.appendNoExtras()
            }
        }
        var asked = 0
        var open = 1
        func ended() {
            open -= 1
            if open == 0 { answer() }
        }
        for (unit, conflicts) in asksAuthors ? list() : [] {
            let unknown = conflicts.filter { $0.author == nil }.prefix(Self.mostAuthors - asked)
            if unknown.isEmpty { continue }
            asked += unknown.count
            open += 1
            unit.conflicts.findAuthors(of: Array(unknown)) { ended() }
        }
        ended()
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

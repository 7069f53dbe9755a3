import Client
import RoundelBus
import Support

extension SyncRunResult {
    /// `{"state":…}`, before the run has done anything.
    var jsonOfStart: JSON {
        .object([.init("state", .string(state.identifier)), .init("needs", .optional(needs) { .string($0.text) })])
    }

    /// The exit status of a run.
    var exitStatus: ExitStatus { needsUser ? .needsUser : .done }

    /// A sentence about the run, preceded by the steps of a dry run.
    func lines(on terminal: Terminal, isDryRun: Bool = false) -> [String] {
        var table = Table([.left, .left, .right])
        for step in steps ?? [] {
            let target = step.newURI.map { " -> " + ItemURI.displayPath(of: $0) } ?? ""
            table.append([
                Table.Cell(step.action.text, .blue), Table.Cell(ItemURI.displayPath(of: step.uri) + target),
                Table.Cell(step.bytes > 0 ? Quantity.bytes(step.bytes) : "", .dim),
            ])
        }
        var lines = table.lines(on: terminal)
        lines.append(isDryRun ? rehearsal : summary(on: terminal))
        lines += waiting.map { DisplayText.escaped(Text.waiting(WorkerPath.sentence($0.uri), $0.message)) }
        if let needs { lines.append(Needs.sentence(needs, uri: "", pendingDeletes: nil)) }
        return lines
    }

    /// What was done: one phrase for each kind of work.
    private var work: [String] {
        let phrases: [(UInt64, (UInt64) -> String)] = [
            (uploaded, Text.uploaded), (downloaded, Text.downloaded), (moved, Text.moved),
            (permissions, Text.withPermissions), (deletedLocal, Text.deletedLocally),
            (deletedRemote, Text.deletedRemotely), (conflicts, Text.inConflict), (errors, Text.failed),
        ]
        return phrases.filter { $0.0 > 0 }.map { $0.1($0.0) }
    }

    private var rehearsal: String { work.isEmpty ? Text.nothingToRehearse : Text.rehearsed(work) }

    private func summary(on terminal: Terminal) -> String {
        let appearance = BadgeAppearance.of(state)
        let word = appearance.style.apply(to: DisplayText.escaped(appearance.label), on: terminal)
        // A folder that is stopped or paused may have something to do, and so may one whose server is unavailable.
        let isServerAway = needs?.known == .server || needs?.known == .login
        if isServerAway && work.isEmpty { return Text.nothingSynced(needs?.known) }
        switch (state, work.isEmpty) {
        case (.error, true): return Text.nothingSynced(needs?.known)
        case (.paused, true): return Text.nothingSyncedAsPaused
        case (.pending, true): return Text.nothingDone(state: word)
        case (_, true): return waiting.isEmpty ? Text.nothingToDo(state: word) : Text.nothingDone(state: word)
        case (.error, false): return Text.work(work)
        case (_, false): return Text.work(work, state: word)
        }
    }
}

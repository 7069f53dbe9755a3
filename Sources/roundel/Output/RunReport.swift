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
        var table = Table([.left, .left, .right], flexible: 1)
        for step in steps ?? [] {
            let target = step.newURI.map { " -> " + WorkerPath.shown($0, on: terminal) } ?? ""
            table.append([
                Table.Cell(step.action.text(on: terminal), .blue),
                Table.Cell(WorkerPath.shown(step.uri, on: terminal) + target, isPath: true),
                Table.Cell(step.bytes > 0 ? Quantity.bytes(step.bytes) : "", .dim),
            ])
        }
        var lines = table.lines(on: terminal)
        lines.append(isDryRun ? rehearsal : summary(on: terminal))
        lines += waiting.map { DisplayText.escaped(tr("“{1}” waits: {2}", WorkerPath.sentence($0.uri), $0.message)) }
        if let needs { lines.append(Needs.sentence(needs, uri: "", pendingDeletes: nil)) }
        return lines
    }

    /// What was done: one phrase for each kind of work.
    private var work: [String] {
        let phrases: [(UInt64, (UInt64) -> String)] = [
            (uploaded, { tr($0, one: "1 uploaded", other: "{1} uploaded") }),
            (downloaded, { tr($0, one: "1 downloaded", other: "{1} downloaded") }),
            (moved, { tr($0, one: "1 moved", other: "{1} moved") }),
            (permissions, { tr($0, one: "permissions of 1 item changed", other: "permissions of {1} items changed") }),
            (deletedLocal, { tr($0, one: "1 deleted on this computer", other: "{1} deleted on this computer") }),
            (deletedRemote, { tr($0, one: "1 deleted on the remote", other: "{1} deleted on the remote") }),
            (conflicts, { tr($0, one: "1 conflict", other: "{1} conflicts") }),
            (errors, { tr($0, one: "1 failed", other: "{1} failed") }),
        ]
        return phrases.filter { $0.0 > 0 }.map { $0.1($0.0) }
    }

    private var rehearsal: String {
        work.isEmpty ? tr("There is nothing to do.") : tr("Would be: {1}.", TextList.of(work))
    }

    private func summary(on terminal: Terminal) -> String {
        let appearance = BadgeAppearance.of(state)
        let word = appearance.style.apply(to: DisplayText.escaped(appearance.label), on: terminal)
        // A folder that is stopped or paused may have something to do, and so may one whose server is unavailable.
        let isServerAway = needs?.known == .server || needs?.known == .login
        if isServerAway && work.isEmpty { return Self.nothingSynced(needs?.known) }
        switch (state, work.isEmpty) {
        case (.error, true): return Self.nothingSynced(needs?.known)
        case (.paused, true): return tr("Nothing was synced: syncing is paused.")
        case (.pending, true): return tr("{1}: nothing was done.", word)
        case (_, true): return waiting.isEmpty ? tr("{1}: nothing to do.", word) : tr("{1}: nothing was done.", word)
        case (.error, false): return tr("{1}.", TextList.of(work))
        case (_, false): return tr("{1}: {2}.", word, TextList.of(work))
        }
    }

    /// Why a run did nothing.
    private static func nothingSynced(_ need: FolderNeed?) -> String {
        switch need {
        case .confirmDeletes: tr("Nothing was synced: deletions need your confirmation.")
        case .rootMissing: tr("Nothing was synced: the folder is missing.")
        case .rootReplaced: tr("Nothing was synced: another directory has the folder's place.")
        case .remoteMissing: tr("Nothing was synced: the remote is missing.")
        case .remoteReplaced: tr("Nothing was synced: another directory has the remote's place.")
        case .remoteRestored: tr("Nothing was synced: the remote looks restored from a backup.")
        case .login: tr("Nothing was synced: the server wants you to log in.")
        case .server: tr("Nothing was synced: the server cannot be reached or used.")
        case .diskFull: tr("Nothing was synced: no space is left.")
        case .conflicts, .errors, nil: tr("Nothing was synced. See: roundel status")
        }
    }
}

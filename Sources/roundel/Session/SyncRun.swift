import DBus
import RoundelBus

/// A sync started by a command.
struct SyncRun: Sendable {
    let worker: SyncWorkerProxy
    /// The ID of the folder or a URI in it; "" for all.
    let folder: String
    /// How long the command waits; nil for no limit.
    let patience: Duration?
    var options = SyncWorkerProxy.SyncOptions()

    init(worker: SyncWorkerProxy, folder: String, patience: Duration?) {
        self.worker = worker
        self.folder = folder
        self.patience = patience
    }

    /// Starts the run and returns immediately.
    func start() async throws -> SyncRunResult {
        try await worker.sync(folder, options: options)
    }

    private enum Event: Sendable {
        case finished(Result<SyncRunResult, any Error>)
        case status(SyncFolderStatus)
        case impatient
    }

    /// Waits for the end of the run and shows its progress if the output is a terminal.
    /// - Throws: ``CommandFailure`` when the waiting time is over; the run itself continues.
    func wait(quiet: Bool) async throws -> SyncRunResult {
        var options = options
        options.wait = true
        let request = options
        let merge = EventMerge<Event>()
        let console = Console()
        let isShown = console.terminal.isInteractive && !quiet && !options.isDryRun
        if isShown { merge.add(try worker.statusChanges()) { .status($0) } }
        if let patience { merge.add(.impatient, after: patience, on: worker.bus) }
        let call = Task {
            do {
                merge.add(.finished(.success(try await worker.sync(folder, options: request))))
            } catch {
                merge.add(.finished(.failure(error)))
            }
        }
        defer { call.cancel() }
        var block = LiveBlock(console)
        for await event in merge.events {
            switch event {
            case .finished(let result):
                block.draw([])
                return try result.get()
            case .impatient:
                block.draw([])
                throw CommandFailure(Text.unfinishedRun)
            case .status(let status):
                if let view = FolderView(status), concerns(status) { block.draw(view.lines(on: console.terminal)) }
            }
        }
        throw CommandFailure(Text.busClosedDuringRun)
    }

    private func concerns(_ status: SyncFolderStatus) -> Bool {
        folder.isEmpty || folder == status.id || folder == status.uri || folder.hasPrefix(status.uri + "/")
    }
}

extension SyncRunResult {
    /// `{"uploaded":n,…,"state":"synced"}`, with the steps after a dry run.
    var json: JSON { .object(jsonMembers) }

    var jsonMembers: [JSON.Member] {
        var members: [JSON.Member] = [
            .init("uploaded", .number(uploaded)), .init("downloaded", .number(downloaded)),
            .init("moved", .number(moved)), .init("deleted_local", .number(deletedLocal)),
            .init("deleted_remote", .number(deletedRemote)), .init("conflicts", .number(conflicts)),
            .init("errors", .number(errors)), .init("state", .string(state.identifier)),
        ]
        if permissions > 0 { members.append(.init("permissions", .number(permissions))) }
        if let needs { members.append(.init("needs", .string(needs.text))) }
        if !waiting.isEmpty { members.append(.init("waiting", .array(waiting.map(\.json)))) }
        if let steps { members.append(.init("steps", .array(steps.map(\.json)))) }
        return members
    }

    /// `{"state":…}`, before the run has done anything.
    var jsonOfStart: JSON {
        .object([.init("state", .string(state.identifier)), .init("needs", .optional(needs) { .string($0.text) })])
    }

    /// The exit status: conflicts and errors need the user, and so may whatever still waits when a run has ended, such
    /// as a file that a program keeps open.
    var exitStatus: ExitStatus {
        let isLeft =
            !waiting.isEmpty || conflicts > 0 || errors > 0 || needs != nil || state == .conflict || state == .error
            || state == .pending
        return isLeft ? .needsUser : .done
    }

    /// A sentence about the run, preceded by the steps of a dry run.
    func lines(on terminal: Terminal, isDryRun: Bool = false) -> [String] {
        var table = Table([.left, .left, .right])
        for step in steps ?? [] {
            let target = step.newURI.map { " -> " + WorkerPath.display($0) } ?? ""
            table.append([
                Table.Cell(step.action.text, .blue), Table.Cell(WorkerPath.display(step.uri) + target),
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

extension SyncRunResult.Step {
    fileprivate var json: JSON {
        .object(
            [.init("action", .string(action.text))] + WorkerPath.json(uri) + [
                .init("new_uri", .optional(newURI, JSON.string)), .init("bytes", .number(bytes)),
            ])
    }
}

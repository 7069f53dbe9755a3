import DBus
import RoundelBus

/// One synchronisation that a command starts.
struct SyncRun: Sendable {
    let worker: SyncWorkerProxy
    /// The folder's id or a URI in it; "" for all.
    let folder: String
    /// How long the command waits; nil without limit.
    let patience: Duration?
    var options = SyncWorkerProxy.SyncOptions()

    init(worker: SyncWorkerProxy, folder: String, patience: Duration?) {
        self.worker = worker
        self.folder = folder
        self.patience = patience
    }

    /// Starts the run and returns at once.
    func start() async throws -> SyncRunResult {
        try await worker.sync(folder, options: options)
    }

    private enum Event: Sendable {
        case finished(Result<SyncRunResult, any Error>)
        case status(SyncFolderStatus)
        case impatient
    }

    /// Waits for the end of the run; on a terminal its progress is shown meanwhile.
    /// - Throws: ``CommandFailure`` when the patience ends; the run itself goes on.
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
                throw CommandFailure("The synchronisation is not finished yet; it goes on. See: roundel status")
            case .status(let status):
                if let view = FolderView(status), concerns(status) { block.draw(view.lines(on: console.terminal)) }
            }
        }
        throw CommandFailure("The session bus closed the connection before the synchronisation was finished.")
    }

    private func concerns(_ status: SyncFolderStatus) -> Bool {
        folder.isEmpty || folder == status.id || folder == status.uri || folder.hasPrefix(status.uri + "/")
    }
}

extension SyncRunResult {
    /// `{"uploaded":n,…,"state":"synced"}`, with steps after a dry run.
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

    /// What the shell is told: conflicts and errors need the user, and so may a file that is not closed.
    var exitStatus: ExitStatus {
        let isLeft =
            !waiting.isEmpty || conflicts > 0 || errors > 0 || needs != nil || state == .conflict || state == .error
        return isLeft ? .needsUser : .done
    }

    /// A sentence about the run, after the steps of a dry run.
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
        let parts: [(UInt64, String)] = [
            (uploaded, "uploaded"), (downloaded, "downloaded"), (moved, "moved"),
            (permissions, "with changed permissions"), (deletedLocal, "deleted here"),
            (deletedRemote, "deleted at the remote"),
            (conflicts, conflicts == 1 ? "conflict" : "conflicts"), (errors, errors == 1 ? "error" : "errors"),
        ]
        let work = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        if isDryRun {
            lines.append(work.isEmpty ? "There is nothing to do." : "Would be: \(work).")
        } else {
            let appearance = BadgeAppearance.of(state)
            let word = appearance.style.apply(to: DisplayText.escaped(appearance.label), on: terminal)
            // A folder that is stopped or paused may well have something to do.
            let isHalted = state == .error || state == .paused
            let idle = waiting.isEmpty ? "nothing to do" : "nothing was done"
            let nothing = isHalted ? "nothing was done; see roundel status" : idle
            lines.append("\(word): \(work.isEmpty ? nothing : work).")
        }
        lines += waiting.map { "\(WorkerPath.display($0.uri)) is still being written; it is synced when that is done." }
        if let needs { lines.append(Needs.sentence(needs, uri: "", pendingDeletes: nil)) }
        return lines
    }
}

extension SyncRunResult.Waiting {
    fileprivate var json: JSON { .object(WorkerPath.json(uri) + [.init("message", .string(message))]) }
}

extension SyncRunResult.Step {
    fileprivate var json: JSON {
        .object(
            [.init("action", .string(action.text))] + WorkerPath.json(uri) + [
                .init("new_uri", .optional(newURI, JSON.string)), .init("bytes", .number(bytes)),
            ])
    }
}

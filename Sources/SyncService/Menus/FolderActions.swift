internal import Launching
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// Carries out the actions of the worker's menus.
struct FolderActions {
    let book: FolderBook
    let moving: ContentsMoving
    let opener: DesktopOpener
    /// Waits until all changes made in a folder so far were reported to it.
    let flush: (ItemURI, @escaping () -> Void) -> Void
    let copies: FolderCopies
    let window: InstalledWindow

    private var folders: FolderSet { book.folders }

    func activate(_ item: String, _ request: MenuRequest, finished: @escaping MenuAction.Finish) {
        if let action = CopyAction(id: item) { return copies.activate(action, request, finished) }
        guard let choice = MenuAction.parse(item) else {
            return NoticeActions(folders: folders, opener: opener).activate(item, request, finished)
        }
        let units =
            switch choice.scope {
            case .concerned: folders.concerned(by: request)
            case .folder(let id): folders.all.filter { $0.settings.id == id }
            case .all: folders.all
            }
        guard !units.isEmpty else {
            return finished(.failure(.notSynced))
        }
        do {
            try perform(choice, request, units, finished)
        } catch {
            let sentence = (error as? WorkerError)?.message ?? "\(error)"
            finished(.failure(RoundelError(.providerFailed, sentence)))
        }
    }

    private func perform(
        _ choice: MenuAction.Choice, _ request: MenuRequest, _ units: [FolderUnit],
        _ finished: @escaping MenuAction.Finish
    ) throws {
        switch choice.action {
        case .syncNow: return syncNow(units, finished)
        case .pause: try pause(.untilResumed, units, choice.scope)
        case .pauseForAnHour: try pause(.forAnHour(from: WallClock.microseconds), units, choice.scope)
        case .pauseUntilTomorrow: try pause(.untilTomorrow(from: WallClock.microseconds), units, choice.scope)
        case .resume: for unit in units { try book.setPause(nil, unit) }
        case .confirmDeletes: for unit in units { try unit.confirm(choice.deletions) }
        case .restoreDeleted: for unit in units { unit.restoreDeleted() }
        case .unite: for unit in units { unit.sync(answering: .unite) }
        case .acceptRemote: for unit in units { unit.sync(answering: .acceptRemote) }
        case .sameRoot: for unit in units { unit.sync(answering: .sameRoot) }
        case .openFolder: return opener.open(units.map(\.uri.uri), request.options) { finished($0.withoutProduct) }
        case .openRemote:
            let place = choice.scope == .concerned ? request.selection.first ?? request.target : nil
            return opener.open([try remoteURI(of: place ?? units[0].uri)], request.options) {
                finished($0.withoutProduct)
            }
        case .showRemote:
            let items = try request.selection.map { try remoteURI(of: $0) }
            return opener.show(items, request.options) { finished($0.withoutProduct) }
        case .showInBrowser: return showInBrowser(request.selection.first ?? request.target, request.options, finished)
        case .copyShareLink: return copyShareLink(request.selection, until: nil, finished)
        case .copyWeekLink:
            let end = WallClock.microseconds + 7 * 86_400_000_000
            return copyShareLink(request.selection, until: TimeText.text(end, "%Y-%m-%d", in: .local), finished)
        case .share: return share(request.selection, request.options, finished)
        case .lock, .unlock: return setLock(choice.action == .lock, request.selection, finished)
        case .exclude, .include: try changeExclusion(of: request.selection, units, excludes: choice.action == .exclude)
        case .download: moving.beginUnwatched(.here, try contents(of: request))
        case .freeUp: moving.beginUnwatched(.away, try contents(of: request))
        case .pin: try moving.pin(try contents(of: request).items)
        case .unpin: try moving.unpin(try contents(of: request).items)
        case .mine: return try resolve(request.selection, .mine, finished)
        case .theirs: return try resolve(request.selection, .theirs, finished)
        case .both: return try resolve(request.selection, .both, finished)
        case .compare: return try compare(request.selection, request.options, finished)
        case .why: return answer(.why, \.why, request, try answers(to: request.selection), finished)
        case .history: return answer(.history, \.history, request, try answers(to: request.selection), finished)
        }
        finished(.success(nil))
    }

    /// Who pauses all folders does not want one to go on sooner that is paused already.
    private func pause(_ pause: FolderPause, _ units: [FolderUnit], _ scope: MenuAction.Scope) throws(WorkerError) {
        for unit in units where scope != .all || !unit.settings.paused { try book.setPause(pause, unit) }
    }

    private func syncNow(_ units: [FolderUnit], _ finished: @escaping MenuAction.Finish) {
        if units.count == 1, units[0].isBecomingOrdinary {
            let sentence = WorkerError.becomesOrdinary(units[0].uri.filePath).message
            return finished(.failure(RoundelError(.providerFailed, sentence)))
        }
        let active = units.filter { !$0.settings.paused && !$0.isBecomingOrdinary }
        guard !active.isEmpty else {
            return finished(
                .failure(
                    units.first.map {
                        RoundelError(.providerFailed, tr("“{1}” is paused; resume it first.", $0.settings.label))
                    } ?? .notSynced))
        }
        afterSync(of: active) {
            // A run that could not take place must not look like one that found nothing to do.
            if active.allSatisfy(\.hasDeparted) { return finished(.failure(.notSynced)) }
            let halted = active.first { $0.isHalted }
            finished(
                halted.map { .failure(RoundelError(.providerFailed, $0.explainer.sentence($0.status.message))) }
                    ?? .success(nil))
        }
    }

    /// Syncs folders, including changes made just before, and calls `body` when that has ended.
    private func afterSync(of units: [FolderUnit], _ body: @escaping () -> Void) {
        var remaining = units.count
        for unit in units {
            let ended = unit.untilDeparture { (_: Result<RunSummary, WorkerError>) in
                remaining -= 1
                if remaining == 0 { body() }
            }
            flush(unit.uri) {
                unit.sync { ended(.success($0)) }
            }
        }
    }

    /// The selected items of folders on demand; without a selection, the place of the menu.
    private func contents(of request: MenuRequest) throws(WorkerError) -> ContentsMoving.Selection {
        let places = request.selection.isEmpty ? request.target.map { [$0] } ?? [] : request.selection
        let selection = moving.select(places)
        if selection.items.isEmpty, let refused = selection.refused.first { throw refused.error }
        return selection
    }

    private func changeExclusion(
        of items: [ItemURI], _ units: [FolderUnit], excludes: Bool
    ) throws(WorkerError) {
        for unit in units {
            let own = items.filter { folders.unit(holding: $0) === unit }
            let patterns = own.compactMap { ItemExclusion.exactPattern(for: $0, below: unit.uri) }
            try book.change(unit) { excludes ? $0.add(excludes: patterns) : $0.remove(excludes: patterns) }
        }
    }

    /// Resolves conflicts, and finishes when the decision is carried out; immediately in a paused folder.
    private func resolve(_ items: [ItemURI], _ choice: ConflictChoice, _ finished: @escaping MenuAction.Finish) throws {
        var decided: [FolderUnit] = []
        var pairs: [(unit: FolderUnit, nodes: [NodeID])] = []
        for item in items {
            guard let unit = folders.unit(holding: item) else { continue }
            do throws(WorkerError) {
                pairs.append((unit, try unit.conflicts.resolve(item, choice)))
                if !decided.contains(where: { $0 === unit }) { decided.append(unit) }
            } catch {
                // If both versions of a conflict are selected, the decision for the first also applies to the second.
                if decided.isEmpty { throw error }
            }
        }
        func answer() {
            let refusal = pairs.lazy.compactMap { $0.unit.conflicts.refusal(ofDecisionOn: $0.nodes) }.first
            finished(refusal.map { .failure(RoundelError(.providerFailed, $0.message)) } ?? .success(nil))
        }
        let active = decided.filter { !$0.settings.paused }
        if active.isEmpty { return answer() }
        afterSync(of: active, answer)
    }

    /// Shows the two versions of a conflict side by side.
    private func compare(
        _ selection: [ItemURI], _ options: ActivationOptions, _ finished: @escaping MenuAction.Finish
    ) throws(WorkerError) {
        guard let conflict = selection.lazy.compactMap({ folders.unit(holding: $0)?.conflicts.conflict(of: $0) }).first,
            let theirs = try? ItemURI(conflict.uri), let mine = try? ItemURI(conflict.copyURI)
        else { throw .alreadyResolved }
        guard let program = CompareTool.installed?.path else { throw .noCompareTool }
        opener.run([program, theirs.filePath.string, mine.filePath.string], options) {
            finished($0.withoutProduct)
        }
    }

    /// Answers a question about an item in the window, where it can be acted on; without one, in words.
    private func answer(
        _ view: WindowView, _ words: @escaping (ItemAnswers) -> String, _ request: MenuRequest, _ answers: ItemAnswers,
        _ finished: @escaping MenuAction.Finish
    ) {
        opener.showWindow(view, of: answers.item.uri, request.options) { isShown in
            finished(.success(isShown ? nil : .message(words(answers))))
        }
    }

    private func answers(to selection: [ItemURI]) throws(WorkerError) -> ItemAnswers {
        guard let item = selection.first, let unit = folders.unit(holding: item) else { throw .notSynced }
        return ItemAnswers(item, of: unit, now: WallClock.microseconds)
    }

    /// Opens the server's page of an item.
    private func showInBrowser(_ item: ItemURI?, _ options: ActivationOptions, _ finished: @escaping MenuAction.Finish)
    {
        guard let item, let pages = folders.unit(holding: item)?.pages else { return finished(.failure(.notSynced)) }
        pages.page(of: item) { [opener] result in
            switch result {
            case .success(let page): opener.open(page: page, options) { finished($0.withoutProduct) }
            case .failure(let error): finished(.failure(error))
            }
        }
    }

    /// Returns a link with which anyone can read an item, for the clipboard.
    /// - Parameter end: The last day on which it works, as `2026-11-28`; nil for no end.
    private func copyShareLink(_ selection: [ItemURI], until end: String?, _ finished: @escaping MenuAction.Finish) {
        guard selection.count == 1, let item = selection.first, let unit = folders.unit(holding: item),
            let pages = unit.pages
        else { return finished(.failure(.notSynced)) }
        // A folder may be a whole account.
        if item == unit.uri { return finished(.failure(.folderNotShared(item))) }
        pages.shareLink(to: item, until: end) { finished($0.map { .clipboard($0) }) }
    }

    /// Opens the dialog in which a person says until when, with whom and how an item is shared.
    private func share(
        _ selection: [ItemURI], _ options: ActivationOptions, _ finished: @escaping MenuAction.Finish
    ) {
        guard selection.count == 1, let item = selection.first, let unit = folders.unit(holding: item),
            unit.shares != nil
        else { return finished(.failure(.notSynced)) }
        if item == unit.uri { return finished(.failure(.folderNotShared(item))) }
        opener.showWindow(.share, of: item.uri, options) { isShown in
            finished(isShown ? .success(nil) : .failure(.windowNotOpened))
        }
    }

    /// Locks a file at the server, or ends the user's lock, and looks at it again.
    private func setLock(_ isLocked: Bool, _ selection: [ItemURI], _ finished: @escaping MenuAction.Finish) {
        guard selection.count == 1, let item = selection.first, let unit = folders.unit(holding: item),
            let locks = unit.locks
        else { return finished(.failure(.notSynced)) }
        locks.set(isLocked, on: item) { [weak unit] result in
            if case .success(let path) = result { unit?.changed(.remote, items: [path]) }
            finished(result.map { _ in nil })
        }
    }

    private func remoteURI(of item: ItemURI) throws(WorkerError) -> String {
        guard let remote = folders.unit(holding: item)?.items.remoteURI(of: item) else { throw .notOnRemote(item) }
        return remote
    }
}

extension Result<Void, RoundelError> {
    /// The same result, for an action that makes nothing.
    var withoutProduct: Result<ActionProduct?, RoundelError> { map { nil } }
}

extension FolderUnit {
    /// Carries out the deletions that wait, if they are those about which the user was asked.
    /// - Throws: `Failed` if there are more now, or others: the user must see the new question first.
    fileprivate func confirm(_ asked: AskedDeletions?) throws(WorkerError) {
        guard let waiting = status.waitingDeletions else { return }
        guard let asked, asked.covers(waiting) else { throw .otherDeletions(waiting) }
        confirmDeletes()
    }

    /// Whether nothing is synced until a problem is solved.
    fileprivate var isHalted: Bool {
        switch status.phase {
        case .stopped, .offline: true
        case .idle, .looking, .syncing, .paused, .confirmDeletes: false
        }
    }
}

extension WorkerError {
    /// The deletions that wait are not those about which the user was asked.
    fileprivate static func otherDeletions(_ waiting: AskedDeletions) -> WorkerError {
        WorkerError(
            .failed,
            waiting.side == .local
                ? tr(
                    waiting.count,
                    one: "Nothing was deleted, because now it is 1 item on this computer. Answer the new question.",
                    other: "Nothing was deleted, because now it is {1} items on this computer. Answer the new question."
                )
                : tr(
                    waiting.count,
                    one: "Nothing was deleted, because now it is 1 item on the remote. Answer the new question.",
                    other: "Nothing was deleted, because now it is {1} items on the remote. Answer the new question."))
    }

    fileprivate static var noCompareTool: WorkerError {
        WorkerError(.failed, tr("No program is installed that compares files. Install one, such as Meld."))
    }

    fileprivate static var windowNotOpened: WorkerError {
        WorkerError(.providerFailed, tr("Roundel's window could not be opened."))
    }

    static func folderNotShared(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .providerFailed,
            tr(
                "“{1}” is a synced folder. Only what is in it can be shared, not all of it.",
                ShownPath.short(item.filePath)))
    }
}

extension RoundelError {
    static var notSynced: RoundelError {
        RoundelError(.providerFailed, tr("The folder is no longer synced."))
    }
}

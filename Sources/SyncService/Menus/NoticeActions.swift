internal import Launching
internal import RoundelBus
internal import Support
internal import SyncCore

/// Carries out the actions of notices that no menu contains.
struct NoticeActions {
    let folders: FolderSet
    let opener: DesktopOpener

    /// The maximum number of items to select in a file manager.
    private static let shownItems = 16

    /// Carries out an action of a notice.
    func activate(_ item: String, _ request: MenuRequest, _ finished: @escaping MenuAction.Finish) {
        let parts = item.split(separator: ":", maxSplits: 1).map(String.init)
        guard let action = parts.first.flatMap({ NoticeAction(rawValue: $0) }) else {
            return finished(.failure(RoundelError(.unknownItem, tr("There is no action “{1}”.", item))))
        }
        guard let unit = request.target.flatMap({ folders.unit(holding: $0) }) else {
            return finished(.failure(.notSynced))
        }
        switch action {
        case .showConflicts: show(.conflict, of: unit, request, finished)
        case .showErrors: show(.error, of: unit, request, finished)
        case .keepBoth: keepBoth(parts.last ?? "", of: unit, finished)
        case .allowDownload: answer(parts.last ?? "", true, unit, finished)
        case .stopDownload: answer(parts.last ?? "", false, unit, finished)
        }
    }

    /// Shows items in this state in the window or, without one, selects them in the file manager.
    private func show(
        _ state: ItemSyncState, of unit: FolderUnit, _ request: MenuRequest, _ finished: @escaping MenuAction.Finish
    ) {
        opener.showWindow(.problems, of: unit.uri.uri, request.options) { isShown in
            if isShown { finished(.success(nil)) } else { select(state, of: unit, request, finished) }
        }
    }

    /// Selects items in this state in the file manager, up to a limit.
    private func select(
        _ state: ItemSyncState, of unit: FolderUnit, _ request: MenuRequest, _ finished: @escaping MenuAction.Finish
    ) {
        let items = unit.items.uris(in: state, limit: Self.shownItems).map(\.uri)
        if items.isEmpty { return opener.open([unit.uri.uri], request.options) { finished($0.withoutProduct) } }
        opener.show(items, request.options) { finished($0.withoutProduct) }
    }

    private func answer(
        _ question: String, _ mayDownload: Bool, _ unit: FolderUnit, _ finished: @escaping MenuAction.Finish
    ) {
        guard let number = Int(question), unit.contents?.openings.answer(number, mayDownload: mayDownload) == true
        else {
            return finished(.failure(RoundelError(.providerFailed, tr("The question is already over."))))
        }
        finished(.success(nil))
    }

    private func keepBoth(_ item: String, of unit: FolderUnit, _ finished: @escaping MenuAction.Finish) {
        guard let node = Int64(item).map({ NodeID($0) }), unit.conflicts.resolve(node, .both) else {
            return finished(.failure(.alreadyResolved))
        }
        finished(.success(nil))
    }
}

extension WorkerError {
    static var alreadyResolved: WorkerError { WorkerError(.providerFailed, tr("The conflict is already resolved.")) }
}

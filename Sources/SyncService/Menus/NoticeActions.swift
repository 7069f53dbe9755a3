internal import Launching
internal import RoundelBus
internal import SyncCore

/// The actions of notices that no menu contains, by their IDs.
enum NoticeAction: String {
    case showConflicts = "show-conflicts"
    case showErrors = "show-errors"
    /// Followed by a colon and the number of one of the two items.
    case keepBoth = "keep-both"

    /// The ID of this action for one item.
    func id(of node: NodeID) -> String { "\(rawValue):\(node.rawValue)" }
}

extension Worker {
    /// The maximum number of items to select in a file manager.
    private static let shownItems = 16

    /// Carries out an action of a notice.
    func activateNotice(_ item: String, _ request: MenuRequest, _ finished: @escaping Finish) {
        let parts = item.split(separator: ":", maxSplits: 1).map(String.init)
        guard let action = parts.first.flatMap({ NoticeAction(rawValue: $0) }) else {
            return finished(.failure(.noAction(item)))
        }
        guard let unit = request.target.flatMap({ unit(holding: $0) }) else {
            return finished(.failure(.notSynced))
        }
        switch action {
        case .showConflicts: show(.conflict, of: unit, request, finished)
        case .showErrors: show(.error, of: unit, request, finished)
        case .keepBoth: keepBoth(parts.last ?? "", of: unit, finished)
        }
    }

    /// Selects items in this state in the file manager, up to a limit.
    private func show(
        _ state: ItemSyncState, of unit: FolderUnit, _ request: MenuRequest, _ finished: @escaping Finish
    ) {
        let items = unit.items(in: state, limit: Self.shownItems).map(\.uri)
        if items.isEmpty { return opener.open([unit.uri.uri], request.options) { finished($0.withoutText) } }
        opener.show(items, request.options) { finished($0.withoutText) }
    }

    private func keepBoth(_ item: String, of unit: FolderUnit, _ finished: @escaping Finish) {
        guard let node = Int64(item).map({ NodeID($0) }), unit.resolve(node, .both) else {
            return finished(.failure(.alreadyResolved))
        }
        finished(.success(nil))
    }
}

internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// The items of one folder that could not be synced, are in conflict or wait for something, and why.
struct FolderProblems {
    private let items: FolderItems
    private let attributes: FolderAttributes
    /// The ID of the folder.
    private let id: String

    init(_ items: FolderItems, _ attributes: FolderAttributes, of id: String) {
        (self.items, self.attributes, self.id) = (items, attributes, id)
    }

    /// Errors first, then conflicts, then what waits for something that does not come by itself; and how many more there
    /// are.
    ///
    /// - Parameter place: Only items at a place or in it; nil for all.
    func list(within place: ItemURI?, limit: Int) -> (problems: [SyncProblem], more: Int) {
        let failed = [(ItemSyncState.error, Badge.error), (.conflict, .conflict)].flatMap { state, badge in
            items.items(in: state, limit: Self.itemsAtMost).compactMap { node in problem(node, badge) }
        }
        let waiting = (items.triedAgain + items.putOff).map {
            SyncProblem(folder: id, uri: $0.uri, state: .pending, message: $0.message)
        }
        var known: Set<String> = []
        let all = (failed + waiting).filter { problem in
            guard known.insert(problem.uri).inserted else { return false }
            guard let place, let item = try? ItemURI(problem.uri) else { return true }
            return item.isWithin(place)
        }
        return (Array(all.prefix(limit)), max(0, all.count - limit))
    }

    /// No more are looked at of each state: a person reads the first.
    private static let itemsAtMost = 10_000

    private func problem(_ node: NodeID, _ badge: Badge) -> SyncProblem? {
        guard let uri = items.uri(of: node) else { return nil }
        return SyncProblem(folder: id, uri: uri.uri, state: badge, message: attributes.message(of: node) ?? "")
    }
}

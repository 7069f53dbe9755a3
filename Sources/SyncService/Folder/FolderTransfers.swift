internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// The items of one folder that are being transferred.
struct FolderTransfers {
    private let items: FolderItems
    private let engine: SyncFolder
    private var moving: Set<NodeID> = []

    init(_ items: FolderItems, engine: SyncFolder) {
        self.items = items
        self.engine = engine
    }

    /// Updates the set of transfers after states changed.
    mutating func follow(_ changes: [StateChange]) {
        for change in changes {
            if change.state == .syncing { moving.insert(change.node) } else { moving.remove(change.node) }
        }
    }

    /// The files that are being transferred, at most `limit`.
    func list(limit: Int) -> [SyncTransfer] {
        guard limit > 0 else { return [] }
        return Array(moving.sorted().lazy.compactMap(transfer).prefix(limit))
    }

    private func transfer(_ node: NodeID) -> SyncTransfer? {
        let store = engine.store
        let local = try? store.node(node, in: .local)
        let remote = try? store.node(node, in: .remote)
        guard let known = local ?? remote, known.kind == .file, let shown = items.presentation(of: node),
            shown.state == .syncing, let path = try? store.path(of: node, in: local == nil ? .remote : .local),
            let item = path.uri(below: items.folder)
        else { return nil }
        let base = try? store.node(node, in: .synced)
        let isChangedHere = local.map { $0.local?.tag != base?.local?.tag } ?? false
        return SyncTransfer(
            uri: item.uri, direction: isChangedHere ? .upload : .download,
            bytesDone: UInt64(clamping: shown.bytesDone), bytesTotal: UInt64(clamping: shown.bytesTotal))
    }
}

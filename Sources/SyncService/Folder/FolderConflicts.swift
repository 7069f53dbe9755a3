internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// The conflicts of one folder.
struct FolderConflicts {
    private let items: FolderItems
    private let engine: SyncFolder
    /// The ID of the folder.
    private let id: String

    init(_ items: FolderItems, engine: SyncFolder, of id: String) {
        self.items = items
        self.engine = engine
        self.id = id
    }

    /// One of the versions in conflict, and its name.
    var first: (name: String, node: NodeID)? {
        guard let node = items.items(in: .conflict, limit: 1).first, let name = items.name(of: node) else { return nil }
        return (name, node)
    }

    /// The conflicts at or below a place; all if `place` is nil.
    func list(within place: ItemURI?) -> [SyncConflict] {
        var conflicts: [SyncConflict] = []
        var last = NodeID.none
        while let page = try? engine.store.nodes(inState: .conflict, after: last, limit: 500), let end = page.last {
            for node in page {
                guard let conflict = conflict(of: node), isWithin(conflict, place) else { continue }
                conflicts.append(conflict)
            }
            last = end
        }
        return conflicts.sorted { $0.uri < $1.uri }
    }

    /// The conflict whose local copy is this item; nil for the other version of the pair.
    private func conflict(of copy: NodeID) -> SyncConflict? {
        let store = engine.store
        guard let status = items.status(of: copy), let other = status.counterpart,
            let copyNode = try? store.node(copy, in: .local) ?? store.node(copy, in: .remote),
            let original = try? store.node(other, in: .local) ?? store.node(other, in: .remote),
            status.isLocalVersion || ConflictName.isCopy(copyNode.name, of: original.name),
            let copyURI = items.uri(of: copy), let originalURI = items.uri(of: other)
        else { return nil }
        var conflict = SyncConflict(
            folder: id, uri: originalURI.uri, copyURI: copyURI.uri,
            kind: WireWord(original.kind == copyNode.kind ? .edits : .type))
        if status.detected > 0 { conflict.detected = status.detected * 1_000_000 }
        conflict.size = (original.local ?? original.remote).map { UInt64(clamping: $0.size) }
        conflict.modified = (original.local ?? original.remote).map { $0.modified / 1000 }
        conflict.copySize = copyNode.local.map { UInt64(clamping: $0.size) }
        conflict.copyModified = copyNode.local.map { $0.modified / 1000 }
        return conflict
    }

    private func isWithin(_ conflict: SyncConflict, _ place: ItemURI?) -> Bool {
        guard let place else { return true }
        return [conflict.uri, conflict.copyURI].contains { text in
            (try? ItemURI(text))?.isWithin(place) ?? false
        }
    }
}

extension StateCounts {
    /// The number of conflicts for the user. `conflicts` counts both versions of each.
    var conflictPairs: Int { (conflicts + 1) / 2 }
}

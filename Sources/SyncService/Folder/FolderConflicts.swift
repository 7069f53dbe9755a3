internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The conflicts of one folder, and the user's decisions on them.
struct FolderConflicts {
    private let items: FolderItems
    private let engine: SyncFolder
    private let explainer: Explainer
    /// Who wrote the versions of the server; nil for a remote that does not tell.
    private let authors: FolderAuthors?
    /// The ID of the folder.
    private let id: String

    init(_ items: FolderItems, engine: SyncFolder, explainer: Explainer, authors: FolderAuthors?, of id: String) {
        self.items = items
        self.engine = engine
        self.explainer = explainer
        self.authors = authors
        self.id = id
    }

    /// Finds out who wrote the server's versions of these conflicts, and calls `answer` when it is known or does not become
    /// known.
    func findAuthors(of conflicts: [SyncConflict], answer: @escaping () -> Void) {
        guard let authors else { return answer() }
        let nodes = conflicts.compactMap { try? ItemURI($0.uri) }.compactMap { items.node(at: $0) }
        authors.find(nodes, answer: answer)
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
        if let author = authors?.known(of: other) {
            (conflict.author, conflict.isOwnAuthor) = (author.name, author.isOwn)
        }
        conflict.copySize = copyNode.local.map { UInt64(clamping: $0.size) }
        conflict.copyModified = copyNode.local.map { $0.modified / 1000 }
        return conflict
    }

    /// The conflict that an item is one version of; nil if there is none.
    func conflict(of item: ItemURI) -> SyncConflict? {
        guard let node = items.node(at: item), let other = items.status(of: node)?.counterpart else { return nil }
        return conflict(of: node) ?? conflict(of: other)
    }

    /// Whether two versions of the item itself wait for a decision.
    func contains(_ item: ItemURI) -> Bool {
        guard let status = items.node(at: item).flatMap({ items.status(of: $0) }) else { return false }
        return status.state == .conflict && status.counterpart != nil
    }

    private func isWithin(_ conflict: SyncConflict, _ place: ItemURI?) -> Bool {
        guard let place else { return true }
        return [conflict.uri, conflict.copyURI].contains { text in
            (try? ItemURI(text))?.isWithin(place) ?? false
        }
    }

    // MARK: Decisions

    /// Carries out the user's decision on the conflict that an item is part of; returns the two items of the conflict.
    /// - Throws: `NoConflict`.
    func resolve(_ item: ItemURI, _ choice: ConflictChoice) throws(WorkerError) -> [NodeID] {
        guard let node = items.node(at: item) else { throw .noConflict(item) }
        let pair = [node, items.status(of: node)?.counterpart].compactMap { $0 }
        guard resolve(node, choice) else { throw .noConflict(item) }
        return pair
    }

    /// Why the decision on a conflict between these two was not carried out; nil if it was, or still waits for a run.
    func refusal(ofDecisionOn pair: [NodeID]) -> WorkerError? {
        for node in pair {
            guard let status = items.status(of: node), status.counterpart != nil, !status.message.isEmpty else {
                continue
            }
            switch status.state {
            case .conflict, .error: return WorkerError(.failed, explainer.sentence(status.message))
            case .excluded, .synced, .onlineOnly, .pending, .syncing, .paused: continue
            }
        }
        return nil
    }

    /// Whether the folder cannot be synced now, and the decision on a conflict between these two, or its part on the
    /// other side, is carried out when it can.
    func waits(decisionOn pair: [NodeID]) -> Bool {
        switch engine.status.phase {
        case .idle, .looking, .syncing: return false
        case .paused, .offline, .stopped, .confirmDeletes: break
        }
        return pair.contains { node in
            switch items.status(of: node)?.state {
            case .conflict, .error, .pending, .syncing, .paused: true
            case .excluded, .synced, .onlineOnly, nil: false
            }
        }
    }

    /// Carries out a decision on the conflict that an item is part of; false if it is not in conflict.
    func resolve(_ node: NodeID, _ choice: ConflictChoice) -> Bool {
        // A directory shows that it contains a conflict, but has none itself.
        guard items.presentation(of: node)?.state == .conflict, items.status(of: node) != nil else { return false }
        engine.command(.resolve(node, choice))
        return true
    }
}

extension StateCounts {
    /// The number of conflicts for the user. `conflicts` counts both versions of each.
    var conflictPairs: Int { (conflicts + 1) / 2 }
}

extension WorkerError {
    fileprivate static func noConflict(_ item: ItemURI) -> WorkerError {
        WorkerError(.noConflict, tr("“{1}” is not in conflict.", ShownPath.short(item.filePath)))
    }
}

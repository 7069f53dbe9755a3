internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// New badges of one directory.
struct BadgeUpdate: Equatable {
    var directory: ItemURI
    var columns = BadgeColumns()
}

extension FolderUnit {
    /// The badges of these names, in their order; "" for what is not known.
    func badges(in directory: ItemURI, names: [ItemName]) -> BadgeColumns {
        let known = node(of: directory).flatMap { parent in
            try? folder.presentations(in: parent, names: names.map(\.entryName))
        }
        var columns = BadgeColumns()
        for (index, name) in names.enumerated() {
            columns.append(name, isOwnName(name, in: directory) ? presentation(of: .root) : known?[index])
        }
        return columns
    }

    /// The known items of a directory after a name, by bytes, and the last one where more follow.
    func directory(_ directory: ItemURI, after: ItemName?, limit: Int) -> (BadgeColumns, ItemName?) {
        var columns = BadgeColumns()
        if let own = uri.name, directory == uri.parent {
            guard after.map({ $0 < own }) ?? true else { return (columns, nil) }
            columns.append(own, presentation(of: .root))
            return (columns, nil)
        }
        guard let parent = node(of: directory),
            let items = try? folder.presentations(in: parent, after: after?.entryName, limit: limit + 1)
        else { return (columns, nil) }
        for item in items.prefix(limit) {
            if let name = try? ItemName(bytes: item.name.bytes) { columns.append(name, item.shown) }
        }
        return (columns, items.count > limit ? columns.names.last : nil)
    }

    /// What observers are to be told of changed states, directory by directory.
    func updates(for changes: [StateChange]) -> [BadgeUpdate] {
        guard !observed.isEmpty else { return [] }
        var updates: [NodeID: BadgeUpdate?] = [:]
        for change in changes {
            if updates[change.parent] == nil {
                updates[change.parent] = .some(observedDirectory(change).map { BadgeUpdate(directory: $0) })
            }
            guard updates[change.parent] != .some(nil) else { continue }
            let name = change.node == .root ? uri.name : try? ItemName(bytes: change.name.bytes)
            guard let name else { continue }
            let presentation = change.state.map { ItemPresentation(state: $0, progress: change.progress) }
            updates[change.parent]??.columns.append(name, presentation)
        }
        return updates.values.compactMap { $0 }
    }

    /// The item at a URI; nil if none is known there.
    func node(of item: ItemURI) -> NodeID? {
        guard let path = RelativePath(item, below: uri) else { return nil }
        return try? folder.store.localNode(at: path)
    }

    func presentation(of id: NodeID) -> ItemPresentation? {
        try? folder.presentation(of: id)
    }

    private func isOwnName(_ name: ItemName, in directory: ItemURI) -> Bool {
        directory == uri.parent && name == uri.name
    }

    private func observedDirectory(_ change: StateChange) -> ItemURI? {
        if change.node == .root { return uri.parent.flatMap { observed.contains($0) ? $0 : nil } }
        guard
            let path = try? folder.store.path(of: change.parent, in: .local)
                ?? folder.store.path(of: change.parent, in: .remote),
            let directory = path.uri(below: uri), observed.contains(directory)
        else { return nil }
        return directory
    }
}

extension BadgeColumns {
    /// Adds the row of an item; without a presentation it has no badge.
    fileprivate mutating func append(_ name: ItemName, _ presentation: ItemPresentation?) {
        guard let presentation else { return append(name, .none, [], Progress.none) }
        append(
            name, Badge(presentation.state.badge), presentation.state == .onlineOnly ? .onlineOnly : [],
            presentation.progress ?? Progress.none)
    }
}

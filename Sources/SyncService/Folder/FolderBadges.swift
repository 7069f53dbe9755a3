internal import Remotes
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// New badges of one directory.
struct BadgeUpdate: Equatable {
    var directory: ItemURI
    var columns = BadgeColumns()
}

/// The badges of one folder's items, and which directories are observed.
final class FolderBadges {
    private let items: FolderItems
    private let engine: SyncFolder
    private let isOnDemand: Bool
    /// Only changes in these directories are reported.
    private var observed: Set<ItemURI> = []
    /// Whether the whole folder was scanned since it started and since anything may have changed unnoticed.
    private var isScanned = false
    /// What changed while a side was away.
    private var unseen = UnseenChanges()
    /// What was last reported for the folder itself.
    private var reportedRoot: ItemPresentation?

    /// - Parameter isOnDemand: Whether items may be without their contents, which their flags say.
    init(_ items: FolderItems, engine: SyncFolder, isOnDemand: Bool) {
        self.items = items
        self.engine = engine
        self.isOnDemand = isOnDemand
    }

    // MARK: The folder itself

    /// What is shown next to the folder's own name. It never suggests that all is well while a part of the folder is
    /// unknown.
    private var shownRoot: ItemPresentation? {
        guard var shown = items.presentation(of: .root) else { return nil }
        switch engine.status.phase {
        case .stopped, .confirmDeletes: shown.state = .error
        case .offline: shown.state = RemoteAbsence(engine.status.message).shown(shown.state)
        case .paused: if !isScanned { shown.state = max(.paused, shown.state) }
        case .idle, .looking, .syncing: if !isScanned { shown.state = max(.syncing, shown.state) }
        }
        return shown
    }

    /// Called when anything in the folder may have changed, or one of its sides is missing.
    func becomeUnknown() { isScanned = false }

    /// Called when the whole folder was scanned. Returns the updates for items that were only said to have changed.
    func becomeKnown() -> [BadgeUpdate] {
        isScanned = true
        let wasAnything = unseen.isAnything
        let seen = unseen.takeAll()
        return wasAnything ? everythingObserved : updates(at: seen)
    }

    /// Called when changes were reported on this computer. While a side is away they are not looked at, so that the
    /// items would still count as synced. Returns the updates.
    func changed(_ paths: [RelativePath]) -> [BadgeUpdate] {
        switch engine.status.phase {
        case .stopped, .offline:
            if unseen.isAnything { return [] }
            let new = unseen.note(paths)
            return unseen.isAnything ? everythingObserved : updates(at: new)
        case .idle, .looking, .syncing, .paused, .confirmDeletes: return []
        }
    }

    /// The update for the observers of the folder itself, if it shows something else than before.
    func rootUpdate() -> BadgeUpdate? {
        let shown = shownRoot
        guard shown != reportedRoot, let directory = items.folder.parent, observed.contains(directory),
            let name = items.folder.name
        else { return nil }
        reportedRoot = shown
        var update = BadgeUpdate(directory: directory)
        update.columns.append(name, shown)
        return update
    }

    // MARK: Observers

    func observe(_ directory: ItemURI) { observed.insert(directory) }

    func endObserving(_ directory: ItemURI) { observed.remove(directory) }

    func endObserving() { observed = [] }

    /// The updates for the observers after states changed, one for each directory.
    func updates(for changes: [StateChange]) -> [BadgeUpdate] {
        guard !observed.isEmpty else { return [] }
        var updates: [NodeID: BadgeUpdate?] = [:]
        for change in changes where change.node != .root {
            if updates[change.parent] == nil {
                updates[change.parent] = .some(observedDirectory(change).map { BadgeUpdate(directory: $0) })
            }
            guard updates[change.parent] != .some(nil) else { continue }
            guard let name = try? ItemName(bytes: change.name.bytes) else { continue }
            var presentation = change.state.map {
                ItemPresentation(state: $0, progress: change.progress, marks: change.marks)
            }
            if isOnDemand { presentation?.contents = items.presentation(of: change.node)?.contents }
            updates[change.parent]??.columns.append(name, presentation)
        }
        return updates.values.compactMap { $0 } + (rootUpdate().map { [$0] } ?? [])
    }

    /// The updates for the observers after a person wants contents to be elsewhere, which the flags of items say.
    func wishesChanged() -> [BadgeUpdate] { everythingObserved + (rootUpdate().map { [$0] } ?? []) }

    /// The updates for the observers of items at these paths, one for each directory.
    private func updates(at paths: [RelativePath]) -> [BadgeUpdate] {
        guard !observed.isEmpty, !paths.isEmpty else { return [] }
        return Dictionary(grouping: paths, by: \.parent).compactMap { parent, paths in
            guard let directory = parent.uri(below: items.folder), observed.contains(directory) else { return nil }
            let names = paths.compactMap { $0.name.flatMap { try? ItemName(bytes: $0.bytes) } }
            return BadgeUpdate(directory: directory, columns: badges(in: directory, names: names))
        }
    }

    /// The updates for all items that observers may show.
    private var everythingObserved: [BadgeUpdate] {
        observed.map { BadgeUpdate(directory: $0, columns: directory($0, after: nil, limit: Limits.namesPerCall).0) }
    }

    /// What is shown of an item, which is not synced if it changed while a side is away.
    private func shown(_ known: ItemPresentation?, _ name: EntryName?, in parent: RelativePath?) -> ItemPresentation? {
        guard var shown = known, shown.state == .synced, !unseen.isEmpty, let parent, let name,
            unseen.contains(parent.appending(name))
        else { return known }
        shown.state = .pending
        return shown
    }

    private func observedDirectory(_ change: StateChange) -> ItemURI? {
        items.uri(of: change.parent).flatMap { observed.contains($0) ? $0 : nil }
    }

    // MARK: Questions

    /// The badges of these names, in their order; "" for unknown items.
    func badges(in directory: ItemURI, names: [ItemName]) -> BadgeColumns {
        let known = items.node(at: directory).flatMap { parent in
            try? engine.presentations(in: parent, names: names.map(\.entryName))
        }
        var columns = BadgeColumns()
        let path = RelativePath(directory, below: items.folder)
        for (index, name) in names.enumerated() {
            let isFolder = directory == items.folder.parent && name == items.folder.name
            columns.append(name, isFolder ? shownRoot : shown(known?[index], name.entryName, in: path))
        }
        return columns
    }

    /// The known items of a directory that sort after a name, by bytes; and the last of them if more follow.
    func directory(_ directory: ItemURI, after: ItemName?, limit: Int) -> (BadgeColumns, ItemName?) {
        var columns = BadgeColumns()
        if let own = items.folder.name, directory == items.folder.parent {
            guard after.map({ $0 < own }) ?? true else { return (columns, nil) }
            columns.append(own, shownRoot)
            return (columns, nil)
        }
        guard let parent = items.node(at: directory),
            let known = try? engine.presentations(in: parent, after: after?.entryName, limit: limit + 1)
        else { return (columns, nil) }
        let path = RelativePath(directory, below: items.folder)
        for item in known.prefix(limit) {
            guard let name = try? ItemName(bytes: item.name.bytes) else { continue }
            columns.append(name, shown(item.shown, item.name, in: path))
        }
        return (columns, known.count > limit ? columns.names.last : nil)
    }
}

extension BadgeColumns {
    /// Appends the row of an item; without a presentation it has no badge.
    fileprivate mutating func append(_ name: ItemName, _ presentation: ItemPresentation?) {
        guard let presentation else { return append(name, .none, [], Progress.none) }
        append(
            name, Badge(presentation.state.badge), BadgeFlags(presentation), presentation.progress ?? Progress.none)
    }
}

extension BadgeFlags {
    /// Whatever its badge is, an item may be one whose contents are on the remote alone, and one that is always kept here.
    fileprivate init(_ presentation: ItemPresentation) {
        self = presentation.marks.flags
        guard let contents = presentation.contents else { return }
        if contents.place == .away { insert(.onlineOnly) }
        if contents.isPinned { insert(.pinned) }
    }
}

extension ItemMarks {
    /// The flags of the interface.
    fileprivate var flags: BadgeFlags {
        var flags: BadgeFlags = []
        if contains(.shared) { flags.insert(.shared) }
        if contains(.readOnly) { flags.insert(.readOnly) }
        if contains(.locked) { flags.insert(.locked) }
        return flags
    }
}

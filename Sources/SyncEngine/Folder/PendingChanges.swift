import SyncCore

/// Changes that the watchers reported while items are being synced.
///
/// Most of them come from the sync's own effects. Following each at once would list the same directories again and
/// again during a long run.
struct PendingChanges {
    private struct Changes {
        var directories: Set<RelativePath> = []
        var items: Set<RelativePath> = []
        var isOverflow = false
    }

    private var sides: [Side: Changes] = [:]

    /// Whether there are none.
    var isEmpty: Bool { sides.isEmpty }

    /// Adds changes that a watcher reported.
    mutating func add(_ side: Side, directories: [RelativePath], items: [RelativePath], isOverflow: Bool) {
        var changes = sides[side] ?? Changes()
        changes.isOverflow = changes.isOverflow || isOverflow
        changes.directories.formUnion(directories)
        changes.items.formUnion(items)
        sides[side] = changes
    }

    /// Takes everything that was added, as events for the session.
    mutating func take() -> [SessionEvent] {
        defer { sides = [:] }
        return Side.allCases.compactMap { side in
            guard let changes = sides[side] else { return nil }
            if changes.isOverflow { return .changed(side, directories: [], items: [], isOverflow: true) }
            let items = changes.items.filter { !changes.directories.contains($0.parent) }
            return .changed(
                side, directories: Self.sorted(changes.directories), items: Self.sorted(items), isOverflow: false)
        }
    }

    private static func sorted(_ paths: Set<RelativePath>) -> [RelativePath] {
        paths.sorted { $0.names.lexicographicallyPrecedes($1.names) }
    }
}

import SyncCore

/// Changes that the watchers told while items are synced.
///
/// Most of them are the effects' own, so that to follow each at once would list the same directories again and again
/// during a long run.
struct PendingChanges {
    private struct Changes {
        var directories: Set<RelativePath> = []
        var items: Set<RelativePath> = []
        var isOverflow = false
    }

    private var sides: [Side: Changes] = [:]

    /// Whether there are none.
    var isEmpty: Bool { sides.isEmpty }

    /// Adds what a watcher told.
    mutating func add(_ side: Side, directories: [RelativePath], items: [RelativePath], isOverflow: Bool) {
        var changes = sides[side] ?? Changes()
        changes.isOverflow = changes.isOverflow || isOverflow
        changes.directories.formUnion(directories)
        changes.items.formUnion(items)
        sides[side] = changes
    }

    /// Everything added, as events for the session, and nothing any more.
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

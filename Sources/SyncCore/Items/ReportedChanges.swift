/// What the watchers reported, and what follows from it: which directories are to be listed and which entries looked at.
///
/// Paths are turned into items as late as that, since items move while their paths are on their way.
struct ReportedChanges {
    /// What is to be looked at.
    enum Target {
        /// A directory is to be listed, with all below it where it says so.
        case list(SideDirectory, isDeep: Bool)
        /// One entry is to be looked at.
        case check(Side, Place)
    }

    private struct Change: Hashable {
        var side: Side
        var path: RelativePath
        var isDirectory: Bool
    }

    /// A path at which a directory stood.
    private struct FormerPath {
        var directory: SideDirectory
        var path: RelativePath
        var left: ContinuousClock.Instant
    }

    /// Paths of that kind kept at most, and for how long.
    private static let formerPathLimit = 64
    private static let formerPathLife = Duration.seconds(600)
    /// Directories kept of those that the engine itself did something with, at most, and for how long: longer than a
    /// watcher takes to report them.
    private static let ownDirectoryLimit = 1_000
    private static let ownDirectoryLife = Duration.seconds(5)
    /// From so many items of one directory on, the directory is listed instead.
    private static let itemsWorthAListing = 16

    private var changes: [Change] = []
    /// Where directories stood before they were renamed, the latest last: events that are on their way name these paths.
    private var formerPaths: [FormerPath] = []
    /// Directories that the engine itself did something with and that the watcher has not reported yet, and when.
    private var ownDirectories: [SideDirectory: ContinuousClock.Instant] = [:]

    /// Whether nothing is reported that was not resolved.
    var isEmpty: Bool { changes.isEmpty }

    /// The watcher saw changes. What the engine keeps for itself is none.
    mutating func note(_ side: Side, directories: [RelativePath], items: [RelativePath]) {
        for (paths, isDirectory) in [(directories, true), (items, false)] {
            changes += paths.filter { !ExcludePatterns.isOwn($0) }
                .map { Change(side: side, path: $0, isDirectory: isDirectory) }
        }
    }

    /// The engine itself did something with a directory.
    mutating func noteOwn(_ directory: SideDirectory, at now: Moment) {
        if ownDirectories.count >= Self.ownDirectoryLimit { ownDirectories = [:] }
        ownDirectories[directory] = now.instant
    }

    /// A directory was seen, or put, elsewhere than at this path.
    mutating func noteMove(of directory: SideDirectory, from path: RelativePath, at now: Moment) {
        formerPaths.append(FormerPath(directory: directory, path: path, left: now.instant))
        if formerPaths.count > Self.formerPathLimit { formerPaths.removeFirst() }
    }

    /// Turns the paths that were reported into what is to be looked at.
    mutating func resolve(_ items: Items, excluding excludes: ExcludePatterns) throws -> [Target] {
        if changes.isEmpty { return [] }
        let resolved = changes
        changes = []
        var names: [Change: [EntryName]] = [:]
        var directories: [Change] = []
        for change in resolved {
            let isItem = !change.isDirectory && !change.path.isRoot
            let path = isItem ? change.path.parent : change.path
            let directory = Change(side: change.side, path: path, isDirectory: !isItem)
            if names[directory] == nil { directories.append(directory) }
            names[directory, default: []] += isItem ? [change.path.names[path.names.count]] : []
        }
        var found: [Target] = []
        for directory in directories {
            found += try targets(of: directory, names: names[directory] ?? [], items, excludes)
        }
        for side in Side.allCases {
            found += try returned(resolved.filter { $0.side == side && !$0.isDirectory }.map(\.path), on: side, items)
        }
        return found
    }

    /// A directory that was moved away and back before it was looked at looks as if nothing had happened, while what
    /// changed in it was reported by the other path. That one is reported too, and nothing that is known stands there.
    private mutating func returned(_ paths: [RelativePath], on side: Side, _ items: Items) throws -> [Target] {
        var (directories, isElsewhere) = ([SideDirectory](), false)
        for path in paths {
            guard let name = path.name, let parent = try items.knownDirectory(at: path.parent, on: side) else {
                continue
            }
            let rows = try items.store.nodes(named: name, of: parent, in: side.tree).filter { !$0.isMissing }
            if rows.isEmpty { isElsewhere = true }
            for row in rows where row.kind == .directory {
                let directory = SideDirectory(side: side, node: row.id)
                let own = ownDirectories.removeValue(forKey: directory)
                if own.map({ items.now.instant - $0 > Self.ownDirectoryLife }) ?? true { directories.append(directory) }
            }
        }
        if !isElsewhere { return [] }
        return try directories.filter { try !items.isExcluded($0.node) }.map { .list($0, isDeep: true) }
    }

    /// Something changed in a directory: these names, or nobody knows what. Of an unknown directory the nearest known
    /// one above it is looked at, in which the next one on the way is found: with all that is below, if it is new.
    private mutating func targets(
        of directory: Change, names: [EntryName], _ items: Items, _ excludes: ExcludePatterns
    ) throws -> [Target] {
        var path = directory.path
        var known = try items.knownDirectory(at: path, on: directory.side)
        let former = try formerDirectories(of: directory, besides: known, items)
        while known == nil && !path.isRoot {
            if excludes.excludes(path, kind: .directory) { return former }
            path = path.parent
            known = try items.knownDirectory(at: path, on: directory.side)
        }
        guard let known, try !items.isExcluded(known) else { return former }
        if path == directory.path && !directory.isDirectory && names.count < Self.itemsWorthAListing {
            return former + names.map { .check(directory.side, Place(parent: known, name: $0)) }
        }
        return former + [.list(SideDirectory(side: directory.side, node: known), isDeep: false)]
    }

    /// The path may be one from before a directory was renamed, also where another one stands by now.
    ///
    /// - Parameter known: The directory that stands there.
    private mutating func formerDirectories(
        of change: Change, besides known: NodeID?, _ items: Items
    ) throws -> [Target] {
        formerPaths.removeAll { items.now.instant - $0.left > Self.formerPathLife }
        var targets: [Target] = []
        for former in formerPaths
        where former.directory.side == change.side && change.path.names.starts(with: former.path.names) {
            var (directory, isWhole) = (former.directory, true)
            for name in change.path.names.dropFirst(former.path.names.count) {
                let next = try items.store.nodes(named: name, of: directory.node, in: change.side.tree)
                    .first { $0.kind == .directory }
                guard let next else {
                    isWhole = false
                    break
                }
                directory.node = next.id
            }
            if directory.node != known { targets.append(.list(directory, isDeep: known == nil || !isWhole)) }
        }
        return targets
    }
}

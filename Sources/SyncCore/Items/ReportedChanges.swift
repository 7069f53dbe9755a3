/// The watchers' reports, and what follows from them: directories to list and entries to look at.
///
/// Paths are resolved to items as late as possible, because items move while reports about them are on their way.
struct ReportedChanges {
    /// A look that follows from a report.
    enum Target {
        /// List a directory, with everything below it if `isDeep`.
        case list(SideDirectory, isDeep: Bool)
        /// Look at one entry.
        case check(Side, Place)
    }

    private struct Change: Hashable {
        var side: Side
        var path: RelativePath
        var isDirectory: Bool
    }

    /// A former path of a directory.
    private struct FormerPath {
        var directory: SideDirectory
        var path: RelativePath
        var left: ContinuousClock.Instant
    }

    /// A local directory that the engine put in the trash.
    private struct DiscardedPath {
        var path: RelativePath
        var left: ContinuousClock.Instant
    }

    /// The most former paths kept, and for how long.
    private static let formerPathLimit = 64
    private static let formerPathLife = Duration.seconds(600)
    /// The most directories kept that the engine itself changed, and for how long: longer than a watcher takes to
    /// report them.
    private static let ownDirectoryLimit = 1_000
    private static let ownDirectoryLife = Duration.seconds(5)
    /// From this many items on, their directory is listed instead.
    private static let itemsWorthAListing = 16

    private var changes: [Change] = []
    /// Former paths of directories that were renamed, the latest last: reports on their way may still contain these
    /// paths.
    private var formerPaths: [FormerPath] = []
    /// Local directories that went to the trash by the user's decision, the latest last. A report of a change in one may
    /// be about a file that has another name elsewhere.
    private var discardedPaths: [DiscardedPath] = []
    /// Directories that the engine itself changed and the watcher has not reported yet, and when.
    private var ownDirectories: [SideDirectory: ContinuousClock.Instant] = [:]

    /// Whether no report is unresolved.
    var isEmpty: Bool { changes.isEmpty }

    /// Notes changes that the watcher saw. The engine's own files are ignored.
    mutating func note(_ side: Side, directories: [RelativePath], items: [RelativePath]) {
        for (paths, isDirectory) in [(directories, true), (items, false)] {
            changes += paths.filter { !ExcludePatterns.isOwn($0) }
                .map { Change(side: side, path: $0, isDirectory: isDirectory) }
        }
    }

    /// Notes that the engine itself changed a directory.
    mutating func noteOwn(_ directory: SideDirectory, at now: Moment) {
        if ownDirectories.count >= Self.ownDirectoryLimit { ownDirectories = [:] }
        ownDirectories[directory] = now.instant
    }

    /// Notes that a directory was seen or moved elsewhere than this path.
    mutating func noteMove(of directory: SideDirectory, from path: RelativePath, at now: Moment) {
        formerPaths.append(FormerPath(directory: directory, path: path, left: now.instant))
        if formerPaths.count > Self.formerPathLimit { formerPaths.removeFirst() }
    }

    /// Notes that the engine put the local directory at this path in the trash.
    mutating func noteDiscard(_ path: RelativePath, at now: Moment) {
        discardedPaths.append(DiscardedPath(path: path, left: now.instant))
        if discardedPaths.count > Self.formerPathLimit { discardedPaths.removeFirst() }
    }

    /// Converts the reported paths to looks.
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
        return found + writtenInDiscarded(resolved, at: items.now)
    }

    /// Changes in a directory that the engine discarded before it looked at them. What was written there may have been a
    /// file with another name, which no watcher reports, so everything is listed. Decisions are rare.
    private mutating func writtenInDiscarded(_ changes: [Change], at now: Moment) -> [Target] {
        discardedPaths.removeAll { now.instant - $0.left > Self.formerPathLife }
        let isAffected = changes.contains { change in
            change.side == .local
                && discardedPaths.contains { discarded in
                    change.path.names.count > discarded.path.names.count
                        && change.path.names.starts(with: discarded.path.names)
                }
        }
        return isAffected ? [.list(SideDirectory(side: .local, node: .root), isDeep: true)] : []
    }

    /// A directory that was moved away and back before it was looked at seems untouched, but changes in it were
    /// reported by the other path. That path is reported too, and nothing known is there.
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

    /// Converts changes in a directory: of these names, or unknown ones. If the directory is unknown, its nearest known
    /// ancestor is listed, which finds the next directory on the path, with everything below if it is new.
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

    /// Handles a path from before a directory was renamed, even if another directory is there now.
    ///
    /// - Parameter known: The directory that is at the path now.
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

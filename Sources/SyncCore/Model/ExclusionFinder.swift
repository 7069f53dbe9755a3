/// Finds out why items are not synced: which pattern decides, or what else. Made for explaining; what is synced is decided
/// by ``ExcludePatterns``, with the same result.
package struct ExclusionFinder: Sendable {
    /// A pattern that decides about an item.
    package struct Deciding: Hashable, Sendable {
        /// The pattern as it was entered.
        package let text: [UInt8]
        /// Whether every folder begins with it.
        package let isBundled: Bool
    }

    /// Why an item is not synced.
    package enum Reason: Hashable, Sendable {
        /// A pattern.
        case pattern(Deciding)
        /// It is the sync engine's own.
        case own
        /// The sync engine has files of its own there.
        case guarded
        /// It is a symbolic link.
        case link
        /// It is a device, socket or pipe.
        case special
    }

    /// What was found about an item.
    package enum Finding: Hashable, Sendable {
        /// It is synced; with the pattern that takes back what an earlier one excludes, if there is one.
        case synced(by: Deciding?)
        /// It is not synced, because this item is not: itself, or a directory above it.
        case excluded(RelativePath, Reason)
    }

    private let patterns: ExcludePatterns
    private let globs: [(glob: GlobPattern, deciding: Deciding)]

    /// A finder for these patterns.
    package init(_ patterns: ExcludePatterns) {
        self.patterns = patterns
        let bundled = ExcludePatterns.defaults.map { Deciding(text: Array($0.utf8), isBundled: true) }
        let own = patterns.custom.map { Deciding(text: $0, isBundled: false) }
        globs = (bundled + own).compactMap { pattern in GlobPattern(pattern.text).map { ($0, pattern) } }
    }

    /// Looks at each directory above an item first: what is in an excluded one is not synced, whatever matches there.
    package func finding(at path: RelativePath, kind: EntryKind) -> Finding {
        var above: [EntryName] = []
        var last: Deciding?
        for (index, name) in path.names.enumerated() {
            let isItem = index == path.names.count - 1
            let decided = decision(name, below: above, kind: isItem ? kind : .directory)
            above.append(name)
            switch decided {
            case .excluded(_, let reason): return .excluded(RelativePath(above), reason)
            case .synced(let pattern): last = pattern
            }
        }
        return .synced(by: last)
    }

    private func decision(_ name: EntryName, below directory: [EntryName], kind: EntryKind) -> Finding {
        let path = RelativePath(directory + [name])
        if ExcludePatterns.isOwn(RelativePath([name])) { return .excluded(path, .own) }
        switch kind {
        case .symlink: return .excluded(path, .link)
        case .special: return .excluded(path, .special)
        case .file, .directory: break
        }
        if patterns.guarded.contains(path) { return .excluded(path, .guarded) }
        let joined = Array(path.names.map(\.bytes).joined(separator: [0x2F]))
        let found = globs.last { glob, _ in
            if glob.isDirectoryOnly && kind != .directory { return false }
            return glob.matches(glob.matchesWholePath ? joined : name.bytes)
        }
        guard let found else { return .synced(by: nil) }
        return found.glob.isNegated ? .synced(by: found.deciding) : .excluded(path, .pattern(found.deciding))
    }
}

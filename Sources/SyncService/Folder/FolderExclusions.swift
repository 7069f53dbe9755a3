internal import Glibc
internal import RoundelBus
internal import Support
internal import SyncCore

/// What of one folder is not synced, and why.
struct FolderExclusions {
    private let items: FolderItems
    private let finder: ExclusionFinder

    init(_ items: FolderItems, _ patterns: ExcludePatterns) {
        self.items = items
        finder = ExclusionFinder(patterns)
    }

    /// The items that were found and are not synced, sorted by path, without those that are Roundel's own; and whether
    /// there are more.
    ///
    /// - Parameter place: Only items at a place or in it.
    func list(within place: ItemURI, limit: Int) -> (items: [SyncExclusion], hasMore: Bool) {
        // All are looked at where only some are wanted.
        let most = place == items.folder ? limit + Self.own + 1 : Self.lookedAt
        let known = items.items(in: .excluded, limit: most)
        let found = known.compactMap { node -> (path: RelativePath, item: SyncExclusion)? in
            guard let path = items.path(of: node), let item = path.uri(below: items.folder), item.isWithin(place) else {
                return nil
            }
            let told = exclusion(at: path, uri: item, kind: items.kind(of: node) ?? .file)
            // A pattern that was just removed is still that of items which are looked at again now.
            return told.isExcluded ? (path, told) : nil
        }
        let sorted = found.sorted { $0.path.names.lexicographicallyPrecedes($1.path.names) }.map(\.item)
        let shown = sorted.filter { $0.reason != WireWord(.own) }
        return (Array(shown.prefix(limit)), known.count >= most || shown.count > limit)
    }

    /// So many are looked at for those at one place.
    private static let lookedAt = 100_000
    /// So many may be Roundel's own.
    private static let own = 100

    /// Whether an item is synced, or one with this name would be.
    ///
    /// - Parameter text: The path below the folder, with or without a slash before it; with one at its end that of a
    ///   directory, unless something else is there.
    /// - Throws: `InvalidName`.
    func trial(of text: String, isDirectory: Bool) throws(WorkerError) -> SyncExclusion {
        var names: [EntryName] = []
        var bytes = Array(text.utf8)[...]
        if bytes.first == UInt8(ascii: "/") { bytes = bytes.dropFirst() }
        let endsAsDirectory = bytes.last == UInt8(ascii: "/")
        if endsAsDirectory { bytes = bytes.dropLast() }
        for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard part.count <= Int(NAME_MAX), let name = EntryName(Array(part)) else { throw .notBelowFolder(text) }
            names.append(name)
        }
        let path = RelativePath(names)
        guard let uri = path.uri(below: items.folder) else { throw .notBelowFolder(text) }
        let kind = items.node(at: path).flatMap { items.kind(of: $0) }
        return exclusion(at: path, uri: uri, kind: kind ?? (isDirectory || endsAsDirectory ? .directory : .file))
    }

    private func exclusion(at path: RelativePath, uri: ItemURI, kind: EntryKind) -> SyncExclusion {
        var told = SyncExclusion(uri: uri.uri)
        switch finder.finding(at: path, kind: kind) {
        case .synced(let pattern):
            told.isExcluded = false
            if let pattern { Self.add(pattern, to: &told) }
        case .excluded(let excluded, let reason):
            if excluded != path { told.directory = excluded.uri(below: items.folder)?.uri }
            switch reason {
            case .pattern(let pattern): Self.add(pattern, to: &told)
            case .own, .guarded: told.reason = WireWord(.own)
            case .link: told.reason = WireWord(.link)
            case .special: told.reason = WireWord(.special)
            }
        }
        return told
    }

    private static func add(_ pattern: ExclusionFinder.Deciding, to told: inout SyncExclusion) {
        told.reason = WireWord(.pattern)
        told.pattern = String(decoding: pattern.text, as: UTF8.self)
        told.isBundled = pattern.isBundled
    }
}

extension WorkerError {
    fileprivate static func notBelowFolder(_ text: String) -> WorkerError {
        WorkerError(
            .invalidName,
            tr("“{1}” is no name or path of something in this folder.", String(text.prefix(100))))
    }
}

internal import RoundelBus
internal import Support
internal import SyncCore

/// Whether the user can exclude an item from syncing or include it again.
enum ItemExclusion: Hashable {
    /// The item is synced, and can be excluded with a pattern that matches only it.
    case excludable
    /// The item is excluded by such a pattern.
    case includable

    /// Nil for items that are excluded by other patterns or by their kind, and for names that no pattern can contain.
    ///
    /// - Parameters:
    ///   - item: The item, which is not the folder itself.
    ///   - state: The state shown for the item.
    init?(of item: ItemURI, state: ItemSyncState?, in settings: FolderSettings, at folder: ItemURI) {
        guard let pattern = Self.exactPattern(for: item, below: folder) else { return nil }
        switch (settings.excludes.contains(pattern), state == .excluded) {
        case (true, true): self = .includable
        case (false, false): self = .excludable
        case (true, false), (false, true): return nil
        }
    }

    /// The pattern that matches an item by its whole path, and nothing else.
    static func exactPattern(for item: ItemURI, below folder: ItemURI) -> String? {
        guard let path = RelativePath(item, below: folder) else { return nil }
        var pattern = quoted(path)
        // A space at the end counts only if it is escaped.
        if pattern.last == UInt8(ascii: " ") { pattern.insert(UInt8(ascii: "\\"), at: pattern.count - 1) }
        return String(validating: pattern, as: UTF8.self)
    }

    /// A path from the root on, as a pattern has it: a slash before each name, and no byte with a special meaning.
    static func quoted(_ path: RelativePath) -> [UInt8] {
        path.names.flatMap { name in
            [UInt8(ascii: "/")] + name.bytes.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        }
    }

    /// The bytes that have a special meaning in a pattern.
    private static let special = Array("*?[\\".utf8)
}

extension FolderSettings {
    /// The exclude patterns in the form that the session needs.
    ///
    /// - Parameter guarded: Places below the root that are never synced.
    func patterns(guarding guarded: [RelativePath]) -> ExcludePatterns {
        ExcludePatterns(excludes.map { Array($0.utf8) }, guarding: guarded)
    }

    /// Adds the exclude patterns that are not in the list yet.
    mutating func add(excludes patterns: [String]) {
        for pattern in patterns where !excludes.contains(pattern) { excludes.append(pattern) }
    }

    /// Removes these exclude patterns from the list.
    mutating func remove(excludes patterns: [String]) { excludes.removeAll { patterns.contains($0) } }

    /// Checks patterns that a user entered: each must be able to match something, and have at most 4,096 bytes.
    /// - Throws: `InvalidPattern` for the first invalid one.
    static func requirePatterns(_ patterns: [String]) throws(WorkerError) {
        let bad = patterns.first { $0.utf8.count > 4096 || !ExcludePatterns.isPattern(Array($0.utf8)) }
        guard let bad else { return }
        let shown = String(bad.prefix(100))
        throw bad.hasPrefix("#")
            ? .commentPattern(shown)
            : WorkerError(.invalidPattern, tr("“{1}” is not a pattern of gitignore(5).", shown))
    }
}

extension WorkerError {
    fileprivate static func commentPattern(_ text: String) -> WorkerError {
        WorkerError(
            .invalidPattern,
            tr(
                """
                “{1}” is not a pattern of gitignore(5). A line that begins with # is a comment; write \\# for a \
                name.
                """, text))
    }
}

internal import RoundelBus
internal import SyncCore

/// What a person can decide about one item being synced.
enum ItemExclusion: Hashable {
    /// It is synced, and can be excluded by a pattern that names it alone.
    case excludable
    /// Such a pattern excludes it.
    case includable

    /// Nil for items that other patterns or their nature exclude, and for names that no pattern can hold.
    ///
    /// - Parameters:
    ///   - item: not the folder itself.
    ///   - state: what the item shows.
    init?(of item: ItemURI, state: ItemSyncState?, in settings: FolderSettings, at folder: ItemURI) {
        guard let pattern = Self.exactPattern(for: item, below: folder) else { return nil }
        switch (settings.excludes.contains(pattern), state == .excluded) {
        case (true, true): self = .includable
        case (false, false): self = .excludable
        case (true, false), (false, true): return nil
        }
    }

    /// The pattern that names an item by its whole path and nothing else.
    static func exactPattern(for item: ItemURI, below folder: ItemURI) -> String? {
        guard let path = RelativePath(item, below: folder) else { return nil }
        var pattern: [UInt8] = []
        for name in path.names {
            pattern.append(UInt8(ascii: "/"))
            for byte in name.bytes {
                if Self.special.contains(byte) { pattern.append(UInt8(ascii: "\\")) }
                pattern.append(byte)
            }
        }
        // A space at the end counts only if it is quoted.
        if pattern.last == UInt8(ascii: " ") { pattern.insert(UInt8(ascii: "\\"), at: pattern.count - 1) }
        return String(validating: pattern, as: UTF8.self)
    }

    /// The bytes that mean something else in a pattern.
    private static let special = Array("*?[\\".utf8)
}

extension FolderSettings {
    /// The exclude patterns as the session needs them.
    var patterns: ExcludePatterns {
        ExcludePatterns(excludes.map { Array($0.utf8) })
    }

    /// Adds exclude patterns that are not there yet.
    mutating func add(excludes patterns: [String]) {
        for pattern in patterns where !excludes.contains(pattern) { excludes.append(pattern) }
    }

    /// Removes exclude patterns, if they are there.
    mutating func remove(excludes patterns: [String]) { excludes.removeAll { patterns.contains($0) } }

    /// Checks patterns that a person gave: each must be able to match something, and hold at most 4,096 bytes.
    /// - Throws: `InvalidPattern`, for the first that is none.
    static func requirePatterns(_ patterns: [String]) throws(WorkerError) {
        let bad = patterns.first { $0.utf8.count > 4096 || !ExcludePatterns.isPattern(Array($0.utf8)) }
        guard let bad else { return }
        let shown = String(bad.prefix(100))
        throw bad.hasPrefix("#") ? .commentPattern(shown) : .noPattern(shown)
    }
}

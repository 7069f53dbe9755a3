internal import RoundelBus
internal import SyncCore
internal import SyncEngine

extension FolderUnit {
    /// What a person can decide about one item being synced.
    enum Exclusion: Hashable {
        /// It is synced, and can be left out by a pattern that names it alone.
        case excludable
        /// Such a pattern leaves it out.
        case includable
    }

    /// Nil for items that other patterns or their nature leave out, and for names that no pattern can hold.
    func exclusion(of item: ItemURI) -> Exclusion? {
        guard let node = node(of: item), node != .root, let pattern = exactPattern(for: item) else { return nil }
        let isExcluded = presentation(of: node)?.state == .excluded
        if settings.excludes.contains(pattern) { return isExcluded ? .includable : nil }
        return isExcluded ? nil : .excludable
    }

    /// Leaves items out of syncing; what is at the remote stays there.
    func exclude(_ items: [ItemURI]) {
        var excludes = settings.excludes
        for pattern in items.compactMap(exactPattern) where !excludes.contains(pattern) { excludes.append(pattern) }
        setExcludes(excludes)
    }

    /// Syncs items again that ``exclude(_:)`` left out.
    func include(_ items: [ItemURI]) {
        let patterns = Set(items.compactMap(exactPattern))
        setExcludes(settings.excludes.filter { !patterns.contains($0) })
    }

    /// The pattern that names an item by its whole path and nothing else.
    private func exactPattern(for item: ItemURI) -> String? {
        guard let path = RelativePath(item, below: uri) else { return nil }
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

/// A part of what is kept, the newest first: of long lists only so much is held in memory.
package struct KeptPage: Sendable {
    /// The place of a version in the list of all folders.
    package struct Position: Comparable, Sendable {
        let date: Int64
        let identifier: String

        /// The place of a version.
        package init(of version: KeptVersion) {
            (date, identifier) = (version.date, version.identifier)
        }

        /// The place that a text says; nil if it says none.
        package init?(_ text: String) {
            let parts = text.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let date = Int64(parts[0]) else { return nil }
            (self.date, identifier) = (date, String(parts[1]))
        }

        /// The form for other programs.
        package var text: String { "\(date) \(identifier)" }

        /// Older versions are smaller.
        package static func < (left: Position, right: Position) -> Bool {
            (left.date, left.identifier) < (right.date, right.identifier)
        }
    }

    private let start: Position?
    private let limit: Int
    private var found: [KeptVersion] = []

    /// - Parameters:
    ///   - start: Only versions after this place are listed; nil for all.
    ///   - limit: How many are listed. There are more only if the last ones have the same place.
    package init(after start: Position?, limit: Int) {
        (self.start, self.limit) = (start, max(limit, 1))
    }

    /// Adds a version to the list if it belongs to this part of it.
    mutating func add(_ version: KeptVersion) {
        if let start, Position(of: version) >= start { return }
        found.append(version)
        if found.count >= 2 * (limit + 1) { found = versions }
    }

    /// The versions of this part, the newest first, and one more where there are more.
    var versions: [KeptVersion] {
        let listed = Self.newest(found, limit) { $0 }.items.count
        return Self.newest(found, listed + 1) { $0 }.items
    }

    /// The newest of some items, and whether others are left.
    package static func newest<Item>(
        _ items: [Item], _ limit: Int, _ version: (Item) -> KeptVersion
    ) -> (items: [Item], isPart: Bool) {
        let placed = items.map { (item: $0, place: Position(of: version($0))) }.sorted { $0.place > $1.place }
        guard placed.count > limit else { return (placed.map(\.item), false) }
        let last = placed[limit - 1].place
        let part = placed.prefix { $0.place >= last }
        return (part.map(\.item), part.count < placed.count)
    }
}

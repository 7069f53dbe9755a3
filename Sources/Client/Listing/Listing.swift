package import RoundelBus
package import Support

/// A directory with the badges of its items.
package struct Listing: Sendable {
    /// An item of the directory.
    package struct Item: Sendable, Equatable {
        /// Its name.
        package let name: ItemName
        /// The item on disk; nil for an item that the provider knows but that does not exist locally yet.
        package let entry: ListedItem?
        /// Its badge.
        package let state: ItemBadge
        /// Where its contents are; nil in a folder that is not on demand.
        package let contents: ItemContents?
    }

    /// The directory.
    package let directory: ItemURI
    /// Directories first, then by natural order.
    package private(set) var items: [Item]
    /// The labels of the badges.
    package let labels: BadgeLabels

    /// - Parameters:
    ///   - states: The provider's states for this directory, including items that are not on disk.
    ///   - contents: Where the contents of its items are; empty in a folder that is not on demand.
    package init(
        directory: ItemURI, entries: [ListedItem], states: [ItemName: ItemBadge],
        contents: [ItemName: ItemContents] = [:], labels: BadgeLabels
    ) {
        self.directory = directory
        self.labels = labels
        var remaining = states
        var items: [Item] = entries.compactMap { entry in
            guard let name = try? ItemName(bytes: entry.name) else { return nil }
            let state = remaining.removeValue(forKey: name) ?? .none
            return Item(name: name, entry: entry, state: state, contents: contents[name])
        }
        for (name, state) in remaining where state.badge != .none {
            items.append(Item(name: name, entry: nil, state: state, contents: contents[name]))
        }
        self.items = items.sorted { first, second in
            let isDirectory = first.entry?.kind == .directory
            if isDirectory != (second.entry?.kind == .directory) { return isDirectory }
            return NaturalOrder.areInIncreasingOrder(first.name.bytes, second.name.bytes)
        }
    }

    /// Removes the items for which this is so.
    package mutating func removeAll(where isUnwanted: (Item) -> Bool) { items.removeAll(where: isUnwanted) }

    /// A directory whose items on disk are known, and the badges of these and of other items that the provider knows.
    package static func load(
        _ directory: ItemURI, entries: [ListedItem], host: HostProxy
    ) async throws -> Listing {
        let items = entries.compactMap { try? directory.appending(ItemName(bytes: $0.name)) }
        var badges = try BadgeWatch(items, host: host)
        try await badges.load(within: Patience.CommandLine.badges)
        var states: [ItemName: ItemBadge] = [:]
        if try await host.beginObserving(directory) {
            states = try await host.badges(ofAllIn: directory)
        }
        for item in items {
            // If both responses contain an item, the later one counts.
            if let name = item.name, states[name] == nil { states[name] = badges.badge(of: item) }
        }
        let contents = await host.contents(of: items.compactMap(\.name), in: directory)
        return Listing(
            directory: directory, entries: entries, states: states, contents: contents,
            labels: BadgeLabels(badges.images))
    }
}

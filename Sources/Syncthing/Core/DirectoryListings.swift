internal import RoundelBus

/// Shown items that are looked up in the listing of their directory, once that is there.
struct DirectoryListings {
    private struct Listing {
        var items: Set<ItemURI> = []
        /// What all devices should have; nil until it is known.
        var versions: [ItemURI: IndexRecord.Version]?
    }
    private var listings: [ItemURI: Listing] = [:]

    /// The directories in which items are looked up.
    var directories: [ItemURI] { Array(listings.keys) }

    /// Looks items up in the next listing of their directory.
    mutating func want(_ items: [ItemURI], in directory: ItemURI) {
        listings[directory, default: Listing()].items.formUnion(items)
        listings[directory]?.versions = nil
    }

    mutating func take(_ versions: [String: IndexRecord.Version], of directory: ItemURI) {
        let items = versions.compactMap { name, version in
            (try? ItemName(bytes: name.utf8)).map { (directory.appending($0), version) }
        }
        listings[directory]?.versions = Dictionary(items) { $1 }
    }

    /// Looks nothing up any more in a directory; returns what was to be.
    @discardableResult
    mutating func end(_ directory: ItemURI) -> Set<ItemURI> { listings.removeValue(forKey: directory)?.items ?? [] }

    /// Does not look an item up, of which there is an answer of its own.
    mutating func remove(_ item: ItemURI) {
        guard let directory = item.parent, listings[directory]?.items.remove(item) != nil else { return }
        if listings[directory]?.items.isEmpty ?? false { listings[directory] = nil }
    }

    /// Takes those items of a directory that are ready to be compared, each with its version if it has one.
    mutating func take(
        in directory: ItemURI, where isReady: (ItemURI) -> Bool
    ) -> [(item: ItemURI, version: IndexRecord.Version?)] {
        guard let listing = listings[directory], let versions = listing.versions else { return [] }
        let ready = listing.items.filter(isReady)
        listings[directory]?.items.subtract(ready)
        if ready.count == listing.items.count { listings[directory] = nil }
        return ready.map { ($0, versions[$0]) }
    }
}

internal import RoundelBus

/// The items of a folder by the paths that Syncthing has for them.
struct FolderPaths {
    let root: ItemURI

    /// The item of a path that Syncthing gave; nil for one that cannot be.
    func item(_ name: String) -> ItemURI? {
        var place = root
        for part in name.split(separator: "/") {
            guard let part = try? ItemName(bytes: part.utf8) else { return nil }
            place = place.appending(part)
        }
        return place == root ? nil : place
    }

    func items(_ names: [String]) -> Set<ItemURI> { Set(names.compactMap(item)) }

    /// What is said of items, by the items instead of their paths.
    func items<Value>(_ values: [String: Value]) -> [ItemURI: Value] {
        Dictionary(values.compactMap { entry in item(entry.key).map { ($0, entry.value) } }) { $1 }
    }

    /// The path of an item below the folder as Syncthing writes it; nil if it is not UTF-8, which Syncthing does not
    /// sync, and for the folder itself.
    func name(of item: ItemURI) -> String? {
        guard item.isBelow(root) else { return nil }
        var parts: [String] = []
        var place = item
        while place != root, let name = place.name, let parent = place.parent {
            guard let part = String(validating: name.bytes, as: UTF8.self) else { return nil }
            parts.append(part)
            place = parent
        }
        return parts.reversed().joined(separator: "/")
    }
}

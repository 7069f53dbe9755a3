internal import RoundelBus

/// The folders that are synced at one moment, in the order in which they were added.
struct FolderSet {
    let all: [FolderUnit]

    /// The folder with an ID.
    func unit(withID id: String) -> FolderUnit? { all.first { $0.settings.id == id } }

    /// The folder whose root is at a URI.
    func unit(at root: ItemURI) -> FolderUnit? { all.first { $0.uri == root } }

    /// The deepest folder that contains an item.
    func unit(holding item: ItemURI) -> FolderUnit? {
        all.filter { item.isWithin($0.uri) }.max { $0.uri.path.utf8.count < $1.uri.path.utf8.count }
    }

    /// The folder with an ID, or the deepest one that contains a URI.
    func unit(named text: String) throws(WorkerError) -> FolderUnit {
        if let unit = unit(withID: text) { return unit }
        if let item = try? ItemURI(text), let unit = unit(holding: item) { return unit }
        throw .unknownFolder(text)
    }

    /// The folders that a text names; all for "".
    func units(named text: String) throws(WorkerError) -> [FolderUnit] {
        text.isEmpty ? all : [try unit(named: text)]
    }

    /// The folders of the target and the selection of a menu; all folders if there is neither.
    func concerned(by request: MenuRequest) -> [FolderUnit] {
        let places = request.selection + (request.target.map { [$0] } ?? [])
        if places.isEmpty { return all }
        var found: [FolderUnit] = []
        for place in places {
            guard let unit = unit(holding: place), !found.contains(where: { $0 === unit }) else { continue }
            found.append(unit)
            if found.count == all.count { break }
        }
        return found
    }

    /// The folders affected when a directory is observed: the one that contains it, and those directly in it.
    func concerned(by directory: ItemURI) -> [FolderUnit] {
        all.filter { directory.isWithin($0.uri) || $0.uri.parent == directory }
    }
}

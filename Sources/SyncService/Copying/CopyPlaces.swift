internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// Where the items of a copy are: those of synced folders are resolved below their folder, all others below the directory
/// in which the person saw them.
struct CopyPlaces {
    /// The folders that are synced.
    let folders: [ItemURI]

    /// The place of an item that is copied or moved.
    ///
    /// - Throws: `Failed` for the root of the file system.
    func original(_ item: ItemURI) throws(WorkerError) -> CopyTask.Place {
        if let inside = inside(item), !inside.path.isRoot { return inside }
        guard let parent = item.parent, let name = item.name?.entryName else {
            throw WorkerError(.failed, tr("The whole file system cannot be copied. Choose something in it."))
        }
        return CopyTask.Place(root: parent.filePath, path: RelativePath([name]))
    }

    /// The place of a directory into which something comes.
    func destination(_ directory: ItemURI) -> CopyTask.Place {
        inside(directory) ?? CopyTask.Place(root: directory.filePath)
    }

    private func inside(_ item: ItemURI) -> CopyTask.Place? {
        let folder = folders.filter { item.isWithin($0) }.max { $0.path.utf8.count < $1.path.utf8.count }
        guard let folder, let path = RelativePath(item, below: folder) else { return nil }
        return CopyTask.Place(root: folder.filePath, path: path)
    }

    /// Refuses to move a synced folder, or a directory that contains one: it would be missing where it is synced.
    func checkMovable(_ items: [ItemURI]) throws(WorkerError) {
        for item in items {
            guard let folder = folders.first(where: { $0.isWithin(item) }) else { continue }
            throw WorkerError(
                .failed,
                tr(
                    "“{1}” is or contains a synced folder and is not moved. Copy it, or move what is in it.",
                    ShownPath.short(folder.filePath)))
        }
    }

    /// The items that a dialog gave.
    ///
    /// - Throws: `Failed` if one of them has no path.
    static func chosen(_ uris: [String]) throws(WorkerError) -> [ItemURI] {
        var items: [ItemURI] = []
        for uri in uris {
            do throws(ItemURIError) {
                items.append(try ItemURI(uri))
            } catch {
                throw WorkerError(
                    .failed,
                    tr("“{1}” is not in a folder of this computer. Copy it to one first, then choose that.", uri))
            }
        }
        return items
    }
}

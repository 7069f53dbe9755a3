internal import Remotes
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// A folder, synced or not, that may have kept versions.
struct KeptPlace {
    /// The ID of the folder.
    let id: String
    /// The current or last place of the folder.
    let uri: ItemURI
    let label: String
    /// Where items restored to the remote can be found; nil for a remote without URIs.
    let remoteURI: ItemURI?
    let kept: KeptOfFolder
    let isRemoved: Bool

    init(_ unit: FolderUnit) {
        (id, uri, label, kept) = (unit.settings.id, unit.uri, unit.settings.label, unit.kept)
        remoteURI = unit.remote.uri.flatMap { try? ItemURI($0) }
        isRemoved = false
    }

    /// - Throws: `InvalidUri`, `InvalidRemote`, or `Failed` for settings that this program cannot have written.
    init(_ folder: RemovedFolder, _ places: WorkerPlaces, _ kinds: RemoteKinds) throws(WorkerError) {
        (id, label, isRemoved) = (folder.id, folder.label, true)
        uri = try ItemURI(folder: folder.uri)
        guard let owner = EntryName(folder.id) else { throw .notValid(folder.id) }
        let remote = try kinds.place(folder.remote)
        remoteURI = remote.uri.flatMap { try? ItemURI($0) }
        var sides = [
            Side.local: RemovedSide(
                local: uri.filePath, known: folder.roots.local, owner: owner,
                stateDirectory: places.state(of: folder.id), dataHome: places.dataHome)
        ]
        if let path = remote.directory {
            sides[.remote] = RemovedSide(remote: path, known: folder.roots.remote, owner: owner)
        }
        kept = KeptOfFolder(removed: sides, at: uri.filePath, Explainer(folder: folder.label))
    }

    /// The URI of a restored item.
    func uri(of path: RelativePath, on side: Side, below place: ItemURI?) -> ItemURI? {
        if let place { return path.uri(below: place) }
        return path.uri(below: side == .remote && isRemoved ? remoteURI ?? uri : uri)
    }
}

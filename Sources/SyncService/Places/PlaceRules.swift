internal import Rclone
internal import RoundelBus
internal import SyncCore
internal import SystemPackage

/// A folder that is synced, and where its remote is.
struct SyncedPlace: Equatable {
    /// The folder's id.
    var id: String
    var folder: FilePath
    var remote: RemoteAddress

    /// The remote's path; nil where it is no directory of this computer.
    var remotePath: FilePath? {
        switch remote {
        case .directory(let path): path
        case .server, .rclone: nil
        }
    }

    /// The remote's place on a server; nil where it is on none.
    var server: ServerPlace? {
        switch remote {
        case .directory, .rclone: nil
        case .server(let place): place
        }
    }

    /// The remote's place in rclone; nil where it is none of its remotes.
    var rclone: RcloneLocation? {
        switch remote {
        case .directory, .server: nil
        case .rclone(let location): location
        }
    }
}

/// Where a folder is to be from now on.
struct NewPlace {
    var uri: ItemURI
    /// The identity of a copy that takes the folder's place; nil where the very directory was moved there.
    var adopts: Token?
}

/// Decides which places may be synced. Pure: it knows what a ``PlaceSurvey`` found out.
struct PlaceRules {
    let facts: PlaceFacts
    /// Every folder there is.
    let others: [SyncedPlace]

    /// Checks the places of a new folder.
    /// - Throws: `NotADirectory`, `FolderTaken`, `InvalidRemote`.
    func checkNew(_ folder: FilePath, _ remote: RemoteAddress) throws(WorkerError) {
        try requireDirectory(folder, WorkerError.folderNoDirectory, WorkerError.folderUnusable)
        try requireFree(folder)
        switch remote {
        case .directory(let path):
            try requireDirectory(path, WorkerError.remoteNoDirectory, WorkerError.remoteUnusable)
            try requireFree(remote: path, of: folder)
        case .server(let place):
            for other in others where other.server.map(place.overlaps) ?? false {
                throw .remoteTaken(place.name, by: other.folder)
            }
        case .rclone(let location):
            for other in others where other.rclone.map(location.overlaps) ?? false {
                throw .remoteTaken(location.text, by: other.folder)
            }
        }
    }

    /// Checks the new place of a folder, which must carry the folder's identity, `known`.
    /// - Throws: `InvalidUri`, `NotADirectory`, `FolderTaken`.
    func checkMove(of folder: SyncedPlace, known: Token?, to uri: ItemURI) throws(WorkerError) -> NewPlace {
        let target = uri.filePath
        try requireDirectory(target, WorkerError.folderNoDirectory, WorkerError.folderUnusable)
        try requireFree(target, except: folder)
        guard let known, let found = root(at: target), let likeness = RootIdentity.compare(known: known, found: found)
        else { throw .anotherFolder(target) }
        if let old = root(at: folder.folder), RootIdentity.compare(known: known, found: old) == .same,
            let here = territory(target), let there = territory(folder.folder), !here.isSameDirectory(as: there)
        {
            throw .copyOfFolder(target, of: folder.folder)
        }
        return NewPlace(uri: uri, adopts: likeness == .copy ? found : nil)
    }

    private func root(at path: FilePath) -> Token? { facts.roots[path] ?? nil }

    private func territory(_ path: FilePath) -> Territory? { facts.places[path]?.territory }

    private func overlap(_ path: FilePath, _ other: FilePath) -> Bool {
        guard let place = territory(path), let second = territory(other) else { return false }
        return place.overlaps(second)
    }

    private func requireDirectory(
        _ path: FilePath, _ noDirectory: (FilePath) -> WorkerError, _ unusable: (FilePath, Errno) -> WorkerError
    ) throws(WorkerError) {
        switch facts.places[path]?.kind {
        case .directory: break
        case .other: throw noDirectory(path)
        case .missing(let error): throw unusable(path, error)
        case nil: throw .noAnswer(path)
        }
    }

    /// A folder that overlaps another folder, or the remote of one, would be synced twice: two sessions over the same
    /// files, each of which takes what the other does for a person's edits.
    private func requireFree(_ folder: FilePath, except: SyncedPlace? = nil) throws(WorkerError) {
        for other in others {
            if other.id != except?.id, overlap(folder, other.folder) {
                throw folder == other.folder ? .alreadySynced(folder) : .overlapsFolder(folder, with: other.folder)
            }
            if let remote = other.remotePath, overlap(folder, remote) {
                throw .overlapsRemote(folder, of: other.folder)
            }
        }
    }

    /// The same of a remote. On two computers two folders may share one: each has a session of its own there and sees
    /// the other's files whole; here they would be one person's folders with each other's contents.
    private func requireFree(remote: FilePath, of folder: FilePath) throws(WorkerError) {
        if overlap(remote, folder) { throw .remoteHoldsFolder }
        for other in others {
            if overlap(remote, other.folder) { throw .remoteOverlapsFolder(remote, with: other.folder) }
            if let taken = other.remotePath, overlap(remote, taken) {
                throw .remoteOverlapsRemote(remote, of: other.folder)
            }
        }
    }
}

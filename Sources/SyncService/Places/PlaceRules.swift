internal import RoundelBus
internal import SyncCore
internal import SystemPackage

/// A folder that is synced, and where its remote is.
struct SyncedPlace: Equatable {
    /// The folder's id.
    var id: String
    var folder: FilePath
    /// Nil where the remote is no directory of this computer.
    var remote: FilePath?
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
    /// For sentences.
    let home: FilePath

    /// Checks the places of a new folder.
    /// - Throws: `NotADirectory`, `FolderTaken`, `InvalidRemote`.
    func checkNew(_ folder: FilePath, _ remote: RemoteAddress) throws(WorkerError) {
        try requireDirectory(folder, as: "folder", .notADirectory)
        try requireFree(folder)
        switch remote {
        case .directory(let path):
            try requireDirectory(path, as: "remote", .invalidRemote)
            try requireFree(remote: path, of: folder)
        }
    }

    /// Checks the new place of a folder, which must carry the folder's identity, `known`.
    /// - Throws: `InvalidUri`, `NotADirectory`, `FolderTaken`.
    func checkMove(of folder: SyncedPlace, known: Token?, to uri: ItemURI) throws(WorkerError) -> NewPlace {
        let target = uri.filePath
        try requireDirectory(target, as: "folder", .notADirectory)
        try requireFree(target, except: folder)
        guard let known, let found = root(at: target), let likeness = RootIdentity.compare(known: known, found: found)
        else {
            throw WorkerError(
                .invalidURI,
                "\(shown(target)) is not the folder that was synced. Add it as a folder of its own instead.")
        }
        if let old = root(at: folder.folder), RootIdentity.compare(known: known, found: old) == .same,
            let here = territory(target), let there = territory(folder.folder), !here.isSameDirectory(as: there)
        {
            throw WorkerError(
                .invalidURI,
                "\(shown(target)) is a copy of \(shown(folder.folder)), which is still there and stays the "
                    + "synced folder. Move or remove that first, or add the copy as a folder of its own.")
        }
        return NewPlace(uri: uri, adopts: likeness == .copy ? found : nil)
    }

    private func root(at path: FilePath) -> Token? { facts.roots[path] ?? nil }

    private func territory(_ path: FilePath) -> Territory? { facts.places[path]?.territory }

    private func overlap(_ path: FilePath, _ other: FilePath) -> Bool {
        guard let place = territory(path), let second = territory(other) else { return false }
        return place.overlaps(second)
    }

    private func requireDirectory(_ path: FilePath, as what: String, _ code: WorkerError.Code) throws(WorkerError) {
        switch facts.places[path]?.kind {
        case .directory: break
        case .other:
            throw WorkerError(
                code, "The \(what) \(path) is not a directory, or is a symbolic link; name the directory itself.")
        case .missing(let error):
            throw WorkerError(code, "The \(what) \(path) cannot be used: \(error). Create it first.")
        case nil: throw WorkerError(.failed, "The \(what) \(path) was not looked at. Try again.")
        }
    }

    /// A folder that overlaps another folder, or the remote of one, would be synced twice: two sessions over the same
    /// files, each of which takes what the other does for a person's edits.
    private func requireFree(_ folder: FilePath, except: SyncedPlace? = nil) throws(WorkerError) {
        for other in others {
            if other.id != except?.id, overlap(folder, other.folder) {
                throw WorkerError(
                    .folderTaken, "\(shown(folder)) overlaps the synced folder \(shown(other.folder)).")
            }
            if let remote = other.remote, overlap(folder, remote) {
                throw WorkerError(
                    .folderTaken,
                    "\(shown(folder)) overlaps the remote of the synced folder \(shown(other.folder)). Choose a "
                        + "directory outside it.")
            }
        }
    }

    /// The same of a remote. On two computers two folders may share one: each has a session of its own there and sees
    /// the other's files whole; here they would be one person's folders with each other's contents.
    private func requireFree(remote: FilePath, of folder: FilePath) throws(WorkerError) {
        if overlap(remote, folder) {
            throw WorkerError(.invalidRemote, "The folder and its remote must not contain one another.")
        }
        for other in others {
            let places =
                [(other.folder, "the synced folder")]
                + (other.remote.map { [($0, "the remote of the synced folder")] } ?? [])
            for (place, what) in places where overlap(remote, place) {
                throw WorkerError(
                    .invalidRemote,
                    "The remote \(shown(remote)) overlaps \(what) \(shown(other.folder)). Choose a directory "
                        + "outside it.")
            }
        }
    }

    /// A path in a sentence.
    private func shown(_ path: FilePath) -> String {
        guard !home.components.isEmpty, path != home, path.starts(with: home) else { return "“\(path)”" }
        return "“~/\(path.components.dropFirst(home.components.count).map(\.string).joined(separator: "/"))”"
    }
}

internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SystemPackage

/// A synced folder and the place of its remote.
struct SyncedPlace {
    /// The ID of the folder.
    var id: String
    var folder: FilePath
    var remote: any RemotePlace
    /// The directory that keeps what is here of a folder on demand; nil for an ordinary one.
    var contents: FilePath?

    /// The directories that are synced with each other, as far as they are on this computer.
    var directories: [FilePath] { [folder, remote.directory].compactMap(\.self) }
}

/// The new place of a folder.
struct NewPlace {
    var uri: ItemURI
    /// The identity of a copy that replaces the folder; nil if the original directory was moved there.
    var adopts: Token?
}

/// Decides which places may be synced. Pure: it uses the facts that a ``PlaceSurvey`` found.
struct PlaceRules {
    let facts: PlaceFacts
    /// All existing folders.
    let others: [SyncedPlace]

    /// Checks the places of a new folder.
    ///
    /// - Parameter creates: Whether directories that are missing are about to be made.
    /// - Throws: `NotADirectory`, `FolderTaken`, `InvalidRemote`.
    func checkNew(_ folder: FilePath, _ remote: any RemotePlace, creates: Bool = false) throws(WorkerError) {
        if !creates || !isMissing(folder) {
            try requireDirectory(folder, WorkerError.folderNoDirectory, WorkerError.folderUnusable)
        }
        for path in [folder, remote.directory].compactMap(\.self) { try requireOutsideContents(path) }
        try requireFree(folder)
        if let path = remote.directory {
            if !creates || !isMissing(path) {
                try requireDirectory(path, WorkerError.remoteNoDirectory, WorkerError.remoteUnusable)
            }
            try requireFree(remote: path, of: folder)
        } else if let other = others.first(where: { remote.overlaps(any: $0.remote) }) {
            throw .remoteTaken(remote.name, by: other.folder)
        }
    }

    /// Checks the new place of a folder, which must have the folder's identity, `known`.
    /// - Throws: `InvalidUri`, `NotADirectory`, `FolderTaken`.
    func checkMove(of folder: SyncedPlace, known: Token?, to uri: ItemURI) throws(WorkerError) -> NewPlace {
        let target = uri.filePath
        try requireDirectory(target, WorkerError.folderNoDirectory, WorkerError.folderUnusable)
        try requireFree(target, except: folder)
        guard let known, let found = root(at: target), let likeness = RootIdentity.compare(known: known, found: found)
        else {
            throw WorkerError(
                .invalidURI,
                tr(
                    "“{1}” is not the folder that was synced. Add it as a folder of its own instead.",
                    ShownPath.short(target)))
        }
        if let old = root(at: folder.folder), RootIdentity.compare(known: known, found: old) == .same,
            let here = territory(target), let there = territory(folder.folder), !here.isSameDirectory(as: there)
        {
            throw WorkerError(
                .invalidURI,
                tr(
                    """
                    “{1}” is a copy of “{2}”, which is still there and stays the synced folder. Move or remove that \
                    first, or add the copy as a folder of its own.
                    """, ShownPath.short(target), ShownPath.short(folder.folder)))
        }
        return NewPlace(uri: uri, adopts: likeness == .copy ? found : nil)
    }

    private func root(at path: FilePath) -> Token? { facts.roots[path] ?? nil }

    /// Whether nothing is at a path.
    private func isMissing(_ path: FilePath) -> Bool {
        if case .missing(.noSuchFileOrDirectory)? = facts.places[path]?.kind { true } else { false }
    }

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

    /// Fails if a folder overlaps another folder or its remote. It would be synced twice: two sessions would work on
    /// the same files, each taking the other's changes for the user's.
    private func requireFree(_ folder: FilePath, except: SyncedPlace? = nil) throws(WorkerError) {
        for other in others {
            if other.id != except?.id, overlap(folder, other.folder) {
                throw folder == other.folder
                    ? WorkerError(.folderTaken, tr("“{1}” is already synced.", ShownPath.short(folder)))
                    : .overlapsFolder(folder, with: other.folder)
            }
            if let remote = other.remote.directory, overlap(folder, remote) {
                throw WorkerError(
                    .folderTaken,
                    tr(
                        "“{1}” overlaps the remote of the synced folder “{2}”. Choose a directory outside it.",
                        ShownPath.short(folder), ShownPath.short(other.folder)))
            }
        }
    }

    /// Fails if a place is where the contents of a folder on demand are kept: they are its own, and not all of them are
    /// there.
    private func requireOutsideContents(_ path: FilePath) throws(WorkerError) {
        guard let other = others.first(where: { $0.contents.map { path.starts(with: $0) } ?? false }) else { return }
        throw WorkerError(
            .folderTaken,
            tr(
                "“{1}” keeps the contents of the synced folder “{2}”. Choose a directory outside it.",
                ShownPath.short(path), ShownPath.short(other.folder)))
    }

    /// The same for a remote. Folders of two computers may share a remote: each has its own session there and never
    /// sees partial files of the other. On one computer, the user would get folders with each other's contents.
    private func requireFree(remote: FilePath, of folder: FilePath) throws(WorkerError) {
        if overlap(remote, folder) {
            throw WorkerError(.invalidRemote, tr("The folder and its remote must not contain one another."))
        }
        for other in others {
            if overlap(remote, other.folder) {
                throw WorkerError(
                    .invalidRemote,
                    tr(
                        "The remote “{1}” overlaps the synced folder “{2}”. Choose a directory outside it.",
                        ShownPath.short(remote), ShownPath.short(other.folder)))
            }
            if let taken = other.remote.directory, overlap(remote, taken) {
                throw WorkerError(
                    .invalidRemote,
                    tr(
                        """
                        The remote “{1}” overlaps the remote of the synced folder “{2}”. Choose a directory outside \
                        it.
                        """,
                        ShownPath.short(remote), ShownPath.short(other.folder)))
            }
        }
    }
}

extension WorkerError {
    static func remoteTaken(_ name: String, by other: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            tr(
                "The remote {1} overlaps the remote of the synced folder “{2}”. Choose a directory outside it.", name,
                ShownPath.short(other)))
    }

    fileprivate static func folderUnusable(_ path: FilePath, _ error: Errno) -> WorkerError {
        WorkerError(
            .notADirectory,
            tr("The folder “{1}” cannot be used: {2}. Create it first.", ShownPath.short(path), "\(error)"))
    }

    fileprivate static func remoteUnusable(_ path: FilePath, _ error: Errno) -> WorkerError {
        WorkerError(
            .invalidRemote,
            tr("The remote “{1}” cannot be used: {2}. Create it first.", ShownPath.short(path), "\(error)"))
    }

    fileprivate static func folderNoDirectory(_ path: FilePath) -> WorkerError {
        WorkerError(
            .notADirectory,
            tr(
                "The folder “{1}” is not a directory, or is a symbolic link; name the directory itself.",
                ShownPath.short(path)))
    }

    fileprivate static func remoteNoDirectory(_ path: FilePath) -> WorkerError {
        WorkerError(
            .invalidRemote,
            tr(
                "The remote “{1}” is not a directory, or is a symbolic link; name the directory itself.",
                ShownPath.short(path)))
    }

    fileprivate static func overlapsFolder(_ path: FilePath, with other: FilePath) -> WorkerError {
        WorkerError(
            .folderTaken,
            path.starts(with: other)
                ? tr("“{1}” is already synced (as part of “{2}”).", ShownPath.short(path), ShownPath.short(other))
                : tr("“{1}” overlaps the synced folder “{2}”.", ShownPath.short(path), ShownPath.short(other)))
    }
}

internal import DBus
internal import Glibc
internal import RoundelBus
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

extension SyncService {
    /// Checks what AddFolder was given and makes the settings of the new folder.
    /// - Throws: `InvalidUri`, `NotADirectory`, `FolderTaken`, `InvalidRemote`, `UnsupportedRemote`, `Unsupported`.
    func newFolder(_ text: String, _ remote: String, _ options: VariantMap) throws(WorkerError) -> FolderSettings {
        let uri = try folderURI(text)
        for (key, name) in [("on-demand", "On-demand"), ("upload-only", "Upload-only")] where options.bool(key) == true
        {
            throw WorkerError(.unsupported, "\(name) folders are not part of this release; leave the option out.")
        }
        try requireDirectory(uri.filePath, as: "folder", .notADirectory)
        let mounts = MountedPlaces.mounts()
        try requireFree(uri, mounts)
        let address = try RemoteAddress(remote)
        if case .directory(let path) = address {
            try requireDirectory(path, as: "remote", .invalidRemote)
            try requireFree(remote: path, of: uri, mounts)
        }
        let excludes = options.strings("excludes") ?? []
        try FolderSettings.requirePatterns(excludes)
        let label = options.string("label") ?? ""
        return FolderSettings(
            id: Self.newID(), uri: uri.uri, remote: remote,
            label: label.isEmpty ? uri.name.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "/" : label,
            excludes: excludes, added: microseconds())
    }

    /// Checks the new place of a folder, which must carry the folder's identity.
    /// - Throws: `InvalidUri`, `NotADirectory`, `FolderTaken`.
    func newPlace(_ text: String, for unit: FolderUnit) throws(WorkerError) -> NewPlace {
        let uri = try folderURI(text)
        try requireDirectory(uri.filePath, as: "folder", .notADirectory)
        try requireFree(uri, MountedPlaces.mounts(), except: unit)
        guard let known = (try? unit.folder.store.value(.localRoot)) ?? nil, let found = root(at: uri, of: unit),
            let likeness = RootIdentity.compare(known: Token(known), found: found)
        else {
            throw WorkerError(
                .invalidURI,
                "\(shown(uri.filePath)) is not the folder that was synced. Add it as a folder of its own instead.")
        }
        if let old = root(at: unit.uri, of: unit), RootIdentity.compare(known: Token(known), found: old) == .same,
            !Territory(uri.filePath).isSameDirectory(as: Territory(unit.uri.filePath))
        {
            throw WorkerError(
                .invalidURI,
                "\(shown(uri.filePath)) is a copy of \(shown(unit.uri.filePath)), which is still there and stays the "
                    + "synced folder. Move or remove that first, or add the copy as a folder of its own.")
        }
        return NewPlace(uri: uri, adopts: likeness == .copy ? found : nil)
    }

    /// The identity of the directory at a place; nil if there is none.
    private func root(at uri: ItemURI, of unit: FolderUnit) -> Token? {
        guard let owner = EntryName(unit.settings.id) else { return nil }
        let place = DiskEndpoints.local(
            at: uri.filePath, stateDirectory: places.state(of: unit.settings.id), dataHome: places.dataHome,
            owner: owner)
        guard case .present(let identity, _) = place.root() else { return nil }
        return identity
    }

    private func folderURI(_ text: String) throws(WorkerError) -> ItemURI {
        do {
            return try ItemURI(text)
        } catch {
            throw WorkerError(.invalidURI, "“\(text)” is not the URI of a folder: \(error.reason).")
        }
    }

    private func requireDirectory(_ path: FilePath, as what: String, _ code: WorkerError.Code) throws(WorkerError) {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else {
            throw WorkerError(code, "The \(what) \(path) cannot be used: \(Errno(rawValue: errno)). Create it first.")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw WorkerError(
                code, "The \(what) \(path) is not a directory, or is a symbolic link; name the directory itself.")
        }
    }

    /// A folder that overlaps another folder, or the remote of one, would be synced twice: two sessions over the same
    /// files, each of which takes what the other does for a person's edits.
    private func requireFree(
        _ uri: ItemURI, _ mounts: [MountedPlaces.Mount], except: FolderUnit? = nil
    ) throws(WorkerError) {
        let place = Territory(uri.filePath, mounts)
        for unit in units {
            if unit !== except, Territory(unit.uri.filePath, mounts).overlaps(place) {
                throw WorkerError(
                    .folderTaken, "\(shown(uri.filePath)) overlaps the synced folder \(shown(unit.uri.filePath)).")
            }
            guard case .directory(let remote) = unit.remoteAddress, Territory(remote, mounts).overlaps(place) else {
                continue
            }
            throw WorkerError(
                .folderTaken,
                "\(shown(uri.filePath)) overlaps the remote of the synced folder \(shown(unit.uri.filePath)). Choose a "
                    + "directory outside it.")
        }
    }

    /// The same of a remote. On two computers two folders may share one: each has a session of its own there and sees
    /// the other's files whole; here they would be one person's folders with each other's contents.
    private func requireFree(
        remote: FilePath, of uri: ItemURI, _ mounts: [MountedPlaces.Mount]
    ) throws(WorkerError) {
        let place = Territory(remote, mounts)
        if place.overlaps(Territory(uri.filePath, mounts)) {
            throw WorkerError(.invalidRemote, "The folder and its remote must not contain one another.")
        }
        for unit in units {
            var others = [(Territory(unit.uri.filePath, mounts), "the synced folder")]
            if case .directory(let other) = unit.remoteAddress {
                others.append((Territory(other, mounts), "the remote of the synced folder"))
            }
            for (other, what) in others where other.overlaps(place) {
                throw WorkerError(
                    .invalidRemote,
                    "The remote \(shown(remote)) overlaps \(what) \(shown(unit.uri.filePath)). Choose a directory "
                        + "outside it.")
            }
        }
    }

    /// A path in a sentence.
    private func shown(_ path: FilePath) -> String {
        let home = places.home
        guard !home.components.isEmpty, path != home, path.starts(with: home) else { return "“\(path)”" }
        return "“~/\(path.components.dropFirst(home.components.count).map(\.string).joined(separator: "/"))”"
    }

    private static func newID() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return "f" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Where a folder is to be from now on.
struct NewPlace {
    var uri: ItemURI
    /// The identity of a copy that takes the folder's place; nil where the very directory was moved there.
    var adopts: Token?
}

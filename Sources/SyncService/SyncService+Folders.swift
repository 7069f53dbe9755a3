internal import BadgeCore
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
        try requireFree(uri)
        let address = try RemoteAddress(remote)
        if case .directory(let path) = address {
            try requireDirectory(path, as: "remote", .invalidRemote)
            try requireApart(uri, path)
            try requireUnsynced(remote: path)
        }
        try requireNoRemote(uri)
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
    func newPlace(_ text: String, for unit: FolderUnit) throws(WorkerError) -> ItemURI {
        let uri = try folderURI(text)
        try requireDirectory(uri.filePath, as: "folder", .notADirectory)
        try requireFree(uri, except: unit)
        try requireNoRemote(uri)
        guard let owner = EntryName(unit.settings.id) else {
            throw WorkerError(.failed, "The folder's id is not valid.")
        }
        let place = DiskEndpoints.local(
            at: uri.filePath, stateDirectory: places.state(of: unit.settings.id), dataHome: places.dataHome,
            owner: owner)
        let known = (try? unit.folder.store.value(.localRoot)) ?? nil
        guard case .present(let identity, _) = place.root(), identity.bytes == known else {
            throw WorkerError(
                .invalidURI, "“\(text)” is not the folder that was synced; add it as a folder of its own instead.")
        }
        return uri
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

    private func requireFree(_ uri: ItemURI, except: FolderUnit? = nil) throws(WorkerError) {
        let place = Self.canonical(uri)
        for unit in units where unit !== except {
            let other = Self.canonical(unit.uri)
            guard place.overlaps(other) else { continue }
            throw WorkerError(.folderTaken, "\(uri.uri) is synced already, as or with \(unit.uri.uri).")
        }
    }

    private func requireApart(_ uri: ItemURI, _ remote: FilePath) throws(WorkerError) {
        guard let resolved = Self.resolved(remote), let folder = Self.resolved(uri.filePath) else { return }
        guard let place = try? ItemURI(path: resolved), let own = try? ItemURI(path: folder) else { return }
        if place.overlaps(own) {
            throw WorkerError(.invalidRemote, "The folder and its remote must not contain one another.")
        }
    }

    /// A remote in a synced folder would be synced on in turn: two sessions over the same files, each of which takes
    /// what the other does for a person's edits. Two folders may share a remote, as two computers may.
    private func requireUnsynced(remote: FilePath) throws(WorkerError) {
        guard let place = Self.resolved(remote).flatMap({ try? ItemURI(path: $0) }) else { return }
        for unit in units where place.overlaps(Self.canonical(unit.uri)) {
            throw WorkerError(
                .invalidRemote,
                "The remote \(remote) is, holds or lies in \(unit.uri.uri), which is synced itself; use another one."
            )
        }
    }

    /// The same, seen from the new folder.
    private func requireNoRemote(_ uri: ItemURI) throws(WorkerError) {
        let place = Self.canonical(uri)
        for unit in units {
            guard case .directory(let path) = unit.remoteAddress,
                let remote = Self.resolved(path).flatMap({ try? ItemURI(path: $0) }), remote.overlaps(place)
            else { continue }
            throw WorkerError(
                .folderTaken,
                "\(uri.uri) is, holds or lies in the remote of \(unit.uri.uri); choose a folder apart from it.")
        }
    }

    /// The place without symbolic links; as it is written where it cannot be resolved.
    private static func canonical(_ uri: ItemURI) -> ItemURI {
        resolved(uri.filePath).flatMap { try? ItemURI(path: $0) } ?? uri
    }

    private static func resolved(_ path: FilePath) -> FilePath? {
        guard let real = path.withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(real) }
        return FilePath(platformString: real)
    }

    private static func newID() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return "f" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension ItemURI {
    /// Whether one of the two is the other or holds it.
    fileprivate func overlaps(_ other: ItemURI) -> Bool { isWithin(other) || other.isBelow(self) }
}

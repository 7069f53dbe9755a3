import CLinux
import Glibc
import SyncCore
import SystemPackage

extension DiskEndpoint {
    func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        try checkSpace(for: source.size)
        let (file, name) = try attempt(path) { workspace throws(Errno) in
            try makeFile(id, near: path.parent, in: workspace)
        }
        do throws(EffectFailure) {
            var written: Int64 = 0
            let result = try ContentTransfer.run(source) { part throws(EffectFailure) in
                try attempt(path) { _ throws(Errno) in try file.writeAll(part) }
                written += Int64(part.count)
                if !progress(written) { throw EffectFailure(.changed, "The transfer was abandoned.") }
            }
            let status = try attempt(path) { _ throws(Errno) in
                try file.setModified(source.modified)
                return try file.status()
            }
            guard status.size == UInt64(result.size) else {
                throw EffectFailure(.io, "A staged file is not as long as what was written to it \(place).")
            }
            remember(try staged(file, name, status), as: id)
            return (result.hash, result.size)
        } catch {
            if let name, let staging = try? workspace().area().staging { try? staging.removeFile(name) }
            // With the room that this makes the next attempt succeeds.
            if error.reason == .noSpace { _ = makeRoom(for: source.size) }
            throw error
        }
    }

    /// A new file to write to, and its name in the staging directory if it has one.
    private func makeFile(
        _ id: StageID, near directory: RelativePath, in workspace: Workspace
    ) throws(Errno) -> (Descriptor, EntryName?) {
        // Where there are no such files, or the directory is yet to be made, the staging directory says what is wrong.
        if takesUnnamed(workspace),
            let file = try? workspace.directory.open(directory, O_RDWR | CLINUX_O_TMPFILE, permissions: 0o666)
        {
            return (file, nil)
        }
        let name = stagedName(id)
        let flags = O_RDWR | O_CREAT | O_TRUNC
        return (try workspace.area().staging.open(name, flags, permissions: 0o666), name)
    }

    private func staged(
        _ file: Descriptor, _ name: EntryName?, _ status: FileStatus
    ) throws(EffectFailure) -> StagedFile {
        guard let name else { return StagedFile(unnamed: file, status: status) }
        let staging = try attempt(.root) { workspace throws(Errno) in try workspace.area().staging }
        return StagedFile(name, in: staging, status: status)
    }

    func syncContents(_ ids: [StageID]) throws(EffectFailure) {
        let files = ids.compactMap { stagedFile($0) }
        try attempt(.root) { workspace throws(Errno) in
            let fileSystem = workspace.directory.descriptor
            try Durability.synchronize(count: files.count, kind: workspace.kind, fileSystem: fileSystem) {
                index throws(Errno) in
                try files[index].open(O_RDONLY)
            }
        }
    }

    func discard(_ ids: [StageID]) {
        for file in ids.compactMap({ forget($0) }) { file.remove() }
    }

    func syncRenames(_ directories: [RelativePath]) throws(EffectFailure) {
        let notes = announced(taking: true).map { ReplacedStore.note($0) }
        try attempt(.root) { workspace throws(Errno) in
            let root = workspace.directory
            let replaced = notes.isEmpty ? nil : try workspace.replaced()
            let count = directories.count + notes.count + (replaced == nil ? 0 : 1)
            try Durability.synchronize(count: count, kind: workspace.kind, fileSystem: root.descriptor) {
                index throws(Errno) in
                if index >= directories.count {
                    let rest = index - directories.count
                    return rest < notes.count
                        ? try? replaced?.directory.open(notes[rest], O_RDONLY) : replaced?.directory.descriptor
                }
                do throws(Errno) {
                    return try root.directory(at: directories[index]).descriptor
                } catch .noSuchFileOrDirectory {
                    // Removed since: its own removal is durable with its parent.
                    return nil
                }
            }
        }
        pruneKept()
    }

    /// Refuses a large file before its first byte if there is no room for it.
    private func checkSpace(for size: Int64) throws(EffectFailure) {
        guard size > 1 << 20, let available = availableBytes(), available < size else { return }
        if makeRoom(for: size - available), let available = availableBytes(), available >= size { return }
        throw EffectFailure(
            .noSpace, "There is no space left \(place): \(size) bytes are needed, \(available) are free.")
    }

    /// Bytes that can still be written; nil where the file system does not tell.
    func availableBytes() -> Int64? {
        var available: UInt64 = 0
        var total: UInt64 = 0
        guard let root = try? workspace().directory,
            clinux_file_system_space(root.descriptor.raw, &available, &total) == 0, total > 0
        else { return nil }
        return Int64(clamping: available)
    }

    private func stagedName(_ id: StageID) -> EntryName {
        EntryName("\(session)-\(id.rawValue)") ?? RandomName.component(prefix: session)
    }
}

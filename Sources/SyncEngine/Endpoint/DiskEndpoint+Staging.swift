import CLinux
import Glibc
import SyncCore
import SystemPackage

extension DiskEndpoint {
    func stage(
        _ id: StageID, from source: any ContentSource, progress: (Int64) -> Bool
    ) throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        let name = stagedName(id)
        let flags = O_RDWR | O_CREAT | O_TRUNC
        let staging = try attempt(.root) { workspace throws(Errno) in try workspace.area().staging }
        let file = try attempt(.root) { _ throws(Errno) in
            try staging.open(name, flags, permissions: 0o666)
        }
        do throws(EffectFailure) {
            try checkSpace(for: source.size)
            var written: Int64 = 0
            let result = try ContentTransfer.run(source) { part throws(EffectFailure) in
                try attempt(.root) { _ throws(Errno) in try file.writeAll(part) }
                written += Int64(part.count)
                if !progress(written) { throw EffectFailure(.changed, "The transfer was abandoned.") }
            }
            let status = try attempt(.root) { _ throws(Errno) in
                try file.setModified(source.modified)
                return try file.status()
            }
            guard status.size == UInt64(result.size) else {
                throw EffectFailure(.io, "A staged file is not as long as what was written to it \(place).")
            }
            remember(StagedFile(name: name, status: status), as: id)
            return (result.hash, result.size)
        } catch {
            try? staging.removeFile(name)
            throw error
        }
    }

    func syncContents(_ ids: [StageID]) throws(EffectFailure) {
        let names = ids.compactMap { stagedFile($0)?.name }
        try attempt(.root) { workspace throws(Errno) in
            let staging = try workspace.area().staging
            try Durability.synchronize(count: names.count, kind: workspace.kind, fileSystem: staging.descriptor) {
                index throws(Errno) in
                try staging.open(names[index], O_RDONLY)
            }
        }
    }

    func discard(_ ids: [StageID]) {
        let files = ids.compactMap { forget($0) }
        guard let staging = try? workspace().area().staging else { return }
        for file in files { try? staging.removeFile(file.name) }
    }

    func syncRenames(_ directories: [RelativePath]) throws(EffectFailure) {
        try attempt(.root) { workspace throws(Errno) in
            let root = workspace.directory
            try Durability.synchronize(count: directories.count, kind: workspace.kind, fileSystem: root.descriptor) {
                index throws(Errno) in
                do throws(Errno) {
                    return try root.directory(at: directories[index]).descriptor
                } catch .noSuchFileOrDirectory {
                    // Removed since: its own removal is durable with its parent.
                    return nil
                }
            }
        }
    }

    /// Refuses a large file before its first byte if there is no room for it.
    private func checkSpace(for size: Int64) throws(EffectFailure) {
        guard size > 1 << 20, let available = availableBytes(), available < size else { return }
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

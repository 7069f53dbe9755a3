import CLinux
import Glibc
import SyncCore
import Synchronization
import SystemPackage

extension DiskEndpoint {
    func stage(
        _ id: StageID, from source: any ContentSource, progress: (Int64) -> Bool
    ) throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        let name = stagedName(id)
        let flags = O_RDWR | O_CREAT | O_TRUNC
        let file = try attempt(.root) { () throws(Errno) in
            try area.staging.open(FilePath(root: nil, [name]), flags, permissions: 0o666)
        }
        do throws(EffectFailure) {
            try checkSpace(for: source.size)
            var written: Int64 = 0
            let result = try ContentTransfer.run(source) { part throws(EffectFailure) in
                try attempt(.root) { () throws(Errno) in try file.writeAll(part) }
                written += Int64(part.count)
                if !progress(written) { throw EffectFailure(.changed, "The transfer was abandoned.") }
            }
            let status = try attempt(.root) { () throws(Errno) in
                try file.setModified(source.modified)
                return try file.status()
            }
            guard status.size == UInt64(result.size) else {
                throw EffectFailure(.io, "A staged file is not as long as what was written to it \(place).")
            }
            staged.withLock { $0[id] = StagedFile(name: name, status: status) }
            return (result.hash, result.size)
        } catch {
            try? area.staging.removeFile(name)
            throw error
        }
    }

    func syncContents(_ ids: [StageID]) throws(EffectFailure) {
        let names = staged.withLock { staged in ids.compactMap { staged[$0]?.name } }
        let staging = area.staging
        try attempt(.root) { () throws(Errno) in
            try Durability.synchronize(count: names.count, kind: kind, fileSystem: staging.descriptor) {
                index throws(Errno) in
                try staging.open(FilePath(root: nil, [names[index]]), O_RDONLY)
            }
        }
    }

    func discard(_ ids: [StageID]) {
        let files = staged.withLock { staged in ids.compactMap { staged.removeValue(forKey: $0) } }
        for file in files { try? area.staging.removeFile(file.name) }
    }

    func syncRenames(_ directories: [RelativePath]) throws(EffectFailure) {
        let paths = directories.map(\.filePath)
        let root = directory
        try attempt(.root) { () throws(Errno) in
            try Durability.synchronize(count: paths.count, kind: kind, fileSystem: root.descriptor) {
                index throws(Errno) in
                do throws(Errno) {
                    return try root.directory(at: paths[index]).descriptor
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
        guard clinux_file_system_space(directory.descriptor.raw, &available, &total) == 0, total > 0 else {
            return nil
        }
        return Int64(clamping: available)
    }

    private func stagedName(_ id: StageID) -> FilePath.Component {
        FilePath.Component("\(session)-\(id.rawValue)") ?? RandomName.component(prefix: session)
    }
}

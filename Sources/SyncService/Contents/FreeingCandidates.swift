internal import Glibc
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// What may be freed in one folder by a rule, and when it was last used. It blocks.
struct FreeingCandidates: Sendable {
    /// The directory that keeps what is here: looking there changes nothing, and asks nobody.
    let contents: FilePath
    let files: [(node: NodeID, path: RelativePath)]

    /// A file was last used when it was read, written or changed, or when its contents came, whichever was last. What
    /// cannot be looked at is left out, because nobody knows when it was used. The eldest come first.
    func look() -> [FreeingRule.Candidate] {
        let candidates = files.compactMap { file -> FreeingRule.Candidate? in
            var status = stat()
            var path = contents
            for name in file.path.names {
                path.append(FilePath.Component(platformString: name.bytes.map { CChar(bitPattern: $0) } + [0]) ?? "?")
            }
            guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            let times = [status.st_atim.tv_sec, status.st_mtim.tv_sec, status.st_ctim.tv_sec]
            return FreeingRule.Candidate(
                file.node, bytes: Int64(clamping: status.st_blocks) * 512, lastUse: Int64(times.max() ?? 0))
        }
        return FreeingRule.eldestFirst(candidates)
    }
}

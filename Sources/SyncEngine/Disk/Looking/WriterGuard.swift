import SyncCore
import SystemPackage

/// Refuses files that a program is writing: they are tried again later.
struct WriterGuard: Sendable {
    let root: DiskRoot
    /// Checks whether a file is being written.
    let check: @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer

    /// Opens a file that has the expected version and is not open for writing.
    func open(
        _ path: RelativePath, expecting expected: Version
    ) throws(EffectFailure) -> (Descriptor, FileStatus) {
        let file = try root.attempt(path) { workspace throws(Errno) in
            try workspace.directory.open(path, DirectoryHandle.reading)
        }
        file.leaveAccessTime()
        let status = try root.attempt(path) { _ throws(Errno) in try file.status() }
        guard root.versions.matches(status, expected, kind: .file) else {
            // What somebody is writing changes all the time. It waits until that is done, and is no failure.
            if check(file, root.versions.kind(of: status)) == .busy { throw busy(path) }
            throw root.changed(path)
        }
        try refuseUnfinished(path, file, status)
        return (file, status)
    }

    /// Fails if a program is writing the file. If that cannot be determined, the file must not have changed for a
    /// while.
    private func refuseUnfinished(
        _ path: RelativePath, _ file: Descriptor, _ status: FileStatus
    ) throws(EffectFailure) {
        switch check(file, root.versions.kind(of: status)) {
        case .idle: return
        case .unknown where root.versions.age(of: status) ?? .max >= Self.quiet: return
        case .busy, .unknown: break
        }
        throw busy(path)
    }

    private func busy(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.busy, .beingWritten, root.side, path)
    }

    /// In nanoseconds; longer than clients of a network file system take to report a change.
    private static let quiet: Int64 = 5_000_000_000

    /// Fails if a program is writing the file with this name.
    ///
    /// - Returns: The opened file; nil if it cannot be opened for reading, in which case it can still be replaced.
    @discardableResult
    func refuseWhileWritten(
        _ path: RelativePath, _ name: EntryName, in parent: DirectoryHandle
    ) throws(EffectFailure) -> (file: Descriptor, status: FileStatus)? {
        guard let file = try? parent.open(name, DirectoryHandle.reading), let status = try? file.status() else {
            return nil
        }
        if check(file, root.versions.kind(of: status)) == .busy {
            throw busy(path)
        }
        return (file, status)
    }
}

import Glibc
import SyncCore
import SystemPackage

/// The clock that a file system stamps its files with.
struct FileClock: Sendable, Hashable {
    /// In nanoseconds: a file changed twice within it may show one time.
    var grain: Int64
    /// What it is ahead of this machine's clock, in nanoseconds.
    var offset: Int64

    /// What is to be expected where nothing can be measured.
    init(of kind: FileSystemKind) {
        grain = kind.clockGrain
        offset = 0
    }

    /// Measured with a file made in `directory` for the purpose.
    ///
    /// Since Linux 6.13 a local file system gives a file whose times were looked at a time of its own when it changes
    /// next (multigrain timestamps): no change after a look can hide, and the grain is zero. Where the kernel's tick
    /// stamps the files, some of these changes, made within microseconds, show the same time.
    init(of kind: FileSystemKind, measuredIn directory: DirectoryHandle, name: EntryName) throws(Errno) {
        self.init(of: kind)
        let file = try directory.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        defer { try? directory.removeFile(name) }
        var last = try file.status().changed
        if kind != .local { offset = last - FileVersions.now() }
        guard kind == .local else { return }
        for _ in 0..<Self.changes {
            try file.writeAll([0])
            let changed = try file.status().changed
            if changed == last { return }
            last = changed
        }
        grain = 0
    }

    private static let changes = 16
}

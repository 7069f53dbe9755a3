import Glibc
import SyncCore
import SystemPackage

/// The mark that a root carries: a small file in its hidden directory.
///
/// It is a file because files survive every way of copying and moving a folder. Extended attributes are lost by most,
/// and many file systems have none.
enum RootMark {
    static let fileName = EntryName.constant("root")
    private static let length = 32

    /// What was read from a root.
    struct Look {
        var identity: RootIdentity
        var status: FileStatus
        var kind: DiskKind
    }

    /// The identity of `root`.
    static func identity(of root: DirectoryHandle) throws(Errno) -> RootIdentity { try look(at: root).identity }

    /// The identity of `root`, and what was read to determine it.
    static func look(at root: DirectoryHandle) throws(Errno) -> Look {
        let status = try root.descriptor.status()
        let mark = try read(from: root)
        let kind = try DiskKind(of: root.descriptor)
        let identity = RootIdentity(
            mark: mark, inode: status.inode, born: kind.keepsBirth ? status.born : 0, keepsInode: kind.keepsRoots)
        return Look(identity: identity, status: status, kind: kind)
    }

    /// Durably gives `root` a mark if it has none.
    ///
    /// - Parameter mark: The mark that it had before; nil for a new one.
    static func write(_ mark: String?, to root: DirectoryHandle) throws(Errno) {
        if try read(from: root) != nil { return }
        let area = try root.hiddenDirectory()
        let staged = RandomName.component(prefix: ".new-")
        do throws(Errno) {
            // Other users who sync this root must be able to read it; the mark is not secret.
            let file = try area.open(staged, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o644)
            try? file.setPermissions(0o600 | root.descriptor.status().mode & 0o044)
            try file.writeAll(Array((mark ?? RandomName.identifier()).utf8))
            try file.synchronize()
            try area.renameWithoutReplacing(staged, to: fileName, in: area)
        } catch .fileExists {
            try area.removeFile(staged)
        } catch {
            try? area.removeFile(staged)
            throw error
        }
        try area.descriptor.synchronize()
        try root.descriptor.synchronize()
    }

    /// The mark of `root`; nil if it has none.
    private static func read(from root: DirectoryHandle) throws(Errno) -> String? {
        do {
            let file = try root.open(RelativePath([HiddenArea.name, fileName]), DirectoryHandle.reading)
            var bytes = [UInt8](repeating: 0, count: length + 1)
            let count = try file.read(into: &bytes, at: 0)
            let text = String(decoding: bytes[..<count], as: UTF8.self)
            return count == length && text.allSatisfy(\.isHexDigit) ? text : nil
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory, Errno.tooManySymbolicLinkLevels {
            return nil
        } catch {
            throw error
        }
    }
}

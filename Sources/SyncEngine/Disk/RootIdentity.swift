import Glibc
import SyncCore
import SystemPackage

/// What tells a folder's root from another directory that stands at the same path: a random mark that the folder
/// carries, and the inode where the file system keeps inodes.
struct RootIdentity: Sendable, Hashable {
    /// 32 hexadecimal digits.
    var mark: String
    /// 0 where inode numbers do not last.
    var inode: UInt64
}

extension RootIdentity {
    private static let attribute = "user.roundel.root"
    /// Carries the mark where the file system has no extended attributes.
    static let markerFile = EntryName.constant("root")

    /// Gives `root` a mark if it has none yet: an extended attribute, or a file in its hidden directory where the
    /// file system has no attributes.
    static func establish(on root: DirectoryHandle) throws(Errno) {
        if try read(from: root) != nil { return }
        let mark = Array(RandomName.identifier().utf8)
        do {
            try root.descriptor.setAttribute(attribute, to: mark)
        } catch let error where error.isUnsupported {
            let area = try root.directory(creating: HiddenArea.name, permissions: 0o700)
            let file = try area.open(markerFile, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
            try file.writeAll(mark)
            try file.synchronize()
        } catch {
            throw error
        }
        try root.descriptor.synchronize()
    }

    /// The identity as the session compares it. A root without a mark is known by its inode and birth.
    static func token(of root: DirectoryHandle) throws(Errno) -> Token {
        if let identity = try read(from: root) { return Token(Array(identity.mark.utf8) + identity.inode.bytes) }
        let status = try root.descriptor.status()
        return Token(status.inode.bytes + UInt64(bitPattern: status.born).bytes)
    }

    /// The identity that `root` carries; nil if it carries none.
    static func read(from root: DirectoryHandle) throws(Errno) -> RootIdentity? {
        var mark = try attributeMark(of: root)
        if mark == nil { mark = try fileMark(of: root) }
        guard let mark else { return nil }
        let text = String(decoding: mark, as: UTF8.self)
        guard text.count == 32, text.allSatisfy(\.isHexDigit) else { return nil }
        return RootIdentity(mark: text, inode: try lastingInode(of: root))
    }

    private static func attributeMark(of root: DirectoryHandle) throws(Errno) -> [UInt8]? {
        do {
            return try root.descriptor.attribute(attribute)
        } catch let error where error.isUnsupported {
            return nil
        } catch {
            throw error
        }
    }

    private static func fileMark(of root: DirectoryHandle) throws(Errno) -> [UInt8]? {
        do {
            let file = try root.open(RelativePath([HiddenArea.name, markerFile]), O_RDONLY)
            return try file.readAll(limit: 64)
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            return nil
        } catch {
            throw error
        }
    }

    private static func lastingInode(of root: DirectoryHandle) throws(Errno) -> UInt64 {
        try FileSystemKind(of: root.descriptor).keepsInodes ? root.descriptor.status().inode : 0
    }
}

extension UInt64 {
    /// The bytes of the number, the lowest first.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

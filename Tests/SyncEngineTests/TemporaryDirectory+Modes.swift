import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

extension TemporaryDirectory {
    /// The permission, set-id and sticky bits of an entry.
    func mode(_ name: String) throws -> UInt32 {
        try DirectoryHandle(absolute: path).status(at: RelativePath(text: name)).mode & 0o7777
    }

    func setMode(_ name: String, _ mode: UInt32) throws {
        try SystemCall.value { chmod(path.appending(name).string, mode) }
    }

    /// An extended attribute; nil if there is none.
    func attribute(_ name: String, _ attribute: String) -> [UInt8]? {
        try? DirectoryHandle(absolute: path).open(RelativePath(text: name), O_RDONLY).attribute(attribute)
    }

    func setAttribute(_ name: String, _ attribute: String, _ value: [UInt8]) throws {
        let opened = try DirectoryHandle(absolute: path).open(RelativePath(text: name), O_RDONLY)
        try opened.setAttribute(attribute, to: value)
    }

    /// The names of the extended attributes of an entry.
    func attributes(_ name: String) throws -> [String] {
        FileAttributes.names(of: try DirectoryHandle(absolute: path).open(RelativePath(text: name), O_RDONLY))
    }
}

/// A mount that shows one mode for everything and takes no other, as FAT does: bindfs over a directory.
final class FlatMount {
    private let behind: TemporaryDirectory
    private let directory: TemporaryDirectory

    static let isPossible: Bool = {
        guard geteuid() == 0, access("/dev/fuse", R_OK | W_OK) == 0 else { return false }
        return (try? FlatMount()) != nil
    }()

    init() throws {
        behind = try TemporaryDirectory()
        directory = try TemporaryDirectory()
        let arguments = ["bindfs", "--perms=0755", "--chmod-ignore", behind.path.string, directory.path.string]
        guard Child.run(arguments) == 0 else { throw Errno.notSupported }
    }

    var path: String { directory.path.string }

    deinit {
        umount2(path, Int32(MNT_DETACH))
    }
}

/// A program run to its end.
enum Child {
    /// Its exit status; nil if it could not be started or did not exit by itself.
    static func run(_ arguments: [String]) -> Int32? {
        var pid = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        guard posix_spawnp(&pid, arguments[0], nil, nil, words, environ) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1 { if errno != EINTR { return nil } }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }
}

import Glibc
import Support
import SystemPackage
import TestSupport
import Testing

@Suite("Small files")
struct SmallFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func status(_ path: FilePath) -> stat {
        var status = stat()
        #expect(lstat(path.string, &status) == 0)
        return status
    }

    @Test("A file is replaced as a whole, with its directories, for the owner alone")
    func replacing() throws {
        let path = directory("sub/file")
        #expect(try SmallFile.read(path, limit: 9) == nil)
        try SmallFile.replace(path, with: Array("one".utf8))
        let old = open(path.string, O_RDONLY | O_CLOEXEC)
        defer { close(old) }
        try SmallFile.replace(path, with: Array("two".utf8))
        #expect(try SmallFile.read(path, limit: 3) == Array("two".utf8))
        #expect(status(path).st_mode & 0o777 == 0o600)
        #expect(status(directory("sub")).st_mode & 0o777 == 0o700)
        #expect(try directory.names(in: "sub") == ["file"])
        // Whoever had it open still has the old contents, whole.
        var buffer = [UInt8](repeating: 0, count: 9)
        #expect(read(old, &buffer, 9) == 3 && buffer.prefix(3) == Array("one".utf8)[...])
    }

    @Test("A file has the permissions that were asked for, and is written by whoever knows its contents")
    func writing() throws {
        let path = directory("file")
        try SmallFile.replace(path, with: [1], permissions: FilePermissions(rawValue: 0o444))
        #expect(status(path).st_mode & 0o777 == 0o444)
        try SmallFile.replace(path, permissions: .ownerReadWrite) { file in
            for byte: UInt8 in 1...3 { try file.writeAll([byte]) }
        }
        #expect(try SmallFile.read(path, limit: 3) == [1, 2, 3])
        #expect(throws: Errno.brokenPipe) {
            try SmallFile.replace(path, permissions: .ownerReadWrite) { file in
                try file.writeAll([4])
                throw Errno.brokenPipe
            }
        }
        #expect(try SmallFile.read(path, limit: 3) == [1, 2, 3])
        #expect(try directory.names(in: "") == ["file"])
    }

    @Test("A symbolic link takes the place of a file or of another link, not of a directory")
    func links() throws {
        let path = directory("sub/link")
        try SmallFile.replace(path, with: [1])
        for target in ["/nowhere", "file"] {
            try SmallFile.replace(path, byLinkTo: FilePath(target))
            var buffer = [CChar](repeating: 0, count: 64)
            #expect(
                readlink(path.string, &buffer, 63) == target.utf8.count
                    && FilePath(platformString: buffer) == FilePath(target))
        }
        #expect(throws: Errno.isDirectory) { try SmallFile.replace(directory("sub"), byLinkTo: "/nowhere") }
        #expect(try directory.names(in: "sub") == ["link"])
        #expect(try directory.names() == ["sub"])
    }

    @Test("A file that is too long is refused, and its beginning can be read")
    func limits() throws {
        let path = directory("sub/file")
        let contents = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
        try SmallFile.replace(path, with: contents)
        #expect(try SmallFile.read(path, limit: contents.count) == contents)
        #expect(throws: Errno.fileTooLarge) { try SmallFile.read(path, limit: contents.count - 1) }
        #expect(try SmallFile.read(beginningOf: path, count: 20_000) == Array(contents.prefix(20_000)))
        #expect(try SmallFile.read(beginningOf: path, count: 50_000) == contents)
    }

    @Test("What cannot be replaced stays, and leaves nothing beside it")
    func failures() throws {
        let path = directory("sub/file")
        try SmallFile.replace(path.appending("inner"), with: [])
        #expect(throws: Errno.isDirectory) { try SmallFile.replace(path, with: [1]) }
        #expect(try directory.names(in: "sub") == ["file"])
        #expect(throws: Errno.isDirectory) { try SmallFile.read(path, limit: 9) }
        #expect(try SmallFile.read(path.appending("inner"), limit: 9) == [])
        #expect(try SmallFile.read(path.appending("inner").appending("below"), limit: 9) == nil)
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try SmallFile.read(beginningOf: path.appending("none"), count: 1)
        }
    }
}

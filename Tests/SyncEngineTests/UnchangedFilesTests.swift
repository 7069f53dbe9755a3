import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// What is removed only if it is as it was.
@Suite struct UnchangedFilesTests {
    private let files: TemporaryDirectory
    private let unchanged: UnchangedFiles

    init() throws {
        files = try TemporaryDirectory()
        try files.write("text", to: "root/d/a")
        unchanged = try UnchangedFiles(below: files["root"])
    }

    private func tag(_ path: RelativePath) throws -> Token {
        FileVersions.tag(of: try DirectoryHandle(absolute: files["root"]).status(at: path))
    }

    private func exists(_ name: String) -> Bool { access(files[name].string, F_OK) == 0 }

    @Test("A file goes if it is as it was, and its directory once it is empty")
    func unchangedFile() throws {
        #expect(!unchanged.removeDirectory(RelativePath(text: "d")))
        #expect(unchanged.remove(RelativePath(text: "d/a"), tag: try tag(RelativePath(text: "d/a"))))
        #expect(!exists("root/d/a"))
        #expect(unchanged.removeDirectory(RelativePath(text: "d")))
        #expect(!unchanged.remove(RelativePath(text: "d/a"), tag: .none))
    }

    @Test("A file with other contents stays, also with the same size and time of modification")
    func changedFile() throws {
        let before = try tag(RelativePath(text: "d/a"))
        var status = stat()
        try #require(stat(files["root/d/a"].string, &status) == 0)
        usleep(20_000)
        try files.write("edit", to: "root/d/a")
        let times = [status.st_atim, status.st_mtim]
        try #require(utimensat(AT_FDCWD, files["root/d/a"].string, times, 0) == 0)
        #expect(!unchanged.remove(RelativePath(text: "d/a"), tag: before))
        #expect(exists("root/d/a"))
    }

    @Test("What is left is counted and named, but for what is nobody's own")
    func remaining() throws {
        for name in ["b", "c/d/e", ".roundel/f1/x", ".Trash-\(getuid())/files/y", "d/.roundel-stage-1/z"] {
            try files.write("text", to: "root/\(name)")
        }
        try #require(symlink("b", files["root/link"].string) == 0)
        let all = unchanged.remaining(naming: 10)
        #expect(all.count == 3 && all.first.map(\.description) == ["b", "c/d/e", "d/a"])
        let some = unchanged.remaining(naming: 1)
        #expect(some.count == 3 && some.first.map(\.description) == ["b"])
    }

    @Test("Nothing is removed through a symbolic link")
    func link() throws {
        let before = try tag(RelativePath(text: "d/a"))
        try #require(rename(files["root/d"].string, files["outside"].string) == 0)
        try #require(symlink(files["outside"].string, files["root/d"].string) == 0)
        #expect(!unchanged.remove(RelativePath(text: "d/a"), tag: before))
        #expect(exists("outside/a"))
    }
}

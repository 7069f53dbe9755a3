import Glibc
import Support
import SystemPackage
import TestSupport
import Testing

@Suite struct LineFileTests {
    private let directory: TemporaryDirectory
    private var path: FilePath { directory("lines") }

    init() throws { directory = try TemporaryDirectory() }

    @Test("What was kept is read again; a file that is not there is empty")
    func kept() throws {
        var file = LineFile(path)
        #expect(file.lines.isEmpty)
        try file.set(["one", "zwei ü"])
        #expect(file.lines == ["one", "zwei ü"] && LineFile(path).lines == file.lines)
        try file.set([])
        #expect(LineFile(path).lines.isEmpty)
    }

    @Test("A file that cannot be read is not replaced")
    func unreadable() throws {
        try #require(mkdir(path.string, 0o700) == 0)
        var file = LineFile(path)
        #expect(throws: Errno.self) { try file.set(["one"]) }
        #expect(file.lines.isEmpty)
        try #require(rmdir(path.string) == 0)
        // What it held is not known still.
        #expect(throws: Errno.self) { try file.set(["one"]) }
    }
}

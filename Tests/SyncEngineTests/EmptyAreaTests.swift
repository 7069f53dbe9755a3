import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// The engine's own directories in a folder that keeps them elsewhere from now on.
@Suite struct EmptyAreaTests {
    private let files: TemporaryDirectory
    private var trash: String { ".Trash-\(getuid())" }

    init() throws {
        files = try TemporaryDirectory()
        for name in ["f1/staging", "f1/replaced"] { try files.makeDirectory("folder/.roundel/\(name)") }
        for name in ["files", "info"] { try files.makeDirectory("folder/.Trash-\(getuid())/\(name)") }
        try files.write("mine", to: "folder/mine")
    }

    private func names() throws -> [String] {
        RemovedSide.removeEmptyAreas(in: files["folder"], owner: .constant("f1"))
        return try files.names(in: "folder").sorted()
    }

    @Test("They go if nothing is kept in them, with an empty trash")
    func empty() throws {
        try files.write("", to: "folder/\(trash)/directorysizes")
        #expect(try names() == ["mine"])
        #expect(try names() == ["mine"])
    }

    @Test("Kept versions stay, those of others too, and what is in the trash")
    func full() throws {
        try files.write("version", to: "folder/.roundel/f1/replaced/v")
        try files.write("trashed", to: "folder/\(trash)/files/t")
        #expect(try names() == [trash, ".roundel", "mine"].sorted())
        try #require(unlink(files["folder/.roundel/f1/replaced/v"].string) == 0)
        try files.makeDirectory("folder/.roundel/f2/replaced")
        try #require(unlink(files["folder/\(trash)/files/t"].string) == 0)
        try files.write("unknown", to: "folder/\(trash)/other")
        #expect(try names() == [trash, ".roundel", "mine"].sorted())
        #expect(try files.names(in: "folder/.roundel") == ["f2"])
        #expect(try files.names(in: "folder/\(trash)").sorted() == ["files", "info", "other"])
    }
}

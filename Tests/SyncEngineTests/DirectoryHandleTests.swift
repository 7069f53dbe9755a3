import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct DirectoryHandleTests {
    @Test("an entry found under another spelling of its name is not taken for one of that name (promise 8)")
    func spelling() throws {
        let directory = try TemporaryDirectory()
        let handle = try DirectoryHandle(absolute: directory.path)
        for (stored, asked) in [("REPORT.TXT", "report.txt"), ("caf\u{e9}", "cafe\u{301}"), ("x", "X")] {
            try directory.write("x", to: stored)
            let (own, other) = (try #require(EntryName(stored)), try #require(EntryName(asked)))
            let status = try handle.status(of: own)
            #expect(try handle.spells(own, status))
            #expect(try !handle.spells(other, status), "as a file system finds it that ignores the difference")
            try FileManager.default.linkItem(
                atPath: directory.path.appending(stored).string, toPath: directory.path.appending(asked).string)
            #expect(try handle.spells(other, status), "a second name of the same file is one of its own")
        }
    }

    @Test func nothingIsReachedThroughASymbolicLink() throws {
        let outside = try TemporaryDirectory()
        try outside.write("secret", to: "file")
        let inside = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: inside.path.appending("link").string, withDestinationPath: outside.path.string)
        let root = try DirectoryHandle(absolute: inside.path)
        #expect(throws: Errno.tooManySymbolicLinkLevels) {
            _ = try root.open(RelativePath(text: "link/file"), O_RDONLY)
        }
        #expect(throws: Errno.self) { _ = try root.directory(at: RelativePath(text: "link")) }
        #expect(throws: Errno.self) { _ = try root.parent(of: RelativePath(text: "link/new")) }
    }

    @Test(arguments: ["..", ".", "a/b", "", "a\0b"])
    func whatCouldLeadElsewhereIsNoName(name: String) {
        #expect(EntryName(name) == nil)
    }

    @Test func aDirectorySwappedForALinkWhileWorkGoesOnLeadsNowhere() throws {
        // One thread swaps a directory and a link to the outside; every file written lands inside or nowhere.
        let outside = try TemporaryDirectory()
        let inside = try TemporaryDirectory()
        try inside.makeDirectory("d")
        let path = inside.path
        let root = try DirectoryHandle(absolute: path)
        try FileManager.default.createSymbolicLink(
            atPath: path.appending("l").string, withDestinationPath: outside.path.string)
        let swapper = Thread {
            for _ in 0..<3_000 { try? root.exchange(.constant("d"), with: .constant("l"), in: root) }
        }
        swapper.start()
        var written = 0
        while !swapper.isFinished {
            if (try? root.open(RelativePath(text: "d/f\(written)"), O_WRONLY | O_CREAT, permissions: 0o600)) != nil {
                written += 1
            }
            if (try? root.open(RelativePath(text: "l/f\(written)"), O_WRONLY | O_CREAT, permissions: 0o600)) != nil {
                written += 1
            }
        }
        #expect(try outside.names().isEmpty)
    }

    @Test func treesDeeperThanPathMaxAreWalked() throws {
        let directory = try TemporaryDirectory()
        let root = try DirectoryHandle(absolute: directory.path)
        let name = try #require(EntryName(String(repeating: "d", count: 200)))
        var path = RelativePath.root
        var current = root
        for _ in 0..<40 {
            current = try current.directory(creating: name)
            path = path.appending(name)
        }
        path = path.appending(.constant("deep"))
        #expect(path.length > 8_000)
        let (parent, last) = try root.parent(of: path)
        let file = try parent.open(last, O_WRONLY | O_CREAT, permissions: 0o600)
        try file.writeAll(Array("x".utf8))
        #expect(try root.open(path, O_RDONLY).status().size == 1)
        #expect(try root.status(at: path).size == 1)
        try Self.removeDeep(root, depth: 40, name)
    }

    @Test func namesOfAnyBytesComeBackExactly() throws {
        let directory = try TemporaryDirectory()
        let root = try DirectoryHandle(absolute: directory.path)
        let names: [[UInt8]] = [
            [0xFF, 0xFE], Array("new\nline".utf8), Array(repeating: 0x61, count: 255), [0x20], Array("a b%41\\".utf8),
            Array("\u{e4}".utf8), Array("a\u{308}".utf8), Array("...".utf8),
        ]
        for bytes in names {
            let name = try #require(EntryName(bytes))
            _ = try root.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        }
        let listed = try root.names().map(\.bytes)
        #expect(Set(listed) == Set(names))
        #expect(listed == listed.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func renameWithoutReplacingLeavesWhatIsThere() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "a")
        try directory.write("new", to: "b")
        let root = try DirectoryHandle(absolute: directory.path)
        #expect(throws: Errno.fileExists) {
            try root.renameWithoutReplacing(.constant("b"), to: .constant("a"), in: root)
        }
        #expect(try directory.read("a") == "old")
        #expect(try directory.read("b") == "new")
    }

    @Test func aFileThatHasTakenANameKeepsItWhenTheFormerOneLosesIt() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "a")
        let root = try DirectoryHandle(absolute: directory.path)
        let old = try root.status(of: .constant("a"))
        try root.link(.constant("a"), to: .constant("kept"), in: root)
        // As a program saves.
        try directory.write("new", to: "a~")
        try root.rename(.constant("a~"), to: .constant("a"), in: root)
        try root.removeName(.constant("a"), of: old)
        #expect(try directory.read("a") == "new" && directory.read("kept") == "old")
        try root.removeName(.constant("kept"), of: old)
        try root.removeName(.constant("kept"), of: old)
        #expect(try root.names() == [.constant("a")])
    }

    @Test func aFileOpenForWritingIsBusy() throws {
        let directory = try TemporaryDirectory()
        let root = try DirectoryHandle(absolute: directory.path)
        let writer = try root.open(RelativePath(text: "f"), O_WRONLY | O_CREAT, permissions: 0o600)
        let busy = WriterCheck.check(try root.open(RelativePath(text: "f"), O_RDONLY))
        withExtendedLifetime(writer) { #expect(busy == .busy) }
    }

    @Test func aLeaseSaysOnlyWhatItCanOnAFileSystem() throws {
        let directory = try TemporaryDirectory()
        try directory.write("x", to: "f")
        let root = try DirectoryHandle(absolute: directory.path)
        let file = try root.open(.constant("f"), O_RDONLY)
        #expect(becomesIdle(file))
        for kind in [DiskKind.network, .foreign] { #expect(WriterCheck.check(file, on: kind) != .idle) }
        let writer = try root.open(.constant("f"), O_WRONLY)
        withExtendedLifetime(writer) {
            #expect(WriterCheck.check(file, on: .local) == .busy)
            #expect(WriterCheck.check(file, on: .foreign) == .busy)
            #expect(WriterCheck.check(file, on: .network) == .unknown)
        }
    }

    @Test func aFileThatNobodyWritesIsIdle() throws {
        let directory = try TemporaryDirectory()
        try directory.write("x", to: "f")
        let root = try DirectoryHandle(absolute: directory.path)
        let file = try root.open(RelativePath(text: "f"), O_RDONLY)
        #expect(becomesIdle(file))
    }

    @Test func writersThatComeWhileAFileIsAskedAboutGoOnAndSoDoesTheProgram() throws {
        let directory = try TemporaryDirectory()
        try directory.write("x", to: "f")
        let root = try DirectoryHandle(absolute: directory.path)
        let writer = Thread {
            for _ in 0..<5_000 { _ = try? root.open(.constant("f"), O_WRONLY) }
        }
        writer.start()
        let file = try root.open(.constant("f"), O_RDONLY)
        while !writer.isFinished { _ = WriterCheck.check(file) }
        #expect(becomesIdle(file))
    }

    private static func removeDeep(_ root: DirectoryHandle, depth: Int, _ name: EntryName) throws {
        var parents = [root]
        for _ in 0..<depth { parents.append(try parents[parents.count - 1].directory(at: RelativePath([name]))) }
        try parents.removeLast().removeFile(.constant("deep"))
        for parent in parents.reversed() { try parent.removeDirectory(name) }
    }
}

import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Files with holes: what is not kept on one side takes no space on the other.
@Suite struct SparseFileTests {
    private static let size: Int64 = 64 << 20

    /// Makes a file of that size with two pieces of text in it, and returns whether the file system left out the rest.
    private func makeSparse(_ directory: TemporaryDirectory, _ name: String) throws -> Bool {
        let url = URL(fileURLWithPath: directory.path.appending(name).string)
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: Data("the beginning".utf8))
        try file.seek(toOffset: 40 << 20)
        try file.write(contentsOf: Data(repeating: 65, count: 300_000))
        try file.truncate(atOffset: UInt64(Self.size))
        try file.close()
        return try stored(directory, name) < 1 << 20
    }

    private func stored(_ directory: TemporaryDirectory, _ name: String) throws -> UInt64 {
        let root = try DirectoryHandle(absolute: directory.path)
        return try root.status(at: RelativePath(text: name)).stored
    }

    @Test(arguments: Side.allCases)
    func aSparseFileStaysSparseOnTheOtherSide(_ side: Side) throws {
        let world = try FolderWorld()
        let (from, to) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        guard try makeSparse(from, "image") else { return }
        try world.start()
        let names = [from, to].map { $0.path.appending("image").string }
        #expect(FileManager.default.contentsEqual(atPath: names[0], andPath: names[1]))
        #expect(try stored(to, "image") < 1 << 20)
        #expect(try world.state("image") == .synced)
    }

    @Test func zerosThatAreKeptAreKept() throws {
        let world = try FolderWorld()
        try world.folder.write(String(repeating: "\0", count: 2 << 20), to: "zeros")
        try world.start()
        #expect(try stored(world.remote, "zeros") >= 2 << 20)
    }

    @Test func aFileWithoutHolesAtItsEndHasItsWholeLength() throws {
        let world = try FolderWorld()
        guard try makeSparse(world.folder, "image") else { return }
        let path = world.folder.path.appending("image").string
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(Self.size) - 3)
        try file.write(contentsOf: Data("end".utf8))
        try file.close()
        try world.start()
        let copy = world.remote.path.appending("image").string
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: copy))
        #expect(try stored(world.remote, "image") < 1 << 20)
    }
}

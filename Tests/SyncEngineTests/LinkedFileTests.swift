import Foundation
import Glibc
import SyncCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Files with several names (hard links): their bytes are transferred once, and each name is a file of its own on the
/// other side.
@Suite struct LinkedFileTests {
    private static let text = String(repeating: "contents ", count: 50_000)

    // MARK: Endpoints

    /// A source that counts what is read from it, and can be told to wait.
    private final class CountingSource: ContentSource {
        private let source: any ContentSource
        private let onRead: () -> Void
        private(set) var bytes = 0

        init(_ source: any ContentSource, onRead: @escaping () -> Void = {}) {
            self.source = source
            self.onRead = onRead
        }

        var size: Int64 { source.size }
        var stored: Int64 { source.stored }
        var modified: Int64 { source.modified }
        var permissions: Permissions? { source.permissions }
        func settle() async { await source.settle() }
        func linked() async -> LinkedFile? { await source.linked() }
        func passHole() async throws(EffectFailure) -> Int64 { try await source.passHole() }
        func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
            onRead()
            let count = try await source.read(into: buffer)
            bytes += count
            return count
        }
        func finish() async throws(EffectFailure) -> Version { try await source.finish() }
    }

    /// A world with a file named `a` and `b`.
    private func world(in parent: String? = nil) throws -> EndpointWorld {
        let world = try EndpointWorld(in: parent)
        try world.folder.write(Self.text, to: "a")
        try world.folder.link("a", "b")
        return world
    }

    /// Stages a file at the remote; the bytes that were read for it.
    private func stage(
        _ path: String, in world: EndpointWorld, as id: StageID, onRead: @escaping () -> Void = {}
    ) async throws -> Int {
        let opened = try world.againWhileBusy {
            try world.local.open(RelativePath(text: path), expecting: world.version(.local, path))
        }
        let source = CountingSource(opened, onRead: onRead)
        let staged = try await world.remote.stage(id, from: source, near: RelativePath(text: path)) { _ in true }
        #expect(staged.size == Int64(Self.text.utf8.count))
        return source.bytes
    }

    @Test(arguments: [true, false])
    func theBytesOfASecondNameAreNotReadAgain(isPublished: Bool) async throws {
        let world = try world()
        try world.folder.setMode("a", 0o640)
        let (first, second) = (world.stage(), world.stage())
        #expect(try await stage("a", in: world, as: first) == Self.text.utf8.count)
        let name = RelativePath(text: "a")
        if isPublished { _ = try world.remote.publish(first, at: name, replacing: nil) }
        #expect(try await stage("b", in: world, as: second) == 0)
        if !isPublished { _ = try world.remote.publish(first, at: name, replacing: nil) }
        let written = try world.remote.publish(
            second, at: RelativePath(text: "b"), replacing: nil, permissions: Permissions(0o640))
        #expect(try world.remoteFolder.read("a") == Self.text)
        #expect(try world.remoteFolder.read("b") == Self.text)
        #expect(try world.remoteFolder.mode("b") == 0o640)
        #expect(try written.version.modified == world.version(.local, "a").modified)
        #expect(try world.remoteFolder.links("a") == 1, "each name is a file of its own")
    }

    @Test func aSecondNameWaitsForTheTransferOfTheFirst() async throws {
        let world = try world()
        let (first, second) = (world.stage(), world.stage())
        let bytes = Mutex<Int?>(nil)
        let group = DispatchGroup()
        nonisolated(unsafe) let shared = world
        var hasBegun = false
        _ = try await stage("a", in: world, as: first) {
            if hasBegun { return }
            hasBegun = true
            group.enter()
            Task { @Sendable in
                let count = try? await stage("b", in: shared, as: second)
                bytes.withLock { $0 = count }
                group.leave()
            }
            // It is still waiting, or has not begun.
            #expect(group.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
        }
        await withCheckedContinuation { next in group.notify(queue: .global()) { next.resume() } }
        #expect(bytes.withLock { $0 } == 0)
    }

    @Test func aTransferThatFailedIsMadeUnderTheOtherName() async throws {
        let world = try world()
        let source = try world.local.open(RelativePath(text: "a"), expecting: world.version(.local, "a"))
        await #expect(throws: EffectFailure.self) {
            try await world.remote.stage(world.stage(), from: source, near: .root) { _ in false }
        }
        #expect(try await stage("b", in: world, as: world.stage()) == Self.text.utf8.count)
    }

    @Test func whatWasChangedOnTheOtherSideIsNotCopied() async throws {
        let world = try world()
        let (first, second) = (world.stage(), world.stage())
        _ = try await stage("a", in: world, as: first)
        _ = try world.remote.publish(first, at: RelativePath(text: "a"), replacing: nil)
        let other = String(Self.text.reversed())
        try world.remoteFolder.write(other, to: "a")
        #expect(try await stage("b", in: world, as: second) == Self.text.utf8.count)
        _ = try world.remote.publish(second, at: RelativePath(text: "b"), replacing: nil)
        #expect(try world.remoteFolder.read("b") == Self.text)
        #expect(try world.remoteFolder.read("a") == other)
    }

    @Test func whatWasWrittenSinceIsTransferred() async throws {
        let world = try world()
        _ = try await stage("a", in: world, as: world.stage())
        try world.folder.write(String(Self.text.reversed()), to: "a")
        let second = world.stage()
        #expect(try await stage("b", in: world, as: second) == Self.text.utf8.count)
        _ = try world.remote.publish(second, at: RelativePath(text: "b"), replacing: nil)
        #expect(try world.remoteFolder.read("b") == String(Self.text.reversed()))
    }

    @Test func whatWasGivenUpIsTransferred() async throws {
        let world = try world()
        let first = world.stage()
        _ = try await stage("a", in: world, as: first)
        world.remote.discard([first])
        #expect(try await stage("b", in: world, as: world.stage()) == Self.text.utf8.count)
    }

    @Test func aFileWithOneNameIsReadEachTime() async throws {
        let world = try EndpointWorld()
        try world.folder.write(Self.text, to: "a")
        for _ in 0..<2 { #expect(try await stage("a", in: world, as: world.stage()) == Self.text.utf8.count) }
    }

    @Test func aCopyOfASparseFileIsSparse() async throws {
        let world = try EndpointWorld()
        let path = world.folder.path.appending("a").string
        try world.folder.write("beginning", to: "a")
        guard truncate(path, 64 << 20) == 0 else { throw Errno(rawValue: errno) }
        try world.folder.link("a", "b")
        for name in ["a", "b"] { try await world.copy(name, from: .local) }
        let copy = world.remoteFolder.path.appending("b").string
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: copy))
        #expect(try DirectoryHandle(absolute: world.remoteFolder.path).status(of: .constant("b")).stored < 1 << 20)
    }

    // MARK: Folders

    @Test(arguments: Side.allCases)
    func eachNameIsSynced(_ side: Side) throws {
        let world = try FolderWorld()
        let (from, to) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        try from.write(Self.text, to: "d/a")
        try from.link("d/a", "e")
        let summary = try world.start()
        #expect(summary.uploaded + summary.downloaded == 2)
        for name in ["d/a", "e"] {
            #expect(try to.read(name) == Self.text)
            #expect(try world.state(name) == .synced)
        }
        #expect(try world.syncNow().isSilent)
    }

    @Test(arguments: Side.allCases, ["a2", "d/a2"])
    func aSecondNameIsNoMove(_ side: Side, _ name: String) throws {
        let world = try FolderWorld()
        let (from, to) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        try from.write("text", to: "a")
        try from.makeDirectory("d")
        try world.start()
        try from.link("a", name)
        let summary = try world.run { $0.changed(side, items: [RelativePath(text: name)]) }
        #expect(summary.moved == 0)
        #expect(try to.read("a") == "text")
        #expect(try to.read(name) == "text")
        #expect(try from.read("a") == "text")
    }

    @Test(arguments: Side.allCases)
    func theLastNameThatIsLeftIsAMove(_ side: Side) throws {
        let world = try FolderWorld()
        let (from, to) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        try from.write("text", to: "a")
        try world.start()
        try from.link("a", "b")
        try from.remove("a")
        let summary = try world.syncNow()
        #expect(summary.moved == 1 && summary.uploaded + summary.downloaded == 0)
        #expect(try to.items() == ["b"])
    }

    @Test(arguments: Side.allCases)
    func whatIsWrittenUnderOneNameIsSyncedUnderAll(_ side: Side) throws {
        let world = try FolderWorld()
        let (from, to) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        try from.write("old", to: "a")
        try from.link("a", "b")
        try from.makeDirectory("d")
        try from.link("a", "d/c")
        try world.start()
        try from.write("newer", to: "a")
        // Watchers tell of the name under which it was written.
        _ = try world.run { $0.changed(side, items: [RelativePath(text: "a")]) }
        for name in ["a", "b", "d/c"] {
            try world.wait("\(name) is synced") { _ in (try? to.read(name)) == "newer" }
        }
    }

    @Test(arguments: Side.allCases)
    func whatComesUnderOneNameLeavesTheOtherAlone(_ side: Side) throws {
        let world = try FolderWorld()
        let (from, to) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        try from.write("old", to: "a")
        try from.write("old", to: "b")
        try world.start()
        // The receiving side's names come to be those of one file.
        try to.remove("b")
        try to.link("a", "b")
        try world.syncNow()
        try from.write("newer", to: "a")
        try world.syncNow()
        #expect(try to.read("a") == "newer")
        #expect(try to.read("b") == "old" && from.read("b") == "old")
    }
}

extension TemporaryDirectory {
    /// Gives a file a second name.
    fileprivate func link(_ name: String, _ other: String) throws {
        guard Glibc.link(path.appending(name).string, path.appending(other).string) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    fileprivate func links(_ name: String) throws -> UInt32 {
        try DirectoryHandle(absolute: path).status(at: RelativePath(text: name)).links
    }
}

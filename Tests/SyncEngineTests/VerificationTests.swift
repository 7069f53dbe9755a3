import Dispatch
import Glibc
import SyncCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Comparing both sides of a folder byte by byte.
@Suite struct VerificationTests {
    /// The folder's side of a verification, as the worker has it.
    ///
    /// @unchecked: what it holds belongs to the folder's loop, but the counts, which are behind a lock.
    private final class Ground: VerifiedFolder, @unchecked Sendable {
        let world: FolderWorld
        let asked = Mutex<[Suspect]>([])
        /// Runs before the folder comes to rest: what a person does meanwhile.
        let meanwhile: @Sendable (Int) -> Void
        private let rests = Mutex(0)

        init(_ world: FolderWorld, meanwhile: @escaping @Sendable (Int) -> Void = { _ in }) {
            self.world = world
            self.meanwhile = meanwhile
        }

        func settle() {
            meanwhile(
                rests.withLock { count in
                    count += 1
                    return count
                })
            // Something may have been reported to the folder.
            let deadline = ContinuousClock.now + .seconds(240)
            while ContinuousClock.now < deadline {
                let isBusy = world.loop.queue.sync {
                    world.sync.status.phase == .looking || world.sync.status.phase == .syncing
                }
                if !isBusy { return }
                usleep(10_000)
            }
        }

        func standings(of suspects: [Suspect]) -> [Standing] {
            asked.withLock { $0 += suspects }
            return world.loop.queue.sync { world.sync.standings(of: suspects) }
        }

        func report(_ progress: VerificationResult) {}
    }

    private func verify(
        _ world: FolderWorld, at path: String = "", excludes: [String] = [],
        meanwhile: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> VerificationResult {
        let verification = Verification(
            local: world.sync.local, remote: world.sync.remote,
            excludes: ExcludePatterns(excludes.map { Array($0.utf8) }), folder: Ground(world, meanwhile: meanwhile))
        let path: RelativePath = path.isEmpty ? .root : RelativePath(text: path)
        return try CallingThread.run { try await verification.run(at: path) }
    }

    private func found(_ result: VerificationResult) -> [String: VerifiedItem.Finding] {
        Dictionary(uniqueKeysWithValues: result.items.map { ($0.path.description, $0.finding) })
    }

    /// Changes bytes of a file on tmpfs, which changes none of its times when they are written through a mapping: as a
    /// disk does that rots.
    private func rot(_ directory: TemporaryDirectory, _ path: String, at offset: Int) throws {
        let file = open(directory.path.appending(path).string, O_RDWR)
        defer { close(file) }
        let size = offset + 1
        guard file >= 0, let map = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), map != MAP_FAILED
        else { throw Errno(rawValue: errno) }
        let bytes = map.assumingMemoryBound(to: UInt8.self)
        bytes[offset] ^= 1
        munmap(map, size)
    }

    private func onMemory() throws -> FolderWorld { try FolderWorld(in: "/dev/shm") }

    @Test func equalSidesAreEqual() throws {
        let world = try onMemory()
        for index in 0..<30 { try world.folder.write("\(index)", to: "d\(index % 3)/\(index)") }
        try world.folder.write("", to: "empty")
        try world.start()
        let result = try verify(world)
        #expect(result.files == 31 && result.differences == 0 && result.waiting == 0)
        #expect(result.bytes == 50)
    }

    @Test(
        "a byte that rotted is found wherever it is", arguments: [0, 1_048_575, 1_048_576, 2_500_000], [true, false])
    func rotten(offset: Int, isRemote: Bool) throws {
        let world = try onMemory()
        try world.folder.write(String(repeating: "x", count: 2_500_001), to: "d/big")
        try world.folder.write("same", to: "same")
        try world.start()
        try rot(isRemote ? world.remote : world.folder, "d/big", at: offset)
        let both = Set([try world.folder.read("d/big"), try world.remote.read("d/big")])
        let result = try verify(world, at: ["", "d", "d/big"][offset % 3])
        #expect(found(result) == ["d/big": .different] && result.waiting == 0)
        // Nobody knows which of the two is the good one: both stay.
        try world.sync { try world.folder.names(in: "d").count == 2 && world.remote.names(in: "d").count == 2 }
        for directory in [world.folder, world.remote] {
            #expect(Set(try directory.names(in: "d").map { try directory.read("d/\($0)") }) == both)
        }
        #expect(world.record.statuses.last?.state == .conflict)
        #expect(try verify(world).differences == 0)
    }

    @Test("a byte that rotted is found by a look at its file or its directory alone", arguments: ["d", "d/big"])
    func rottenBelow(path: String) throws {
        let world = try onMemory()
        try world.folder.write(String(repeating: "x", count: 2_500_001), to: "d/big")
        try world.start()
        try rot(world.remote, "d/big", at: 9)
        #expect(try verify(world, at: path).differences == 1)
    }

    @Test("what is missing on a side without the folder's knowing is said", arguments: Side.allCases)
    func missing(side: Side) throws {
        let world = try onMemory()
        for name in ["a", "b/c", "b/d/e", "f"] { try world.folder.write(name, to: name) }
        try world.start()
        let directory = side == .local ? world.folder : world.remote
        try directory.remove("a")
        try directory.remove("b/d/e")
        try directory.remove("b/d")
        let result = try verify(world)
        let finding = side == .local ? VerifiedItem.Finding.missingLocal : .missingRemote
        #expect(found(result) == ["a": finding, "b/d": finding])
        #expect(result.files == 2)
    }

    @Test("a change that nobody reported is synced and no difference")
    func unnoticed() throws {
        let world = try onMemory()
        try world.folder.write("one", to: "a")
        try world.folder.write("b", to: "b")
        try world.start()
        try world.folder.write("two", to: "a")
        var result = try verify(world)
        #expect(result.differences == 0)
        // On a busy machine what was noticed may still be under way then.
        for _ in 0..<50 where result.waiting > 0 {
            result = try verify(world)
            #expect(result.differences == 0)
        }
        #expect(result.waiting == 0 && result.files == 2)
        #expect(try world.remote.read("a") == "two")
    }

    @Test("what has work pending is no difference")
    func pending() throws {
        let world = try onMemory()
        try world.folder.write("one", to: "a")
        try world.folder.write("gone", to: "gone")
        try world.start()
        try world.run { $0.command(.pause) }
        try world.folder.write("two", to: "a")
        try world.folder.write("new", to: "new")
        try world.folder.remove("gone")
        let result = try verify(world)
        #expect(result.differences == 0 || found(result) == ["gone": .missingLocal])
        let again = try verify(world)
        #expect(again.differences <= result.differences && again.waiting >= 2)
    }

    @Test("what is being written is no difference")
    func beingWritten() throws {
        let world = try onMemory()
        try world.folder.write("one", to: "a")
        try world.folder.write("b", to: "b")
        try world.start()
        let file = open(world.folder.path.appending("a").string, O_RDWR)
        defer { close(file) }
        _ = pwrite(file, "two", 3, 0)
        let result = try verify(world)
        #expect(result.differences == 0 && result.waiting == 1 && result.files == 1)
    }

    @Test("what a person changes while it is looked at is no difference", arguments: [1, 2, 3])
    func changing(turn: Int) throws {
        let world = try onMemory()
        try world.folder.write("one", to: "a")
        try world.folder.write("b", to: "b")
        try world.start()
        try world.folder.write("two", to: "a")
        let (folder, sync, loop) = (world.folder, world.sync, world.loop)
        let result = try verify(world) { rest in
            guard rest == turn else { return }
            try? folder.write("three", to: "a")
            loop.queue.sync { sync.changed(.local, items: [RelativePath(text: "a")]) }
        }
        #expect(result.differences == 0 && result.files + result.waiting == 2)
    }

    /// A folder that says nothing: its loop is busy, or it was removed meanwhile.
    private struct SilentGround: VerifiedFolder {
        func settle() {}
        func standings(of suspects: [Suspect]) -> [Standing] { [] }
        func report(_ progress: VerificationResult) {}
    }

    @Test("what looks different does not pass for equal if the folder does not say what it knows about it")
    func silent() throws {
        let world = try onMemory()
        for name in ["a", "b", "c"] { try world.folder.write(name, to: name) }
        try world.start()
        try rot(world.remote, "a", at: 0)
        try world.remote.remove("b")
        let verification = Verification(
            local: world.sync.local, remote: world.sync.remote, excludes: ExcludePatterns(), folder: SilentGround())
        let result = try CallingThread.run { try await verification.run(at: .root) }
        #expect(result.files == 1 && result.waiting == 2 && result.differences == 0)
    }

    @Test("what is excluded is not compared")
    func excluded() throws {
        let world = try onMemory()
        try world.folder.write("a", to: "a")
        try world.folder.write("t", to: "x.tmp")
        try world.folder.write("o", to: "out/o")
        symlink("a", world.folder.path.appending("link").string)
        try world.remote.write("other", to: "x.tmp")
        try world.start()
        let result = try verify(world)
        #expect(result.differences == 0 && result.waiting == 0 && result.files == 2)
    }

    @Test("a file and a directory of one name differ")
    func types() throws {
        let world = try onMemory()
        try world.folder.write("a", to: "a")
        try world.folder.write("b", to: "b")
        try world.start()
        let suspect = Suspect(path: RelativePath(text: "a"), sight: .different, seen: [:])
        #expect(world.loop.queue.sync { world.sync.standings(of: [suspect]) } == [.settled])
        let unknown = Suspect(path: RelativePath(text: "a/b"), sight: .different, seen: [:])
        #expect(world.loop.queue.sync { world.sync.standings(of: [unknown]) } == [.unnoticed])
    }

    @Test("what cannot be read is said, and the rest is compared")
    func unreadable() throws {
        let world = try onMemory()
        for name in ["a", "d/b", "c"] { try world.folder.write(name, to: name) }
        try world.start()
        chmod(world.remote.path.appending("a").string, 0)
        chmod(world.remote.path.appending("d").string, 0)
        defer { chmod(world.remote.path.appending("d").string, 0o700) }
        let result = try withoutPrivileges(in: world) { try verify(world) }
        #expect(found(result)["d"] == .unreadable && result.files == 1)
        #expect(result.items.allSatisfy { !$0.message.isEmpty || $0.finding != .unreadable })
    }

    /// Runs `body` as somebody whom permissions concern, on this thread alone.
    private func withoutPrivileges<Result>(in world: FolderWorld, _ body: () throws -> Result) rethrows -> Result {
        guard getuid() == 0 else { return try body() }
        for directory in [world.folder, world.remote] { chmod(directory.path.string, 0o755) }
        // Glibc's Swift module leaves its header out. The seteuid of the C library changes all threads.
        typealias Call = @convention(c) (uid_t) -> Int32
        guard let symbol = dlsym(nil, "setfsuid") else { return try body() }
        let setFileSystemUser = unsafeBitCast(symbol, to: Call.self)
        _ = setFileSystemUser(65_534)
        defer { _ = setFileSystemUser(0) }
        return try body()
    }

    @Test("it is given up")
    func cancelled() throws {
        let world = try onMemory()
        for index in 0..<10 { try world.folder.write("\(index)", to: "\(index)") }
        try world.start()
        let verification = Verification(
            local: world.sync.local, remote: world.sync.remote, excludes: ExcludePatterns(), folder: Ground(world))
        verification.cancel()
        #expect(try CallingThread.run { try await verification.run(at: .root) }.files == 0)
    }

    @Test("a side that is not there fails it", arguments: Side.allCases)
    func noRoot(side: Side) throws {
        let world = try onMemory()
        try world.folder.write("a", to: "a")
        try world.start()
        let directory = side == .local ? world.folder : world.remote
        world.loop.queue.sync { world.sync.letGo() }
        let gone = directory.path.string + "-gone"
        #expect(rename(directory.path.string, gone) == 0)
        defer { rename(gone, directory.path.string) }
        #expect(throws: EffectFailure.self) {
            // What was open is let go later.
            let deadline = ContinuousClock.now + .seconds(240)
            while ContinuousClock.now < deadline {
                _ = try verify(world)
                usleep(10_000)
            }
        }
    }
}

/// What stands under one name on each side.
@Suite struct PairedEntryTests {
    private func entry(_ name: StaticString) -> ListedEntry {
        ListedEntry(name: .constant(name), kind: .file, version: .unknown)
    }

    @Test func everyNameIsThereOnceInOrder() {
        let pairs = PairedEntry.pairs([entry("b"), entry("a"), entry("d")], [entry("c"), entry("b")])
        #expect(pairs.map { "\($0.name)" } == ["a", "b", "c", "d"])
        #expect(pairs.map { $0.local != nil } == [true, true, false, true])
        #expect(pairs.map { $0.remote != nil } == [false, true, true, false])
        #expect(PairedEntry.pairs([], []).isEmpty)
    }
}

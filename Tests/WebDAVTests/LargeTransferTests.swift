import Glibc
import NIOCore
import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// A large file that did not arrive in one go: what has arrived is gone on with, also by another run, and is never mixed with
/// another version of the file.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct LargeTransferTests {
    private final class Scene {
        let server: TestServer
        let client: DAVClient
        let control: CloudControl
        let traits: ServerTraits
        private(set) var folder: ServerFolder?

        init(_ quirks: String) async throws {
            server = try TestServer(.nextcloud)
            client = try server.client()
            control = try CloudControl(server)
            try control.set(quirks)
            traits = try await ServerProbe(client, in: try #require(EntryName("probe"))).run()
        }

        /// Begins to sync an empty folder, or goes on with it as another run does.
        @discardableResult
        func start() throws -> ServerFolder {
            let started = try ServerFolder(client, traits: traits, after: folder)
            folder = started
            return started
        }

        /// Another client writes a file.
        func put(_ bytes: [UInt8], to name: String = "large") async throws {
            _ = try await client.write(
                try path(name), length: Int64(bytes.count), parts: OneBuffer(ByteBuffer(bytes: bytes)), if: .none)
        }

        /// What the server holds; nil if nothing is there.
        func served(_ name: String = "large") -> [UInt8]? { contents(of: server.files.appending(name)) }

        /// What has arrived here of large files, by name.
        func staged() -> [String: Int] {
            guard let folder else { return [:] }
            return Dictionary(
                uniqueKeysWithValues: names(in: folder.staging).map { name in
                    var status = stat()
                    stat(folder.staging.appending(name).string, &status)
                    return (name, Int(status.st_size))
                })
        }

        /// What is staged on the server.
        func stagedThere() -> [String] { names(in: server.files.appending(".roundel/test/staging")) }

        /// The requests that change something, since they were forgotten last, without what is done for the area alone.
        func changes() throws -> [String] {
            try control.requests().filter { request in
                ["PUT", "MKCOL", "MOVE", "DELETE"].contains { request.hasPrefix($0 + " /roundel-") }
            }
        }

        /// The collections of chunks that a method was asked for.
        func uploads(_ method: String) throws -> [String] {
            try changes().filter { $0.hasPrefix(method + " ") && $0.count { $0 == "/" } == 1 }
                .map { String($0.dropFirst(method.count + 2)) }
        }

        /// The chunks that were sent.
        func chunks() throws -> [String] {
            try changes().filter { $0.hasPrefix("PUT") }.compactMap { $0.split(separator: "/").last.map(String.init) }
        }

        /// Where Nextcloud takes chunks.
        func uploadsClient() throws -> DAVClient {
            client.at(try ["remote.php", "dav", "uploads", TestServer.user].map { try #require(EntryName($0)) })
        }
    }

    /// - Parameter quirks: JSON; on before anything is asked of the server.
    private func play(_ quirks: String = "{}", _ body: (Scene) async throws -> Void) async throws {
        let scene = try await Scene(quirks)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(scene))
        } catch {
            result = .failure(error)
        }
        try? await scene.folder?.stop()
        await scene.client.shutDown()
        try result.get()
    }

    private static func path(_ text: String) throws -> RelativePath {
        RelativePath(try text.split(separator: "/").map { try #require(EntryName(String($0))) })
    }

    private static let mebi = 1 << 20
    private static let size = 40 << 20
    /// Where the connection ends. Of what is on its way then some mebibytes may be lost.
    private static let cut = 36 << 20
    private static let largePath = "/remote.php/dav/files/\(TestServer.user)/large"

    /// Contents of which no two parts are alike, nor those of two seeds.
    private static func bytes(_ seed: UInt64, count: Int = size) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            for index in 0..<count / 8 {
                let word = (seed << 40 | UInt64(index)) &* 0x9E37_79B9_7F4A_7C15
                buffer.baseAddress.map {
                    UnsafeMutableRawPointer($0).storeBytes(of: word, toByteOffset: index * 8, as: UInt64.self)
                }
            }
            filled = count / 8 * 8
        }
    }

    // MARK: From the server

    private enum Interruption: CaseIterable { case connection, program }

    /// A file is on the server, and a part of it arrives; returns how much of that is noted.
    @discardableResult
    private func begin(_ scene: Scene, _ interruption: Interruption = .connection) async throws -> Int {
        try await scene.put(Self.bytes(1))
        switch interruption {
        case .connection:
            // The connection ends, and there is no other one afterwards.
            let request = #""path": "\#(Self.largePath)", "method": "GET""#
            try scene.control.set(
                #"{"truncated-contents": {\#(request), "count": 1, "bytes": \#(Self.cut)}, "lost-request": {\#(request), "skip": 1}}"#
            )
            let folder = try scene.start()
            try await eventually("the connection has ended") { folder.wasOffline }
            try await folder.stop()
            try scene.control.set(#"{"lost-request": null}"#)
        case .program:
            try scene.control.set(
                #"{"stalled-contents": {"path": "\#(Self.largePath)", "method": "GET", "bytes": 20971520}}"#)
            let folder = try scene.start()
            folder.begin()
            try await eventually("a part has arrived") { scene.staged().values.max() ?? 0 >= 20 << 20 }
            try await folder.stop()
            try scene.control.set(#"{"stalled-contents": null}"#)
        }
        let noted = Int(try #require(scene.folder?.notedTransfers().first?.bytes))
        #expect((16 * Self.mebi..<Self.cut).contains(noted))
        try scene.control.forgetRequests()
        return noted
    }

    /// So many bytes of the file were asked of the server. The root's mark is read as well.
    private func expectSent(_ count: Int, _ scene: Scene) throws {
        let sent = try scene.control.bytes(.sent)
        #expect((count..<count + 4_096).contains(sent))
    }

    /// Both sides have these contents, and nothing else is left anywhere.
    private func expectDone(_ scene: Scene, _ bytes: [UInt8]) async throws {
        let folder = try #require(scene.folder)
        #expect(try await folder.syncAll() == RunSummary())
        try await folder.stop()
        #expect(try folder.local.bytes(of: "large") == bytes)
        #expect(scene.served() == bytes)
        #expect(folder.notedTransfers().isEmpty)
        #expect(scene.staged().isEmpty && scene.stagedThere().isEmpty)
        let other = try TemporaryDirectory()
        close(open(other["plain"].string, O_WRONLY | O_CREAT, 0o666))
        #expect(mode(of: folder.local["large"]) == mode(of: other["plain"]))
    }

    @Test("What has arrived of a file is not asked for again", arguments: Interruption.allCases)
    private func goesOn(after interruption: Interruption) async throws {
        try await play { scene in
            let noted = try await begin(scene, interruption)
            try await scene.start().syncAll()
            try expectSent(Self.size - noted, scene)
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test("A run goes on with what arrived in it")
    func sameRun() async throws {
        try await play { scene in
            try await scene.put(Self.bytes(1))
            try scene.control.forgetRequests()
            try scene.control.set(
                #"{"truncated-contents": {"path": "\#(Self.largePath)", "method": "GET", "count": 1, "bytes": \#(Self.cut)}}"#
            )
            let folder = try scene.start()
            try await folder.syncAll()
            #expect(!folder.wasOffline)
            let sent = try scene.control.bytes(.sent)
            #expect(sent > Self.size && sent <= Self.cut + Self.size - 16 * Self.mebi)
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test(
        "All of a file that is gone on with has the checksum that the server tells",
        arguments: ["SHA1", "MD5", "ADLER32"])
    func checksums(kind: String) async throws {
        try await play(#"{"own-checksums": ["\#(kind)"]}"#) { scene in
            let noted = try await begin(scene)
            try scene.control.set(#"{"wrong-bit": {"path": "\#(Self.largePath)", "method": "GET", "count": 1}}"#)
            let folder = try scene.start()
            try await folder.syncAll()
            #expect(folder.errors.contains { $0.contains("wrong-contents") })
            // On a busy machine it is tried again in the same run.
            try await eventually("it is synced") {
                try await folder.syncAll()
                return try folder.local.names().contains("large")
            }
            // The rest, and then all of it.
            #expect(try scene.control.bytes(.sent) < 2 * Self.size - noted / 2)
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test("A server that weakens the tag of a part is asked for all of the file")
    func weakPart() async throws {
        try await play { scene in
            try await begin(scene)
            try scene.control.set(#"{"weak-tags": "headers"}"#)
            let folder = try scene.start()
            try await folder.syncAll()
            #expect(folder.errors == [] && !folder.wasOffline)
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test("What has arrived is for its owner alone")
    func secret() async throws {
        try await play { scene in
            try await begin(scene)
            let folder = try #require(scene.folder)
            let name = try #require(scene.staged().keys.first)
            #expect(mode(of: folder.staging.appending(name)) == 0o600)
            #expect(mode(of: folder.staging) == 0o700)
        }
    }

    @Test("Another version of the file is begun anew")
    func changedThere() async throws {
        try await play { scene in
            try await begin(scene)
            try await scene.put(Self.bytes(2))
            try scene.control.forgetRequests()
            try await scene.start().syncAll()
            try expectSent(Self.size, scene)
            try await expectDone(scene, Self.bytes(2))
        }
    }

    @Test("A server that sends all of a file is read from its beginning")
    func noRanges() async throws {
        try await play { scene in
            try await begin(scene)
            try scene.control.set(#"{"no-ranges": true}"#)
            try await scene.start().syncAll()
            try expectSent(Self.size, scene)
            try await expectDone(scene, Self.bytes(1))
        }
    }

    private enum Damage: CaseIterable { case changed, shortened, removed, replacedByLink }

    @Test("What has arrived is used only if it is what arrived", arguments: Damage.allCases)
    private func damaged(_ damage: Damage) async throws {
        try await play { scene in
            try await begin(scene)
            let folder = try #require(scene.folder)
            let place = folder.staging.appending(try #require(scene.staged().keys.first)).string
            switch damage {
            case .changed:
                let file = open(place, O_WRONLY)
                #expect(pwrite(file, "x", 1, 5 << 20) == 1)
                close(file)
            case .shortened: #expect(truncate(place, 16 << 20 - 1) == 0)
            case .removed: #expect(unlink(place) == 0)
            case .replacedByLink:
                try folder.local.write(Self.bytes(3), to: "mine")
                #expect(unlink(place) == 0 && symlink(folder.local["mine"].string, place) == 0)
            }
            try await scene.start().syncAll()
            try expectSent(Self.size, scene)
            if damage == .replacedByLink { #expect(try folder.local.bytes(of: "mine") == Self.bytes(3)) }
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test("What has arrived of a file that nobody wants any more is removed, and so is what nobody noted")
    func unwanted() async throws {
        try await play { scene in
            try await begin(scene)
            let folder = try #require(scene.folder)
            let stray = folder.staging.appending("partial-stray").string
            close(open(stray, O_WRONLY | O_CREAT, 0o600))
            _ = try await scene.client.remove(try Self.path("large"), isDirectory: false, if: .none)
            // It is removed after a run, beside the next ones: what the end interrupts is removed in the next session.
            for _ in 0..<10 {
                let folder = try scene.start()
                for _ in 0..<3 { try await folder.syncAll() }
                try await folder.stop()
                if scene.staged().isEmpty && scene.folder?.notedTransfers().isEmpty == true { break }
            }
            #expect(scene.staged().isEmpty && scene.folder?.notedTransfers().isEmpty == true)
        }
    }

    @Test("Of a folder that is not synced any more nothing is left of transfers", arguments: Side.allCases)
    func removedFolder(_ side: Side) async throws {
        try await play { scene in
            if side == .remote { try await begin(scene) } else { try await beginUpload(scene) }
            let folder = try #require(scene.folder)
            await folder.removePartials()
            #expect(scene.staged().isEmpty && scene.stagedThere().isEmpty)
            #expect(folder.notedTransfers().isEmpty)
            if side == .local { #expect(try scene.uploads("DELETE").count == 1) }
        }
    }

    // MARK: To the server

    /// A file is here, and two of its three chunks reach the server.
    private func beginUpload(_ scene: Scene) async throws {
        try scene.control.set(
            #"{"failing": {"status": 502, "method": "PUT", "path": "/remote.php/dav/uploads", "skip": 2}}"#)
        let folder = try scene.start()
        try await folder.syncAll()
        try folder.local.write(Self.bytes(1), to: "large")
        try await folder.syncAll()
        try await folder.stop()
        try scene.control.set(#"{"failing": null}"#)
        let record = try #require(folder.notedTransfers().first)
        #expect(Set(record.chunks.keys) == [1, 2])
        try scene.control.forgetRequests()
    }

    @Test("Chunks that are on the server are not sent again")
    func chunksStay() async throws {
        try await play { scene in
            try await beginUpload(scene)
            try await scene.start().syncAll()
            #expect(try scene.chunks() == ["00003"])
            #expect(try scene.control.bytes(.received) < 9 * Self.mebi)
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test("Chunks that are small for a proxy are gone on with by another run, which does not know of it")
    func smallChunksStay() async throws {
        try await play(#"{"body-limit": 5000000}"#) { scene in
            try await beginUpload(scene)
            #expect(scene.folder?.notedTransfers().first?.chunkLength == 4 << 20)
            try await scene.start().syncAll()
            #expect(try scene.chunks() == (3...10).map { ($0 < 10 ? "0000" : "000") + "\($0)" })
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test("What a server puts together for longer than a proxy waits is waited for, and not asked for again")
    func slowAssembly() async throws {
        try await play { scene in
            let request = #""method": "MOVE", "path": "/remote.php/dav/uploads", "count": 1"#
            try scene.control.set(
                #"{"slow": {"seconds": 3, \#(request)}, "late": {"status": 502, "seconds": 3, \#(request)}}"#)
            let folder = try scene.start()
            try await folder.syncAll()
            try folder.local.write(Self.bytes(1), to: "large")
            try scene.control.forgetRequests()
            try await folder.syncAll()
            #expect(await folder.putOff().isEmpty && folder.errors == [])
            #expect(try scene.uploads("MKCOL").count == 1)
            #expect(try scene.changes().count { $0.hasPrefix("MOVE") } == 1)
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test("An upload of another version is begun anew, and nothing is left of the first")
    func changedHere() async throws {
        try await play { scene in
            try await beginUpload(scene)
            let old = try #require(scene.folder?.notedTransfers().first?.upload).description
            try scene.folder?.local.write(Self.bytes(2), to: "large")
            try await scene.start().syncAll()
            #expect(try scene.chunks() == ["00001", "00002", "00003"])
            #expect(try scene.uploads("DELETE") == [old])
            try await expectDone(scene, Self.bytes(2))
        }
    }

    private enum Loss: CaseIterable { case collection, chunk, length }

    @Test("Only chunks that the server has as they were sent are not sent again", arguments: Loss.allCases)
    private func lostChunks(_ loss: Loss) async throws {
        try await play { scene in
            try await beginUpload(scene)
            let upload = RelativePath([try #require(scene.folder?.notedTransfers().first?.upload)])
            let first = upload.appending(try #require(EntryName("00001")))
            let uploads = try scene.uploadsClient()
            switch loss {
            case .collection: _ = try await uploads.remove(upload, isDirectory: true, if: .none)
            case .chunk: _ = try await uploads.remove(first, isDirectory: false, if: .none)
            case .length:
                let target = (
                    "Destination", scene.client.location.address(of: try Self.path("large"), isDirectory: false)
                )
                _ = try await uploads.write(
                    first, length: 5, parts: OneBuffer(ByteBuffer(string: "other")), if: .none, headers: [target])
            }
            try scene.control.forgetRequests()
            try await scene.start().syncAll()
            #expect(try scene.chunks() == (loss == .chunk ? ["00001", "00003"] : ["00001", "00002", "00003"]))
            try await expectDone(scene, Self.bytes(1))
        }
    }

    @Test("A file that was put together on the server is not sent again")
    func putTogether() async throws {
        try await play { scene in
            // The last step, to its place, fails.
            try scene.control.set(
                #"{"failing": {"status": 504, "method": "MOVE", "path": "\#(Self.filesPath)/.roundel"}}"#)
            let folder = try scene.start()
            try await folder.syncAll()
            try folder.local.write(Self.bytes(1), to: "large")
            try await folder.syncAll()
            try await folder.stop()
            #expect(folder.notedTransfers().count == 1)
            try scene.control.set(#"{"failing": null}"#)
            try scene.control.forgetRequests()
            try await scene.start().syncAll()
            #expect(try scene.changes().isEmpty)
            try await expectDone(scene, Self.bytes(1))
        }
    }

    private static let filesPath = "/remote.php/dav/files/\(TestServer.user)"

    @Test("Contents that are not those of the chunks on the server are not put together with them")
    func otherContents() async throws {
        try await play { scene in
            let directory = try TemporaryDirectory()
            let remote = WebDAVRemote(
                scene.client, traits: scene.traits, owner: try #require(EntryName("test")),
                transfers: TransferLedger(at: directory["transfers"]))
            let path = try Self.path("large")
            var number: UInt64 = 0
            func stage(_ seed: UInt64) async -> EffectFailure.Reason? {
                number += 1
                let version = Version(identity: .none, tag: .none, size: Int64(Self.size), modified: 1)
                let source = MemorySource(Self.bytes(seed), of: TransferOrigin(.local, path, version))
                do throws(EffectFailure) {
                    _ = try await remote.stage(StageID(number), from: source, near: path) { _ in true }
                    _ = try await remote.publish(StageID(number), at: path, replacing: nil, permissions: nil)
                    return nil
                } catch {
                    return error.reason
                }
            }
            try scene.control.set(
                #"{"failing": {"status": 502, "method": "PUT", "path": "/remote.php/dav/uploads", "skip": 2, "count": 1}}"#
            )
            #expect(await stage(1) == .putOff)
            #expect(await stage(2) == .changed)
            #expect(scene.served() == nil)
            #expect(await stage(2) == nil)
            #expect(scene.served() == Self.bytes(2))
            #expect(scene.stagedThere().isEmpty)
        }
    }
}

/// The permissions of an item.
private func mode(of path: FilePath) -> UInt32 {
    var status = stat()
    stat(path.string, &status)
    return status.st_mode & 0o777
}

/// The contents of a file; nil if it cannot be read.
private func contents(of path: FilePath) -> [UInt8]? {
    let file = open(path.string, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
        while filled < size, case let count = read(file, buffer.baseAddress.map { $0 + filled }, size - filled),
            count > 0
        {
            filled += count
        }
    }
}

/// The names in a directory; none if there is none.
private func names(in path: FilePath) -> [String] {
    guard let directory = opendir(path.string) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { found.append(name) }
    }
    return found
}

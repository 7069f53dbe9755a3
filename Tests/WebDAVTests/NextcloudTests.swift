import Glibc
import NIOCore
import RemoteSupport
import SyncCore
import SyncEngine
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// What a folder asks of a server that can do all that Nextcloud can, and what it does when that server has its moods.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct NextcloudTests {
    private struct Scene {
        let server: TestServer
        let client: DAVClient
        let control: CloudControl
        let folder: ServerFolder

        /// The requests that change something, since they were forgotten last.
        func changes() throws -> [String] {
            try control.requests().filter {
                $0.split(separator: " ").first.map { Self.changing.contains(String($0)) } ?? false
            }
        }

        private static let changing: Set = ["PUT", "MKCOL", "MOVE", "COPY", "DELETE", "LOCK", "UNLOCK", "POST"]

        /// What the server holds at a path; nil if nothing is there.
        func text(at path: String) -> String? {
            guard let file = fopen(server.files.appending(path).string, "r") else { return nil }
            defer { fclose(file) }
            var part = [UInt8](repeating: 0, count: 65_536)
            let count = fread(&part, 1, part.count, file)
            return String(decoding: part[..<count], as: UTF8.self)
        }
    }

    private func play(_ body: (Scene) async throws -> Void) async throws {
        let server = try TestServer(.nextcloud)
        let client = try server.client()
        let result: Result<Void, any Error>
        do {
            let name = try #require(EntryName("probe"))
            let traits = try await ServerProbe(client, in: name).run()
            let scene = Scene(
                server: server, client: client, control: try CloudControl(server),
                folder: try ServerFolder(client, traits: traits))
            try await body(scene)
            result = .success(try await scene.folder.stop())
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        try result.get()
    }

    @Test("A small file takes one request, new or changed")
    func oneRequest() async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.forgetRequests()
            try scene.folder.local.write("first", to: "note")
            try await scene.folder.syncAll()
            #expect(try scene.control.requests().filter { $0.hasSuffix("/note") } == ["PUT /note"])
            expect(try scene.changes(), ["PUT /note"])
            try scene.folder.local.write("second", to: "note")
            try await scene.folder.syncAll()
            expect(try scene.changes(), ["PUT /note", "PUT /note"])
            #expect(scene.text(at: "note") == "second")
            #expect(try await scene.folder.syncAll() == RunSummary())
        }
    }

    @Test("A tree without changes takes one request, one with a change those on the way to it")
    func unchanged() async throws {
        try await play { scene in
            for place in ["a/b/c", "a/b/d", "e/f", "g"] {
                for number in 0..<3 { try scene.folder.local.write("\(number)", to: "\(place)/\(number)") }
            }
            try await scene.folder.syncAll()
            try scene.control.forgetRequests()
            #expect(try await scene.folder.syncAll() == RunSummary())
            expect(try scene.control.requests(), ["PROPFIND /"])
            try await put(scene, "other", to: "a/b/c/1")
            try scene.control.forgetRequests()
            try await scene.folder.syncAll()
            #expect(try scene.folder.local.read("a/b/c/1") == "other")
            let looks = try scene.control.requests().filter { $0.hasPrefix("PROPFIND") }
            #expect(Set(looks) == ["PROPFIND /", "PROPFIND /a", "PROPFIND /a/b", "PROPFIND /a/b/c"], "\(looks)")
            try scene.control.forgetRequests()
            #expect(try await scene.folder.syncAll() == RunSummary())
            expect(try scene.control.requests(), ["PROPFIND /"])
        }
    }

    @Test("A renamed folder is one move, a deleted file one removal")
    func moves() async throws {
        try await play { scene in
            for number in 0..<5 { try scene.folder.local.write("\(number)", to: "old/deep/\(number)") }
            try scene.folder.local.write("gone", to: "gone")
            try scene.folder.local.write("moved", to: "moved")
            try await scene.folder.syncAll()
            try scene.control.forgetRequests()
            #expect(rename(scene.folder.local["old"].string, scene.folder.local["new"].string) == 0)
            try await scene.folder.syncAll()
            expect(try scene.changes(), ["MOVE /old"])
            try scene.control.forgetRequests()
            #expect(unlink(scene.folder.local["gone"].string) == 0)
            try await scene.folder.syncAll()
            expect(try scene.changes(), ["DELETE /gone"])
            try scene.control.forgetRequests()
            #expect(rename(scene.folder.local["moved"].string, scene.folder.local["new/here"].string) == 0)
            try await scene.folder.syncAll()
            expect(try scene.changes(), ["MOVE /moved"])
            #expect(scene.text(at: "new/here") == "moved" && scene.text(at: "new/deep/4") == "4")
        }
    }

    @Test("A file has its time of modification on the server, small and large")
    func modified() async throws {
        try await play { scene in
            try scene.folder.local.write("small", to: "small")
            try scene.folder.local.write(String(repeating: "large ", count: 100_000), to: "large")
            for name in ["small", "large"] {
                var times = [timespec(tv_sec: 1_234_567_890, tv_nsec: 987_654_321)]
                times.append(times[0])
                #expect(utimensat(AT_FDCWD, scene.folder.local[name].string, times, 0) == 0)
            }
            try await scene.folder.syncAll()
            for name in ["small", "large"] {
                let reply = try await scene.client.look(RelativePath([try #require(EntryName(name))]))
                #expect(reply.modified == 1_234_567_890, "\(name)")
            }
            #expect(try await scene.folder.syncAll() == RunSummary())
        }
    }

    @Test("What is there already on both sides is not downloaded to be compared, where the server tells its hash")
    func united() async throws {
        try await play { scene in
            // In one request to its place, in one to a name of our own, and in chunks.
            let contents = ["note": 1, "middle": 1 << 15, "large": 33 << 16].mapValues {
                String(repeating: "0123456789abcdef", count: $0)
            }
            for (name, text) in contents { try scene.folder.local.write(text, to: name) }
            try await scene.folder.syncAll()
            for name in contents.keys {
                let told = Mutex<[MultistatusResponse]>([])
                try await scene.client.properties(
                    of: RelativePath([try #require(EntryName(name))]), isDirectory: false, depth: .item, [.checksums]
                ) { items in told.withLock { $0 += items } }
                let checksums = told.withLock { $0 }.first?.properties[.checksums]?.text ?? []
                #expect(ContentDigest.hash(in: checksums) != nil, "\(name)")
            }
            let foreign = try #require(EntryName("foreign"))
            _ = try await scene.client.write(
                RelativePath([foreign]), length: 7, parts: OneBuffer("unknown"), if: .none)
            let traits = try await ServerProbe(scene.client, in: try #require(EntryName("probe"))).run()
            try scene.control.forgetRequests()
            let other = try ServerFolder(scene.client, traits: traits) { local in
                for (name, text) in contents { try local.write(text, to: name) }
                try local.write("unknown", to: "foreign")
            }
            try await other.syncAll()
            // What is compared is not counted as done by a run.
            try await other.waitForStatus { $0.phase == .idle && $0.counts.pending == 0 }
            let read = try scene.control.requests().filter { $0.hasPrefix("GET") && !$0.contains("/.roundel/") }
            expect(try scene.changes(), [])
            try await other.stop()
            #expect(read == ["GET /foreign"])
        }
    }

    @Test("What arrives with another hash than the server tells is not taken for the file", arguments: [7, 20 << 20])
    func wrongHash(length: Int) async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            let path = RelativePath([try #require(EntryName("note"))])
            let text = String(repeating: "x", count: length)
            let wrong = "SHA256:" + String(repeating: "0", count: 64)
            _ = try await scene.client.write(
                path, length: Int64(length), parts: OneBuffer(text), if: .none, headers: [("OC-Checksum", wrong)])
            for _ in 0..<2 { #expect(try await scene.folder.syncAll().errors == 1) }
            #expect(!scene.folder.local.exists("note"))
            _ = try await scene.client.write(path, length: Int64(length), parts: OneBuffer(text), if: .none)
            try await scene.folder.syncAll()
            #expect(try scene.folder.local.read("note") == text)
        }
    }

    @Test("A write of which the answer is lost is looked up, and not made again")
    func lostAnswer() async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.forgetRequests()
            try scene.control.set(#"{"lost-answer": {"method": "PUT", "count": 1}}"#)
            try scene.folder.local.write("once", to: "note")
            try await scene.folder.syncAll()
            expect(try scene.changes(), ["PUT /note"])
            #expect(scene.text(at: "note") == "once")
            #expect(try await scene.folder.syncAll() == RunSummary())
            #expect(try names(scene) == ["note"])
        }
    }

    @Test("A write of which the answer is lost is done as far as the folder sees", arguments: [false, true])
    func lostAnswerToAWrite(isTaken: Bool) async throws {
        try await play { scene in
            let traits = try await ServerProbe(scene.client, in: try #require(EntryName("probe"))).run()
            let remote = WebDAVRemote(scene.client, traits: traits, owner: try #require(EntryName("direct")))
            let path = RelativePath([EntryName.constant("note")])
            if isTaken { try await put(scene, "other") }
            let id = StageID(1)
            _ = try await remote.stage(id, from: MemorySource(Array("once!".utf8)), near: path) { _ in true }
            // Where something is it is not carried out: what stands there is not taken for what was to be written.
            try scene.control.set(#"{"lost-answer": {"method": "PUT", "count": 1}}"#)
            let placed: Result<Placed, EffectFailure>
            do throws(EffectFailure) {
                placed = .success(try await remote.publish(id, at: path, replacing: nil, permissions: nil))
            } catch {
                placed = .failure(error)
            }
            let found = try #require(try await remote.entry(path, in: .none)).version
            #expect(scene.text(at: "note") == (isTaken ? "other" : "once!"))
            switch placed {
            case .success(let placed): #expect(!isTaken && placed.version.isSame(as: found))
            case .failure(let failure): #expect(isTaken && failure.reason == .unreachable)
            }
        }
    }

    @Test("A move or a removal of which the answer is lost is looked up", arguments: ["MOVE", "DELETE"])
    func lostAnswer(to method: String) async throws {
        try await play { scene in
            try scene.folder.local.write("first", to: "note")
            try await scene.folder.syncAll()
            try scene.control.forgetRequests()
            try scene.control.set(#"{"lost-answer": {"method": "\#(method)", "count": 1}}"#)
            if method == "MOVE" {
                #expect(rename(scene.folder.local["note"].string, scene.folder.local["other"].string) == 0)
            } else {
                #expect(unlink(scene.folder.local["note"].string) == 0)
            }
            try await scene.folder.syncAll()
            expect(try scene.changes(), ["\(method) /note"])
            #expect(try await scene.folder.syncAll() == RunSummary())
            #expect(try names(scene) == (method == "MOVE" ? ["other"] : []))
        }
    }

    @Test("A write that a proxy made twice is no conflict with oneself")
    func doubled() async throws {
        try await play { scene in
            try scene.folder.local.write("first", to: "note")
            try await scene.folder.syncAll()
            try scene.control.set(#"{"doubled": {"method": "PUT", "count": 2}}"#)
            try scene.folder.local.write("second", to: "note")
            try scene.folder.local.write("new", to: "other")
            try await scene.folder.syncAll()
            try await scene.folder.syncAll()
            #expect(try names(scene) == ["note", "other"])
            #expect(scene.text(at: "note") == "second" && scene.text(at: "other") == "new")
        }
    }

    @Test("What another client wrote in the same moment is not written over")
    func otherClient() async throws {
        try await play { scene in
            try scene.folder.local.write("first", to: "note")
            try await scene.folder.syncAll()
            // The folder does not know of it: it looks at the server when it is asked to, and not before.
            try scene.folder.local.write("from here", to: "note")
            try await put(scene, "from there")
            try await scene.folder.syncAll()
            #expect(scene.text(at: "note") == "from there")
            #expect(try names(scene).count == 2)
        }
    }

    private enum Change: CaseIterable { case small, large, move, removal }

    @Test("Nothing is done to a version that is not the one that was meant", arguments: Change.allCases)
    private func meant(_ change: Change) async throws {
        try await play { scene in
            let traits = try await ServerProbe(scene.client, in: try #require(EntryName("probe"))).run()
            let remote = WebDAVRemote(scene.client, traits: traits, owner: try #require(EntryName("direct")))
            let path = RelativePath([try #require(EntryName("note"))])
            try await put(scene, "first")
            let old = try #require(try await remote.entry(path, in: .none)).version
            try await put(scene, "other")
            // What was uploaded goes to its place by a move, what is held by a write.
            let id = StageID(1)
            let bytes = [UInt8](repeating: 0x61, count: change == .large ? 300_000 : 5)
            _ = try await remote.stage(id, from: MemorySource(bytes), near: path) { _ in true }
            try scene.control.forgetRequests()
            var failed: EffectFailure.Reason?
            do throws(EffectFailure) {
                switch change {
                case .small, .large: _ = try await remote.publish(id, at: path, replacing: old, permissions: nil)
                case .move:
                    let target = RelativePath([EntryName.constant("moved")])
                    _ = try await remote.move(path, to: target, kind: .file, expecting: old)
                case .removal: try await remote.remove(path, kind: .file, expecting: old)
                }
            } catch {
                failed = error.reason
            }
            #expect(failed == .changed)
            // The server was asked to do it, and told for which version.
            #expect(try scene.changes().count == 1)
            #expect(scene.text(at: "note") == "other")
        }
    }

    private func put(_ scene: Scene, _ text: String, to path: String = "note") async throws {
        let parts = AsyncStream<ByteBuffer> { stream in
            stream.yield(ByteBuffer(string: text))
            stream.finish()
        }
        _ = try await scene.client.write(
            RelativePath(try path.split(separator: "/").map { try #require(EntryName(String($0))) }),
            length: Int64(text.utf8.count), parts: parts, if: .none)
    }

    @Test("A server that asks to be left alone is asked nothing until then", arguments: [429, 503])
    func throttled(_ status: Int) async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(#"{"throttle": {"status": \#(status), "after": 3600, "count": 1}}"#)
            let path = RelativePath([try #require(EntryName("note"))])
            func look() async -> DAVFailure.Reason? {
                do throws(DAVFailure) {
                    _ = try await scene.client.look(path)
                    return nil
                } catch {
                    return error.reason
                }
            }
            #expect(await look() == .throttled(seconds: 3_600))
            try scene.control.forgetRequests()
            guard case .throttled = await look() else { throw Failure("the server was asked") }
            #expect(try scene.control.requests().isEmpty)
            scene.client.resume()
            #expect(await look() == .notFound)
        }
    }

    @Test("A server that lists one level when it is asked for all does not list trees")
    func shallow() async throws {
        try await play { scene in
            try scene.control.set(#"{"no-infinity": "shallow"}"#)
            #expect(try await !ServerProbe(scene.client, in: try #require(EntryName("probe"))).run().listsTrees)
        }
    }

    @Test("One place of a server that is out of reach does not hold up the others")
    func oneStorage() async throws {
        try await play { scene in
            try scene.folder.local.write("a", to: "away/a")
            try await scene.folder.syncAll()
            try scene.control.set(
                #"{"failing": {"status": 503, "path": "/remote.php/dav/files/\#(TestServer.user)/away"}}"#)
            try scene.folder.local.write("b", to: "here/b")
            try await scene.folder.syncAll()
            #expect(scene.text(at: "here/b") == "b")
            try scene.control.set(#"{"failing": null}"#)
            try scene.folder.local.write("c", to: "away/c")
            for _ in 0..<20 where scene.text(at: "away/c") == nil { try await scene.folder.syncAll() }
            #expect(scene.text(at: "away/c") == "c")
        }
    }

    @Test("A large file goes in chunks, and is replaced only if it is the one that is meant", arguments: [false, true])
    func chunks(isAnswerLost: Bool) async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.forgetRequests()
            if isAnswerLost {
                try scene.control.set(
                    #"{"lost-answer": {"method": "MOVE", "path": "/remote.php/dav/uploads", "count": 1}}"#)
            }
            let bytes = 40 << 20
            try scene.folder.local.write(String(repeating: "0123456789abcdef", count: bytes / 16), to: "large")
            try await scene.folder.syncAll()
            let changes = try scene.changes().map { $0.split(separator: "/").last.map(String.init) ?? "" }
            #expect(
                changes.filter { ["00001", "00002", "00003", "00004"].contains($0) } == ["00001", "00002", "00003"])
            #expect(changes.count { $0 == ".file" } == 1)
            #expect(try scene.changes().count { $0.hasPrefix("PUT /") } == 3)
            #expect(try size(scene, "large") == bytes)
            #expect(scene.text(at: "large")?.hasSuffix("0123456789abcdef") == true)
            #expect(try await scene.folder.syncAll() == RunSummary())
            try scene.folder.local.write(String(repeating: "fedcba9876543210", count: bytes / 16 + 1), to: "large")
            try await scene.folder.syncAll()
            #expect(try size(scene, "large") == bytes + 16)
            #expect(scene.text(at: "large")?.hasPrefix("fedc") == true)
            #expect(try scene.changes().allSatisfy { !$0.hasPrefix("LOCK") })
        }
    }

    @Test("Chunks of an upload that fails are not left on the server")
    func chunksThatFail() async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(
                #"{"failing": {"status": 507, "method": "MOVE", "path": "/remote.php/dav/uploads"}}"#)
            try scene.folder.local.write(String(repeating: "0123456789abcdef", count: 40 << 16), to: "large")
            try await scene.folder.syncAll()
            #expect(scene.folder.errors.contains { $0.contains("no-space") })
            // The first one is that of the probe, which was put together.
            let changes = try scene.changes()
            let (begun, ended) = (uploads(in: changes, "MKCOL"), uploads(in: changes, "DELETE"))
            #expect(begun.count == 2 && ended == [begun[1]], "\(changes)")
        }
    }

    /// The collections of chunks that were made, or removed.
    private func uploads(in changes: [String], _ method: String) -> [String] {
        changes.filter { $0.hasPrefix(method + " /roundel-") }.map { String($0.dropFirst(method.count)) }
    }

    private func size(_ scene: Scene, _ name: String) throws -> Int {
        var status = stat()
        guard stat(scene.server.files.appending(name).string, &status) == 0 else { throw Failure("no \(name)") }
        return Int(status.st_size)
    }

    @Test("A name that the server does not take is said to be one, and holds up nothing else")
    func refusedName() async throws {
        try await play { scene in
            try scene.folder.local.write("a", to: "back\\slash")
            try scene.folder.local.write("b", to: "other")
            try await scene.folder.syncAll()
            #expect(scene.text(at: "other") == "b")
            #expect(scene.folder.errors.count == 1 && scene.folder.errors[0].contains("unusable-name"))
        }
    }

    private func expect(_ changes: [String], _ expected: [String]) {
        #expect(changes == expected, "the server was asked for \(changes)")
    }

    /// What is in the folder on both sides, which are to have the same.
    private func names(_ scene: Scene) throws -> [String] {
        func list(_ directory: String) throws -> [String] {
            guard let open = opendir(directory) else { throw Failure("cannot list \(directory)") }
            defer { closedir(open) }
            var found: [String] = []
            while let entry = readdir(open) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if ![".", "..", ".roundel"].contains(name) { found.append(name) }
            }
            return found.sorted()
        }
        let here = try list(scene.folder.local.path.string)
        #expect(try list(scene.server.files.string) == here)
        return here
    }
}

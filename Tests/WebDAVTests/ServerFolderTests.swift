import Glibc
import NIOCore
import RemoteSupport
import SyncCore
import SyncEngine
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WebDAV

/// A folder is synced with servers that people run, while another client changes what is there.
@Suite(.serialized)
struct ServerFolderTests {
    private func use(
        _ kind: ServerKind, _ body: (TestServer, DAVClient, ServerTraits) async throws -> Void
    ) async throws {
        let server = try TestServer(kind)
        let client = try server.client()
        let result: Result<Void, any Error>
        do {
            let name = try #require(EntryName("probe"))
            result = .success(try await body(server, client, try await ServerProbe(client, in: name).run()))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        try result.get()
    }

    private func path(_ text: String) throws -> RelativePath {
        RelativePath(try text.split(separator: "/").map { try #require(EntryName(String($0))) })
    }

    private func put(_ client: DAVClient, _ name: String, _ text: String) async throws {
        let part = AsyncStream<ByteBuffer> { stream in
            stream.yield(ByteBuffer(string: text))
            stream.finish()
        }
        _ = try await client.write(try path(name), length: Int64(text.utf8.count), parts: part, if: .none)
    }

    private func tree(_ place: FilePath) throws -> [String: String] { try FileTree.read(place) }

    private func names(_ directory: FilePath) -> [String] {
        ((try? tree(directory)) ?? [:]).keys.sorted()
    }

    /// Nothing is left where uploads wait for their names.
    private func expectNothingStaged(_ server: TestServer) {
        // Where dot-files do not show, directories that were deleted stay, as they may hold some.
        #expect(names(server.files.appending(".roundel/test/staging")).filter { !$0.hasSuffix("/") }.isEmpty)
    }

    @Test("both sides become the same, and stay so", arguments: ServerKind.installed)
    func union(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            _ = try await client.makeDirectory(path("theirs"))
            try await put(client, "theirs/there", "from there")
            try await put(client, "equal", "the same")
            let folder = try ServerFolder(client, traits: traits) { try $0.write("the same", to: "equal") }
            try folder.local.write("", to: "empty")
            try folder.local.write("a", to: "mine/deep/er/a b+&=é")
            try folder.local.write(String(repeating: "0123456789abcdef", count: 200_000), to: "mine/large")
            try await folder.syncAll()
            let here = try tree(folder.local.path)
            #expect(try tree(server.files) == here)
            #expect(here["theirs/there"] == "from there")
            #expect(here["mine/deep/er/a b+&=é"] == "a")
            #expect(here.count == 9)
            #expect(try await folder.syncAll() == RunSummary())
            expectNothingStaged(server)
            try await folder.stop()
        }
    }

    @Test("a name that is not UTF-8 is synced, or it is said why not", arguments: ServerKind.installed)
    func undecodableName(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            try folder.local.write("plain", to: "plain")
            let path = Array(folder.local["n"].string.utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
            let descriptor = path.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o644) } ?? -1
            }
            #expect(descriptor >= 0 && close(descriptor) == 0)
            for _ in 0..<3 { try await folder.syncAll() }
            let status = try #require(folder.status)
            let isTold = status.counts.errors == 1 && status.state == .error && !folder.errors.isEmpty
            let there = try server.names(in: "")
            #expect(isTold || (status.state == .synced && there.count == 2), "\(status), \(there), \(folder.errors)")
            try await folder.stop()
        }
    }

    /// Where servers tell no lasting ID of the root: what is behind the address may be another directory. `rclone serve`
    /// answers for minutes what it has listed before, so that a test cannot exchange what is behind it.
    private static let nameless = ServerKind.installed.filter { $0 != .nextcloud && $0 != .rclone }

    /// Another directory comes behind the address, or the former one comes back.
    private func exchange(_ server: TestServer, with other: String) throws {
        let (here, other) = (server.files.string, server.files.removingLastComponent().appending(other).string)
        var status = stat()
        guard stat(here, &status) == 0 else { throw Failure("no folder: \(errno)") }
        if mkdir(other, 0o755) == 0 { chown(other, status.st_uid, status.st_gid) }
        guard rename(here, here + ".now") == 0, rename(other, here) == 0, rename(here + ".now", other) == 0 else {
            throw Failure("cannot exchange: \(errno)")
        }
    }

    @Test(
        "a directory in the root's place is asked about: a stranger's, an empty one, the root that comes back",
        arguments: nameless)
    func strangeRoot(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            for number in 1...14 { try folder.local.write("of \(number)", to: "file \(number)") }
            try await folder.syncAll()
            let before = try tree(folder.local.path)
            for isEmpty in [false, true] {
                try exchange(server, with: "aside")
                if !isEmpty { try await put(client, "strange", "of somebody else") }
                let there = try tree(server.files)
                try await folder.syncAll()
                #expect(folder.status?.stopReason == .remoteReplaced)
                #expect(try tree(folder.local.path) == before && tree(server.files) == there)
                #expect(access(server.files.appending(".roundel").string, F_OK) != 0)
                try exchange(server, with: "aside")
                try await folder.syncAll()
                #expect(folder.status?.stopReason == nil && folder.status?.state == .synced)
                #expect(try tree(server.files) == before)
                let strange = server.files.removingLastComponent().appending("aside/strange")
                if !isEmpty { #expect(unlink(strange.string) == 0) }
            }
            try exchange(server, with: "aside")
            try await put(client, "strange", "of somebody else")
            try await folder.syncAll()
            try await folder.syncAll(answering: .unite)
            let united = before.merging(["strange": "of somebody else"]) { $1 }
            #expect(try tree(folder.local.path) == united && tree(server.files) == united)
            #expect(try await folder.syncAll() == RunSummary())
            try await folder.stop()
        }
    }

    @Test("a root that has lost its mark is the same if that is said, and gets the mark again", arguments: nameless)
    func lostMark(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            for number in 1...5 { try folder.local.write("of \(number)", to: "file \(number)") }
            try await folder.syncAll()
            let mark = server.files.appending(".roundel/root").string
            let before = try tree(folder.local.path)
            #expect(rename(mark, mark + ".gone") == 0)
            #expect(unlink(server.files.appending("file 3").string) == 0)
            try await folder.syncAll()
            #expect(folder.status?.stopReason == .remoteReplaced)
            #expect(try tree(folder.local.path) == before && access(mark, F_OK) != 0)
            try await folder.syncAll(answering: .sameRoot)
            try await folder.syncAll()
            #expect(folder.status?.stopReason == nil)
            #expect(try tree(folder.local.path) == before.filter { $0.key != "file 3" })
            #expect(try Self.read(mark) == Self.read(mark + ".gone"))
            try await folder.stop()
        }
    }

    @Test("a page in the mark's place tells nothing of the root", arguments: nameless)
    func pageForMark(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            try folder.local.write("a", to: "a")
            try await folder.syncAll()
            let mark = server.files.appending(".roundel/root").string
            #expect(rename(mark, mark + ".gone") == 0)
            try Self.write("<html><body>Please log in to the wireless network.</body></html>", to: mark)
            try await folder.syncAll()
            #expect(folder.status?.phase == .offline)
            #expect(rename(mark + ".gone", mark) == 0)
            try await folder.syncAll()
            #expect(folder.status?.state == .synced && folder.status?.phase == .idle)
            try await folder.stop()
        }
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw Failure("cannot read \(path): \(errno)") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure("cannot write \(path): \(errno)") }
        fputs(text, file)
        fclose(file)
        chmod(path, 0o644)
    }

    @Test("edits, renames and deletions go both ways", arguments: ServerKind.installed)
    func changes(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            for name in ["edited here", "edited there", "deleted here", "deleted there", "renamed", "d/kept", "e/gone"]
            {
                try folder.local.write("first of \(name)", to: name)
            }
            try await folder.syncAll()
            try folder.local.write("second, from here", to: "edited here")
            try await put(client, "edited there", "second, from there")
            #expect(unlink(folder.local["deleted here"].string) == 0)
            _ = try await client.remove(path("deleted there"), isDirectory: false, if: .none)
            #expect(rename(folder.local["renamed"].string, folder.local["new name"].string) == 0)
            #expect(rename(folder.local["d"].string, folder.local["new d"].string) == 0)
            #expect(unlink(folder.local["e/gone"].string) == 0 && rmdir(folder.local["e"].string) == 0)
            try await folder.syncAll()
            let expected = [
                "edited here": "second, from here", "edited there": "second, from there",
                "new name": "first of renamed", "new d/": "", "new d/kept": "first of d/kept",
            ]
            let (here, there) = (try tree(folder.local.path), try tree(server.files))
            #expect(here == expected)
            #expect(there == expected, "the server has \(there)")
            #expect(folder.errors.isEmpty)
            expectNothingStaged(server)
            try await folder.stop()
        }
    }

    @Test("what somebody tidied away is made again", arguments: ServerKind.installed)
    func tidied(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            try folder.local.write("first", to: "a")
            try await folder.syncAll()
            _ = try await client.remove(path(".roundel/test"), isDirectory: true, if: .none)
            try folder.local.write("second", to: "b")
            for _ in 0..<20 where try tree(server.files)["b"] != "second" { try await folder.syncAll() }
            #expect(try tree(server.files) == ["a": "first", "b": "second"])
            try await folder.stop()
        }
    }

    @Test(
        "what an interrupted probe left is removed a day later",
        // nginx lists no name that begins with a dot; the others see no time that is set beside them.
        arguments: ServerKind.installed.filter { [.apache, .wsgidav].contains($0) })
    func interruptedProbes(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let (old, young, other) = (".roundel-stage-00112233445566ff", ".roundel-stage-11", ".roundel-stages")
            for name in [old, young, other] { _ = try await client.makeDirectory(path(name)) }
            _ = try await put(client, old + "/r", "0123456789")
            for name in [old, other] {
                let days = timespec(tv_sec: time(nil) - 90_000, tv_nsec: 0)
                guard utimensat(AT_FDCWD, server.files.appending(name).string, [days, days], 0) == 0 else {
                    throw Failure("no time of \(name): \(errno)")
                }
            }
            let folder = try ServerFolder(client, traits: traits)
            try folder.local.write(String(repeating: "x", count: 300_000), to: "a")
            try await folder.syncAll()
            #expect(access(server.files.appending(old).string, F_OK) != 0)
            for name in [young, other] { #expect(access(server.files.appending(name).string, F_OK) == 0, "\(name)") }
            try await folder.stop()
        }
    }

    @Test("of two changes neither is lost", arguments: ServerKind.installed)
    func conflict(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            try folder.local.write("first", to: "a")
            try await folder.syncAll()
            try folder.local.write("second, from here", to: "a")
            try await put(client, "a", "other, from there")
            try await folder.syncAll()
            let here = try tree(folder.local.path)
            #expect(here["a"] == "other, from there")
            #expect(here.count == 2 && here.values.contains("second, from here"))
            #expect(try tree(server.files) == here)
            try await folder.stop()
        }
    }

    @Test(
        "what another client writes in the moment after an upload is seen",
        // Both give tags that prove nothing for a moment.
        arguments: ServerKind.installed.filter { [.apache, .nginx].contains($0) })
    func writtenAtOnce(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            for round in 0..<3 {
                let (here, there) = ("\(round) from here", "\(round) there too")
                try folder.local.write(here, to: "a")
                try await folder.syncAll()
                #expect(try tree(server.files) == ["a": here])
                try await put(client, "a", there)
                try await folder.syncAll()
                #expect(try tree(folder.local.path) == ["a": there])
                #expect(try tree(server.files) == ["a": there])
            }
            try await folder.stop()
        }
    }

    @Test("two folders on one server become the same", arguments: ServerKind.installed)
    func two(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let (one, other) = (
                try ServerFolder(client, traits: traits), try ServerFolder(client, traits: traits, owner: "other")
            )
            for index in 0..<12 {
                try one.local.write("one \(index)", to: "one/\(index)")
                try other.local.write("other \(index)", to: "other/\(index)")
            }
            try await one.syncAll()
            try await other.syncAll()
            try await one.syncAll()
            #expect(try tree(one.local.path).count == 26)
            #expect(try tree(one.local.path) == tree(other.local.path))
            try one.local.write("changed", to: "other/3")
            #expect(rename(other.local["one"].string, other.local["uno"].string) == 0)
            for _ in 0..<2 {
                try await other.syncAll()
                try await one.syncAll()
            }
            let here = try tree(one.local.path)
            #expect(here["uno/11"] == "one 11" && here["other/3"] == "changed")
            #expect(try here == tree(other.local.path) && here == tree(server.files))
            try await one.stop()
            try await other.stop()
        }
    }

    @Test("a name that a server would make another one of is not put there", arguments: ServerKind.installed)
    func changedNames(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            #expect(traits.keepsNamesInMoves == (kind != .wsgidav))
            let folder = try ServerFolder(client, traits: traits)
            let name = "100%41?#"
            try folder.local.write("all", to: name)
            let last = try await folder.syncAll()
            try await folder.syncAll()
            #expect(try tree(folder.local.path) == [name: "all"])
            #expect(try tree(server.files) == (traits.keepsNamesInMoves ? [name: "all"] : [:]))
            #expect(last.errors == (traits.keepsNamesInMoves ? 0 : 1))
            try await folder.stop()
        }
    }

    @Test("a directory that is deleted here takes nothing with it that nobody sees", arguments: ServerKind.installed)
    func hiddenInDeleted(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            try folder.local.write("kept", to: "other")
            try folder.local.write("shown", to: "d/shown")
            try await folder.syncAll()
            try await put(client, "d/.hidden", "of another client")
            try folder.local.remove("d")
            try await folder.syncAll()
            try await folder.stop()
            let again = try ServerFolder(client, traits: traits, after: folder)
            // What earlier runs have left is tidied up with the first upload.
            try again.local.write("new", to: "another")
            try await again.syncAll()
            let found = [try tree(server.files), try tree(server.files.appending(".roundel"))].flatMap(\.values)
            #expect(found.contains("of another client"))
            try await again.stop()
        }
    }

    @Test("what a removed directory got meanwhile is shown again", arguments: ServerKind.installed)
    func recovered(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let large = String(repeating: "0123456789", count: 30_000)
            let folder = try ServerFolder(client, traits: traits)
            try folder.local.write(large, to: "first")
            try await folder.syncAll()
            try await folder.stop()
            // As a run leaves it that ended while it removed the directory.
            _ = try await client.makeDirectory(path(".roundel/test/staging/aside"))
            try await put(client, ".roundel/test/staging/aside/note", "of another client")
            let again = try ServerFolder(client, traits: traits, after: folder)
            try again.local.write(large + "more", to: "second")
            try await again.syncAll()
            try await again.syncAll()
            #expect(try again.local.read("Recovered aside/note") == "of another client")
            #expect(try tree(again.local.path) == tree(server.files))
            try await again.stop()
        }
    }

    @Test("what a server would not show again is not put there", arguments: ServerKind.installed)
    func hiddenNames(_ kind: ServerKind) async throws {
        try await use(kind) { server, client, traits in
            let folder = try ServerFolder(client, traits: traits)
            try folder.local.write("settings", to: ".settings")
            try folder.local.write("shown", to: "shown")
            let last = try await folder.syncAll()
            try await folder.syncAll()
            #expect(try tree(folder.local.path) == [".settings": "settings", "shown": "shown"])
            #expect(try tree(server.files)[".settings"] == (traits.hidesDotFiles ? nil : "settings"))
            #expect(last.errors == (traits.hidesDotFiles ? 1 : 0))
            try await folder.stop()
        }
    }
}

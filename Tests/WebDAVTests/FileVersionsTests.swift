import Glibc
import RemoteSupport
import Remotes
import SyncCore
import SyncEngine
import TestSupport
import Testing

@testable import WebDAV

/// The versions that a server keeps, with our own Nextcloud and with servers that say what they like.
@Suite(.serialized) struct FileVersionsTests {
    private func path(_ names: String...) throws -> RelativePath {
        RelativePath(try names.map { try #require(EntryName($0)) })
    }

    private func failure(_ body: () async throws -> Void) async -> FileVersions.Failure? {
        do { try await body() } catch { return error as? FileVersions.Failure }
        return nil
    }

    private func write(_ text: String, _ moment: Int64, at path: RelativePath, _ client: DAVClient) async throws {
        _ = try await client.write(
            path, length: Int64(text.utf8.count), parts: OneBuffer(text), if: .none,
            headers: [("X-OC-Mtime", "\(moment)")])
    }

    @Test(
        "The versions of a file but the current one are listed, newest first, and read as they were",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func listed() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let versions = try #require(FileVersions(client))
        let (file, other) = (try path("a & b"), try path("other"))
        try await write("none", 900_000, at: file, client)
        #expect(await failure { _ = try await versions.versions(of: file) } == .keepsNone)
        try control.set(#"{"versions": true, "version-authors": {"1000000": "ana"}}"#)
        for (number, text) in ["one", "second", "third one"].enumerated() {
            try await write(text, 1_000_000 * Int64(number + 1), at: file, client)
        }
        try await write("other", 1_000_000, at: other, client)
        let found = try await versions.versions(of: file)
        #expect(found.map(\.modified) == [2_000_000, 1_000_000, 900_000] && found.map(\.size) == [6, 3, 4])
        #expect(found[1].author == "ana" && found[0].author != "ana")
        #expect(try await versions.versions(of: other).isEmpty)

        let source = try await versions.open(found[0].id, of: file)
        #expect(source.size == 6 && source.modified == 2_000_000_000_000_000)
        #expect(try await contents(of: source) == "second")
        // Another file's version is not this one's, nor is the current one past.
        for id in ["3000000", "5", "..", "restore"] {
            #expect(await failure { _ = try await versions.open(id, of: file) } == .noSuchVersion)
        }
        #expect(await failure { _ = try await versions.open("1000000", of: other) } == .noSuchVersion)
        await client.shutDown()
    }

    @Test(
        "Who wrote the current version is told of the version that is meant, and of no other",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func author() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let versions = try #require(FileVersions(client))
        let file = try path("a")
        try await write("one", 1_000_000, at: file, client)
        let none = await failure { _ = try await versions.author(of: file, modified: 1_000_000, size: 3) }
        #expect(none == .keepsNone)
        try control.set(#"{"versions": true, "version-authors": {"1000000": "bob", "2000000": "ana"}}"#)
        try await write("second", 2_000_000, at: file, client)
        #expect(try await versions.author(of: file, modified: 2_000_000, size: 6) == "ana")
        // Another one was written since, or is about to be.
        #expect(try await versions.author(of: file, modified: 1_000_000, size: 3) == nil)
        #expect(try await versions.author(of: file, modified: 2_000_000, size: 5) == nil)
        // An older release lists what is past alone.
        try control.set(#"{"past-versions": true}"#)
        #expect(try await versions.author(of: file, modified: 2_000_000, size: 6) == nil)
        #expect(try await versions.versions(of: file).map(\.modified) == [1_000_000])
        await client.shutDown()
    }

    private func contents(of source: any ContentSource) async throws -> String {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while case let count = try await source.read(into: buffer), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("What a server lists that is no version of the file is left out")
    func hostile() throws {
        let place = try ServerLocation("http://127.0.0.1:1/remote.php/dav/versions/user/versions/7")
        func read(
            _ reference: String, length: String? = "3", modified: String? = "Sat, 24 Jan 1970 03:33:20 GMT",
            author: String? = nil, isCollection: Bool = false
        ) -> PastVersion? {
            var item = MultistatusResponse()
            item.reference = reference
            item.properties[.resourceType] = .init(elements: isCollection ? [.dav("collection")] : [])
            item.properties[.length] = length.map { .init(text: Array($0.utf8)) }
            item.properties[.modified] = modified.map { .init(text: Array($0.utf8)) }
            item.properties[.versionAuthor] = author.map { .init(text: Array($0.utf8)) }
            return FileVersions.version(item, in: place, year: 2026)
        }
        let base = "/remote.php/dav/versions/user/versions/7"
        #expect(read("\(base)/12") == PastVersion(id: "12", modified: 2_000_000, size: 3))
        #expect(read("\(base)/12", author: " ana ")?.author == "ana")
        for author in ["an\u{202e}a", "a\nb", "", String(repeating: "a", count: 129)] {
            #expect(read("\(base)/12", author: author) == PastVersion(id: "12", modified: 2_000_000, size: 3))
        }
        // Without a time, its name is one.
        #expect(read("\(base)/12", modified: nil)?.modified == 12)
        #expect(read("\(base)/twelve", modified: nil) == nil && read("\(base)/twelve", modified: "soon") == nil)
        let strangers = [
            base, "\(base)/", "\(base)/12/13", "\(base)/../8/12", "\(base)/%2e%2e", "\(base)/a%2fb", "\(base)/a%0ab",
            "\(base)/\(String(repeating: "1", count: 65))", "/remote.php/dav/versions/user/versions/8/12",
            "http://other.example\(base)/12", "\(base)/ü",
        ]
        for stranger in strangers { #expect(read(stranger) == nil, "\(stranger)") }
        #expect(read("\(base)/12", isCollection: true) == nil)
        for length in ["-1", "many", "9007199254740993", "99999999999999999999"] {
            #expect(read("\(base)/12", length: length) == nil, "\(length)")
        }
        #expect(read("\(base)/12", length: nil) == nil)
        #expect(read("\(base)/-5", modified: nil) == nil && read("\(base)/9223372036854775807", modified: nil) == nil)
    }

    @Test(
        "A version whose contents end early, or are of another length, is not taken",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func cut() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let versions = try #require(FileVersions(client))
        let file = try path("a")
        try control.set(#"{"versions": true}"#)
        for moment in [1_000_000, 2_000_000] as [Int64] {
            try await write("contents \(moment)", moment, at: file, client)
        }
        let id = try #require(try await versions.versions(of: file).first?.id)
        try control.set(#"{"truncated-contents": {"path": "/remote.php/dav/versions", "bytes": 4}}"#)
        let source = try await versions.open(id, of: file)
        await #expect(throws: EffectFailure.self) { _ = try await contents(of: source) }
        try control.set(
            #"{"truncated-contents": null, "lying": {"path": "/remote.php/dav/versions", "replace": {">16<": ">15<"}}}"#
        )
        #expect(await failure { _ = try await versions.open(id, of: file) } == .request(DAVFailure(.malformed)))
        await client.shutDown()
    }

    @Test("A collection whose address does not tell whose it is has no versions")
    func nameless() async throws {
        for place in ["remote.php/webdav/a", "dav/a"] {
            let client = DAVClient(
                try ServerLocation("http://127.0.0.1:1/\(place)"), credentials: nil, clock: { Int64(time(nil)) })
            #expect(FileVersions(client) == nil)
            await client.shutDown()
        }
    }
}

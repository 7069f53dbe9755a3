import Glibc
import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// What is known of servers that say what they are, and how few requests confirm it.
@Suite(.serialized) struct KnownServerTests {
    private static let scratch = EntryName.constant(".roundel-stage-test")

    private func play<Value>(
        _ server: TestServer, _ body: (DAVClient) async throws -> Value
    ) async throws -> Value {
        let client = try server.client()
        let result: Result<Value, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutDown()
        return try result.get()
    }

    /// What all tests find. What a busy computer hides is tried again.
    private func allTests(
        _ client: DAVClient, until isExpected: (ServerTraits) -> Bool = { _ in true }
    ) async throws -> ServerTraits {
        let end = ContinuousClock.now + .seconds(240)
        while true {
            let found = try await ServerProbe(client, in: Self.scratch).run()
            if isExpected(found) || ContinuousClock.now >= end { return found }
        }
    }

    @Test(
        "What is known of Apache is what all tests find, and ten requests confirm it",
        .enabled(if: ServerKind.apache.program != nil, "needs Apache"))
    func apache() async throws {
        let server = try TestServer(.apache)
        try await play(server) { client in
            try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
            let found = try await FoundServer.find(client, in: Self.scratch)
            let requests = try server.requests()
            #expect(requests.count <= 10, "\(requests)")
            #expect(found.identity.hasPrefix("\(ServerProbe.number) Apache/2.4."))
            let all = try await allTests(client) { $0.tagsAreVeryFine && !$0.tellsQuickWrites }
            var compared = all
            // Of a busy computer, which is slow, all tests may find these two otherwise.
            (compared.tagsAreVeryFine, compared.tellsQuickWrites) = (true, false)
            #expect(found.traits == compared, "all tests find \(all.names)")
            #expect(access(server.files.appending("\(Self.scratch)").string, F_OK) != 0)
        }
    }

    /// Apache as somebody else has set it up, or behind something that spoils what is asked of it.
    private static let otherApaches = [
        "LoadModule headers_module /usr/lib/apache2/modules/mod_headers.so\nRequestHeader unset If-Match early",
        "LoadModule headers_module /usr/lib/apache2/modules/mod_headers.so\nRequestHeader unset Overwrite early",
        """
        LoadModule headers_module /usr/lib/apache2/modules/mod_headers.so
        RequestHeader edit Destination %25 %% early
        RequestHeader edit Destination %3F.* "" early
        """,
        "LoadModule headers_module /usr/lib/apache2/modules/mod_headers.so\nRequestHeader edit Destination %3F.* \"\" early",
        "FileETag Size", "FileETag INode MTime Size", "FileETag None", "FileETag MTime",
    ]

    @Test(
        "An Apache that behaves otherwise is tried out with all tests",
        .enabled(if: ServerKind.apache.program != nil, "needs Apache"), arguments: otherApaches)
    func otherApache(_ settings: String) async throws {
        let server = try TestServer(.apache, apache: settings)
        _ = try await play(server) { client in try await expectAllTests(client, "Apache/2.4.62") }
        // What no request of the few does.
        #expect(try server.requests().contains { $0.hasPrefix("GET /\(Self.scratch)/all/") })
        #expect(access(server.files.appending("\(Self.scratch)").string, F_OK) != 0)
    }

    @Test(
        "A server that says it is Apache and is not one is tried out with all tests",
        arguments: ServerKind.installed.filter { $0 != .apache && $0 != .nextcloud })
    func noApache(_ kind: ServerKind) async throws {
        let server = try TestServer(kind)
        try await play(server) { client in
            let (found, known) = try await expectAllTests(client, "Apache/2.4.62 (Debian)")
            #expect(found != known)
        }
    }

    /// What is found after this was said is what all tests find. Returns it and what is known of Apache.
    private func expectAllTests(
        _ client: DAVClient, _ program: String
    ) async throws -> (found: ServerTraits, known: ServerTraits) {
        let known = ServerClaim(program: program, capabilities: nil)
        #expect(KnownServer(known, at: client.location) == .apache)
        let other = ServerClaim(program: "Apache/2.2.34", capabilities: nil)
        #expect(KnownServer(other, at: client.location) == nil)
        let found = try await ServerProbe(client, in: Self.scratch).run(saying: known)
        var all = try await ServerProbe(client, in: Self.scratch).run(saying: other)
        // Each try finds its own grain where a busy computer makes the writes slow.
        for path in [\ServerTraits.tagsAreVeryFine, \.weakTagsStay, \.tellsQuickWrites] where all.locks {
            all[keyPath: path] = found[keyPath: path]
        }
        #expect(found == all, "\(found.names) instead of \(all.names)")
        return (found, KnownServer.apache.traits)
    }

    @Test(
        "A Nextcloud is tried out with all tests, whatever version it says it is",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func nextcloud() async throws {
        let server = try TestServer(.nextcloud)
        try await play(server) { client in
            let claim = try await ServerClaim(client, knownAsCollection: true)
            let behindApache = ServerClaim(program: "Apache/2.4.62 (Debian)", capabilities: claim.capabilities)
            #expect(claim.capabilities?.version == "29.0.4")
            #expect(KnownServer(claim, at: client.location) == nil)
            #expect(KnownServer(behindApache, at: try ServerLocation("http://127.0.0.1/dav")) == nil)
        }
    }

    @Test("Other versions are not known")
    func versions() throws {
        let location = try ServerLocation("http://127.0.0.1/dav")
        for program in [
            "Apache", "Apache/2", "Apache/2.2.34", "Apache/2.40.1", "nginx/1.22.1", "Apache-Coyote/1.1", "",
        ] {
            #expect(KnownServer(ServerClaim(program: program, capabilities: nil), at: location) == nil)
        }
        #expect(KnownServer(ServerClaim(program: nil, capabilities: nil), at: location) == nil)
        // There it is a program behind it.
        let account = try ServerLocation("http://127.0.0.1/remote.php/dav/files/me")
        #expect(KnownServer(ServerClaim(program: "Apache/2.4.62", capabilities: nil), at: account) == nil)
    }

    // MARK: Times

    private func fits(_ time: Int64, _ later: Int64, atMilliseconds second: Int64 = 13, each: Int64 = 2) -> Bool {
        let start = ContinuousClock.now
        let writes = WriteTimes(
            first: start...(start + .milliseconds(each)),
            second: (start + .milliseconds(second))...(start + .milliseconds(second + each)))
        return writes.fit(time, later, at: 1_700_000_000)
    }

    @Test("Times of files are fine if they are those of the writes, and not of a coarse clock")
    func times() {
        let time: Int64 = 1_700_000_000_123_457
        #expect(fits(time, time + 12_000) && fits(time, time + 4_000) && fits(time, time + 15_001))
        // Both within one grain, or in two that are far apart.
        #expect(!fits(time, time) && !fits(time, time - 4_000) && !fits(time, time + 100_000))
        // Whole milliseconds and seconds.
        #expect(!fits(1_700_000_000_123_000, 1_700_000_000_135_001))
        #expect(!fits(1_700_000_000_123_001, 1_700_000_000_135_000))
        #expect(!fits(1_700_000_000_000_000, 1_700_000_001_000_000, atMilliseconds: 900, each: 300))
        // A line that is slow.
        #expect(fits(time, time + 700_000, atMilliseconds: 600, each: 300))
        #expect(!fits(time, time + 200_000, atMilliseconds: 600, each: 300))
        // No time of now.
        #expect(!fits(time - 100_000_000, time - 99_988_000))
    }

    @Test("A tag is read as a size and a time if it is made of them")
    func tags() {
        func time(_ tag: String, length: Int64 = 5) -> Int64? {
            var item = MultistatusResponse()
            item.properties[.entityTag] = .init(text: Array(tag.utf8))
            item.properties[.length] = .init(text: Array("\(length)".utf8))
            return FileTimeTag(item, length: 5)?.time
        }
        #expect(time(#""5-661566ca582c3""#) == 0x6_6156_6ca5_82c3)
        #expect(time(#"W/"5-661566ca582c3""#) == 0x6_6156_6ca5_82c3)
        for tag in [#""6-661566ca582c3""#, #""12-5-661566ca582c3""#, #""5""#, #""661566ca582c3""#, #""5-""#, #""""#] {
            #expect(time(tag) == nil)
        }
        #expect(time(#""5-661566ca582c3""#, length: 6) == nil)
    }
}

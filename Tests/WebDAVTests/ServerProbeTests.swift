import SyncCore
import Testing
import WebDAV

/// What servers that people run can do, as the probe finds it: `sync-engines.md` holds the same, found with other programs.
struct ServerProbeTests {
    private func traits(_ kind: ServerKind) async throws -> ServerTraits { try await traits(of: TestServer(kind)) }

    private func traits(of server: TestServer) async throws -> ServerTraits {
        let client = try server.client()
        let name = try #require(EntryName(".roundel-probe"))
        let result: Result<ServerTraits, DAVFailure>
        do { result = .success(try await ServerProbe(client, in: name).run()) } catch { result = .failure(error) }
        await client.shutDown()
        return try result.get()
    }

    private func expected(_ kind: ServerKind) -> ServerTraits {
        var traits = ServerTraits()
        (traits.honoursOverwrite, traits.locks, traits.ranges, traits.keepsTagInMoves) = (true, true, true, true)
        (traits.keepsNamesInMoves, traits.makesOnlyNew) = (kind != .wsgidav, kind != .rclone)
        switch kind {
        case .apache:
            (traits.honoursMatch, traits.honoursAbsence, traits.honoursMatchInMoves) = (true, true, true)
            (traits.writesAtOnce, traits.listsTags, traits.honoursMatchOfTarget) = (true, true, true)
            (traits.weakTagsStay, traits.tagsAreVeryFine) = (true, true)
        case .nginx:
            (traits.writesAtOnce, traits.hidesDotFiles) = (true, true)
        case .wsgidav:
            (traits.honoursMatch, traits.honoursAbsence, traits.honoursMatchInMoves) = (true, true, true)
            (traits.listsTags, traits.repliesWithTags, traits.listsTrees, traits.tellsQuota) = (true, true, true, true)
        case .rclone:
            (traits.listsTags, traits.repliesWithTags, traits.tellsQuickWrites, traits.listsTrees) = (
                true, true, true, true
            )
        case .nextcloud:
            // All there is, but for locks, which keep nobody from anything, and its app for them, which is not installed.
            traits = ServerTraits(names: ServerTraits.allNames)
            (traits.locks, traits.locksFiles, traits.hidesDotFiles) = (false, false, false)
            (traits.weakTagsStay, traits.tagsAreVeryFine) = (false, false)
        }
        return traits
    }

    @Test(arguments: ServerKind.installed)
    func found(_ kind: ServerKind) async throws {
        var found = try await traits(kind)
        let expected = expected(kind)
        // The grain of its tags is not found to be fine by a try in which each write takes long, on a busy computer.
        let end = ContinuousClock.now + .seconds(240)
        while found.weakTagsStay != expected.weakTagsStay || expected.tellsQuickWrites && !found.tellsQuickWrites,
            ContinuousClock.now < end
        {
            found = try await traits(kind)
        }
        if kind == .apache {
            // On a busy computer it may always take too long for this.
            found.tagsAreVeryFine = expected.tagsAreVeryFine
            // Its tags tell writes apart that are some milliseconds apart: on a busy computer all of them are.
            found.tellsQuickWrites = expected.tellsQuickWrites
        }
        #expect(found == expected, "found \(found)")
    }

    @Test("tags of whole seconds, of a server that takes longer for a write, are not trusted with quick ones")
    func slowWrites() async throws {
        let server = try TestServer(.nextcloud)
        let slow = #""slow": {"seconds": 1.1, "method": "PUT", "skip": 2, "count": 18}"#
        try CloudControl(server).set("{\"coarse-tags\": true, \(slow)}")
        let found = try await traits(of: server)
        #expect(found.listsTags && !found.tellsQuickWrites)
    }
}

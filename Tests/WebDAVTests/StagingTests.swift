import Glibc
import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing
import WebDAV

/// What is uploaded under a name of our own, and looked at, before it gets its place: on a server whose answer to a write does
/// not tell what it wrote.
@Suite(.serialized, .enabled(if: ServerKind.apache.program != nil, "needs Apache"))
struct StagingTests {
    private static let area = ".roundel/test/staging"

    private func use(_ body: (TestServer, WebDAVRemote) async throws -> Void) async throws {
        let server = try TestServer(.apache)
        let client = try server.client()
        let result: Result<Void, any Error>
        do {
            let traits = try await ServerProbe(client, in: try #require(EntryName("probe"))).run()
            let owner = try #require(EntryName("test"))
            result = .success(try await body(server, WebDAVRemote(client, traits: traits, owner: owner)))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        try result.get()
    }

    private func path(_ name: String) throws -> RelativePath { RelativePath([try #require(EntryName(name))]) }

    /// Stages files, the first as 1, and returns where the server has them.
    private func stage(_ texts: [String], on remote: WebDAVRemote, _ server: TestServer) async throws -> [FilePath] {
        var places: [FilePath] = []
        for (index, text) in texts.enumerated() {
            let before = Set((try? server.names(in: Self.area)) ?? [])
            _ = try await remote.stage(
                StageID(UInt64(index + 1)), from: MemorySource(Array(text.utf8)), near: path("\(index + 1)")
            ) { _ in true }
            let new = try #require(try server.names(in: Self.area).first { !before.contains($0) })
            places.append(server.files.appending(Self.area).appending(new))
        }
        return places
    }

    private func publish(_ id: UInt64, on remote: WebDAVRemote) async throws -> Version {
        try await remote.publish(StageID(id), at: path("\(id)"), replacing: nil, permissions: nil).version
    }

    private func failure(_ body: () async throws -> Void) async -> EffectFailure? {
        do {
            try await body()
            return nil
        } catch {
            return error as? EffectFailure
        }
    }

    @Test("files that go together are looked at in one request")
    func together() async throws {
        try await use { server, remote in
            _ = try await stage(["one", "two", "three"], on: remote, server)
            try await remote.syncContents([StageID(1), StageID(2), StageID(3)])
            let versions = [
                try await publish(1, on: remote), try await publish(2, on: remote), try await publish(3, on: remote),
            ]
            let looks = try server.requests().filter { $0.hasPrefix("PROPFIND /\(Self.area)/s") }
            #expect(looks.isEmpty)
            for (index, version) in versions.enumerated() {
                let found = try #require(try await remote.entry(path("\(index + 1)"), in: .none))
                #expect(found.version.isSame(as: version))
            }
        }
    }

    @Test("what is gone, or is not whole, gets no place; the others do")
    func lost() async throws {
        try await use { server, remote in
            let places = try await stage(["one", "two", "three"], on: remote, server)
            #expect(unlink(places[0].string) == 0)
            #expect(truncate(places[1].string, 1) == 0)
            try await remote.syncContents([StageID(1), StageID(2), StageID(3)])
            #expect(await failure { _ = try await publish(1, on: remote) }?.message.code == .contentsGone)
            #expect(await failure { _ = try await publish(2, on: remote) }?.message.code == .wrongLength)
            _ = try await publish(3, on: remote)
            #expect(try server.names(in: "") == ["3"])
        }
    }

    @Test("where they cannot be looked at together, each is looked at by itself")
    func withoutListing() async throws {
        try await use { server, remote in
            _ = try await stage(["one", "two"], on: remote, server)
            let area = server.files.appending(Self.area).string
            #expect(chmod(area, 0o300) == 0)
            try await remote.syncContents([StageID(1), StageID(2)])
            #expect(chmod(area, 0o700) == 0)
            let version = try await publish(1, on: remote)
            #expect(try await remote.entry(path("1"), in: .none)?.version.isSame(as: version) == true)
            _ = try await publish(2, on: remote)
            #expect(try server.names(in: "") == ["1", "2"])
        }
    }
}

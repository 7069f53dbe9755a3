import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// A folder and a server with moods, and what people do with it.
final class QuirkScene {
    let server: TestServer
    let client: DAVClient
    let control: CloudControl
    private(set) var folder: ServerFolder

    init(_ server: TestServer, _ client: DAVClient, _ control: CloudControl) async throws {
        self.server = server
        self.client = client
        self.control = control
        folder = try ServerFolder(client, traits: try await QuirkScene.traits(client))
    }

    /// The folder goes on as in another run, with what the server can do by now.
    func restart() async throws {
        try await folder.stop()
        folder = try ServerFolder(client, traits: try await QuirkScene.traits(client), after: folder)
    }

    private static func traits(_ client: DAVClient) async throws -> ServerTraits {
        try await ServerProbe(client, in: try #require(EntryName("probe"))).run()
    }

    func here() throws -> [String: String] { try FileTree.read(folder.local.path) }
    func there() throws -> [String: String] { try FileTree.read(server.files) }

    /// Another client writes a file.
    func put(_ text: String, to name: String) async throws {
        _ = try await client.write(
            Self.path(name), length: Int64(text.utf8.count), parts: OneBuffer(text), if: .none)
    }

    /// Both sides come to hold this, and stay so.
    func expectBoth(_ wanted: [String: String]) async throws {
        var (mine, theirs): ([String], [String]) = ([], [])
        for _ in 0..<20 {
            try await folder.syncAll()
            mine = FileTree.differences(try here(), wanted)
            theirs = FileTree.differences(try there(), wanted)
            if mine.isEmpty && theirs.isEmpty { break }
        }
        #expect(mine == [])
        #expect(theirs == [])
        let last = try await folder.syncAll()
        #expect(last == RunSummary())
    }

    /// Nothing is left where uploads wait for their names.
    func expectNothingStaged() {
        let staged = (try? FileTree.read(server.files.appending(".roundel/test/staging"))) ?? [:]
        // Where dot-files do not show, directories that were deleted stay, as they may hold some.
        #expect(staged.keys.filter { !$0.hasSuffix("/") }.isEmpty)
    }

    /// - Parameter quirks: JSON; on before anything is asked of the server.
    static func play(_ quirks: String = "{}", _ body: (QuirkScene) async throws -> Void) async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        try control.set(quirks)
        let client = try server.client()
        var scene: QuirkScene?
        let result: Result<Void, any Error>
        do {
            let begun = try await QuirkScene(server, client, control)
            scene = begun
            result = .success(try await body(begun))
        } catch {
            result = .failure(error)
        }
        try? await scene?.folder.stop()
        await client.shutDown()
        try result.get()
    }

    private static func path(_ text: String) throws -> RelativePath {
        RelativePath(try text.split(separator: "/").map { try #require(EntryName(String($0))) })
    }

    // MARK: What people do

    /// More than is sent in one request to its place.
    private static let large = String(repeating: "0123456789abcdef", count: 20_000)

    /// What both sides hold at first.
    private static let first: [String: String] = {
        let names = [
            "edited here", "edited there", "renamed here", "renamed there", "deleted here", "deleted there",
            "gone here/inside", "gone there/inside", "docs/edited here", "docs/edited there", "docs/deleted here",
        ]
        return QuirkScene.withDirectories(Dictionary(uniqueKeysWithValues: names.map { ($0, "first of \($0)") }))
    }()

    /// What both sides are to hold when all was synced that was changed.
    static let wanted = QuirkScene.withDirectories([
        "edited here": "second, from here", "edited there": "second, from there",
        "new name here": "first of renamed here", "new name there": "first of renamed there",
        "docs/edited here": "second in docs, from here", "docs/edited there": "second in docs, from there",
        "new here/file": "new, from here", "new there/file": "new, from there", "large here": large,
    ])

    private static func withDirectories(_ files: [String: String]) -> [String: String] {
        var all = files
        for name in files.keys where name.contains("/") {
            let directory = String(name.prefix { $0 != "/" })
            all["\(directory)/"] = ""
        }
        return all
    }

    /// Both sides begin with the same.
    func begin() async throws {
        for (name, text) in Self.first where !name.hasSuffix("/") { try folder.local.write(text, to: name) }
        try await expectBoth(Self.first)
    }

    /// What people do here, and with another client there.
    func change() async throws {
        let local = folder.local
        for name in ["edited here", "docs/edited here", "new here/file", "large here"] {
            try local.write(Self.wanted[name] ?? "", to: name)
        }
        try local.rename("renamed here", to: "new name here")
        for name in ["deleted here", "docs/deleted here", "gone here"] { try local.remove(name) }
        _ = try await client.makeDirectory(Self.path("new there"))
        for name in ["edited there", "docs/edited there", "new there/file"] {
            try await put(Self.wanted[name] ?? "", to: name)
        }
        _ = try await client.move(
            Self.path("renamed there"), to: Self.path("new name there"), isDirectory: false, if: .none,
            overwrites: false)
        _ = try await client.remove(Self.path("deleted there"), isDirectory: false, if: .none)
        _ = try await client.remove(Self.path("gone there"), isDirectory: true, if: .none)
    }

    /// Each name holds what it held, or what it is to hold.
    static func expectNothingLost(
        _ now: [String: String], from before: [String: String], to after: [String: String]
    ) {
        let names = Set(now.keys).union(before.keys).union(after.keys)
        let wrong = names.filter { now[$0] != before[$0] && now[$0] != after[$0] }
        #expect(wrong.sorted() == [])
    }
}

import NIOCore
import SyncCore
import Synchronization
import TestSupport
import Testing
import WebDAV

/// Requests that servers which people run answer as they are to be answered.
struct ServerTests {
    private func use(_ kind: ServerKind, _ body: (DAVClient) async throws -> Void) async throws {
        let server = try TestServer(kind)
        let client = try server.client()
        let result: Result<Void, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutDown()
        try result.get()
    }

    private func path(_ names: [UInt8]...) throws -> RelativePath {
        RelativePath(try names.map { try #require(EntryName($0)) })
    }

    private func path(_ text: String) throws -> RelativePath {
        RelativePath(try text.split(separator: "/").map { try #require(EntryName(String($0))) })
    }

    private func put(
        _ client: DAVClient, _ path: RelativePath, _ bytes: [UInt8], if condition: Condition = .none
    ) async throws(DAVFailure) -> DAVReply {
        try await client.write(path, length: Int64(bytes.count), parts: Parts(bytes), if: condition)
    }

    private func contents(_ client: DAVClient, _ path: RelativePath) async throws -> [UInt8] {
        let found = Mutex<[UInt8]>([])
        _ = try await client.read(path, expecting: nil) { part in found.withLock { $0 += Array(buffer: part) } }
        return found.withLock { $0 }
    }

    private func names(_ client: DAVClient, _ path: RelativePath) async throws -> Set<EntryName> {
        let found = Mutex<[MultistatusResponse]>([])
        try await client.properties(of: path, isDirectory: true, depth: .entries, [.resourceType, .length]) { items in
            found.withLock { $0 += items }
        }
        let paths = found.withLock { $0 }.map { client.location.path(ofReference: $0.reference) }
        return Set(paths.compactMap { $0 == path ? nil : $0?.name })
    }

    private func reason(_ body: () async throws(DAVFailure) -> DAVReply) async -> DAVFailure.Reason? {
        do throws(DAVFailure) {
            _ = try await body()
            return nil
        } catch { return error.reason }
    }

    @Test(arguments: ServerKind.installed)
    func lifeOfAFile(_ kind: ServerKind) async throws {
        try await use(kind) { client in
            let (file, directory) = (try path("a file"), try path("a directory"))
            #expect(try await put(client, file, Array("one".utf8)).status == 201)
            #expect(try await contents(client, file) == Array("one".utf8))
            _ = try await client.makeDirectory(directory)
            let moved = directory.appending(try #require(EntryName("moved")))
            _ = try await client.move(file, to: moved, isDirectory: false, if: .none, overwrites: false)
            #expect(try await names(client, .root) == [try #require(EntryName("a directory"))])
            #expect(try await contents(client, moved) == Array("one".utf8))
            #expect(await reason { () throws(DAVFailure) in try await client.look(file) } == .notFound)
            let other = try path("another directory")
            _ = try await client.move(directory, to: other, isDirectory: true, if: .none, overwrites: false)
            #expect(try await names(client, other) == [try #require(EntryName("moved"))])
            _ = try await client.remove(other, isDirectory: true, if: .none)
            #expect(try await names(client, .root).isEmpty)
        }
    }

    /// Names arrive as the bytes that they are.
    @Test(arguments: ServerKind.installed)
    func hostileNames(_ kind: ServerKind) async throws {
        var texts = [
            "a b", "100%", "a%20b", "#", "?", "+", "&amp;", "a\\b", "a:b", "e\u{301}", "\u{e9}", "dot.", "blank ",
            "<a>",
            "\"", "'", ";", "\u{1F980}", String(repeating: "n", count: 251),
        ]
        // It refuses some, and composes others.
        if kind == .nextcloud {
            texts.removeAll { $0.contains("\\") || $0.utf8.count > 250 || $0.unicodeScalars.contains("\u{301}") }
        }
        try await use(kind) { [texts] client in
            let directory = try path("names")
            _ = try await client.makeDirectory(directory)
            for text in texts {
                _ = try await put(client, directory.appending(try #require(EntryName(text))), Array(text.utf8))
            }
            let listed = try await names(client, directory)
            #expect(listed == Set(texts.compactMap { EntryName($0) }))
            for name in listed {
                #expect(try await contents(client, directory.appending(name)) == name.bytes)
            }
        }
    }

    @Test(arguments: ServerKind.installed.filter { $0 != .nginx && $0 != .rclone })
    func conditions(_ kind: ServerKind) async throws {
        try await use(kind) { client in
            let file = try path("file")
            _ = try await put(client, file, [1], if: .absent)
            #expect(
                await reason { () throws(DAVFailure) in try await put(client, file, [2], if: .absent) }
                    == .conditionFailed)
            let old = try #require(EntityTag(Array("other".utf8)))
            let condition = Condition.version(old)
            #expect(
                await reason { () throws(DAVFailure) in try await put(client, file, [2], if: condition) }
                    == .conditionFailed)
            #expect(
                await reason { () throws(DAVFailure) in
                    try await client.remove(file, isDirectory: false, if: condition)
                } == .conditionFailed)
            #expect(try await contents(client, file) == [1])
        }
    }

    @Test(arguments: ServerKind.installed.filter { $0 != .nextcloud })
    func locked(_ kind: ServerKind) async throws {
        try await use(kind) { client in
            let file = try path("file")
            _ = try await put(client, file, [1])
            let lock = try #require(try await client.lock(file, seconds: 60).lock)
            #expect(await reason { () throws(DAVFailure) in try await put(client, file, [2]) } == .locked)
            // Whoever has the lock replaces it.
            let new = try path("new")
            _ = try await put(client, new, [3])
            _ = try await client.move(new, to: file, isDirectory: false, if: .none, overwrites: true, lock: lock)
            #expect(try await contents(client, file) == [3])
        }
    }

    @Test(arguments: ServerKind.installed)
    func wrongPassword(_ kind: ServerKind) async throws {
        let server = try TestServer(kind)
        let client = try server.client(password: "wrong")
        #expect(await reason { () throws(DAVFailure) in try await client.look(.root) } == .loginNeeded)
        await client.shutDown()
    }

    /// Twenty megabytes go there and come back, in parts.
    @Test(arguments: ServerKind.installed)
    func large(_ kind: ServerKind) async throws {
        try await use(kind) { client in
            var random = SeededRandom(for: "ServerTests.large")
            let bytes = (0..<(20 << 17)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
            let file = try path("large")
            _ = try await put(client, file, bytes)
            #expect(try await contents(client, file) == bytes)
        }
    }
}

/// Bytes as the contents of a file, in parts.
private struct Parts: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>

        mutating func next() async -> ByteBuffer? {
            guard !rest.isEmpty else { return nil }
            let part = rest.prefix(100_000)
            rest = rest.dropFirst(part.count)
            return ByteBuffer(bytes: part)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...]) }
}

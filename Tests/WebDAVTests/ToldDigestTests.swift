import RemoteSupport
import SyncCore
import SyncEngine
import TestSupport
import Testing

@testable import WebDAV

/// Contents that do not have the checksum that the server tells are not taken, whatever its kind.
@Suite(.serialized) struct ToldDigestTests {
    private static let text = "The quick brown fox jumps over the lazy dog"

    @Test(
        "Checksums of all kinds are computed",
        arguments: [
            (ChecksumHasher.Kind.sha256, "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592"),
            (.sha1, "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"), (.md5, "9e107d9d372bb6826bd81d3542a419d6"),
            (.adler32, "5bdc0fda"),
        ])
    func kinds(kind: ChecksumHasher.Kind, digits: String) throws {
        let told = try #require(ContentDigest(in: Array("\(kind.rawValue):\(digits.uppercased())".utf8)))
        #expect(told.kind == kind)
        for part in [1, 7, 43] {
            guard var hasher = ChecksumHasher(kind) else { throw Failure("no \(kind)") }
            let bytes = Array(Self.text.utf8)
            for start in stride(from: 0, to: bytes.count, by: part) {
                bytes[start..<min(start + part, bytes.count)].withUnsafeBytes { hasher.update($0) }
            }
            #expect(hasher.finish() == told.bytes)
        }
    }

    @Test("Of several checksums the strongest counts; what is none is ignored")
    func lists() {
        func kind(_ text: String) -> ChecksumHasher.Kind? { ContentDigest(in: Array(text.utf8))?.kind }
        let adler = "ADLER32:5bdc0fda"
        #expect(kind("\(adler) MD5:9e107d9d372bb6826bd81d3542a419d6") == .md5)
        #expect(kind("sha-1:2fd4e1c67a2d28fced849ee1bb76e7391b93eb12 \(adler)") == .sha1)
        #expect(kind("SHA3-256:00 \(adler)") == .adler32)
        #expect(kind("MD5:12") == nil && kind("SHA1") == nil && kind("") == nil && kind("MD5:zz") == nil)
    }

    @Test("What listings told is known until the file was read and is right, whatever else they tell")
    func keeping() throws {
        let digests = ToldDigests(most: 10)
        let told = try #require(ContentDigest(in: Array("ADLER32:5bdc0fda".utf8)))
        let tag = Token(Array("1".utf8))
        func path(_ number: Int) -> RelativePath { RelativePath([EntryName("\(number)") ?? .constant("x")]) }
        digests.note(told, of: path(0), tag: tag)
        for _ in 0..<2 { #expect(digests.digest(of: path(0), tag: tag) == told) }
        #expect(digests.digest(of: path(0), tag: Token(Array("2".utf8))) == nil)
        digests.forget(path(0))
        #expect(digests.digest(of: path(0), tag: tag) == nil && !digests.hasForgotten)
        for number in 1...10 { digests.note(told, of: path(number), tag: tag) }
        #expect((1...10).allSatisfy { digests.digest(of: path($0), tag: tag) == told } && !digests.hasForgotten)
        // The oldest go, and those that come then have room.
        for number in 11...1_000 { digests.note(told, of: path(number), tag: tag) }
        #expect(digests.digest(of: path(1), tag: tag) == nil && digests.hasForgotten)
        #expect((997...1_000).allSatisfy { digests.digest(of: path($0), tag: tag) == told })
        digests.note(nil, of: path(1_000), tag: tag)
        #expect(digests.digest(of: path(1_000), tag: tag) == nil)
    }

    @Test(
        "Checksums that a server keeps over a write say nothing, with the contents or in listings",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"), arguments: [false, true])
    func stale(isInListingsAlone: Bool) async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let wrong = "MD5:00000000000000000000000000000000"
        try control.set(#"{"stale-checksums": "\#(wrong)", "bare-answers": \#(isInListingsAlone)}"#)
        let client = try server.client()
        let traits = try await ServerProbe(client, in: .constant("probe")).run()
        #expect(!traits.keepsDigests && !traits.tellsDigests)
        _ = try await client.write(
            RelativePath([.constant("a")]), length: Int64(Self.text.utf8.count), parts: OneBuffer(Self.text), if: .none)
        let folder = try ServerFolder(client, traits: traits)
        try await folder.syncAll()
        #expect(try FileTree.read(folder.local.path) == ["a": Self.text])
        #expect(folder.errors == [])
        try await folder.stop()
        await client.shutDown()
    }

    @Test(
        "A download with a wrong bit is not taken, and the right one is",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"),
        arguments: ["SHA256", "SHA1", "MD5", "ADLER32"], [false, true])
    func wrongBit(kind: String, isInListingsAlone: Bool) async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        try control.set(#"{"own-checksums": ["\#(kind)"], "bare-answers": \#(isInListingsAlone)}"#)
        let client = try server.client()
        let traits = try await ServerProbe(client, in: .constant("probe")).run()
        for (name, count) in [("small", 1), ("large", 10_000)] {
            let text = String(repeating: Self.text, count: count)
            _ = try await client.write(
                RelativePath([.constant(name == "small" ? "small" : "large")]), length: Int64(text.utf8.count),
                parts: OneBuffer(text), if: .none)
        }
        try control.set(#"{"wrong-bit": {"path": "/remote.php/dav/files/user/", "method": "GET"}}"#)
        let folder = try ServerFolder(client, traits: traits)
        // What was told once is known at each attempt.
        for _ in 0..<3 {
            try await folder.syncAll()
            #expect(try FileTree.read(folder.local.path).isEmpty)
        }
        #expect(folder.errors.contains { $0.contains("wrong-contents") })
        try control.set(#"{"wrong-bit": null}"#)
        try await eventually("it is synced") {
            try await folder.syncAll()
            return try FileTree.read(folder.local.path).count == 2
        }
        try await folder.stop()
        await client.shutDown()
    }
}

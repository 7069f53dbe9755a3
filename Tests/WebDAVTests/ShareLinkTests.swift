import Glibc
import RemoteSupport
import SyncCore
import TestSupport
import Testing

@testable import WebDAV

/// Links that anybody can open and pages in a browser, with our own Nextcloud and with servers that say what they like.
@Suite(.serialized) struct ShareLinkTests {
    private static let folder = "remote.php/dav/files/user"
    private static let shares = "ocs/v1.php/apps/files_sharing/api/v1/shares"

    private func client(_ address: String) throws -> DAVClient {
        DAVClient(
            try ServerLocation(address), credentials: Credentials(user: "user", password: "secret"), limits: .patient,
            clock: { Int64(time(nil)) })
    }

    private func path(_ names: String...) throws -> RelativePath {
        RelativePath(try names.map { try #require(EntryName($0)) })
    }

    private func failure(_ body: () async throws -> Void) async -> ShareLinks.Failure? {
        do { try await body() } catch { return error as? ShareLinks.Failure }
        return nil
    }

    private static func share(
        _ url: String, kind: Int = 3, permissions: Int = 17, password: String = "null"
    ) -> String {
        #"{"share_type":\#(kind),"permissions":\#(permissions),"url":"\#(url)","share_with":\#(password)}"#
    }

    private static func answer(_ data: String, code: Int = 100, message: String = "\"OK\"") -> ScriptedServer.Step {
        ScriptedServer.answer(
            "200 OK", [],
            #"{"ocs":{"meta":{"status":"x","statuscode":\#(code),"message":\#(message)},"data":\#(data)}}"#)
    }

    @Test(
        "E7: A link is made once and given again; it can be opened",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func made() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let links = try #require(ShareLinks(client))
        let item = try path("a & b?", "ä+%41")
        _ = try await client.makeDirectory(item.parent)
        _ = try await client.write(item, length: 1, parts: OneBuffer("x"), if: .none)
        let link = try await links.link(to: item)
        #expect(link.hasPrefix("http://127.0.0.1:\(control.port)/s/"))
        try control.forgetRequests()
        #expect(try await links.link(to: item) == link)
        #expect(try control.requests().count == 1)
        #expect(try await links.link(to: item.parent) != link)
        #expect(await failure { _ = try await links.link(to: path("none")) } != nil)
        try control.set(#"{"share-passwords": true}"#)
        let other = try path("other")
        _ = try await client.write(other, length: 1, parts: OneBuffer("x"), if: .none)
        #expect(
            await failure { _ = try await links.link(to: other) }
                == .refused("Passwords are enforced for link and mail shares"))
        try control.set(#"{"revoked": true}"#)
        #expect(
            await failure { _ = try await links.link(to: item) } == .request(DAVFailure(.loginNeeded, status: 401)))
        await client.shutDown()
    }

    @Test("A share with a password, one that may be written, and one with a person are not handed out")
    func others() async throws {
        let own = "https://cloud.example.org/s/own"
        let others = [
            Self.share("https://cloud.example.org/s/1", password: #""***""#),
            Self.share("https://cloud.example.org/s/2", permissions: 31),
            Self.share("https://cloud.example.org/s/3", kind: 0),
        ]
        let server = try ScriptedServer(inTurn: [
            Self.answer("[\(others.joined(separator: ","))]"), Self.answer(Self.share(own)),
        ])
        let client = try client(server.address + "nextcloud/" + Self.folder + "/Documents")
        let links = try #require(ShareLinks(client))
        #expect(try await links.link(to: try path("a b")) == own)
        let lines = server.requests.map { $0.prefix { !$0.isNewline } }
        #expect(
            lines == [
                "GET /nextcloud/\(Self.shares)?path=%2FDocuments%2Fa%20b&format=json HTTP/1.1",
                "POST /nextcloud/\(Self.shares)?format=json HTTP/1.1",
            ])
        #expect(server.requests.last?.hasSuffix("path=%2FDocuments%2Fa%20b&shareType=3&permissions=1") == true)
        await client.shutDown()
    }

    @Test(
        "An answer that is none is no link",
        arguments: [
            "[", "{}", #"{"ocs":{"meta":{"statuscode":100},"data":[]}}"#,
            #"{"ocs":{"meta":{"statuscode":100},"data":{"share_type":3,"permissions":1,"url":null}}}"#,
        ])
    func malformed(text: String) async throws {
        let server = try ScriptedServer(inTurn: [Self.answer("[]"), ScriptedServer.answer("200 OK", [], text)])
        let client = try client(server.address + Self.folder)
        let links = try #require(ShareLinks(client))
        #expect(await failure { _ = try await links.link(to: try path("a")) } == .request(DAVFailure(.malformed)))
        await client.shutDown()
    }

    @Test(
        "An address that no browser takes, or that is no line, is no link",
        arguments: [
            "javascript:alert(1)", "file:///etc/passwd", "https://cloud.example.org/a b",
            "https://cloud.example.org/a\\n",
            "", "https://cloud.example.org/ä",
        ])
    func unusable(address: String) async throws {
        let server = try ScriptedServer([Self.answer("[\(Self.share(address))]")])
        let client = try client(server.address + Self.folder)
        let links = try #require(ShareLinks(client))
        #expect(await failure { _ = try await links.link(to: try path("a")) } == .request(DAVFailure(.malformed)))
        await client.shutDown()
    }

    @Test(
        "The server's reason is given if it is a line to be shown",
        arguments: [
            (#""Not for you""#, "Not for you"), (#""two\nlines""#, nil), (#""a\u001b[31mb""#, nil),
            (#""\u202Eb""#, nil),
            (#""""#, nil), ("null", nil), ("\"\(String(repeating: "x", count: 257))\"", nil),
        ])
    func reasons(message: String, shown: String?) async throws {
        let server = try ScriptedServer([Self.answer("[]", code: 404, message: message)])
        let client = try client(server.address + Self.folder)
        let links = try #require(ShareLinks(client))
        #expect(await failure { _ = try await links.link(to: try path("a")) } == .refused(shown))
        await client.shutDown()
    }

    @Test("Behind a proxy that encrypts, a server's links are meant as encrypted ones")
    func proxied() throws {
        let secure = try ServerLocation("https://cloud.example.org/" + Self.folder)
        #expect(ServerPages.pageAddress("http://cloud.example.org/s/1", for: secure) == "https://cloud.example.org/s/1")
        let plain = try ServerLocation("http://127.0.0.1/" + Self.folder)
        #expect(ServerPages.pageAddress("http://127.0.0.1/s/1", for: plain) == "http://127.0.0.1/s/1")
    }

    @Test(
        "Where a collection lies among an account's files",
        arguments: [
            ("/remote.php/dav/files/me", "/x"), ("/remote.php/dav/files/me/A/B", "/A/B/x"),
            ("/cloud/remote.php/webdav", "/x"), ("/remote.php/webdav/A", "/A/x"), ("/remote.php/dav/files", nil),
            ("/remote.php/dav/uploads/me", nil), ("/dav/files/me", nil), ("/", nil),
        ])
    func places(address: String, expected: String?) throws {
        let files = AccountFiles(of: try ServerLocation("https://cloud.example.org" + address))
        #expect(files?.path(of: try path("x")) == expected)
        let noText = RelativePath([try #require(EntryName([0xFF]))])
        #expect(files?.path(of: noText) == nil)
    }

    @Test(
        "An item's page is known by its number alone",
        arguments: [("42", "42"), ("", nil), ("../../logout", nil), ("123456789012345678901", nil), ("4 2", nil)])
    func pages(number: String, expected: String?) async throws {
        let body = """
            <d:multistatus xmlns:d="DAV:" xmlns:o="http://owncloud.org/ns"><d:response><d:href>/\(Self.folder)/a</d:href>\
            <d:propstat><d:prop><o:fileid>\(number)</o:fileid></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>\
            </d:response></d:multistatus>
            """
        let server = try ScriptedServer([ScriptedServer.answer("207 Multi-Status", [], body)])
        let client = try client(server.address + Self.folder)
        let page = try await ItemPage.address(of: try path("a"), isDirectory: false, client)
        #expect(page == expected.map { server.address + "index.php/f/" + $0 })
        await client.shutDown()
    }
}

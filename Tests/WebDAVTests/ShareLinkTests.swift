import Glibc
import RemoteSupport
import Remotes
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
        // The shares of the path, and the number of the item, which the share must have.
        #expect(try control.requests().count == 2)
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

    @Test(
        "E12: A link ends on the day that was chosen, and is another one than the link without an end",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func ending() async throws {
        let server = try TestServer(.nextcloud)
        let client = try server.client()
        let links = try #require(ShareLinks(client))
        let item = try path("a")
        _ = try await client.write(item, length: 1, parts: OneBuffer("x"), if: .none)
        let week = try await links.link(to: item, until: "2037-01-02")
        let endless = try await links.link(to: item)
        let later = try await links.link(to: item, until: "2037-02-03")
        #expect(Set([week, endless, later]).count == 3)
        #expect(try await links.link(to: item, until: "2037-01-02") == week)
        #expect(try await links.link(to: item) == endless)
        let made = try await client.at([]).read(
            json: try path("ocs", "v1.php", "apps", "files_sharing", "api", "v1", "shares"), [("format", "json")])
        let text = String(decoding: made, as: UTF8.self)
        #expect(text.contains("\"expiration\": \"2037-01-02") && text.contains("\"expiration\": null"))
        await client.shutDown()
    }

    @Test("A link that would not end when it should is taken back; one that ends sooner is as good")
    func endOfServer() async throws {
        func link(_ id: Int, _ expiration: String) -> String {
            let url = "https://cloud.example.org/s/\(id)"
            return #"{"share_type":3,"permissions":1,"url":"\#(url)","expiration":\#(expiration),"id":"\#(id)"}"#
        }
        let (sooner, never) = (#""2037-01-01 00:00:00""#, "null")
        let server = try ScriptedServer(inTurn: [
            Self.answer("[]"), Self.answer(link(1, never)), Self.answer("[]"),
            Self.answer("[]"), Self.answer(link(2, sooner)),
            // A server that has every link end: the one that is there is given.
            Self.answer("[\(link(2, sooner))]"), Self.answer(link(3, sooner)), Self.answer("[]"),
        ])
        let client = try client(server.address + Self.folder)
        let links = try #require(ShareLinks(client))
        let item = try path("a")
        #expect(
            await failure { _ = try await links.link(to: item, until: "2037-01-02") } == .wrongLink(isTakenBack: true))
        #expect(try await links.link(to: item, until: "2037-01-02") == "https://cloud.example.org/s/2")
        #expect(try await links.link(to: item) == "https://cloud.example.org/s/2")
        #expect(server.requests.last?.hasPrefix("DELETE /\(Self.shares)/3?format=json ") == true)
        await client.shutDown()
    }

    @Test(
        "The whole folder is never shared, and a link to something else is taken back",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func wrong() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let links = try #require(ShareLinks(client))
        let item = try path("a")
        _ = try await client.write(item, length: 1, parts: OneBuffer("x"), if: .none)
        try control.forgetRequests()
        #expect(await failure { _ = try await links.link(to: .root) } == .refused(nil))
        #expect(try control.requests().isEmpty)
        try control.set(#"{"other-share": true}"#)
        #expect(await failure { _ = try await links.link(to: item) } == .wrongLink(isTakenBack: true))
        let left = try await client.at([]).read(
            json: try path("ocs", "v1.php", "apps", "files_sharing", "api", "v1", "shares"), [("format", "json")])
        #expect(String(decoding: left, as: UTF8.self).contains("\"data\": []"))
        try control.set(#"{"other-share": null}"#)
        #expect(try await links.link(to: item).contains("/s/"))
        await client.shutDown()
    }

    @Test("A server that tells of shares of another item does not have its link handed out")
    func foreign() async throws {
        func other(_ id: Int) -> String {
            #"{"share_type":3,"permissions":1,"url":"https://cloud.example.org/s/1","path":"/other","id":"\#(id)"}"#
        }
        let server = try ScriptedServer(inTurn: [
            Self.answer("[\(other(3))]"), Self.answer(other(7)), Self.answer("[]"),
        ])
        let client = try client(server.address + Self.folder)
        let links = try #require(ShareLinks(client))
        #expect(await failure { _ = try await links.link(to: try path("a")) } == .wrongLink(isTakenBack: true))
        #expect(server.requests.last?.hasPrefix("DELETE /\(Self.shares)/7?format=json ") == true)
        await client.shutDown()
    }

    @Test(
        "A share that was there before is not removed, and neither is one that cannot be named", arguments: ["7", nil])
    func notOurs(id: String?) async throws {
        let number = id.map { #","id":"\#($0)""# } ?? ""
        let other = #"{"share_type":3,"permissions":1,"url":"https://cloud.example.org/s/1","path":"/other"\#(number)}"#
        let server = try ScriptedServer(inTurn: [Self.answer("[\(other)]"), Self.answer(other), Self.answer("[]")])
        let client = try client(server.address + Self.folder)
        let links = try #require(ShareLinks(client))
        #expect(await failure { _ = try await links.link(to: try path("a")) } == .wrongLink(isTakenBack: false))
        #expect(server.requests.count == 2)
        await client.shutDown()
    }

    @Test(
        "A password that a server gave to this computer is taken back; a person's own is not",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func appPassword() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let own = try server.client()
        #expect(try await !AppPassword.revoke(own))
        let login = try #require(try await WebLogin.begin(own))
        try control.grant()
        let granted = try #require(try await login.wait { true })
        let client = try server.client(password: granted.password)
        #expect(try await AppPassword.revoke(client))
        let failure = await Self.requestFailure(client)
        #expect(failure?.reason == .loginNeeded)
        for client in [own, client] { await client.shutDown() }
    }

    private static func requestFailure(_ client: DAVClient) async -> DAVFailure? {
        do throws(DAVFailure) {
            try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
            return nil
        } catch {
            return error
        }
    }

    @Test("The two addresses of an account's files are one place")
    func twoAddresses() throws {
        func files(_ path: String) throws -> AccountFiles {
            try #require(AccountFiles(of: try ServerLocation("https://cloud.example.org" + path)))
        }
        let webdav = try files("/nc/remote.php/webdav/Documents")
        #expect(webdav.overlaps(try files("/nc/remote.php/dav/files/me/Documents/in%20it")))
        #expect(try files("/nc/remote.php/dav/files/me").overlaps(webdav))
        #expect(!webdav.overlaps(try files("/nc/remote.php/dav/files/me/Music")))
        #expect(!webdav.overlaps(try files("/remote.php/dav/files/me")))
        #expect(try !files("/remote.php/dav/files/me").overlaps(try files("/remote.php/dav/files/you")))
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

import Remotes
import SyncCore
import Testing

@testable import WebDAV

/// What is asked of a server that a person named, and what follows from the answers.
@Suite struct ServerFinderTests {
    /// A world of servers: what each says at which address; of others, that nothing is there.
    private typealias World = [String: ServerReply]

    private static func status(_ product: String = "Nextcloud", _ more: String = "") -> ServerReply {
        ServerReply(200, page: Array(#"{"installed":true,"productname":"\#(product)"\#(more)}"#.utf8))
    }

    private static func moved(_ target: String) -> ServerReply { ServerReply(301, target: target) }

    private struct Outcome {
        var result: Result<ServerFinder.Place, ServerFinder.Failure>
        var asked: [String] = []

        /// The place in short.
        var text: String {
            switch result {
            case .success(.collection(let place, let needsPassword)):
                "collection \(place.address(of: .root, isDirectory: true))" + (needsPassword ? " password" : "")
            case .success(.cloud(let cloud)):
                (cloud.isOwnCloud ? "owncloud " : "nextcloud ") + cloud.place.address(of: .root, isDirectory: true)
                    + " \(Self.text(cloud.item))" + (cloud.user.map { " of \($0)" } ?? "")
            case .failure(let failure):
                switch failure {
                case .unusable(let mistake): "\(mistake)"
                case .unanswered(let place, _): "unanswered \(place.origin)"
                case .nothing: "nothing"
                case .maintained: "maintained"
                case .foreignLogin(_, let ways): "login " + ways.joined(separator: " ")
                }
            }
        }

        private static func text(_ item: ServerLandmark.Item) -> String {
            switch item {
            case .path(let names): "/" + RelativePath(names).description
            case .number(let number): "number \(number)"
            case .share(let token, let path): "share \(token)" + (path.isEmpty ? "" : "/\(RelativePath(path))")
            }
        }
    }

    private func find(
        _ typed: String, in world: World, silent: Set<String> = [], as reason: DAVFailure.Reason = .unreachable
    ) throws -> Outcome {
        guard case .server(let address) = TypedAddress(typed, home: "/home/me") else {
            throw Failure("not a server: \(typed)")
        }
        var asked: [String] = []
        do throws(ServerFinder.Failure) {
            var finder = try ServerFinder(address)
            var step = finder.next()
            while true {
                switch step {
                case .found(let place): return Outcome(result: .success(place), asked: asked)
                case .failed(let failure): throw failure
                case .ask(let question):
                    let isPage = question.method == .page
                    let text = question.place.address(of: .root, isDirectory: !isPage)
                    asked.append((isPage ? "" : "? ") + text)
                    if silent.contains(question.place.origin) {
                        step = finder.next(after: DAVFailure(reason))
                    } else {
                        step = finder.next(after: world[asked.last ?? ""] ?? ServerReply(404))
                    }
                }
            }
        } catch {
            return Outcome(result: .failure(error), asked: asked)
        }
    }

    private struct Failure: Error {
        init(_ text: String) { print(text) }
    }

    private static let cloud: World = ["https://c.example/status.php": status()]
    private static let below: World = ["https://c.example/nextcloud/status.php": status()]

    @Test(
        "Addresses of a Nextcloud, as people have them",
        arguments: [
            ("c.example", "/"), ("https://c.example/", "/"), ("http://c.example", "/"), ("bob@c.example", "/"),
            ("https://c.example/login", "/"), ("https://c.example/index.php/login?clear=1", "/"),
            ("https://c.example/apps/dashboard/", "/"), ("https://c.example/apps/files/", "/"),
            ("https://c.example/index.php/apps/files/?dir=/Photos&fileid=7", "/Photos"),
            ("https://c.example/apps/files/files/123?dir=/My%20Photos/2024", "/My Photos/2024"),
            ("https://c.example/apps/files/files/123?dir=/a%2Fb/../c", "/a/b/c"),
            ("https://c.example/apps/files/favorites/55", "number 55"),
            ("https://c.example/f/42", "number 42"), ("https://c.example/index.php/f/42", "number 42"),
            ("https://c.example/s/Tok3n", "share Tok3n"),
            ("https://c.example/index.php/s/Tok3n?path=%2Fa%20b", "share Tok3n/a b"),
            ("https://c.example/public.php/dav/files/Tok3n/x", "share Tok3n/x"),
            ("https://c.example/remote.php/webdav/Photos", "/Photos"),
            ("https://c.example/remote.php/dav/files/bob/Photos/", "/Photos of bob"),
            ("webdav+https://c.example/remote.php/dav/files/bob", "/ of bob"),
        ])
    func browserAddresses(typed: String, item: String) throws {
        let found = try find(typed, in: Self.cloud)
        #expect(found.text == "nextcloud https://c.example/ " + item)
        #expect(found.asked.allSatisfy { $0.contains("https://c.example/") })
    }

    @Test("Below a path, on other ports, behind redirects")
    func elsewhere() throws {
        for typed in [
            "c.example/nextcloud", "c.example", "https://c.example/nextcloud/index.php/apps/files/?dir=/",
            "https://c.example/nextcloud/some/page",
        ] {
            #expect(try find(typed, in: Self.below).text == "nextcloud https://c.example/nextcloud/ /", "\(typed)")
        }
        let port: World = ["https://c.example:8443/status.php": Self.status()]
        #expect(try find("c.example:8443", in: port).text == "nextcloud https://c.example:8443/ /")
        let moved: World = [
            "https://example.org/status.php": Self.moved("https://cloud.example.org/status.php"),
            "https://cloud.example.org/status.php": Self.status(),
        ]
        #expect(try find("example.org", in: moved).text == "nextcloud https://cloud.example.org/ /")
        // A proxy that handles encryption, and a server that does not know of it.
        let behind: World = [
            "https://c.example/status.php": Self.moved("http://c.example/cloud/status.php"),
            "https://c.example/cloud/status.php": Self.status(),
        ]
        #expect(try find("c.example", in: behind).text == "nextcloud https://c.example/cloud/ /")
        let wellKnown: World = [
            "https://c.example/.well-known/webdav": Self.moved("/oc/remote.php/dav/"),
            "https://c.example/oc/status.php": Self.status(),
        ]
        #expect(try find("c.example", in: wellKnown).text == "nextcloud https://c.example/oc/ /")
    }

    @Test func otherBrands() throws {
        for (product, more) in [("ownCloud", ""), ("Infinite Scale", ""), ("Our Files", #","edition":"Enterprise""#)] {
            let world: World = ["https://c.example/status.php": Self.status(product, more)]
            #expect(try find("c.example", in: world).text == "owncloud https://c.example/ /")
        }
        let themed: World = ["https://c.example/status.php": Self.status("Our Cloud", #","edition":"""#)]
        #expect(try find("c.example", in: themed).text == "nextcloud https://c.example/ /")
        let maintained: World = ["https://c.example/status.php": Self.status("Nextcloud", #","maintenance":true"#)]
        #expect(try find("c.example", in: maintained).text == "maintained")
    }

    @Test("Any WebDAV server, open or with a password, at the address or where it says")
    func collections() throws {
        let basic = ServerReply(401, challenges: ["Digest realm=x", "Basic realm=\"x\""])
        let world: World = [
            "? https://c.example/dav/": ServerReply(207), "? https://d.example/": basic,
            "? https://e.example/x/": ServerReply(401, challenges: ["Negotiate", "Bearer realm=1"]),
            "https://f.example/.well-known/webdav": Self.moved("/files/"), "? https://f.example/files/": basic,
            "? https://g.example/a/": Self.moved("https://h.example/b/"), "? https://h.example/b/": ServerReply(207),
        ]
        for (typed, expected) in [
            ("https://c.example/dav", "collection https://c.example/dav/"),
            ("https://d.example", "collection https://d.example/ password"), ("e.example/x", "login negotiate bearer"),
            ("f.example", "collection https://f.example/files/ password"),
            ("g.example/a", "collection https://h.example/b/"), ("https://c.example/other", "nothing"),
        ] {
            #expect(try find(typed, in: world).text == expected, "\(typed)")
        }
    }

    @Test("Nothing beyond this computer is asked without encryption")
    func encryption() throws {
        #expect(try find("http://c.example:8080/x", in: [:]).text == "unencrypted")
        #expect(try find("c.example", in: [:], silent: ["https://c.example"]).text == "unanswered https://c.example")
        let local: World = ["http://localhost:81/status.php": Self.status()]
        let found = try find("localhost:81", in: local, silent: ["https://localhost:81"])
        #expect(
            found.text == "nextcloud http://localhost:81/ /" && found.asked.first == "https://localhost:81/status.php")
        // What speaks TLS there is distrusted, and not asked in another way.
        for silent in [["https://localhost:81"], ["https://localhost:81", "http://localhost:81"]] as [Set<String>] {
            let found = try find("localhost:81", in: [:], silent: silent, as: .untrusted)
            #expect(found.text == "unanswered https://localhost:81")
        }
        for scheme in ["http", "HTTP"] {
            let downgrade: World = ["https://c.example/status.php": Self.moved("\(scheme)://127.0.0.1/status.php")]
            #expect(try find("c.example", in: downgrade).asked.allSatisfy { !$0.contains("http://") })
        }
    }

    @Test("Servers that send on and on, or say anything, come to an end")
    func hostile() throws {
        let loop: World = [
            "https://c.example/status.php": Self.moved("/status.php"),
            "? https://c.example/": Self.moved("https://c.example/"),
            "https://c.example/.well-known/webdav": Self.moved("/.well-known/webdav"),
        ]
        #expect(try find("c.example", in: loop).text == "nothing")
        var chain: World = [:]
        for number in 0..<50 {
            chain["https://h\(number).example/status.php"] = Self.moved("https://h\(number + 1).example/status.php")
        }
        let long = try find("h0.example", in: chain)
        #expect(long.text == "nothing" && long.asked.count <= 20)
        for target in [
            "", "//", "javascript:1", "https://", "https://u:p@x/", "/%zz", "/a%00b/", "/a%2Fb/../..",
            "https://x\r\nY: z/",
            String(repeating: "/a", count: 5_000),
        ] {
            for page in [
                "https://c.example/status.php", "? https://c.example/", "https://c.example/.well-known/webdav",
            ] {
                let found = try find("c.example", in: [page: Self.moved(target)])
                #expect(found.text == "nothing", "\(target)")
                #expect(found.asked.allSatisfy { $0.contains("https://c.example/") })
            }
        }
        for page in ["", "{", "[]", #"{"installed":false}"#, #"{"installed":"x"}"#, "<html>", "\u{0}"] {
            let world: World = ["https://c.example/status.php": ServerReply(200, page: Array(page.utf8))]
            #expect(try find("c.example", in: world).text == "nothing")
        }
    }
}

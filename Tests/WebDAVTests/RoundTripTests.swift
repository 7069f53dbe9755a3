import Glibc
import RemoteSupport
import Remotes
import SyncCore
import SyncEngine
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// Which requests wait for one another, where that makes a difference to who is far from the server, and which are not made.
@Suite(.serialized) struct RoundTripTests {
    private static let mark = String(repeating: "a", count: ServerArea.markLength)
    private static let path = RelativePath([.constant("d")])

    private static func directory(_ path: String, hasID: Bool = false) -> ScriptedServer.Step {
        let id = hasID ? #"<o:id xmlns:o="http://owncloud.org/ns">00000001</o:id>"# : ""
        return ScriptedServer.answer(
            "207 Multi-Status", [],
            """
            <d:multistatus xmlns:d="DAV:"><d:response><d:href>\(path)</d:href><d:propstat><d:prop>\
            <d:resourcetype><d:collection/></d:resourcetype>\(id)</d:prop>\
            <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>
            """)
    }

    private static let missing = ScriptedServer.answer("404 Not Found")

    private func use<Value>(
        _ server: ScriptedServer, _ traits: ServerTraits = ServerTraits(),
        _ body: (ServerView, ServerArea, AsideDirectories) async throws -> Value
    ) async throws -> Value {
        let client = DAVClient(
            try ServerLocation(server.address), credentials: nil, limits: .patient, clock: { Int64(time(nil)) })
        let view = ServerView(client, KnownTraits(traits))
        let area = ServerArea(view, owner: .constant("test"), transfers: nil)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(view, area, AsideDirectories(view, area, nil)))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        return try result.get()
    }

    // MARK: The root

    private func isPresent(_ state: RootState) -> Bool {
        guard case .present(let identity, _, _) = state else { return false }
        return identity == WebDAVRemote.rootIdentity(mark: Self.mark)
    }

    @Test("Once a root was found that has no ID, its mark is read at the same time")
    func markBeside() async throws {
        // Of requests for the root and for its mark, and how many of the latter were there when each of the former was answered.
        let seen = Mutex((roots: 0, marks: 0, before: [Int]()))
        let server = try ScriptedServer { request in
            if request.hasPrefix("GET") {
                seen.withLock { $0.marks += 1 }
                return [ScriptedServer.answer("200 OK", [], Self.mark)]
            }
            guard request.hasPrefix("PROPFIND / ") else { return [Self.missing] }
            let number = seen.withLock { seen in
                seen.roots += 1
                return seen.roots
            }
            // The first look reads its mark afterwards; the second one's is the second.
            return [
                .await { number == 1 || seen.withLock { $0.marks == 2 } },
                .await {
                    seen.withLock { $0.before.append($0.marks) }
                    return true
                },
                Self.directory("/"),
            ]
        }
        try await use(server) { view, area, asides in
            let root = ServerRoot(view, area, asides)
            for _ in 0..<2 { #expect(isPresent(await root.look())) }
        }
        #expect(seen.withLock { $0.before } == [0, 2])
    }

    @Test("A login that is refused is sent once, and so it is after that")
    func refusedOnce() async throws {
        let isRefused = Mutex(true)
        let count = Mutex(0)
        let server = try ScriptedServer { request in
            if isRefused.withLock({ $0 }) {
                count.withLock { $0 += 1 }
                return [ScriptedServer.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"x\""])]
            }
            if request.hasPrefix("GET") { return [ScriptedServer.answer("200 OK", [], Self.mark)] }
            return [request.hasPrefix("PROPFIND / ") ? Self.directory("/") : Self.missing]
        }
        try await use(server) { view, area, asides in
            let root = ServerRoot(view, area, asides)
            #expect(!isPresent(await root.look()))
            #expect(count.withLock { $0 } == 1)
            isRefused.withLock { $0 = false }
            #expect(isPresent(await root.look()))
            isRefused.withLock { $0 = true }
            #expect(!isPresent(await root.look()))
            let before = count.withLock { $0 }
            #expect(!isPresent(await root.look()))
            #expect(count.withLock { $0 } == before + 1)
        }
    }

    @Test("The mark of a root with an ID is read once")
    func markOfID() async throws {
        let server = try ScriptedServer { request in
            if request.hasPrefix("GET") { return [ScriptedServer.answer("200 OK", [], Self.mark)] }
            return [request.hasPrefix("PROPFIND / ") ? Self.directory("/", hasID: true) : Self.missing]
        }
        try await use(server) { view, area, asides in
            let root = ServerRoot(view, area, asides)
            for _ in 0..<3 { #expect(isPresent(await root.look())) }
        }
        #expect(server.requests.count { $0.hasPrefix("GET") } == 1)
    }

    // MARK: New directories

    /// What comes of a new directory, and the methods of the requests for it.
    ///
    /// - Parameters:
    ///   - there: What a look at its place finds before it is made.
    ///   - made: The answer to the request that makes it.
    private func make(
        _ traits: ServerTraits, rootHasID: Bool, there: ScriptedServer.Step = missing,
        made: String = "201 Created"
    ) async throws -> (EffectFailure.Reason?, [String]) {
        let isMade = Mutex(false)
        let server = try ScriptedServer { request in
            if request.hasPrefix("MKCOL") {
                isMade.withLock { $0 = made.hasPrefix("201") }
                return [ScriptedServer.answer(made)]
            }
            return [isMade.withLock { $0 } ? Self.directory("/d", hasID: rootHasID) : there]
        }
        let reason = try await use(server, traits) { view, area, asides -> EffectFailure.Reason? in
            view.versions.known.noteRoot(hasID: rootHasID)
            do throws(EffectFailure) {
                let version = try await ServerChanges(view, area, asides).makeDirectory(Self.path)
                #expect(version.identity == (rootHasID ? Token(Array("00000001".utf8)) : .none))
                #expect(version.tag == .none && version.size == 0)
                return nil
            } catch {
                return error.reason
            }
        }
        return (reason, server.requests.compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    private static var onlyNew: ServerTraits {
        var traits = ServerTraits()
        traits.makesOnlyNew = true
        return traits
    }

    @Test("A directory is made in one request where that fails if something is there, and nothing has an ID")
    func oneRequest() async throws {
        let (reason, requests) = try await make(Self.onlyNew, rootHasID: false)
        #expect(reason == nil && requests == ["MKCOL"])
        let (other, asked) = try await make(Self.onlyNew, rootHasID: true)
        #expect(other == nil && asked == ["MKCOL", "PROPFIND"])
        let (third, all) = try await make(ServerTraits(), rootHasID: false)
        #expect(third == nil && all == ["PROPFIND", "MKCOL", "PROPFIND"])
    }

    @Test("Something that is there already is not taken for a new directory, whatever the server calls it")
    func alreadyThere() async throws {
        for answer in ["405 Method Not Allowed", "403 Forbidden", "409 Conflict"] {
            let (reason, requests) = try await make(
                Self.onlyNew, rootHasID: false, there: Self.directory("/d"), made: answer)
            #expect(reason == .exists && requests == ["MKCOL", "PROPFIND"], "\(answer)")
        }
        let (reason, requests) = try await make(ServerTraits(), rootHasID: false, there: Self.directory("/d"))
        #expect(reason == .exists && requests == ["PROPFIND"])
        // Where nothing is, it is what the server says.
        let (other, _) = try await make(Self.onlyNew, rootHasID: false, made: "403 Forbidden")
        #expect(other == .denied)
    }

    // MARK: Connections

    private func asked(
        _ server: ScriptedServer, _ kept: KeptClients, certificates: GivenCertificates? = nil
    ) async throws -> DAVClient {
        let client = DAVClient(
            try ServerLocation(server.address), login: FixedCredentials(nil), limits: .patient,
            certificates: certificates, kept: kept, clock: { Int64(time(nil)) })
        try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
        return client
    }

    @Test("Whoever asks a server next goes on with the connections of who asked it before, and nobody shares them")
    func keptConnections() async throws {
        let server = try ScriptedServer([Self.directory("/")])
        let kept = KeptClients(for: .seconds(600))
        let first = try await asked(server, kept)
        let other = try await asked(server, kept)
        #expect(kept.origins.isEmpty)
        first.letGo()
        #expect(kept.origins == [first.location.origin])
        let next = try await asked(server, kept)
        #expect(kept.origins.isEmpty)
        for client in [other, next] { await client.shutDown() }
        #expect(kept.origins.isEmpty)
    }

    /// A certificate in the form of PEM.
    private func certificate(in directory: TemporaryDirectory, _ name: String) throws -> String {
        let file = directory.path.string + "/" + name
        let made = try RunningProgram(
            [
                Self.openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout",
                file + ".key", "-out", file, "-days", "2", "-subj", "/CN=\(name)",
            ], environment: RunningProgram.inheritedEnvironment
        ).finish()
        guard made.status == 0 else { throw Failure("openssl: \(made.errors)") }
        return file
    }

    private static let openssl = "/usr/bin/openssl"

    @Test(
        "Only who trusts the same authority, as its file is now, goes on with connections",
        .enabled(if: access(openssl, X_OK) == 0, "needs the program openssl"))
    func sameAuthority() async throws {
        let directory = try TemporaryDirectory()
        let file = try certificate(in: directory, "one")
        let given = GivenCertificates(ServerCertificates(authority: file)) { () async throws(LoginUnreadable) in nil }
        let server = try ScriptedServer([Self.directory("/")])
        let kept = KeptClients(for: .seconds(600))
        try await asked(server, kept, certificates: given).letGo()
        let without = try await asked(server, kept)
        #expect(!kept.origins.isEmpty)
        let same = try await asked(server, kept, certificates: given)
        #expect(kept.origins.isEmpty)
        same.letGo()
        #expect(rename(try certificate(in: directory, "two"), file) == 0)
        let changed = try await asked(server, kept, certificates: given)
        #expect(!kept.origins.isEmpty)
        for client in [without, changed] { await client.shutDown() }
    }

    @Test("Connections that nobody takes are closed")
    func closedConnections() async throws {
        let server = try ScriptedServer([Self.directory("/")])
        let kept = KeptClients(for: .milliseconds(1))
        try await asked(server, kept).letGo()
        try await eventually("nothing is kept") { kept.origins.isEmpty }
    }

    private struct NoLogins: RemoteLogins {
        func account(in address: String) throws(AddressMistake) -> LoginAccount {
            LoginAccount(server: "", user: nil)
        }
        func login(for account: LoginAccount) async throws(LoginUnreadable) -> RemoteLogin? { nil }
        func certificates(of server: String) -> ServerCertificates? { nil }
        func passphrase(ofKeyFor server: String) async throws(LoginUnreadable) -> String? { nil }
    }

    @Test("Who looked at a server leaves its connections as soon as it has the answer")
    func places() async throws {
        let server = try ScriptedServer([Self.directory("/")])
        let place = try ServerPlace("webdav+" + server.address, logins: NoLogins())
        // What follows at once takes them; they are kept for some seconds.
        _ = try await place.directories(in: .root, most: 10)
        let isKept = KeptClients.shared.origins.contains(place.location.origin)
        try await eventually("they are closed") { !KeptClients.shared.origins.contains(place.location.origin) }
        #expect(isKept)
    }
}

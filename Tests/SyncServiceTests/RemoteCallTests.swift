import DBus
import Glibc
import RemoteSupport
import RoundelBus
import Secrets
import StandInSecrets
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

/// Find, ListDirectories and Preview, asked of a worker on a bus.
@Suite(.serialized) struct RemoteCallTests {
    private func found(_ bench: WorkerBench, _ address: String) throws -> VariantMap {
        try bench.call("Find", .string(address)).first?.map ?? [:]
    }

    /// The sentence of a refusal.
    private func sentence(_ bench: WorkerBench, _ method: String, _ arguments: DBusValue...) -> String {
        do {
            switch arguments.count {
            case 1: _ = try bench.call(method, arguments[0])
            case _: _ = try bench.call(method, arguments[0], arguments[1])
            }
            return ""
        } catch let error as DBusError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    // MARK: Find

    @Test func directories() throws {
        let bench = try WorkerBench()
        let home = bench.files["home"].string
        for (typed, path) in [("/mnt/x", "/mnt/x"), ("~/x", home + "/x"), ("file:///mnt/a%20b", "/mnt/a b")] {
            let found = try found(bench, typed)
            #expect(found.string("kind") == "directory" && found.string("remote") == path)
            #expect(found.string("login") == "none" && found.bool("provisional") == false && found["server"] == nil)
        }
        try bench.stop()
    }

    @Test(
        "What cannot be used is refused with a sentence, which repeats no password",
        arguments: [
            "", " ", "smb://host/x", "https://me:hunter2@host/", "me:hunter2@host", "http://c.example.invalid:81/",
            "a\u{1}b", "file:///%00", "/a/../b\u{7F}", "https://host/%zz",
        ])
    func refusals(typed: String) throws {
        let bench = try WorkerBench()
        #expect(bench.refusal("Find", .string(typed)) == "InvalidRemote")
        #expect(!sentence(bench, "Find", .string(typed)).contains("hunter2"))
        try bench.stop()
    }

    @Test func longAddresses() throws {
        let bench = try WorkerBench()
        #expect(bench.refusal("Find", .string(String(repeating: "a", count: 100_000))) == "InvalidRemote")
        #expect(bench.refusal("ListDirectories", .string("/"), .string("a/../b")) == "InvalidRemote")
        #expect(bench.refusal("ListDirectories", .string("nothing"), .string("")) == "InvalidRemote")
        try bench.stop()
    }

    private static let status = ScriptedServer.answer(
        "200 OK", [], #"{"installed":true,"productname":"Nextcloud","edition":""}"#)

    @Test("Without a login a server says what it is, and with one whose files are meant")
    func nextcloud() throws {
        let user = ScriptedServer.answer("200 OK", [], #"{"ocs":{"data":{"id":"bob@corp"}}}"#)
        let server = try ScriptedServer(inTurn: [Self.status, Self.status, user])
        let bench = try WorkerBench()
        nonisolated(unsafe) let bus = bench.harness.bus
        let secrets = try CallingThread.run { try await StandInSecretService(on: bus) }
        let origin = "http://127.0.0.1:\(server.port)"
        let typed = origin + "/index.php/apps/files/?dir=/My%20Photos"
        let first = try found(bench, typed)
        #expect(first.string("kind") == "nextcloud" && first.string("login") == "page")
        #expect(first.bool("provisional") == true && first.string("server") == origin)
        #expect(first.string("remote") == "webdav+\(origin)/remote.php/webdav/My%20Photos/")
        #expect(server.requests.allSatisfy { !$0.lowercased().contains("authorization") })
        let address = bench.harness.bus.address
        try CallingThread.run {
            let store = SecretStore(bus: try await .open(address))
            let login = StoredLogin(user: "bob", password: try SecretBytes(copying: "hunter2".utf8))
            try await store.save(login, for: origin, asking: nil)
        }
        let second = try found(bench, typed)
        #expect(second.string("login") == "none" && second.bool("provisional") == false)
        #expect(second.string("user") == "bob" && second.string("path") == "My Photos")
        #expect(
            second.string("remote")
                == "webdav+http://bob@127.0.0.1:\(server.port)/remote.php/dav/files/bob%40corp/My%20Photos/")
        #expect(server.requests.filter { $0.lowercased().contains("authorization") }.count == 1)
        withExtendedLifetime(secrets) {}
        try bench.stop()
    }

    @Test(
        "A shared link is one to sync with if anyone may change what is there",
        arguments: [
            ("207 Multi-Status", "RDNVCK", nil), ("207 Multi-Status", "R", "lets you look and change nothing"),
            ("401 Unauthorized", "", "protected by a password"), ("404 Not Found", "", "lets only browsers open it"),
        ] as [(String, String, String?)])
    func sharedLinks(status: String, permissions: String, refusal: String?) throws {
        let item = Self.item("/public.php/dav/files/Tok3n/", "<oc:permissions>\(permissions)</oc:permissions>")
        let share = ScriptedServer.answer(
            status, [],
            #"<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">"# + item + "</d:multistatus>")
        let server = try ScriptedServer(inTurn: [Self.status, share, share])
        let bench = try WorkerBench()
        let typed = "http://127.0.0.1:\(server.port)/s/Tok3n"
        if let refusal {
            #expect(sentence(bench, "Find", .string(typed)).contains(refusal))
        } else {
            let found = try found(bench, typed)
            #expect(found.string("remote") == "webdav+http://127.0.0.1:\(server.port)/public.php/dav/files/Tok3n/")
            #expect(found.string("login") == "none" && found.bool("provisional") == false)
        }
        try bench.stop()
    }

    @Test("What a server says about itself is bounded, and leads nowhere else")
    func hostileServers() throws {
        let huge = String(repeating: "x", count: 300_000)
        for step in [
            ScriptedServer.Step.repeatForever("HTTP/1.1 200 OK\r\n\r\n" + huge, pauseMilliseconds: 1),
            ScriptedServer.answer("302 Found", ["Location: http://192.0.2.1/status.php"]),
            ScriptedServer.answer("302 Found", ["Location: /status.php"]),
            ScriptedServer.answer("207 Multi-Status", [], huge), ScriptedServer.answer("200 OK", [], huge),
            .send("nonsense\r\n\r\n"), .send(""),
        ] {
            let server = try ScriptedServer([step])
            let bench = try WorkerBench()
            let outcome = bench.refusal("Find", .string("http://127.0.0.1:\(server.port)/"))
            #expect(outcome == nil || outcome == "InvalidRemote" || outcome == "Failed")
            #expect(server.requests.count <= 40)
            try bench.stop()
        }
    }

    // MARK: ListDirectories

    private static func listing(_ items: String) -> ScriptedServer.Step {
        ScriptedServer.answer(
            "207 Multi-Status", [],
            #"<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">"#
                + item("/dav/") + items + "</d:multistatus>")
    }

    private static func item(_ reference: String, _ more: String = "", isDirectory: Bool = true) -> String {
        "<d:response><d:href>\(reference)</d:href><d:propstat><d:prop><d:resourcetype>"
            + (isDirectory ? "<d:collection/>" : "")
            + "</d:resourcetype>\(more)</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    }

    private func list(_ items: String, limit: UInt32? = nil) throws -> (
        names: [VariantMap], more: Bool?, refusal: String?
    ) {
        let server = try ScriptedServer([Self.listing(items)])
        let bench = try WorkerBench()
        let remote = DBusValue.string("webdav+http://127.0.0.1:\(server.port)/dav")
        let options: VariantMap = limit.map { ["limit": .uint32($0)] } ?? [:]
        let refusal = bench.refusal("ListDirectories", remote, .string(""), options: options)
        guard refusal == nil else {
            try bench.stop()
            return ([], nil, refusal)
        }
        let reply = try bench.call("ListDirectories", remote, .string(""), options: options)
        try bench.stop()
        return (reply.first?.maps ?? [], reply.last?.map?.bool("more"), nil)
    }

    @Test("Directories with what the server tells of them, by name")
    func listedDirectories() throws {
        let items =
            Self.item("/dav/b/")
            + Self.item("/dav/a%20b/", "<oc:size>12</oc:size><nc:contained-folder-count>0</nc:contained-folder-count>")
            + Self.item("/dav/file", isDirectory: false) + Self.item("/dav/.roundel/")
            + Self.item(
                "/dav/c/",
                "<d:quota-used-bytes>5</d:quota-used-bytes><nc:contained-folder-count>3</nc:contained-folder-count>")
            + Self.item("/dav/d/", "<oc:size>-3</oc:size>") + Self.item("/dav/%FF/")
        let (found, more, _) = try list(items)
        #expect(found.map { $0.string("name") } == ["a b", "b", "c", "d"] && more == nil)
        #expect(found.map { $0.uint64("size") } == [12, nil, 5, nil])
        #expect(found.map { $0.bool("has-children") } == [false, nil, true, nil])
        #expect(found.first?.string("path") == "a b")
        let (few, rest, _) = try list(items, limit: 2)
        #expect(few.count == 2 && rest == true)
    }

    @Test(
        "A listing with anything from elsewhere, or with names that are none, is no listing",
        arguments: [
            "/other/x/", "http://127.0.0.2/dav/x/", "/dav/x%2Fy/", "/dav/x%00y/", "/dav/../x/", "/dav/x/y/",
            "/dav/%2E%2E/",
            "/dav/x?y", "x",
        ])
    func hostileListings(reference: String) throws {
        #expect(try list(Self.item(reference)).refusal == "InvalidRemote")
    }

    @Test func directoriesOfThisComputer() throws {
        let bench = try WorkerBench()
        for name in ["Remote/a/b", "Remote/c", "Remote/.roundel"] { try bench.files.makeDirectory(name) }
        try bench.files.write("", to: "Remote/file")
        let reply = try bench.call("ListDirectories", bench.path("Remote"), .string(""))
        #expect(reply.first?.maps?.map { $0.string("name") } == ["a", "c"])
        let below = try bench.call("ListDirectories", bench.path("Remote"), .string("a"))
        #expect(below.first?.maps?.map { $0.string("path") } == ["a/b"])
        #expect(bench.refusal("ListDirectories", bench.path("Remote"), .string("none")) == "InvalidRemote")
        #expect(try bench.files.names(in: "Remote") == [".roundel", "a", "c", "file"])
        try bench.stop()
    }

    // MARK: Preview

    @Test("What adding would do, in numbers; nothing is written")
    func preview() throws {
        let bench = try WorkerBench()
        try bench.files.write("12345", to: "Cloud/mine")
        try bench.files.write("same", to: "Cloud/d/same")
        try bench.files.write("short", to: "Cloud/d/other")
        try bench.files.write("same", to: "Remote/d/same")
        try bench.files.write("much longer", to: "Remote/d/other")
        try bench.files.write("theirs!", to: "Remote/e/f/theirs")
        try bench.files.write("", to: "Remote/e/g.tmp")
        try bench.files.makeDirectory("Remote/empty")
        let before = [try bench.files.names(in: "Cloud").sorted(), try bench.files.names(in: "Remote").sorted()]
        let result = try bench.call("Preview", bench.uri("Cloud"), bench.path("Remote")).first?.map ?? [:]
        for (key, value) in [
            ("files-here", 3), ("bytes-here", 14), ("files-there", 3), ("bytes-there", 22), ("same", 2),
            ("different", 1), ("downloads", 2), ("download-bytes", 18), ("uploads", 2), ("upload-bytes", 10),
            ("left-here", 0), ("left-there", 1),
        ] as [(String, UInt64)] {
            #expect(result.uint64(key) == value, "\(key)")
        }
        #expect(result["partial"] == nil && result.uint64("free") ?? 0 > 0)
        let chosen =
            try bench.call(
                "Preview", bench.uri("Cloud"), bench.path("Remote"), options: ["only": .strings(["e"])]
            ).first?.map ?? [:]
        #expect(chosen.uint64("downloads") == 1 && chosen.uint64("uploads") == 0)
        #expect(chosen.uint64("left-here") == 2 && chosen.uint64("left-there") == 3)
        let up =
            try bench.call(
                "Preview", bench.uri("Cloud"), bench.path("Remote"), options: ["upload-only": .bool(true)]
            ).first?.map ?? [:]
        #expect(up.uint64("downloads") == 0 && up.uint64("uploads") == 3)
        let after = [try bench.files.names(in: "Cloud").sorted(), try bench.files.names(in: "Remote").sorted()]
        #expect(before == after)
        try bench.stop()
    }

    @Test("What would be made is counted as empty, and is not made; what AddFolder refuses, is refused")
    func previewOfNew() throws {
        let bench = try WorkerBench()
        try bench.files.write("x", to: "Remote/x")
        #expect(bench.refusal("Preview", bench.uri("new"), bench.path("Remote")) == "NotADirectory")
        let create: VariantMap = ["create": .bool(true)]
        let result = try bench.call("Preview", bench.uri("new"), bench.path("Remote"), options: create).first?.map
        #expect(result?.uint64("downloads") == 1 && result?["partial"] == nil)
        let both = try bench.call("Preview", bench.uri("new"), bench.path("far/off"), options: create).first?.map
        #expect(both?.uint64("files-there") == 0)
        #expect(try bench.files.names(in: "").filter { $0 == "new" || $0 == "far" }.isEmpty)
        #expect(bench.refusal("Preview", bench.uri("new"), bench.path("new/x"), options: create) == "InvalidRemote")
        try bench.stop()
    }

    @Test("A server that takes its time is counted as far as it came")
    func previewInTime() throws {
        let quota = ScriptedServer.answer(
            "207 Multi-Status", [],
            #"<d:multistatus xmlns:d="DAV:">"#
                + Self.item("/dav/", "<d:quota-available-bytes>77</d:quota-available-bytes>") + "</d:multistatus>")
        let server = try ScriptedServer(inTurn: [
            Self.listing(""), quota, Self.listing(Self.item("/dav/a/")), .beSilent, .beSilent,
        ])
        let bench = try WorkerBench()
        try bench.files.makeDirectory("Cloud")
        let begun = ContinuousClock.now
        let result = try bench.call(
            "Preview", bench.uri("Cloud"), .string("webdav+http://127.0.0.1:\(server.port)/dav"),
            options: ["seconds": .uint32(1)]
        ).first?.map
        #expect(result?.uint64("available") == 77)
        #expect(result?.bool("partial") == true && ContinuousClock.now - begun < .seconds(20))
        try bench.stop()
    }
}

import DBus
import Glibc
import RemoteSupport
import RoundelBus
import Secrets
import StandInSecrets
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

/// SaveLogin, CheckLogin and EndLogin, with a secret service and a server that say what a test wants.
@Suite(.serialized) struct WorkerLoginTests {
    private final class Scene {
        let bench: WorkerBench
        let secrets: StandInSecretService
        let server: ScriptedServer

        init(_ steps: [ScriptedServer.Step]) throws {
            bench = try WorkerBench()
            // The thread of the test waits until the other one has used it.
            nonisolated(unsafe) let bus = bench.harness.bus
            secrets = try CallingThread.run { try await StandInSecretService(on: bus) }
            server = try ScriptedServer(inTurn: steps)
        }

        /// Saves a password of the user `me`.
        func save(isFromServer: Bool = false) throws {
            let (address, origin) = (bench.harness.bus.address, String(server.address.dropLast()))
            try CallingThread.run {
                let store = SecretStore(bus: try await .open(address))
                let password = try SecretBytes(copying: "hunter2".utf8)
                try await store.save(
                    StoredLogin(user: "me", password: password, isFromServer: isFromServer), for: origin, asking: nil)
            }
        }

        var remote: DBusValue {
            .string("webdav+http://me@127.0.0.1:\(server.port)/remote.php/dav/files/me")
        }
    }

    private static let listing = """
        <d:multistatus xmlns:d="DAV:"><d:response><d:href>/remote.php/dav/files/me/</d:href><d:propstat><d:prop>\
        <d:resourcetype><d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>\
        </d:response></d:multistatus>
        """

    private func pipe(_ password: String) throws -> DBusValue {
        .fileDescriptor(try SecretPipe.filled(with: SecretBytes(copying: password.utf8)))
    }

    @Test("A password is tried, then saved for the user and the server of the address")
    func saved() throws {
        let scene = try Scene([ScriptedServer.answer("207 Multi-Status", [], Self.listing)])
        let reply = try scene.bench.call("SaveLogin", scene.remote, try pipe("hunter3"))
        #expect(reply == [.map([:])])
        // “me:hunter3”, of which the headers' case is lost here.
        #expect(scene.server.requests.first?.lowercased().contains("authorization: basic bwu6ahvudgvymw==") == true)
        #expect(scene.secrets.items.map(\.secret) == [Array("hunter3".utf8)])
        let attributes = scene.secrets.items.first?.attributes
        #expect(attributes?["user"] == "me")
        #expect(attributes?["server"] == String(scene.server.address.dropLast()))
        try scene.bench.stop()
    }

    @Test("A password that the server refuses is not saved, and does not replace one that may be right")
    func refusedPassword() throws {
        let scene = try Scene([ScriptedServer.answer("401 Unauthorized")])
        try scene.save()
        #expect(scene.bench.refusal("SaveLogin", scene.remote, try pipe("wrong")) == "LoginNeeded")
        #expect(scene.secrets.items.map(\.secret) == [Array("hunter2".utf8)])
        try scene.bench.stop()
    }

    @Test("A password that cannot be tried now is saved, with the reason")
    func untriedPassword() throws {
        let scene = try Scene([ScriptedServer.answer("503 Service Unavailable")])
        let reply = try scene.bench.call("SaveLogin", scene.remote, try pipe("hunter3"))
        #expect(reply.last?.map?.string("untried")?.isEmpty == false)
        #expect(scene.secrets.items.map(\.secret) == [Array("hunter3".utf8)])
        try scene.bench.stop()
    }

    @Test("What is no password, or comes through something else than a pipe, is neither tried nor saved")
    func unusablePasswords() throws {
        let scene = try Scene([ScriptedServer.answer("207 Multi-Status", [], Self.listing)])
        let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
        for password in ["", "a\0b"] {
            #expect(scene.bench.refusal("SaveLogin", scene.remote, try pipe(password)) == invalid)
        }
        let file = DBusValue.fileDescriptor(OwnedFileDescriptor(owning: open("/dev/zero", O_RDONLY | O_CLOEXEC)))
        #expect(scene.bench.refusal("SaveLogin", scene.remote, file) == invalid)
        let anybody = DBusValue.string("webdav+http://127.0.0.1:\(scene.server.port)/")
        #expect(scene.bench.refusal("SaveLogin", anybody, try pipe("hunter3")) == "InvalidRemote")
        #expect(scene.server.requests.isEmpty && scene.secrets.items.isEmpty)
        try scene.bench.stop()
    }

    @Test("A password that the secret service does not take is not said to be saved")
    func refusedByKeyring() throws {
        let scene = try Scene([ScriptedServer.answer("207 Multi-Status", [], Self.listing)])
        scene.secrets.answer("CreateItem", .error("org.example.Broken"))
        #expect(scene.bench.refusal("SaveLogin", scene.remote, try pipe("hunter3")) == "Failed")
        #expect(scene.secrets.items.isEmpty)
        try scene.bench.stop()
    }

    @Test(
        "A login that the server refuses is told from one that could not be tried",
        arguments: [
            ("207 Multi-Status", nil), ("403 Forbidden", nil), ("404 Not Found", nil),
            ("401 Unauthorized", "LoginNeeded"), ("429 Too Many Requests", "Failed"),
            ("503 Service Unavailable", "Failed"), ("502 Bad Gateway", "Failed"), ("302 Found", "Failed"),
            ("200 OK", "Failed"),
        ])
    func checked(status: String, refusal: String?) throws {
        let scene = try Scene([ScriptedServer.answer(status, ["Location: /elsewhere"], Self.listing)])
        try scene.save()
        #expect(scene.bench.refusal("CheckLogin", scene.remote) == refusal)
        #expect(scene.server.requests.first?.lowercased().contains("authorization: basic") ?? false)
        try scene.bench.stop()
    }

    @Test("A login that the keyring does not give, or that is not there, is not called wrong")
    func unreadable() throws {
        let asked = ScriptedServer.answer("401 Unauthorized")
        for isSaved in [true, false] {
            let scene = try Scene([asked])
            if isSaved { try scene.save() }
            scene.secrets.lock(person: .isAway)
            #expect(scene.bench.refusal("CheckLogin", scene.remote) == "Failed")
            try scene.bench.stop()
        }
    }

    @Test("Only a password that the server made for this computer is taken back", arguments: [true, false])
    func ended(isFromServer: Bool) throws {
        let answer = ScriptedServer.answer(
            "200 OK", [], #"{"ocs":{"meta":{"status":"ok","statuscode":200,"message":"OK"},"data":[]}}"#)
        let scene = try Scene([answer])
        try scene.save(isFromServer: isFromServer)
        let reply = try scene.bench.call("EndLogin", scene.remote)
        #expect((reply.last?.map?.bool("revoked") ?? false) == isFromServer)
        let lines = scene.server.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(lines == (isFromServer ? ["DELETE /ocs/v2.php/core/apppassword?format=json"] : []))
        // The caller deletes it.
        #expect(scene.secrets.items.count == 1)
        try scene.bench.stop()
    }

    @Test("A server that does not take a password back, or does not answer, is not said to have done so")
    func notTakenBack() throws {
        for step in [ScriptedServer.answer("403 Forbidden"), .send(""), ScriptedServer.answer("200 OK", [], "{}")] {
            let scene = try Scene([step])
            try scene.save(isFromServer: true)
            let reply = try scene.bench.call("EndLogin", scene.remote)
            #expect(reply.last?.map?.bool("revoked") == nil)
            try scene.bench.stop()
        }
    }
}

/// The share links of a synced folder that is a whole account.
@Suite struct RootShareTests {
    @Test("A synced folder has no share link in any menu, and asking for one is refused with a sentence")
    func root() throws {
        let files = try TemporaryDirectory()
        try files.write("x", to: "Cloud/a")
        let folder = """
            {"id": "a", "uri": "file://\(files["Cloud"].string)", "label": "Cloud", "added": 1, "paused": true, \
            "remote": "webdav+http://127.0.0.1:1/remote.php/dav/files/me", "traits": ["share-links", "item-pages"]}
            """
        let bench = try WorkerBench(settings: "{\"tag\": \"ABCD\", \"folders\": [\(folder)]}", files: files)
        let root = try ItemURI("file://" + files["Cloud"].string)
        for kind in [MenuKind.items, .container, .sidebar, .toolbar] {
            for selection in [[root], []] {
                var ids: [String] = []
                bench.service.provider.menu(MenuRequest(kind: kind, target: root, selection: selection)) {
                    ids = $0.map(\.id)
                }
                #expect(!ids.contains { $0.contains("-link") }, "\(kind)")
            }
        }
        let item = try ItemURI("file://" + files["Cloud/a"].string)
        var items: [String] = []
        bench.service.provider.menu(MenuRequest(kind: .items, target: root, selection: [item])) { items = $0.map(\.id) }
        let links = ["copy-share-link", "copy-week-link"]
        #expect(Set(links).isSubset(of: items))
        for (link, selection) in links.flatMap({ link in [[root], []].map { (link, $0) } }) {
            var outcome: Result<ActionProduct?, RoundelError>?
            let request = MenuRequest(kind: nil, target: root, selection: selection)
            bench.service.provider.activate(link, request) { outcome = $0 }
            guard case .failure(let error) = outcome else { throw Failure("it was not refused") }
            if !selection.isEmpty { #expect(error.message.contains("not all of it")) }
        }
        try bench.stop()
    }
}

/// What is told of a folder of which a side is away.
@Suite struct AwayReportTests {
    @Test("While the server cannot be reached, nothing is said to be moving")
    func offline() throws {
        let files = try TemporaryDirectory()
        try files.write(String(repeating: "x", count: 1_000), to: "Cloud/a")
        let folder = """
            {"id": "a", "uri": "file://\(files["Cloud"].string)", "label": "Cloud", "added": 1, \
            "remote": "webdav+http://127.0.0.1:1/remote.php/dav/files/me"}
            """
        let bench = try WorkerBench(settings: "{\"tag\": \"ABCD\", \"folders\": [\(folder)]}", files: files)
        let unit = try #require(bench.service.folders.all.first)
        unit.start()
        #expect(bench.harness.run { unit.status.phase == .offline })
        let report = unit.reporter.report()
        #expect(report.bytesTotal == 0 && report.bytesDone == 0 && report.progress == 255)
        #expect(report.transfers.isEmpty)
        try bench.stop()
    }
}

import Glibc
import NIOSSL
import RemoteSupport
import SyncCore
import SystemPackage
import TestSupport
import Testing
import WebDAV

/// Servers behind a proxy.
@Suite(.serialized) struct ProxyTests {
    private func proxy(_ variables: [String: String], for address: String) throws -> String? {
        switch try ProxySettings({ variables[$0] }).word(for: ServerLocation(address)) {
        case .nothing: "nothing"
        case .direct: nil
        case .proxy(let proxy): "\(proxy)"
        }
    }

    @Test(
        "Which proxy is used, by the variables",
        arguments: [
            (["https_proxy": "http://proxy:3128"], "http://proxy:3128"),
            (["HTTPS_PROXY": "proxy:3128/"], "http://proxy:3128"),
            (["https_proxy": "", "all_proxy": "socks5://s"], "socks://s:1080"),
            (["http_proxy": "http://proxy"], "nothing"),
            (["https_proxy": "http://u:hunter2@proxy:1"], "http://proxy:1"),
            (["https_proxy": "http://[::1]:8"], "http://[::1]:8"),
            (["https_proxy": "ftp://proxy"], nil), (["https_proxy": "proxy:0"], nil), (["https_proxy": "://"], nil),
            (["https_proxy": "p:1", "no_proxy": "example.org"], nil), (["https_proxy": "p:1", "no_proxy": "*"], nil),
            (["https_proxy": "p:1", "no_proxy": "a, .Example.org"], nil),
            (["https_proxy": "p:1", "NO_PROXY": "cloud.example.org:443"], nil),
            (["https_proxy": "p:1", "no_proxy": "cloud.example.org:8443"], "http://p:1"),
            (["https_proxy": "p:1", "no_proxy": "ample.org,org.example"], "http://p:1"), ([:], "nothing"),
            (["no_proxy": "other.org"], "nothing"), (["no_proxy": "example.org"], nil),
        ] as [([String: String], String?)])
    func variables(variables: [String: String], expected: String?) throws {
        #expect(try proxy(variables, for: "https://cloud.example.org/dav") == expected)
    }

    @Test("This computer is reached directly")
    func loopback() throws {
        for address in ["http://localhost:80/", "https://127.0.0.1/", "https://[::1]/"] {
            #expect(try proxy(["https_proxy": "p:1", "http_proxy": "p:1", "all_proxy": "p:1"], for: address) == nil)
        }
    }

    private static let programs = ["/usr/bin/openssl", "/usr/bin/tinyproxy"]

    @Test(
        "A server is reached through a proxy, and not if that refuses",
        .enabled(if: programs.allSatisfy { access($0, X_OK) == 0 }, "needs openssl and tinyproxy"))
    func throughAProxy() async throws {
        let directory = try TemporaryDirectory()
        let (place, environment) = (directory.path.string, RunningProgram.inheritedEnvironment)
        // This computer by a name that could be another's: what is known to be this computer is reached directly.
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let made = try RunningProgram(
            [
                Self.programs[0], "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", place + "/key", "-out", place + "/certificate", "-days", "2", "-subj", "/CN=test", "-addext",
                "subjectAltName=DNS:\(host)",
            ], environment: environment
        ).finish()
        try #require(made.status == 0)
        let (first, port) = try Loopback.bound()
        let (second, proxyPort) = try Loopback.bound()
        defer {
            close(first)
            close(second)
        }
        let server = try RunningProgram(
            [
                Self.programs[0], "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-www", "-cert",
                place + "/certificate", "-key", place + "/key",
            ], environment: environment)
        defer { server.kill() }
        try Loopback.waitForServer(server, on: port)
        try directory.write(
            """
            Port \(proxyPort)
            Listen 127.0.0.1
            BasicAuth user secret
            ConnectPort \(port)
            LogFile "\(place)/log"
            LogLevel Connect

            """, to: "tinyproxy.conf")
        let proxy = try RunningProgram(
            [Self.programs[1], "-d", "-c", place + "/tinyproxy.conf"], environment: environment)
        defer { proxy.kill() }
        try Loopback.waitForServer(proxy, on: proxyPort)
        func reason(_ proxy: String) async throws -> DAVFailure? {
            let client = DAVClient(
                try ServerLocation("https://\(host):\(port)/"), credentials: nil, trust: .file(place + "/certificate"),
                limits: .patient, routes: ServerRoutes(ProxySettings { $0 == "https_proxy" ? proxy : nil }),
                clock: { Int64(time(nil)) })
            var failure: DAVFailure?
            do throws(DAVFailure) {
                _ = try await client.read(.root, expecting: nil) { _ in }
            } catch { failure = error }
            await client.shutDown()
            return failure
        }
        #expect(try await reason("http://user:secret@127.0.0.1:\(proxyPort)") == nil)
        #expect(try directory.read("log").contains("CONNECT \(host):\(port)"))
        let refused = try await reason("http://user:wrong@127.0.0.1:\(proxyPort)")
        // Some proxies answer as a server does, with 401.
        #expect(refused?.detail == .proxy)
        // Without what it was given.
        #expect(refused?.proxy == "http://127.0.0.1:\(proxyPort)")
        #expect(try await reason("http://127.0.0.1:\(proxyPort)")?.detail == .proxyLogin)
    }
}

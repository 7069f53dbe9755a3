import Remotes
import Testing

/// What people type and paste, as far as the text tells.
@Suite struct TypedAddressTests {
    private func address(_ text: String) -> TypedAddress { TypedAddress(text, home: "/home/me") }

    private func server(_ text: String) -> ServerAddress? {
        if case .server(let server) = address(text) { server } else { nil }
    }

    @Test(
        arguments: [
            ("/mnt/x", TypedAddress.directory("/mnt/x")), ("~/x y", .directory("/home/me/x y")),
            ("~", .directory("/home/me")), ("file:///mnt/x", .directory("file:///mnt/x")),
            ("  /mnt/x\n", .directory("/mnt/x")),
            ("rclone:drive:x", .rclone("rclone:drive:x")), ("RCLONE:drive:", .rclone("rclone:drive:")),
            ("drive:Photos", .named("drive", path: "Photos")), ("nas:/x", .named("nas", path: "/x")),
            ("me@host:/x", .ssh(user: "me", host: "host", path: "/x")),
            ("me@host.example:x/y", .ssh(user: "me", host: "host.example", path: "x/y")),
            ("sftp://me@host/x", .ssh(user: "me", host: "host", path: "/x")),
            ("ssh://host", .ssh(user: nil, host: "host", path: "")),
            ("smb://host/x", .foreign("smb")), ("ftp://host", .foreign("ftp")),
            ("https://me:secret@host/", .withPassword), ("me:secret@host", .withPassword),
            ("sftp://me:secret@host/x", .withPassword),
            ("", .unusable), ("   ", .unusable), ("a\u{0}b", .unusable), ("host/%zz", .unusable),
            ("https://", .unusable), ("https://ho st/", .unusable), ("host:99999/x", .named("host", path: "99999/x")),
            ("@host:/x", .unusable), (":x", .unusable), ("https://host:0/", .unusable),
        ])
    func texts(text: String, expected: TypedAddress) { #expect(address(text) == expected) }

    @Test(
        arguments: [
            ("cloud.example.org", ServerAddress.Scheme.any, "cloud.example.org", nil, [], nil),
            ("Cloud.Example.org:8443/a/b", .any, "cloud.example.org", 8_443, ["a", "b"], nil),
            ("bob@cloud.example.org", .any, "cloud.example.org", nil, [], "bob"),
            ("bob@cloud.example.org:8443/x", .any, "cloud.example.org", 8_443, ["x"], "bob"),
            ("https://b%40b@host/a%20b//ü/#x", .https, "host", nil, ["a b", "ü"], "b@b"),
            ("http://localhost:8080/x", .http, "localhost", 8_080, ["x"], nil),
            ("webdav+https://me@host/x", .https, "host", nil, ["x"], "me"),
            ("davs://host/x", .https, "host", nil, ["x"], nil), ("dav://host/x", .http, "host", nil, ["x"], nil),
            ("https://[::1]:443/x", .https, "[::1]", 443, ["x"], nil), ("nas", .any, "nas", nil, [], nil),
        ] as [(String, ServerAddress.Scheme, String, Int?, [String], String?)])
    func servers(
        text: String, scheme: ServerAddress.Scheme, host: String, port: Int?, path: [String], user: String?
    ) throws {
        let found = try #require(server(text))
        #expect(found.scheme == scheme && found.host == host && found.port == port)
        #expect(found.path == path && found.user == user)
    }

    @Test func queries() throws {
        let found = try #require(server("https://host/apps/files/?dir=/My%20Photos+x%2By&fileid=12&dir=/other#top"))
        #expect(found.query == ["dir": "/My Photos x+y", "fileid": "12"])
    }

    @Test func tooLong() { #expect(address("host/" + String(repeating: "a", count: 5_000)) == .unusable) }
}

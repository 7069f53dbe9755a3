import SyncCore
import Testing
import WebDAV

struct ServerLocationTests {
    @Test
    func addresses() throws {
        let location = try ServerLocation("https://Cloud.Example:8443/remote.php/dav/a%20b/")
        #expect(location.host == "cloud.example")
        #expect(location.port == 8443)
        #expect(location.names.map(\.description) == ["remote.php", "dav", "a b"])
        #expect(location.origin == "https://cloud.example:8443")
        let path = RelativePath([try #require(EntryName("ü?#%/ ".replacing("/", with: "")))])
        #expect(
            location.address(of: path, isDirectory: false)
                == "https://cloud.example:8443/remote.php/dav/a%20b/%C3%BC%3F%23%25%20")
        #expect(location.address(of: .root, isDirectory: true) == "https://cloud.example:8443/remote.php/dav/a%20b/")
        #expect(try ServerLocation("https://example").address(of: .root, isDirectory: true) == "https://example/")
        #expect(try ServerLocation("https://example:443/a").origin == "https://example")
        #expect(try ServerLocation("http://[::1]:8080/").origin == "http://[::1]:8080")
    }

    @Test(
        arguments: [
            ("ftp://a/", .malformed), ("a/b", .malformed), ("https:///a", .malformed), ("https://a:0/", .malformed),
            ("https://a:65536/", .malformed), ("https://a/?x", .malformed), ("https://a/#x", .malformed),
            ("https://a/b c", .malformed), ("https://a/%2F", .malformed), ("https://a/../b", .malformed),
            ("https://a/b//c", .malformed), ("https://a/%zz", .malformed), ("https://a b/", .malformed),
            ("https://a\r\nb/", .malformed), ("https://me:secret@a/", .credentials), ("https://me@a/", .credentials),
            ("http://a/", .unencrypted), ("http://127.0.0.1.example/", .unencrypted),
            ("http://128.0.0.1/", .unencrypted),
            ("http://localhost.example/", .unencrypted),
        ] as [(String, ServerLocation.Mistake)])
    func refused(_ address: String, _ mistake: ServerLocation.Mistake) {
        #expect(throws: mistake) { try ServerLocation(address) }
    }

    @Test(arguments: ["http://127.0.0.1/", "http://localhost:80/a", "http://127.8.9.10:1/"])
    func thisComputer(_ address: String) throws {
        #expect(try ServerLocation(address).isEncrypted == false)
    }

    /// What a listing names is in the collection, or it is refused: another host, a name above it, a name that escapes.
    @Test(
        arguments: [
            ("/dav/x/a", "a"), ("/dav/x/a/", "a"), ("/dav/x/", ""), ("/dav/x", ""), ("/dav/%78/a%20b/c", "a b/c"),
            ("https://h/dav/x/a", "a"), ("https://H:443/dav/x/a", "a"), ("/dav/x/a%25b", "a%b"),
            ("/dav/", nil), ("/dav/y/a", nil), ("/dav/xy", nil), ("https://other/dav/x/a", nil),
            ("http://h/dav/x/a", nil),
            ("//other/dav/x/a", nil), ("/dav/x/..", nil), ("/dav/x/%2e%2e/y", nil), ("/dav/x/a%2fb", nil),
            ("/dav/x/%00", nil), ("/dav/x//a", nil), ("a", nil), ("", nil), ("/dav/x/a?b", nil), ("/dav/x/a#b", nil),
            ("https://h:80/dav/x/a", nil), ("https://me@h/dav/x/a", nil),
        ] as [(String, String?)])
    func references(_ reference: String, _ path: String?) throws {
        let location = try ServerLocation("https://h/dav/x/")
        #expect(location.path(ofReference: reference)?.description == path)
    }
}

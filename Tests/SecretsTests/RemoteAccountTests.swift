import Secrets
import Testing
import WebDAV

@Suite struct RemoteAccountTests {
    @Test(arguments: [
        ("webdav+https://me@cloud.example.org/remote.php/dav", "https://cloud.example.org", "me"),
        ("WebDAV+HTTPS://me@Cloud.Example.ORG:443", "https://cloud.example.org", "me"),
        ("webdav+https://cloud.example.org:8443/", "https://cloud.example.org:8443", nil),
        ("webdav+http://127.0.0.1:8080/x", "http://127.0.0.1:8080", nil),
        ("webdav+http://a%40b.org@localhost:80/x", "http://localhost", "a@b.org"),
        ("webdav+https://me@here@[2001:DB8::1]:444/", "https://[2001:db8::1]:444", "me@here"),
        ("webdav+https://j%C3%BCrgen@h/", "https://h", "jürgen"),
    ])
    func addressesAreAccounts(address: String, server: String, user: String?) throws {
        #expect(try RemoteAccount(remote: address) == RemoteAccount(server: server, user: user))
    }

    @Test(arguments: [
        ("https://me@h/", RemoteAccount.Mistake.foreignScheme), ("/mnt/x", .foreignScheme), ("", .foreignScheme),
        ("file:///mnt/x", .foreignScheme), ("webdav+https:/h", .foreignScheme),
        ("webdav+https://", .malformed), ("webdav+https://me@/x", .malformed), ("webdav+https://@h/", .malformed),
        ("webdav+https://h:0/", .malformed), ("webdav+https://h:65536/", .malformed),
        ("webdav+https://h:/", .malformed),
        ("webdav+https://h:+5/", .malformed), ("webdav+https://h x/", .malformed), ("webdav+https://h/?q", .malformed),
        ("webdav+https://h/#f", .malformed), ("webdav+https://[::g]/", .malformed),
        ("webdav+https://m%00e@h/", .malformed),
        ("webdav+https://m%0Ae@h/", .malformed), ("webdav+https://m%3Ae@h/", .malformed),
        ("webdav+https://m%FFe@h/", .malformed), ("webdav+https://m%e@h/", .malformed),
        ("webdav+https://h\u{7F}/", .malformed),
        ("webdav+https://me:hunter2@h/", .password), ("webdav+https://me:@h/", .password),
        ("webdav+http://cloud.example.org/", .unencrypted), ("webdav+http://me@128.0.0.1/", .unencrypted),
        ("webdav+http://127.0.0.1.example.org/", .unencrypted), ("webdav+http://localhost.example.org/", .unencrypted),
    ])
    func otherTextsAreNone(address: String, mistake: RemoteAccount.Mistake) {
        #expect(throws: mistake) { try RemoteAccount(remote: address) }
    }

    @Test(
        "A server has one name, whoever takes its address apart",
        arguments: [
            "https://Cloud.Example.org/x", "https://h:443", "https://h:8443/", "http://127.0.0.1:8080/a",
            "http://localhost:80",
            "https://[2001:DB8::1]:444/", "http://[::1]/",
        ])
    func originsAreThoseOfRequests(address: String) throws {
        #expect(try RemoteAccount(remote: "webdav+" + address).server == (try ServerLocation(address).origin))
    }

    @Test func anAccountServesItsServerAndItsUser() {
        let (any, me, you) = (nil, "me", "you") as (String?, String?, String?)
        let other = RemoteAccount(server: "https://i", user: "me")
        for (saved, wanted, serves) in [(me, me, true), (me, any, true), (any, me, true), (me, you, false)] {
            let account = RemoteAccount(server: "https://h", user: saved)
            #expect(account.serves(RemoteAccount(server: "https://h", user: wanted)) == serves)
            #expect(!account.serves(other))
        }
    }
}

import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import OnDemand

@Suite("Thumbnails that could not be made")
struct FailedThumbnailsTests {
    @Test(
        "the digest of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ])
    func digest(text: String, digest: String) { #expect(MD5.text(of: Array(text.utf8)) == digest) }

    @Test("a file is called as GLib calls it")
    func uri() {
        let uri = FailedThumbnails.uri(of: Array("/a/b c!$&'()*+,-.:;=@_~#é".utf8))
        #expect(String(decoding: uri, as: UTF8.self) == "file:///a/b%20c!$&'()*+,-.:%3B=@_~%23%C3%A9")
    }

    @Test("what programs remember of one item is removed, and of no other")
    func forgotten() throws {
        let temporary = try TemporaryDirectory()
        let thumbnails = try #require(
            FailedThumbnails(of: Array("/home/ada/Cloud".utf8)) {
                $0 == "XDG_CACHE_HOME" ? temporary.path.string : nil
            })
        // Nothing is remembered yet.
        thumbnails.forget(Array("a b.png".utf8))
        let name = MD5.text(of: Array("file:///home/ada/Cloud/a%20b.png".utf8)) + ".png"
        let kept = "thumbnails/fail/one/\(String(repeating: "0", count: 32)).png"
        for file in ["thumbnails/fail/one/\(name)", "thumbnails/fail/two/\(name)", kept] {
            try temporary.write("", to: file)
        }
        thumbnails.forget(Array("a b.png".utf8))
        #expect(try temporary.names(in: "thumbnails/fail/one") == [String(repeating: "0", count: 32) + ".png"])
        #expect(try temporary.names(in: "thumbnails/fail/two").isEmpty)
    }

    @Test("nothing is removed where a symbolic link leads")
    func links() throws {
        let temporary = try TemporaryDirectory()
        let name = MD5.text(of: Array("file:///home/ada/Cloud/a.png".utf8)) + ".png"
        for file in ["elsewhere/\(name)", "thumbnails/fail/one/kept.png"] { try temporary.write("", to: file) }
        #expect(symlink(temporary("elsewhere").string, temporary("thumbnails/fail/two").string) == 0)
        let thumbnails = try #require(
            FailedThumbnails(of: Array("/home/ada/Cloud".utf8)) {
                $0 == "XDG_CACHE_HOME" ? temporary.path.string : nil
            })
        thumbnails.forget(Array("a.png".utf8))
        #expect(try temporary.names(in: "elsewhere") == [name])
        // Neither if all of it is elsewhere.
        try temporary.write("", to: "other/one/\(name)")
        #expect(rename(temporary("thumbnails/fail").string, temporary("thumbnails/former").string) == 0)
        #expect(symlink(temporary("other").string, temporary("thumbnails/fail").string) == 0)
        thumbnails.forget(Array("a.png".utf8))
        #expect(try temporary.names(in: "other/one") == [name])
    }
}

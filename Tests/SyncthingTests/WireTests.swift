import Support
import SystemPackage
import Testing

@testable import Syncthing

@Suite struct WireTests {
    @Test(
        "Only addresses of this computer alone are used",
        arguments: [
            ("127.0.0.1:8384", "http://127.0.0.1:8384/"), ("0.0.0.0:80", "http://127.0.0.1:80/"),
            (":8384", "http://127.0.0.1:8384/"), ("[::1]:8384", "http://[::1]:8384/"),
            ("127.0.3.4:1", "http://127.0.3.4:1/"),
            ("[::]:9", "http://[::1]:9/"), ("localhost:9", "http://127.0.0.1:9/"),
        ])
    func addresses(text: String, page: String) { #expect(GuiAddress(text)?.page(tls: false) == page) }

    @Test(
        "Addresses of other computers and what is none are not used",
        arguments: ["192.168.1.5:8384", "example.org:8384", "127.0.0.1", "127.0.0.1:0", "", "127.evil.example:1"])
    func notLocal(text: String) { #expect(GuiAddress(text) == nil) }

    @Test("A socket is an address without a page")
    func socket() {
        #expect(GuiAddress("/run/user/1000/syncthing") == .socket("/run/user/1000/syncthing"))
        #expect(GuiAddress("unix:///run/s")?.page(tls: false) == nil)
    }

    private let xml = """
        <configuration version="36"><folder id="f" label="Fö" path="~/S" type="receiveonly"><device id="A"/>
        <device id="B"/><paused>true</paused></folder><gui enabled="true" tls="true"><address>127.0.0.1:1</address>
        <apikey>secret</apikey></gui><defaults><folder id="" path="~"/></defaults></configuration>
        """

    @Test("The configuration is read, and its key is in no description")
    func settings() throws {
        let settings = try #require(SettingsText(Array(xml.utf8)))
        #expect(settings.key == "secret" && settings.usesTLS && settings.address == "127.0.0.1:1")
        #expect(settings.folders.map(\.id) == ["f"] && settings.folders[0].isPaused)
        #expect(settings.folders[0].devices == ["A", "B"])
        #expect(!"\(settings)".contains("secret"))
        #expect(SettingsText(Array("<other/>".utf8)) == nil)
        #expect(SettingsText(Array("<!DOCTYPE configuration><configuration/>".utf8)) == nil)
    }

    @Test("The configuration is looked for where Syncthing keeps it, the old place before the new one")
    func places() {
        let base = BaseDirectories { ["HOME": Array("/home/p".utf8)][$0] }
        let named = SyncthingPlace.directories(base) { $0 == "STHOMEDIR" ? "/st" : nil }
        #expect(named == ["/st", "/home/p/.config/syncthing", "/home/p/.local/state/syncthing"])
    }

    @Test(
        "Times of Go are read to the nanosecond",
        arguments: [
            ("1970-01-01T00:00:01Z", 1_000_000_000), ("1970-01-01T01:00:00.5+01:00", 500_000_000),
            ("2026-11-27T16:05:40.720653061Z", 1_795_795_540_720_653_061), ("0001-01-01T00:00:00Z", nil), ("soon", nil),
            ("2262-04-11T23:47:16.854775807Z", .max), ("2262-04-11T23:47:16.9Z", nil),
        ] as [(String, Int64?)])
    func times(text: String, nanoseconds: Int64?) { #expect(GoTime.nanoseconds(text) == nanoseconds) }

    @Test("Versions are compared by their numbers")
    func versions() throws {
        #expect(try #require(SyncthingVersion("v1.19.2-ds1")) >= .oldest)
        #expect(try #require(SyncthingVersion("v1.4.0")) < .oldest)
        #expect(try #require(SyncthingVersion("v2.0.1")) > .oldest)
        #expect(SyncthingVersion("unknown") == nil)
    }

    @Test(
        "Patterns decide like Syncthing's",
        arguments: [
            (["*.tmp", "**/*.tmp"], "a/b.tmp", true), (["*.tmp"], "a/b.tmp", false),
            (["!keep.tmp", "*.tmp"], "keep.tmp", false),
            (["(?i)FOO"], "foo", true), (["(?d)foo/**"], "foo/x", true), (["a?c"], "aäc", true),
            (["[a-c]x"], "bx", true),
            (["[!a-c]x"], "bx", false), (["{one,two}.txt"], "two.txt", true), (["a\\*"], "a*", true),
            (["a\\*"], "ab", false),
            ([], "x", false),
        ] as [([String], String, Bool)])
    func patterns(expanded: [String], path: String, isIgnored: Bool) {
        #expect(IgnorePatterns(expanded: expanded).ignores(path) == isIgnored)
    }

    @Test("A pattern that takes too long decides nothing")
    func endlessPattern() {
        let patterns = IgnorePatterns(expanded: [String(repeating: "*a", count: 30) + "b"])
        #expect(patterns.ignores(String(repeating: "a", count: 200)) == nil)
        #expect(patterns.ignores("c") == false)
    }

    @Test("The owners of those who listen at a port are read")
    func listeners() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:20C0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
               1: 00000000:20C0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 100 0 0 10 0
               2: 0100007F:20C0 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1002        0 3 1 0 100 0 0 10 0
               3: 0200007F:20C0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1003        0 4 1 0 100 0 0 10 0
            """
        #expect(Listener.owners(port: 0x20C0, host: "127.0.0.1", tables: [table]) == [1_000, 1_001])
        #expect(Listener.owners(port: 0x20C1, host: "127.0.0.1", tables: [table]).isEmpty)
    }

    @Test("An answer that is no object says nothing of a folder or a device", arguments: [JSON.null, .array([]), "x"])
    func noObject(answer: JSON) {
        for question in [Question.counts, .completion("B")] {
            guard case .failed = Answer(question, status: 200, answer) else {
                Issue.record("\(question) is answered")
                continue
            }
        }
    }

    @Test("Percentages are of numbers of any size")
    func percentages() {
        #expect(TransferProgress(done: 1 << 62, total: 1 << 63).percent == 50)
        #expect(TransferProgress(done: 29, total: 100).percent == 29)
        #expect(TransferProgress(done: .max - 1, total: .max).percent == 99)
        #expect(TransferProgress(done: 2, total: 1).percent == 100)
        let most = Completion(.object([.init("needItems", .unsigned(.max)), .init("needDeletes", .integer(1))]))
        #expect(most.neededItems == .max)
    }

    @Test("Requests encode what they name")
    func requests() {
        let request = RestRequest(.counts, of: "a b&c", name: nil)
        #expect(request.target == "/rest/db/status?folder=a%20b%26c")
        #expect(RestRequest.scan("f", below: "d/ü").target == "/rest/db/scan?folder=f&sub=d%2F%C3%BC")
    }
}

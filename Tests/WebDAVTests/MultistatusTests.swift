import SyncCore
import TestSupport
import Testing
import WebDAV

/// What is read from a listing of a server, and what is refused.
struct MultistatusTests {
    private static let wanted: Set<PropertyName> = [.resourceType, .entityTag, .length, .modified, .checksums]

    private func parse(_ text: String, inParts size: Int = .max) throws -> [MultistatusResponse] {
        let parser = try #require(MultistatusParser(wanted: Self.wanted))
        var items: [MultistatusResponse] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            items += try parser.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return items + (try parser.finish())
    }

    private static let listing = """
        <?xml version="1.0" encoding="utf-8"?>
        <D:multistatus xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns">
          <D:response>
            <D:href>/dav/</D:href>
            <D:propstat>
              <D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop>
              <D:status>HTTP/1.1 200 OK</D:status>
            </D:propstat>
            <D:propstat>
              <D:prop><D:getetag/><D:getcontentlength/></D:prop>
              <D:status>HTTP/1.1 404 Not Found</D:status>
            </D:propstat>
          </D:response>
          <D:response>
            <D:href>
              /dav/a%20b&amp;c
            </D:href>
            <D:propstat>
              <D:status>HTTP/1.1 200 OK</D:status>
              <D:prop>
                <D:resourcetype/>
                <D:getetag>"1&#45;a"</D:getetag>
                <D:getcontentlength>9223372036854775807</D:getcontentlength>
                <D:getlastmodified>Sun, 06 Nov 1994 08:49:37 GMT</D:getlastmodified>
                <D:creationdate>1997-12-01T17:42:21-08:00</D:creationdate>
                <oc:checksums><oc:checksum>SHA1:aa MD5:bb</oc:checksum></oc:checksums>
              </D:prop>
            </D:propstat>
          </D:response>
          <D:response><D:href>/dav/locked</D:href><D:status>HTTP/1.1 423 Locked</D:status></D:response>
          <D:responsedescription>There is more</D:responsedescription>
        </D:multistatus>
        """

    @Test(arguments: [1, 2, 7, 100, Int.max])
    func listing(inParts size: Int) throws {
        let items = try parse(Self.listing, inParts: size)
        #expect(items.map(\.reference) == ["/dav/", "/dav/a%20b&c", "/dav/locked"])
        #expect(items.map(\.isCollection) == [true, false, nil])
        #expect(items.map(\.status) == [nil, nil, 423])
        #expect(items.map(\.length) == [nil, .max, nil])
        #expect(items[1].entityTag == EntityTag(Array("\"1-a\"".utf8)))
        #expect(items[0].entityTag == nil)
        #expect(items[1].modified(year: 2026) == 784_111_777)
        #expect(items[1].properties[.checksums]?.text == Array("SHA1:aa MD5:bb".utf8))
    }

    /// What ends early is no listing, wherever it ends: what is not in it is not gone.
    @Test
    func cutOff() throws {
        let whole = Self.listing
        for length in 0..<whole.utf8.count {
            let part = String(decoding: whole.utf8.prefix(length), as: UTF8.self)
            #expect(throws: MultistatusMistake.self, "\(length) bytes") { try parse(part) }
        }
    }

    @Test
    func refused() throws {
        let mistakes: [(String, MultistatusMistake)] = [
            (Self.listing + "<trailing/>", .malformed),
            ("<html><body>Please log in</body></html>", .foreign),
            ("<multistatus><response/></multistatus>", .foreign),
            (#"<m:multistatus xmlns:m="DAV:"><m:response/></m:multistatus>"#, .noReference),
            (
                #"<m:multistatus xmlns:m="DAV:"><m:response><m:href/></m:response></m:multistatus>"#, .noReference
            ),
            (
                #"<m:multistatus xmlns:m="DAV:"><m:response><m:href>/a</m:href><m:href>/b</m:href></m:response></m:multistatus>"#,
                .noReference
            ),
            (
                #"<!DOCTYPE m [<!ENTITY a "aaaaaaaa">]><m:multistatus xmlns:m="DAV:">&a;</m:multistatus>"#,
                .documentType
            ),
            (#"<m:multistatus xmlns:m="DAV:">"# + String(repeating: "<a>", count: 40), .tooDeep),
            (
                #"<m:multistatus xmlns:m="DAV:"><m:response><m:href>"# + String(repeating: "a", count: 70_000),
                .tooLarge
            ),
            (
                #"<m:multistatus xmlns:m="DAV:"><m:response>"# + String(repeating: "<a/>", count: 5_000), .tooLarge
            ),
        ]
        for (text, mistake) in mistakes {
            #expect(throws: mistake, "\(text.prefix(80))") { try parse(text) }
        }
    }

    /// A listing of any length takes the memory of one item.
    @Test
    func endless() throws {
        let parser = try #require(MultistatusParser(wanted: Self.wanted))
        var count = try parser.read(Array(#"<m:multistatus xmlns:m="DAV:">"#.utf8)).count
        let item = Array("<m:response><m:href>/a</m:href><m:status>HTTP/1.1 404 Gone</m:status></m:response>".utf8)
        for _ in 0..<20_000 { count += try parser.read(item).count }
        #expect(count == 20_000)
    }

    @Test
    func changedBytes() throws {
        var random = SeededRandom(for: "MultistatusTests.changedBytes")
        let whole = Array(Self.listing.utf8)
        let known = Set(try parse(Self.listing).map(\.reference))
        for _ in 0..<3_000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let parser = try #require(MultistatusParser(wanted: Self.wanted))
            // Neither a crash nor a hang; most are refused, and the others name something.
            let items = (try? parser.read(bytes)).flatMap { first in (try? parser.finish()).map { first + $0 } }
            for item in items ?? [] where !known.contains(item.reference) { #expect(!item.reference.isEmpty) }
        }
    }
}

extension PropertyName {
    static let checksums = owncloud("checksums")
}

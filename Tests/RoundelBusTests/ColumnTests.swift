import DBus
import RoundelBus
import TestSupport
import Testing

@Suite("Columns, names and URIs on the wire")
struct ColumnTests {
    static let invalidArgs = "org.freedesktop.DBus.Error.InvalidArgs"

    @Test("Columns arrive as they were sent, whatever the names and badges")
    func columns() throws {
        var columns = BadgeColumns()
        columns.append(try ItemName("%FF%0A%20"), .synced, [.pinned, .locked], 0)
        columns.append(try ItemName("a"), .synced, [], 100)
        columns.append(try ItemName("%C3%A4"), Badge("cloud.LOCKED"), BadgeFlags(rawValue: 0x8000_0000), Progress.none)
        columns.append(try ItemName("b"), .none, [], Progress.none)
        let arrived = try Wire.pass({ try $0.append(columns: columns) }, { try $0.readColumns() })
        #expect(arrived == columns)
        let values = try Wire.pass({ try $0.append(values: columns) }, { try $0.readValueColumns() })
        #expect(values == BadgeColumns(badges: columns.badges, flags: columns.flags, progress: columns.progress))
        #expect(try Wire.pass({ try $0.append(columns: BadgeColumns()) }, { try $0.readColumns() }) == BadgeColumns())
    }

    @Test("A column is read as it was sent, whatever names the reader knows and however badges repeat")
    func knownNamesAndRuns() throws {
        var random = SeededRandom(for: "known names")
        for _ in 0..<200 {
            let pool = try (0..<40).map { try ItemName("name-\($0)\(String(repeating: "-", count: $0))") }
            let known = Array(pool.shuffled(using: &random).prefix(Int.random(in: 0...40, using: &random)))
            var sent = BadgeColumns()
            for name in known + pool.shuffled(using: &random) where Int.random(in: 0..<5, using: &random) > 0 {
                sent.append(name, Bool.random(using: &random) ? .synced : Badge("x\(name.encoded)"), [], Progress.none)
            }
            let names = try Wire.pass(
                { try $0.append(names: sent.names) }, { try $0.readItemNames { known } })
            #expect(names == sent.names)
            #expect(try Wire.pass({ try $0.append(columns: sent) }, { try $0.readColumns() }) == sent)
        }
    }

    @Test("Columns of unequal length are read, for the reader to judge; another type is not")
    func unequalColumns() throws {
        let uneven = try Wire.pass(
            { writer in
                try writer.append(strings: ["synced", "error"])
                try writer.append(fixed: [UInt32(1)])
                try writer.append(bytes: [])
            }, { try $0.readValueColumns() })
        #expect(!uneven.hasEqualValueColumns && uneven.count == 2)
        let wrong = errorName {
            _ = try Wire.pass({ try $0.append(fixed: [UInt32(1)]) }, { try $0.readValueColumns() })
        }
        #expect(wrong == Self.invalidArgs)
    }

    @Test("100,000 names, URIs and rows are read, one more is refused with LimitExceeded")
    func limits() throws {
        for (count, refusal) in [
            (Limits.namesPerCall, nil), (Limits.namesPerCall + 1, "org.roundel.Error.LimitExceeded"),
        ] {
            let names = try Wire.message { try $0.append(strings: Array(repeating: "n", count: count)) }
            var reader = names.reader
            #expect(errorName { _ = try reader.readItemNames() } == refusal)
            let uris = try Wire.message { try $0.append(strings: Array(repeating: "file:///n", count: count)) }
            reader = uris.reader
            #expect(errorName { _ = try reader.readItemURIs() } == refusal)
            let badges = try Wire.message { writer in
                try writer.append(strings: Array(repeating: "synced", count: count))
                try writer.append(fixed: [UInt32]())
                try writer.append(bytes: [])
            }
            reader = badges.reader
            #expect(errorName { _ = try reader.readValueColumns() } == refusal)
        }
    }

    @Test(
        "One bad name refuses the whole column with InvalidName", arguments: ["", ".", "..", "a/b", "%2F", "%00", "%2"])
    func badNames(name: String) {
        let error = errorName {
            _ = try Wire.pass({ try $0.append(strings: ["a", name]) }, { try $0.readItemNames() })
        }
        #expect(error == "org.roundel.Error.InvalidName")
    }

    @Test(
        "A bad URI is refused with InvalidUri and a sentence",
        arguments: [
            "", "/home", "http://x/y", "file://host/x", "file:///a/../b", "file:///%2F", "file:///a?q", "file:///%00",
        ]
    )
    func badURIs(text: String) {
        let single = errorName { _ = try Wire.pass({ try $0.append(text) }, { try $0.readItemURI() }) }
        #expect(single == "org.roundel.Error.InvalidUri")
        let several = errorName { _ = try Wire.pass({ try $0.append(strings: [text]) }, { try $0.readItemURIs() }) }
        #expect(several == "org.roundel.Error.InvalidUri")
    }

    @Test("Only what may be absent is read from an empty text")
    func optional() throws {
        #expect(try Wire.pass({ try $0.append("") }, { try $0.readOptionalItemURI() }) == nil)
        #expect(try Wire.pass({ try $0.append("") }, { try $0.readOptionalItemName() }) == nil)
        let uri = try Wire.pass({ try $0.append("file://localhost//a%41/") }, { try $0.readOptionalItemURI() })
        #expect(uri == Wire.uri("/aA"))
        #expect(try Wire.pass({ try $0.append("%41") }, { try $0.readOptionalItemName() })?.encoded == "A")
        let bad = errorName { _ = try Wire.pass({ try $0.append("%") }, { try $0.readOptionalItemName() }) }
        #expect(bad == "org.roundel.Error.InvalidName")
        let relative = errorName { _ = try Wire.pass({ try $0.append("x") }, { try $0.readOptionalItemURI() }) }
        #expect(relative == "org.roundel.Error.InvalidUri")
    }

    @Test("A refusal of a very long text is short")
    func longText() throws {
        let text = "file://" + String(repeating: "x", count: 100_000)
        do {
            _ = try Wire.pass({ try $0.append(text) }, { try $0.readItemURI() })
            Issue.record("it was read")
        } catch let error as DBusError {
            #expect(error.message.utf8.count < 1000)
        }
    }

    @Test("Every error has a name on the bus of its own and is known by it", arguments: RoundelError.Code.allCases)
    func errors(code: RoundelError.Code) {
        let error = DBusError(RoundelError(code, "A sentence."))
        let isStandard = code == .invalidArguments || code == .accessDenied
        let prefix = isStandard ? "org.freedesktop.DBus.Error." : Names.errorPrefix
        #expect(error.name == prefix + code.rawValue)
        #expect(error.message == "A sentence." && error.roundelCode == code)
        #expect(DBusError(name: error.name + "X", message: "").roundelCode == nil)
    }
}

import SyncCore
import Testing

@Suite("Names of conflict copies")
struct ConflictNameTests {
    /// 2026-11-21 08:05:09 UTC.
    private let moment = Moment(instant: .now, unixSeconds: 1_795_248_309)

    private func name(_ text: String, number: Int = 1, at moment: Moment? = nil) throws -> String {
        let original = try #require(EntryName(text))
        return ConflictName.make(for: original, at: moment ?? self.moment, by: "K7QX", number: number).description
    }

    @Test("D7: the mark stands before the extension")
    func mark() throws {
        #expect(try name("report.pdf") == "report (conflict 2026-11-21 080509 K7QX).pdf")
        #expect(try name("Makefile") == "Makefile (conflict 2026-11-21 080509 K7QX)")
        #expect(try name(".bashrc") == ".bashrc (conflict 2026-11-21 080509 K7QX)")
    }

    @Test("Whose version it is stands before the tag, if this computer has a name that fits")
    func computer() throws {
        let original = try #require(EntryName("a.txt"))
        for (computer, author) in [("desk", "desk K7QX"), ("", "K7QX"), (String(repeating: "x", count: 25), "K7QX")] {
            let copy = ConflictName.make(
                for: original, at: moment, by: ConflictName.author(on: computer, tag: "K7QX"))
            #expect(copy.description == "a (conflict 2026-11-21 080509 \(author)).txt")
            #expect(ConflictName.isCopy(copy, of: original))
        }
    }

    @Test("However long the names are, a copy is known as one", arguments: ["K7QX", String(repeating: "d", count: 24)])
    func longest(computer: String) throws {
        for ext in ["", ".t", ".extension_of_16"] {
            for character in ["n", "\u{e9}", "\u{1F600}"] {
                for length in 150...255 {
                    let stem = String(repeating: character, count: length / character.utf8.count)
                    guard let original = EntryName(stem + ext) else { continue }
                    let author = ConflictName.author(on: computer, tag: "K7QX")
                    let copy = ConflictName.make(for: original, at: moment, by: author, number: 999)
                    #expect(copy.bytes.count <= 255 && ConflictName.isCopy(copy, of: original), "\(copy)")
                }
            }
        }
    }

    @Test("a name that is taken is numbered")
    func numbered() throws {
        #expect(try name("a.txt", number: 3) == "a (conflict 2026-11-21 080509 K7QX 3).txt")
    }

    @Test("the time is that of the place")
    func localTime() throws {
        let there = Moment(instant: .now, unixSeconds: 1_795_248_309, utcOffset: -9 * 3600)
        #expect(try name("a", at: there) == "a (conflict 2026-11-20 230509 K7QX)")
        let leapDay = Moment(instant: .now, unixSeconds: 951_782_400)
        #expect(try name("a", at: leapDay) == "a (conflict 2000-02-29 000000 K7QX)")
    }

    @Test("a long name is shortened to 255 bytes between characters")
    func shortened() throws {
        let long = String(repeating: "\u{e9}", count: 125) + ".txt"
        let short = try name(long)
        #expect(short.utf8.count <= 255 && short.utf8.count >= 253)
        #expect(short.hasSuffix("(conflict 2026-11-21 080509 K7QX).txt"))
        #expect(!short.contains("\u{FFFD}"))
    }

    @Test("a long name that is not UTF-8 is shortened by bytes")
    func bytes() throws {
        let original = try #require(EntryName([UInt8](repeating: 0xFF, count: 255)))
        let short = ConflictName.make(for: original, at: moment, by: "K7QX")
        #expect(short.bytes.count == 255)
        #expect(short.bytes.first == 0xFF)
    }

    @Test("a long name is a copy of another one only if it says so", arguments: ["", ".txt"])
    func longCopies(ext: String) throws {
        let original = try #require(EntryName(String(repeating: "n", count: 255 - ext.utf8.count) + ext))
        let copy = ConflictName.make(for: original, at: moment, by: "K7QX")
        #expect(ConflictName.isCopy(copy, of: original))
        #expect(!ConflictName.isCopy(original, of: copy))
        let other = try #require(EntryName(String(repeating: "n", count: 230) + ext))
        #expect(!ConflictName.isCopy(other, of: original))
    }

    @Test("promise 10: what is no name is refused", arguments: ["", ".", "..", "a/b", "a\0b"])
    func refused(text: String) {
        #expect(EntryName(text) == nil)
    }
}

import SyncCore
import Testing

@Suite struct CopyNameTests {
    @Test(
        "A name that is taken is followed by others, with the extension kept",
        arguments: [
            ("a.txt", ["a.txt", "a (copy).txt", "a (copy 2).txt", "a (copy 3).txt"]),
            (".profile", [".profile", ".profile (copy)"]), ("d", ["d", "d (copy)"]),
        ])
    func names(name: String, expected: [String]) throws {
        let own = try #require(EntryName(name))
        for (index, text) in expected.enumerated() {
            #expect("\(CopyName.candidate(for: own, attempt: index + 1))" == text)
        }
    }

    @Test("A long name is shortened, so that the copy has at most 255 bytes")
    func long() throws {
        let name = try #require(EntryName(String(repeating: "ä", count: 125) + ".txt"))
        let copy = CopyName.candidate(for: name, attempt: 12)
        #expect(copy.bytes.count <= 255 && "\(copy)".hasSuffix("ä (copy 11).txt"))
    }
}

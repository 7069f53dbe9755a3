import Support
import Testing

@Suite struct JSONReadingTests {
    private func read(_ text: String) -> JSON? { JSON(parsing: Array(text.utf8)) }

    @Test("Values of each kind are read")
    func values() {
        #expect(
            read(" {\"a\": [1, -2, 18446744073709551615, 1.5, true, null], \"b\": {}} ")?.text
                == "{\"a\":[1,-2,18446744073709551615,1.5,true,null],\"b\":{}}")
        #expect(read("\"\\u00e4\\ud83d\\ude00\\n\\\"\"")?.string == "ä😀\n\"")
        #expect(read("[]") == .array([]))
    }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "\"", "\"\\x\"", "\"\\ud800\"", "01x", "tru", "1 2", "[1", "{\"a\":1,}",
            "\"\n\"",
            "-", "+1", "nul",
        ])
    func refused(text: String) { #expect(read(text) == nil) }

    @Test("Bytes that are not UTF-8, and nesting without end, are refused")
    func hostile() {
        #expect(JSON(parsing: [0x22, 0xFF, 0x22]) == nil)
        #expect(read(String(repeating: "[", count: 100_000)) == nil)
        #expect(read(String(repeating: "[", count: 60) + String(repeating: "]", count: 60)) != nil)
    }

    @Test("Counts are whole and never negative")
    func counts() {
        #expect(read("[-1, 2.9, 7, \"x\"]")?.values.map(\.count) == [0, 2, 7, 0])
        #expect(read("{\"a\": 1}")?["b"].integer == nil)
    }
}

import Testing
import WebDAV

struct EntityTagTests {
    @Test
    func forms() {
        let strong = EntityTag(Array("\"abc\"".utf8))
        #expect(strong?.text == "\"abc\"")
        #expect(strong?.isWeak == false)
        // As a property of some servers.
        #expect(EntityTag(Array(" abc\n".utf8)) == strong)
        let weak = EntityTag(Array("W/\"abc\"".utf8))
        #expect(weak?.isWeak == true)
        #expect(weak?.text == "W/\"abc\"")
        #expect(weak != strong)
    }

    /// What would end the header that it is sent back in is no tag.
    @Test(arguments: [
        "", "\"\"", "  ", "a\"b", "a\r\nX: y", "a b", "\u{7F}", "\u{1}", String(repeating: "a", count: 2_000),
    ])
    func refused(_ text: String) {
        #expect(EntityTag(Array(text.utf8)) == nil)
    }
}

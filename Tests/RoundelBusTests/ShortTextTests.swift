import Testing

@testable import RoundelBus

@Suite("Texts that are cut")
struct ShortTextTests {
    @Test("A text with as many characters as allowed stays; of a longer one the beginning is kept")
    func characters() {
        #expect("".shortened(to: 3).isEmpty)
        #expect("abc".shortened(to: 3) == "abc")
        #expect("äöü".shortened(to: 3) == "äöü")
        #expect("abcd".shortened(to: 3) == "ab…")
        #expect("äöüß".shortened(to: 3) == "äö…")
        let faces = String(repeating: "\u{1F600}", count: 10)
        #expect(faces.shortened(to: 10) == faces)
        #expect((faces + "x").shortened(to: 10) == faces.dropLast() + "…")
    }

    @Test("A character may have any number of bytes, but a text has at most four for each that is allowed")
    func bytes() {
        let marks = { (count: Int) in "e" + String(repeating: "\u{301}", count: count) }
        #expect(marks(1000).shortened(to: 10) == "…")
        // 17 bytes each.
        let wide = marks(8)
        #expect((wide + wide).shortened(to: 10) == wide + wide)
        #expect((wide + wide + wide).shortened(to: 10) == wide + wide + "…")
        for count in 1...60 {
            let text = String(repeating: marks(count % 7), count: count)
            let short = text.shortened(to: 10)
            #expect(short.count <= 10 && short.utf8.count <= 40)
            #expect(text.hasPrefix(short.hasSuffix("…") ? String(short.dropLast()) : short))
        }
    }
}

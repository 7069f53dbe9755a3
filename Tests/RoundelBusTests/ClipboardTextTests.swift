import RoundelBus
import Testing

@Suite("Texts for the clipboard")
struct ClipboardTextTests {
    @Test("E7: one line of 1 to 8,192 bytes is taken as it is", arguments: ["a", "https://x.org/s/\u{E4}?a=b c"])
    func good(text: String) {
        #expect(ClipboardText(text)?.text == text)
    }

    @Test(
        "E7: a text that is empty or has control characters or ends of lines is refused",
        arguments: ["", "a\nb", "a\r", "\u{1B}[0m", "\u{7F}", "a\u{85}", "a\u{2028}b", "a\u{2029}b", "a\0b"])
    func bad(text: String) {
        #expect(ClipboardText(text) == nil)
    }

    @Test("E7: the size is that in bytes, not in characters")
    func size() {
        #expect(ClipboardText(String(repeating: "\u{E4}", count: ClipboardText.largest / 2)) != nil)
        #expect(ClipboardText(String(repeating: "\u{E4}", count: ClipboardText.largest / 2) + "a") == nil)
    }
}

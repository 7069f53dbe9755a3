import SyncCore
import Testing

@Suite("Explanations in a database") struct ExplanationTests {
    @Test("Each code, with and without a side and arguments of any characters, comes back as it was")
    func roundTrip() {
        let arguments = [[], [""], ["a/b"], ["a\tb", "\\t\\", "@x local", "\n“é”\u{202E}"]]
        for code in Explanation.Code.allCases where code != .nothing && code != .text {
            for side in [nil, Side.local, Side.remote] {
                for list in arguments {
                    let said = Explanation(code, side, list)
                    #expect(Explanation(stored: said.stored) == said, "\(said.stored)")
                }
            }
        }
    }

    @Test("Nothing is an empty text")
    func nothing() {
        #expect(Explanation.nothing.stored.isEmpty && Explanation(stored: "") == .nothing)
    }

    @Test(
        "A text of an earlier version, or one that is not understood, is shown as it is and stays as it is",
        arguments: [
            "“a” is not there any more here.", "@", "@unknown-code local\ta", "@gone nowhere\ta", "@gone local x\ta",
            "x",
        ])
    func foreign(text: String) {
        let said = Explanation(stored: text)
        #expect(said == Explanation(.text, nil, text))
        #expect(Explanation(stored: said.stored) == said)
    }
}

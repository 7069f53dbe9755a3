import SyncCore
import Testing

@Suite("Explanations in a database") struct ExplanationTests {
    @Test("Each code, with and without a side and arguments of any characters, comes back as it was")
    func roundTrip() {
        let arguments = [[], [""], ["a/b"], ["a\tb", "\\t\\", "@x local", "\n“é”\u{202E}"]]
        let foreign = Explanation.ForeignCode("gone", of: "x")
        for side in [nil, Side.local, Side.remote] {
            for list in arguments {
                for code in Explanation.Code.allCases where code != .nothing && code != .text {
                    let said = Explanation(code, side, list)
                    #expect(Explanation(stored: said.stored) == said, "\(said.stored)")
                }
                let said = Explanation(foreign, side, list)
                let read = Explanation(stored: said.stored)
                #expect(read == said && read.foreignCode == foreign && read.code == nil, "\(said.stored)")
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
            "x", "@server-unreachable remote\thttps://x/",
        ])
    func foreign(text: String) {
        let said = Explanation(stored: text)
        #expect(said == Explanation(.text, nil, text))
        #expect(Explanation(stored: said.stored) == said)
    }
}

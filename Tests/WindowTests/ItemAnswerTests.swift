import RoundelBus
import Testing

@testable import WindowModel

@Suite struct ItemAnswerTests {
    private static func answer(_ badge: CommonBadge?, _ reason: String? = nil) throws -> ItemAnswer {
        ItemAnswer(try ItemURI("file:///f/draft.tmp"), state: badge?.badge ?? Badge.none, reason: reason)
    }

    @Test func theReasonIsGivenWithoutCommandsForATerminal() throws {
        let answer = try Self.answer(.error, "The server has no room. To try again: roundel sync")
        #expect(answer.title == "draft.tmp: Error" && answer.text == "The server has no room.")
        #expect(try answer.isListed && !Self.answer(.excluded).isListed)
    }

    @Test func aStateWithoutAReasonIsExplained() throws {
        for badge in CommonBadge.allCases { #expect(try !Self.answer(badge).text.isEmpty, "\(badge)") }
        // A reason that is nothing but a command says nothing here.
        #expect(try Self.answer(.excluded, "roundel exclude") == Self.answer(.excluded))
    }

    @Test func whatIsNotKnownIsNotSaidToBeSynced() throws {
        let answer = try Self.answer(nil)
        #expect(!answer.isListed && answer.title == "draft.tmp" && answer.text == "Nothing is known of it yet.")
    }
}

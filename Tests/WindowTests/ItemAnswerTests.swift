import RoundelBus
import Testing

@testable import WindowModel

@Suite struct ItemAnswerTests {
    private static func answer(_ badge: CommonBadge?, _ reason: String? = nil) throws -> ItemAnswer {
        ItemAnswer(try ItemURI("file:///f/draft.tmp"), state: badge?.badge ?? Badge.none, reason: reason)
    }

    @Test func theReasonIsGiven() throws {
        let answer = try Self.answer(.error, "The server has no room.")
        #expect(answer.title == "draft.tmp: Error" && answer.text == "The server has no room.")
        #expect(try answer.isListed && !Self.answer(.excluded).isListed)
    }

    @Test func aStateWithoutAReasonIsExplained() throws {
        for badge in CommonBadge.allCases { #expect(try !Self.answer(badge).text.isEmpty, "\(badge)") }
    }

    @Test func whatIsNotKnownIsNotSaidToBeSynced() throws {
        let answer = try Self.answer(nil)
        #expect(!answer.isListed && answer.title == "draft.tmp" && answer.text == "Nothing is known of it yet.")
    }
}

import Dispatch
import SyncCore
import Synchronization
import Testing

@testable import Support
@testable import SyncEngine

@Suite("Sides that do not answer") struct OpenQuestionTests {
    private let start = SuspendingClock.now

    /// So many seconds later, as the limits count them.
    private func after(_ seconds: Int) -> OpenQuestions.Instant {
        start.advanced(by: Patience.limit(.seconds(seconds)))
    }

    @Test(
        "A question is overdue when its kind's time is over, and no more once it is answered",
        arguments: OpenQuestions.Kind.allCases)
    func patience(kind: OpenQuestions.Kind) {
        var questions = OpenQuestions()
        let number = questions.ask(.remote, kind, at: start)
        #expect(questions.silentSide(at: start.advanced(by: kind.patience - .milliseconds(1))) == nil)
        #expect(questions.silentSide(at: start.advanced(by: kind.patience)) == .remote)
        questions.end(number, at: after(1000))
        #expect(questions.silentSide(at: after(2000)) == nil)
    }

    @Test("Work that goes back and forth is waited for on the side that it asked last, from then on")
    func turns() {
        var questions = OpenQuestions()
        let number = questions.ask(.local, .part, at: start)
        questions.turn(number, to: .remote, .part, at: after(10))
        #expect(questions.silentSide(at: after(20)) == nil)
        #expect(questions.silentSide(at: after(25)) == .remote)
        questions.turn(number, to: .local, .part, at: after(26))
        #expect(questions.silentSide(at: after(40)) == nil)
        #expect(questions.silentSide(at: after(41)) == .local)
    }

    @Test("A side that answers others is busy for whoever moves bytes, and yet silent for whoever looks")
    func busy() {
        var questions = OpenQuestions()
        _ = questions.ask(.remote, .part, at: start)
        let other = questions.ask(.remote, .part, at: after(1))
        questions.turn(other, to: .remote, .part, at: after(14))
        #expect(questions.silentSide(at: after(28)) == nil)
        #expect(questions.silentSide(at: after(29)) == .remote)
        questions.end(other, at: after(30))
        _ = questions.ask(.local, .look, at: after(30))
        let look = questions.ask(.local, .look, at: after(31))
        questions.end(look, at: after(37))
        #expect(questions.silentSide(at: after(38)) == .local)
    }

    @Test("A side that ends its calls by itself is slow, but never silent")
    func unwatched() {
        var questions = OpenQuestions(of: [.local])
        _ = questions.ask(.remote, .look, at: start)
        #expect(questions.silentSide(at: after(1_000)) == nil)
        _ = questions.ask(.local, .look, at: after(1_000))
        #expect(questions.silentSide(at: after(1_008)) == .local)
    }

    @Test("Of two silent sides the one is named that owes an answer longest")
    func longest() {
        var questions = OpenQuestions()
        _ = questions.ask(.remote, .look, at: after(1))
        _ = questions.ask(.local, .look, at: start)
        #expect(questions.silentSide(at: after(100)) == .local)
    }
}

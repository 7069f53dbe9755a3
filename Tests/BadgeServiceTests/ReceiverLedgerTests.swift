import Testing

@testable import BadgeService

@Suite struct ReceiverLedgerTests {
    @Test func aReceiverThatReadsIsNeverBehind() {
        var ledger = ReceiverLedger()
        for _ in 0..<1000 {
            let advice = ledger.willSend(10_000, to: ":1.1")
            #expect(advice == .send || advice == .sendAndPing)
            if advice == .sendAndPing { _ = ledger.answered(":1.1") }
            let other = ledger.willSend(1, to: ":1.2")
            #expect(other == .send)
        }
    }

    @Test func oneThatDoesNotReadFallsBehindOnceAndComesBackWhenItHasRead() {
        var ledger = ReceiverLedger()
        var advice: [ReceiverLedger.Advice] = []
        for _ in 0..<200 { advice.append(ledger.willSend(10_000, to: ":1.1")) }
        #expect(advice.filter { $0 == .sendAndPing }.count == 1)
        #expect(advice.filter { $0 == .fellBehind }.count == 1)
        let sent = advice.prefix { $0 != .fellBehind }.count * 10_000
        #expect(sent > ReceiverLedger.limit + 10_000 && sent <= ReceiverLedger.limit + 20_000)
        #expect(advice.last == .drop)
        // What was sent after the first ping is more than may go without one.
        let answers = [ledger.answered(":1.1"), ledger.answered(":1.1")]
        #expect(answers == [true, false])
        let next = ledger.willSend(10_000, to: ":1.1")
        #expect(next == .send)
    }

    @Test func whoReadsOneHugeSignalIsNotBehindUntilMoreThanTheLimitWaitsForIt() {
        var ledger = ReceiverLedger()
        let advice = [5 << 20, 1, ReceiverLedger.limit, 1].map { ledger.willSend($0, to: ":1.1") }
        #expect(advice == [.sendAndPing, .send, .send, .fellBehind])
        let isPingDue = ledger.answered(":1.1")
        #expect(isPingDue)
        let next = [ReceiverLedger.limit, 1].map { ledger.willSend($0, to: ":1.1") }
        #expect(next == [.send, .fellBehind])
    }
}

import BadgeEngine
import RoundelBus
import Testing

@testable import BadgeService

@Suite struct QuestionLedgerTests {
    private var last: UInt64 = 0

    private mutating func question(_ connection: String, _ request: ProviderRequest? = nil) -> ProviderQuestion {
        last += 1
        return ProviderQuestion(
            token: RequestToken(last), provider: ProviderEndpoint(connection: connection, object: "/p"),
            request: request ?? .getMenu(kind: .items, target: nil, selection: []))
    }

    private static let action = ProviderRequest.activate(
        item: "x", target: nil, selection: [], ActivationOptions())

    @Test mutating func moreThanTheWindowWaitInOrderAndThoseThatNobodyWantsAreDropped() {
        var ledger = QuestionLedger()
        for _ in 0..<QuestionLedger.window { #expect(ledger.admit(question("a")) { _ in true } == .send) }
        let waiting = (0..<4).map { _ in question("a") }
        for question in waiting { #expect(ledger.admit(question) { _ in true } == .wait) }
        #expect(ledger.admit(question("b")) { _ in true } == .send)
        let unwanted = waiting[1].token
        #expect(ledger.answered("a") { $0 != unwanted }?.token == waiting[0].token)
        #expect(ledger.answered("a") { $0 != unwanted }?.token == waiting[2].token)
        #expect(ledger.answered("a") { _ in false } == nil)
        #expect(ledger.admit(question("a")) { _ in true } == .send)
    }

    @Test mutating func theQueueIsLimitedAndGivesWayToWhatIsWanted() {
        var ledger = QuestionLedger()
        for _ in 0..<QuestionLedger.window { _ = ledger.admit(question("a")) { _ in true } }
        for _ in 0..<QuestionLedger.queue { #expect(ledger.admit(question("a")) { _ in true } == .wait) }
        #expect(ledger.admit(question("a")) { _ in true } == .refuse)
        #expect(ledger.admit(question("a")) { _ in false } == .wait)
    }

    @Test mutating func actionsNeverWait() {
        var ledger = QuestionLedger()
        for _ in 0..<QuestionLedger.window { _ = ledger.admit(question("a")) { _ in true } }
        var sent = 0
        while ledger.admit(question("a", Self.action), isWanted: { _ in true }) == .send { sent += 1 }
        #expect(sent == QuestionLedger.ceiling - QuestionLedger.window)
        #expect(ledger.admit(question("a", Self.action)) { _ in true } == .refuse)
    }

    @Test mutating func manyProvidersTogetherLeaveRoomForOneMore() {
        var ledger = QuestionLedger()
        var open = 0
        for provider in 0..<1000 {
            for _ in 0..<QuestionLedger.ceiling
            where ledger.admit(question("p\(provider)", Self.action), isWanted: { _ in true }) == .send {
                open += 1
            }
        }
        // The bus holds 50,000 for one connection.
        #expect(open <= QuestionLedger.total + 1000 * QuestionLedger.share)
        #expect(ledger.admit(question("new")) { _ in true } == .send)
    }

    @Test mutating func randomQuestionsAndAnswersAddUp() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var state = seed
        func random(_ limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        var ledger = QuestionLedger()
        var open: [String: Int] = [:]
        var waiting: [String: [RequestToken]] = [:]
        for _ in 0..<20_000 {
            let connection = "c\(random(3))"
            if random(100) < 55 {
                let asked = question(connection)
                switch ledger.admit(asked, isWanted: { _ in true }) {
                case .send: open[connection, default: 0] += 1
                case .wait: waiting[connection, default: []].append(asked.token)
                case .refuse: #expect(waiting[connection]?.count == QuestionLedger.queue, "seed \(seed)")
                }
            } else if open[connection, default: 0] > 0 {
                let next = ledger.answered(connection) { _ in true }
                if next == nil { open[connection, default: 0] -= 1 }
                #expect(next?.token == waiting[connection]?.first, "seed \(seed)")
                if next != nil { waiting[connection]?.removeFirst() }
            }
            #expect(open[connection, default: 0] <= QuestionLedger.window, "seed \(seed)")
        }
    }
}

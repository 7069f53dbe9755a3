import BadgeEngine
import RoundelBus
import Testing

@testable import BadgeService

@Suite struct QuestionLedgerTests {
    private var last: UInt64 = 0

    /// - Parameter host: nil: another one than all that were before.
    private mutating func question(
        _ connection: String, _ request: ProviderRequest? = nil, for host: String? = nil
    ) -> ProviderQuestion {
        last += 1
        return ProviderQuestion(
            token: RequestToken(last), provider: ProviderEndpoint(connection: connection, object: "/p"),
            asker: host ?? "h\(last)", request: request ?? .getMenu(kind: .items, target: nil, selection: []))
    }

    private static let action = ProviderRequest.activate(
        item: "x", target: nil, selection: [], ActivationOptions())

    @Test mutating func moreThanTheWindowWaitInOrderAndThoseThatNobodyWantsAreDropped() {
        var ledger = QuestionLedger()
        for _ in 0..<QuestionLedger.window { #expect(ledger.admit(question("a")) { _ in true } == .send) }
        let sent = question("a", for: "h1")
        let waiting = (0..<4).map { _ in question("a", for: "other") }
        for question in waiting { #expect(ledger.admit(question) { _ in true } == .wait) }
        #expect(ledger.admit(question("b")) { _ in true } == .send)
        let unwanted = waiting[1].token
        #expect(ledger.answered(sent) { $0 != unwanted }?.token == waiting[0].token)
        #expect(ledger.answered(sent) { $0 != unwanted }?.token == waiting[2].token)
        #expect(ledger.answered(sent) { _ in false } == nil)
        #expect(ledger.admit(question("a")) { _ in true } == .send)
    }

    @Test mutating func theQueueIsLimitedAndGivesWayToWhatIsWanted() {
        var ledger = QuestionLedger()
        for _ in 0..<QuestionLedger.window { _ = ledger.admit(question("a")) { _ in true } }
        for _ in 0..<QuestionLedger.queue { #expect(ledger.admit(question("a")) { _ in true } == .wait) }
        for number in 1...QuestionLedger.share + 1 {
            let late = question("a", for: "late")
            #expect(ledger.admit(late) { _ in true } == (number > QuestionLedger.share ? .refuse : .wait))
        }
        #expect(ledger.admit(question("a", for: "late")) { _ in false } == .wait)
    }

    @Test mutating func aFullQueueIsNotSearchedForEachFurtherQuestion() {
        var ledger = QuestionLedger()
        for _ in 0..<QuestionLedger.window { _ = ledger.admit(question("a")) { _ in true } }
        for _ in 0..<QuestionLedger.queue { _ = ledger.admit(question("a", for: "h\(last % 40)")) { _ in true } }
        var examined = 0
        for number in 0..<1000 {
            _ = ledger.admit(question("a", for: "late\(number % 10)")) { _ in
                examined += 1
                return true
            }
        }
        #expect(examined <= 1000 * 2 * QuestionLedger.sweep)
        // All are examined in turn, so that nothing unwanted stays.
        let unwanted = (1...last).filter { $0 % 7 == 0 }.count
        var rounds = 0
        while rounds < 200,
            ledger.admit(question("a", for: "new\(rounds)"), isWanted: { $0.rawValue % 7 != 0 }) != .refuse
        {
            rounds += 1
        }
        #expect(rounds >= 100 && unwanted > 100)
    }

    @Test mutating func aHostThatAsksWithoutEndWaitsBehindItselfAlone() {
        var ledger = QuestionLedger()
        var asked: [ProviderQuestion] = []
        var refused = 0
        for _ in 0..<2000 {
            let flood = question("a", for: "flood")
            switch ledger.admit(flood, isWanted: { _ in true }) {
            case .send: asked.append(flood)
            case .wait: break
            case .refuse: refused += 1
            }
        }
        #expect(asked.count == QuestionLedger.windowOfHost)
        #expect(refused == 2000 - QuestionLedger.windowOfHost - QuestionLedger.queueOfHost)
        // The others fill the rest of the window; what is more has its turns beside the flood's.
        let others = (0..<QuestionLedger.window).map { question("a", for: "other\($0 % 10)") }
        let ways = others.map { ledger.admit($0) { _ in true } }
        #expect(ways.count { $0 == .send } == QuestionLedger.window - QuestionLedger.windowOfHost)
        #expect(!ways.contains(.refuse))
        var answered = 0
        var ofFlood = 0
        asked += zip(others, ways).filter { $1 == .send }.map(\.0)
        while answered < asked.count {
            let next = ledger.answered(asked[answered]) { _ in true }
            answered += 1
            guard let next else { continue }
            asked.append(next)
            if next.asker == "flood" { ofFlood += 1 }
            if asked.count(where: { $0.asker != "flood" }) == others.count { break }
        }
        #expect(asked.count(where: { $0.asker != "flood" }) == others.count)
        #expect(ofFlood <= 32, "the others waited for \(ofFlood) more of the flood's")
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
        var sent: [String: [ProviderQuestion]] = [:]
        for _ in 0..<20_000 {
            let connection = "c\(random(3))"
            if random(100) < 55 {
                let asked = question(connection, for: "h\(random(12))")
                switch ledger.admit(asked, isWanted: { _ in true }) {
                case .send:
                    open[connection, default: 0] += 1
                    sent[connection, default: []].append(asked)
                case .wait: waiting[connection, default: []].append(asked.token)
                case .refuse: #expect(waiting[connection]?.count ?? 0 >= QuestionLedger.queueOfHost, "seed \(seed)")
                }
            } else if open[connection, default: 0] > 0 {
                let position = random(UInt64(sent[connection]?.count ?? 1))
                guard let question = sent[connection]?.remove(at: position) else { continue }
                guard let next = ledger.answered(question, isWanted: { _ in true }) else {
                    open[connection, default: 0] -= 1
                    continue
                }
                let place = waiting[connection]?.firstIndex(of: next.token)
                #expect(place != nil, "seed \(seed)")
                if let place { waiting[connection]?.remove(at: place) }
                sent[connection]?.append(next)
            }
            let ofHosts = Dictionary(grouping: sent[connection] ?? [], by: \.asker).values.map(\.count)
            #expect(ofHosts.allSatisfy { $0 <= QuestionLedger.windowOfHost }, "seed \(seed)")
            #expect(open[connection, default: 0] <= QuestionLedger.window, "seed \(seed)")
        }
    }
}

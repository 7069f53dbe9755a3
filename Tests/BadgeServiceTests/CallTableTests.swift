import BadgeEngine
import RoundelBus
import Testing

@testable import BadgeService

@Suite struct CallTableTests {
    private var table = CallTable()

    private mutating func insert(of host: String) -> CallToken? { table.insert(.local { _ in }, of: host) }

    private mutating func remove(_ token: CallToken) -> Bool { table.remove(token) != nil }

    @Test mutating func aHostHasSoManyCallsThatWait() {
        // The first of all is not counted: nothing else waits.
        var tokens = (0...Limits.callsPerCaller).compactMap { _ in insert(of: "a") }
        #expect(tokens.count == Limits.callsPerCaller + 1)
        let refused = insert(of: "a")
        let other = insert(of: "b")
        #expect(refused == nil && other != nil)
        // Calls of providers are not counted.
        _ = table.insert(.local { _ in })
        let last = tokens.removeLast()
        let isRemoved = remove(last)
        let isRemovedAgain = remove(last)
        #expect(isRemoved && !isRemovedAgain)
        let next = [insert(of: "a"), insert(of: "a")].map { $0 != nil }
        #expect(next == [true, false])
        for token in tokens { _ = remove(token) }
        let more = (1..<Limits.callsPerCaller).compactMap { _ in insert(of: "a") }
        #expect(more.count == Limits.callsPerCaller - 1)
    }
}

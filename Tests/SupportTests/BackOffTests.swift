import Support
import Testing

@Suite struct BackOffTests {
    private let second: UInt64 = 1_000_000_000

    @Test func theDelayDoublesUpToFiveMinutes() {
        var backOff = BackOff()
        var delays: [UInt64] = []
        for _ in 0..<11 { delays.append(backOff.stopped(at: 0) / second) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    }

    @Test func aProviderThatLivedForAMinuteBeginsAnew() {
        var backOff = BackOff()
        for _ in 0..<5 { _ = backOff.stopped(at: 0) }
        backOff.started(at: 100 * second)
        #expect(backOff.stopped(at: 120 * second) == 152 * second)
        backOff.started(at: 200 * second)
        #expect(backOff.stopped(at: 260 * second) == 261 * second)
    }
}

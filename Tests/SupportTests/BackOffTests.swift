import Support
import Testing

@Suite struct BackOffTests {
    private let start = Instant(nanoseconds: 1_000_000_000)
    /// A second, or what stands for it.
    private let second = Patience.Restart.first

    @Test func theDelayDoublesUpToFiveMinutes() {
        var backOff = BackOff()
        var delays: [Duration] = []
        for _ in 0..<11 { delays.append(start.duration(to: backOff.stopped(at: start))) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { second * $0 })
    }

    @Test func aProviderThatLivedForAMinuteBeginsAnew() {
        var backOff = BackOff()
        for _ in 0..<5 { _ = backOff.stopped(at: start) }
        backOff.started(at: start + second * 100)
        #expect(backOff.stopped(at: start + second * 120) == start + second * 152)
        backOff.started(at: start + second * 200)
        #expect(backOff.stopped(at: start + second * 260) == start + second * 261)
    }
}

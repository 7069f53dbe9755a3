import Support
import Testing

@Suite struct BackOffTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test func theDelayDoublesUpToFiveMinutes() {
        var backOff = BackOff()
        var delays: [Duration] = []
        for _ in 0..<11 { delays.append(start.duration(to: backOff.stopped(at: start))) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
    }

    @Test func aProviderThatLivedForAMinuteBeginsAnew() {
        var backOff = BackOff()
        for _ in 0..<5 { _ = backOff.stopped(at: start) }
        backOff.started(at: start + .seconds(100))
        #expect(backOff.stopped(at: start + .seconds(120)) == start + .seconds(152))
        backOff.started(at: start + .seconds(200))
        #expect(backOff.stopped(at: start + .seconds(260)) == start + .seconds(261))
    }
}

import Support
import Testing

@testable import SyncService

@Suite("How fast the bytes of a folder move")
struct TransferRateTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)
    private static func after(_ milliseconds: Int) -> Instant { start + .milliseconds(milliseconds) }

    /// Bytes done, every so many milliseconds.
    private func rate(_ done: [UInt64], every milliseconds: Int) -> TransferRate {
        var rate = TransferRate()
        for (number, bytes) in done.enumerated() { rate.note(done: bytes, at: Self.after(number * milliseconds)) }
        return rate
    }

    @Test("a steady transfer has its rate, from the second second on")
    func steady() {
        let rate = rate((0...20).map { $0 * 1_000 }, every: 100)
        #expect(rate.rate(at: Self.after(2_000)) == 10_000)
        #expect(self.rate([0, 500], every: 100).rate(at: Self.after(100)) == nil)
        #expect(TransferRate().rate(at: Self.start) == nil)
    }

    @Test("other work, of which less is done, goes on at the rate")
    func otherWork() {
        let rate = rate([0, 1_000, 2_000, 0, 1_000, 2_000], every: 1_000)
        #expect(rate.rate(at: Self.after(5_000)) == 800)
    }

    @Test("what stands still becomes slower, and has no rate in the end")
    func stalled() {
        let rate = rate([0, 1_000, 2_000], every: 1_000)
        #expect(rate.rate(at: Self.after(2_000)) == 1_000)
        #expect(rate.rate(at: Self.after(4_000)) == 500)
        #expect(rate.rate(at: Self.after(60_000)) == nil)
    }

    @Test("a rest says nothing about what follows")
    func rested() {
        var rate = rate([0, 1_000], every: 1_000)
        for number: UInt64 in 0...4 {
            rate.note(done: 1_000 + number * 1_000, at: Self.after(100_000 + Int(number) * 500))
        }
        #expect(rate.rate(at: Self.after(102_000)) == 2_000)
    }

    @Test("the last seconds count alone")
    func recent() {
        var rate = rate((0...60).map { $0 * 1_000 }, every: 1_000)
        #expect(rate.rate(at: Self.after(60_000)) == 1_000)
        for number: UInt64 in 1...40 {
            rate.note(done: 60_000 + number * 10, at: Self.after(60_000 + Int(number) * 1_000))
        }
        #expect(rate.rate(at: Self.after(100_000)) == 10)
    }

    @Test("the largest and smallest numbers are no matter")
    func extremes() {
        var rate = TransferRate()
        rate.note(done: 0, at: Self.start)
        rate.note(done: .max, at: Self.after(1_000))
        rate.note(done: 0, at: Self.after(1_500))
        rate.note(done: .max, at: Self.after(2_000))
        _ = rate.rate(at: Self.after(2_000))
        rate.note(done: 5, at: Instant(nanoseconds: 1))
        _ = rate.rate(at: Instant(nanoseconds: 0))
        _ = rate.rate(at: .max)
        #expect(TransferRate.remaining(.max, at: 1) == .max)
        #expect(TransferRate.remaining(10, at: 3) == 4 && TransferRate.remaining(0, at: 3) == 0)
        #expect(TransferRate.remaining(1, at: 0) == .max)
    }
}

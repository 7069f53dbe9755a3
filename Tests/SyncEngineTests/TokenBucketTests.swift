import Support
import SyncEngine
import TestSupport
import Testing

@Suite("Bytes that may pass, so many in a second")
struct TokenBucketTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)
    private static func after(_ milliseconds: Int) -> Instant { start + .milliseconds(milliseconds) }

    @Test("What was saved passes at once, the rest as fast as the rate is, in the order of the tickets")
    func steady() {
        var bucket = TokenBucket(rate: 1_000, at: Self.start)
        let first = bucket.take(250, at: Self.start)
        let second = bucket.take(500, at: Self.start)
        let third = bucket.take(1, at: Self.start)
        #expect(bucket.wait(for: first, at: Self.start) == .zero)
        #expect(bucket.wait(for: second, at: Self.start) == .milliseconds(500))
        #expect(bucket.wait(for: third, at: Self.start) == .milliseconds(501))
        #expect(bucket.wait(for: second, at: Self.after(499)) == .milliseconds(1))
        #expect(bucket.wait(for: second, at: Self.after(500)) == .zero)
        #expect(bucket.wait(for: third, at: Self.after(500)) == .milliseconds(1))
    }

    @Test("A rest saves a quarter of a second, however long it is")
    func rested() {
        var bucket = TokenBucket(rate: 1_000, at: Self.start)
        _ = bucket.take(250, at: Self.start)
        let ticket = bucket.take(1_000, at: Self.after(3_600_000))
        #expect(bucket.wait(for: ticket, at: Self.after(3_600_000)) == .milliseconds(750))
    }

    @Test("Another rate counts for those who wait, and without one nobody does")
    func changed() {
        var bucket = TokenBucket(rate: 1_000, at: Self.start)
        let ticket = bucket.take(10_250, at: Self.start)
        #expect(bucket.wait(for: ticket, at: Self.start) == .seconds(10))
        bucket.setRate(100_000, at: Self.start)
        #expect(bucket.wait(for: ticket, at: Self.start) == .milliseconds(100))
        bucket.setRate(nil, at: Self.after(50))
        #expect(bucket.wait(for: ticket, at: Self.after(50)) == .zero)
        bucket.setRate(1_000, at: Self.after(60))
        let next = bucket.take(1_000, at: Self.after(60))
        #expect(bucket.wait(for: next, at: Self.after(60)) >= .milliseconds(750))
    }

    @Test("What is given back lets those behind it go sooner")
    func givenBack() {
        var bucket = TokenBucket(rate: 1_000, at: Self.start)
        let large = bucket.take(1_000_000, at: Self.start)
        let small = bucket.take(1_000, at: Self.start)
        #expect(bucket.wait(for: small, at: Self.start) > .seconds(1_000))
        bucket.giveBack(large)
        #expect(bucket.wait(for: small, at: Self.start) == .milliseconds(750))
        for _ in 0..<100 { bucket.giveBack(bucket.take(1_000, at: Self.start)) }
        let next = bucket.take(250, at: Self.start)
        #expect(bucket.wait(for: next, at: Self.start) >= .milliseconds(750), "giving back saves nothing")
    }

    @Test("The largest and smallest numbers are no matter")
    func extremes() {
        var bucket = TokenBucket(rate: .max, at: Instant(nanoseconds: 0))
        _ = bucket.wait(for: bucket.take(.max, at: .max), at: Instant(nanoseconds: 0))
        bucket.setRate(1, at: Instant(nanoseconds: 0))
        let ticket = bucket.take(.max, at: Instant(nanoseconds: 5))
        #expect(bucket.wait(for: ticket, at: Instant(nanoseconds: 5)) > .seconds(1))
        for _ in 0..<100 { _ = bucket.take(.max, at: .max) }
        _ = bucket.wait(for: ticket, at: .max)
        bucket.setRate(nil, at: .max)
        #expect(bucket.wait(for: ticket, at: .max) == .zero)
    }

    /// Every ticket is tried again and again while time goes on and rates change, and passes when it may.
    @Test("Never more passes than the rates allow, and nobody waits longer than needed, whatever comes")
    func random() {
        var random = SeededRandom(for: "TokenBucketTests")
        for _ in 0..<200 {
            var now = Self.start
            var rate = UInt64.random(in: 1...100_000, using: &random)
            var bucket = TokenBucket(rate: rate, at: now)
            // Byte-nanoseconds, counted apart from the bucket.
            var (allowed, passed, largest) = (Int128(0), Int128(0), rate)
            var waiting: [(ticket: TokenBucket.Ticket, bytes: Int)] = []
            for _ in 0..<100 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    rate = UInt64.random(in: 1...100_000, using: &random)
                    largest = max(largest, rate)
                    bucket.setRate(rate, at: now)
                case 1...5:
                    let bytes = Int.random(in: 0...50_000, using: &random)
                    waiting.append((bucket.take(bytes, at: now), bytes))
                case _:
                    let pause = UInt64.random(in: 0...500_000_000, using: &random)
                    now = now + .nanoseconds(Int64(pause))
                    allowed += Int128(rate) * Int128(pause)
                }
                while let first = waiting.first, bucket.wait(for: first.ticket, at: now) == .zero {
                    passed += Int128(first.bytes) * 1_000_000_000
                    waiting.removeFirst()
                }
                #expect(passed <= allowed + Int128(largest) * 250_000_000, "seed \(random.seed)")
                guard let first = waiting.first else { continue }
                let wait = bucket.wait(for: first.ticket, at: now)
                var ahead = bucket
                #expect(ahead.wait(for: first.ticket, at: now + wait - .nanoseconds(1)) > .zero, "seed \(random.seed)")
                #expect(ahead.wait(for: first.ticket, at: now + wait) == .zero, "seed \(random.seed)")
            }
        }
    }
}

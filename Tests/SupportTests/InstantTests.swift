import Testing

@testable import Support

@Suite struct InstantTests {
    @Test func timesAreCountedInNanosecondsAndEndWhereTheirNumbersEnd() {
        let time = Instant(nanoseconds: 5_000_000_000)
        #expect((time + .milliseconds(50)).nanoseconds == 5_050_000_000)
        #expect((time - .seconds(2)).nanoseconds == 3_000_000_000)
        #expect((time - .seconds(6)).nanoseconds == 0)
        #expect((time + .seconds(Int64.max)).nanoseconds == .max)
        #expect(time.duration(to: time + .seconds(3)) == .seconds(3))
        #expect(time.duration(to: time - .seconds(3)) == .seconds(-3))
        #expect(time < time + .nanoseconds(1))
        #expect(Instant.max + .nanoseconds(1) == .max)
        #expect(time + Self.mostNegative == time - Self.longest && time + Self.mostNegative == Instant(nanoseconds: 0))
        #expect(time - Self.mostNegative == .max && time + Self.longest == .max)
    }

    @Test func aTimeoutOfPollIsRoundedUpAndNeverNegative() {
        #expect(Duration.milliseconds(2).pollTimeout == 2)
        #expect(Duration.nanoseconds(2_000_001).pollTimeout == 3)
        #expect(Duration.zero.pollTimeout == 0 && Duration.seconds(-1).pollTimeout == 0)
        #expect(Duration.seconds(Int64.max).pollTimeout == .max && Self.longest.pollTimeout == .max)
    }

    @Test func aDurationIsWholeNanoseconds() {
        #expect(Duration.milliseconds(50).nanoseconds == 50_000_000)
        #expect(Duration.seconds(-1).nanoseconds == 0)
        #expect(Duration.nanoseconds(-1).nanoseconds == 0)
        #expect(Duration.seconds(Int64.max).nanoseconds == .max)
        #expect(Self.longest.nanoseconds == .max && Self.mostNegative.nanoseconds == 0)
        let last = Duration.seconds(18_446_744_073) + .nanoseconds(709_551_615)
        #expect(last.nanoseconds == .max && (last - .nanoseconds(1)).nanoseconds == .max - 1)
    }

    /// Beyond what ``Duration/components`` can express.
    private static let longest = Duration.seconds(Int64.max) * 18
    private static let mostNegative = Duration.seconds(Int64.min) * 18
}

import Testing

@testable import Support

@Suite struct PatienceTests {
    @Test func aTimeIsMultipliedInWholeNanoseconds() {
        #expect(Patience.scaled(.milliseconds(300), by: 0.1) == .milliseconds(30))
        #expect(Patience.scaled(.seconds(86_400), by: 1_000) == .seconds(86_400_000))
        #expect(Patience.scaled(.nanoseconds(3), by: 0.5) == .nanoseconds(2))
        #expect(Patience.scaled(.seconds(7), by: 1) == .seconds(7))
    }

    #if DEBUG
        @Test func aFactorIsANumberWithinBounds() {
            #expect(Patience.factor(nil) == 1)
            for (text, factor) in [("8", 8), ("0.25", 0.25), ("1e2", 100), ("0.001", 0.001), ("1000", 1_000)] {
                #expect(Patience.factor(text) == factor)
            }
        }

        @Test(arguments: ["", "fast", "8x", " 8", "0", "-1", "0.0009", "1000.1", "inf", "nan", "1e400"])
        func nonsenseChangesNothing(text: String) {
            #expect(Patience.factor(text) == 1)
        }

        /// The variables of this process decide, each about its own kind.
        @Test func theEnvironmentScalesLimitsAndPauses() {
            let limits = Patience.factor(ProcessEnvironment.text("ROUNDEL_PATIENCE"))
            let pauses = Patience.factor(ProcessEnvironment.text("ROUNDEL_PAUSES"))
            #expect(Patience.limit(.seconds(3)) == Patience.scaled(.seconds(3), by: limits))
            #expect(Patience.pause(.seconds(3)) == Patience.scaled(.seconds(3), by: pauses))
            #expect(Patience.Badges.provider == Patience.scaled(.milliseconds(50), by: limits))
            #expect(Patience.Restart.first == Patience.scaled(.seconds(1), by: pauses))
        }
    #endif
}

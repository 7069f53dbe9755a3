import SyncEngine
import TestSupport
import Testing

@Suite("Which limits hold at which hour")
struct BandwidthPlanTests {
    private static let week = 7 * LocalTime.minutesOfADay

    private func time(_ day: Weekday, _ hour: Int, _ minute: Int = 0) -> LocalTime {
        LocalTime(day, minute: hour * 60 + minute)
    }

    private func period(
        _ from: Int, _ until: Int, _ days: [Weekday] = [], up: UInt64? = nil, down: UInt64? = nil
    ) -> BandwidthPlan.Period {
        BandwidthPlan.Period(from: UInt16(from * 60), until: UInt16(until * 60), days: days, up: up, down: down)
    }

    private func plan(up: UInt64 = 0, down: UInt64 = 0, _ periods: BandwidthPlan.Period...) -> BandwidthPlan {
        var plan = BandwidthPlan()
        (plan.up, plan.down, plan.periods) = (up, down, periods)
        return plan
    }

    @Test("Office hours on weekdays have limits of their own, what they leave open holds as otherwise, 0 is none")
    func officeHours() {
        let plan = plan(
            up: 1_000_000, down: 2_000_000,
            period(8, 18, [.monday, .tuesday, .wednesday, .thursday, .friday], up: 50_000),
            period(20, 22, [.sunday], down: 0))
        let usual = BandwidthLimits(up: 1_000_000, down: 2_000_000)
        let office = BandwidthLimits(up: 50_000, down: 2_000_000)
        #expect(plan.limits(at: time(.monday, 7, 59)) == usual && plan.limits(at: time(.monday, 8)) == office)
        #expect(plan.limits(at: time(.friday, 17, 59)) == office && plan.limits(at: time(.friday, 18)) == usual)
        #expect(plan.limits(at: time(.saturday, 12)) == usual)
        #expect(plan.limits(at: time(.sunday, 21)) == BandwidthLimits(up: 1_000_000, down: nil))
        #expect(plan.change(after: time(.monday, 7)) == 60 && plan.change(after: time(.monday, 8)) == 600)
        #expect(plan.change(after: time(.friday, 18)) == 50 * 60, "Sunday evening is next")
        #expect(plan.change(after: time(.sunday, 22)) == 10 * 60)
    }

    @Test("A night belongs to the day on which it begins, and the first of several periods counts")
    func nights() {
        let plan = plan(period(22, 6, [.sunday], up: 30_000), period(0, 24, [.monday], up: 40_000))
        #expect(plan.limits(at: time(.sunday, 21)).up == nil && plan.limits(at: time(.sunday, 22)).up == 30_000)
        #expect(plan.limits(at: time(.monday, 5)).up == 30_000 && plan.limits(at: time(.monday, 6)).up == 40_000)
        #expect(plan.limits(at: time(.tuesday, 0)).up == nil && plan.limits(at: time(.saturday, 23)).up == nil)
        #expect(plan.change(after: time(.sunday, 23)) == 7 * 60)
    }

    @Test("What never changes has no next change")
    func constant() {
        #expect(BandwidthPlan().change(after: time(.monday, 0)) == nil)
        #expect(plan(up: 50_000, period(0, 24, up: 50_000)).change(after: time(.monday, 3)) == nil)
        #expect(plan(period(8, 18)).change(after: time(.monday, 9)) == nil)
    }

    @Test("Numbers that nobody can have set are none to fail at")
    func extremes() {
        for up in [UInt64.min, 1, 19_999, .max] {
            for (from, until) in [(UInt16.min, UInt16.min), (.max, .max), (.max, 0), (0, .max), (1_439, 1_440)] {
                let period = BandwidthPlan.Period(from: from, until: until, days: [.sunday, .sunday], up: up)
                let limits = plan(up: up, down: up, period).limits(at: time(.sunday, 23, 59))
                #expect(limits.up.map { BandwidthPlan.range.contains($0) } ?? (up == 0))
                _ = plan(up: up, period).change(after: time(.sunday, 23, 59))
            }
        }
        #expect(LocalTime(.monday, minute: -1) == LocalTime(.sunday, minute: 1_439))
        #expect(LocalTime(.sunday, minute: 1_440) == LocalTime(.monday, minute: 0))
    }

    /// The same asked of a list of all minutes of the week.
    @Test("Whatever the periods are, each minute has the limits of the first that it is in")
    func random() {
        var random = SeededRandom(for: "BandwidthPlanTests")
        let limits: [UInt64?] = [nil, 0, 20_000, 30_000]
        for _ in 0..<60 {
            var plan = BandwidthPlan()
            plan.up = [0, 20_000, 40_000].randomElement(using: &random) ?? 0
            var minutes = [BandwidthLimits](
                repeating: BandwidthLimits(up: plan.up == 0 ? nil : plan.up), count: Self.week)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let from = Int.random(in: 0..<1_440, using: &random)
                let until = Int.random(in: 1...1_440, using: &random)
                guard from != until else { continue }
                plan.periods.append(
                    BandwidthPlan.Period(
                        from: UInt16(from), until: UInt16(until),
                        days: Weekday.allCases.filter { _ in Bool.random(using: &random) },
                        up: limits.randomElement(using: &random) ?? nil,
                        down: limits.randomElement(using: &random) ?? nil))
            }
            // The first counts: it is written last.
            for period in plan.periods.reversed() {
                for (number, day) in Weekday.allCases.enumerated()
                where period.days.isEmpty || period.days.contains(day) {
                    let length = (Int(period.until) - Int(period.from) + 1_439) % 1_440 + 1
                    for minute in 0..<length {
                        let up = period.up ?? plan.up
                        minutes[(number * 1_440 + Int(period.from) + minute) % Self.week] = BandwidthLimits(
                            up: up == 0 ? nil : up, down: period.down == 0 ? nil : period.down)
                    }
                }
            }
            let wrong = (0..<Self.week).filter { plan.limits(at: LocalTime(.monday, minute: $0)) != minutes[$0] }
            #expect(wrong.isEmpty, "seed \(random.seed): \(plan)")
            for _ in 0..<20 {
                let minute = Int.random(in: 0..<Self.week, using: &random)
                let next = (1...Self.week).first { minutes[(minute + $0) % Self.week] != minutes[minute] }
                #expect(plan.change(after: LocalTime(.monday, minute: minute)) == next, "seed \(random.seed): \(plan)")
            }
        }
    }
}

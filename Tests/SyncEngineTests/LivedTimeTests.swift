import Support
import Testing

@testable import SyncEngine

/// The count by which kept versions age.
@Suite struct LivedTimeTests {
    private typealias Reading = LivedTime.Reading
    private let start = Reading(boot: "one", sinceBoot: 100, calendar: 1_700_000_000)

    private func counted(_ readings: Reading...) -> Int64 {
        var time = LivedTime(at: start)
        for reading in readings { time.advance(to: reading) }
        return time.seconds
    }

    @Test func inOneBootOnlyTheClockCountsThatNobodySets() {
        #expect(counted(Reading(boot: "one", sinceBoot: 160, calendar: 1_700_000_060)) == 60)
        #expect(counted(Reading(boot: "one", sinceBoot: 160, calendar: 1_800_000_000)) == 60)
        #expect(counted(Reading(boot: "one", sinceBoot: 160, calendar: 0)) == 60)
        #expect(counted(Reading(boot: "one", sinceBoot: 40, calendar: 1_700_000_060)) == 0)
    }

    @Test func overARestartTheCalendarCountsButAWrongOneCostsADay() {
        #expect(counted(Reading(boot: "two", sinceBoot: 30, calendar: 1_700_003_600)) == 3_600)
        #expect(counted(Reading(boot: "two", sinceBoot: 30, calendar: 1_800_000_000)) == 86_400)
        #expect(counted(Reading(boot: "two", sinceBoot: 900_000, calendar: 1_800_000_000)) == 900_000)
        #expect(counted(Reading(boot: "two", sinceBoot: 900_000, calendar: 1_700_000_010)) == 10)
        #expect(counted(Reading(boot: "two", sinceBoot: 30, calendar: 0)) == 0)
        #expect(counted(Reading(boot: "", sinceBoot: 130, calendar: 1_700_000_030)) == 30)
    }

    @Test("a machine that runs eight hours a day ages what it keeps by days")
    func everyDay() {
        var time = LivedTime(at: start)
        for day in 1...30 as ClosedRange<Int64> {
            time.advance(to: Reading(boot: "\(day)", sinceBoot: 60, calendar: start.calendar + day * 86_400))
        }
        #expect(time.seconds == 30 * 86_400)
    }

    @Test func theTextIsReadAgain() throws {
        var time = LivedTime(seconds: 77, at: start)
        time.advance(to: Reading(boot: "b c=d", sinceBoot: 1, calendar: 1_700_000_001))
        #expect(LivedTime(Array(time.text.utf8)) == time)
        for text in [
            "", "Seconds=1", "x", "Seconds=-1\nBoot=a\nSinceBoot=1\nCalendar=1\n",
            "Seconds=9223372036854775807\nBoot=a\nSinceBoot=1\nCalendar=1\n",
        ] {
            #expect(LivedTime(Array(text.utf8)) == nil)
        }
    }

    @Test func thisMachineIsRead() {
        let (first, second) = (Reading.now, Reading.now)
        #expect(first.boot == second.boot && first.boot.count == 36)
        #expect(first.sinceBoot > 0 && second.sinceBoot >= first.sinceBoot && first.calendar > 1_600_000_000)
    }
}

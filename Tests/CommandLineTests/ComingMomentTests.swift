import Glibc
import Testing

@testable import roundel

@Suite struct ComingMomentTests {
    /// A Wednesday at 14:30 by the local clock.
    private static let now = local(2026, 6, 10, 14, 30)

    private static func local(_ year: Int32, _ month: Int32, _ day: Int32, _ hour: Int32 = 0, _ minute: Int32 = 0)
        -> Int64
    {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1_900, month - 1, day)
        (parts.tm_hour, parts.tm_min, parts.tm_isdst) = (hour, minute, -1)
        return Int64(mktime(&parts))
    }

    private func seconds(_ text: String) -> Int64? {
        ComingMoment(text, now: Self.now).map { $0.microseconds / 1_000_000 }
    }

    @Test(arguments: [
        ("90s", 90), ("30m", 1_800), ("30 min", 1_800), ("1h", 3_600), ("1H", 3_600), ("1h30", 5_400), ("1h30m", 5_400),
        ("1h 30 min", 5_400), ("1.5h", 5_400), ("1,5 hours", 5_400), ("2d", 172_800), ("1d 12h", 129_600),
        ("2 weeks", 1_209_600), ("3 hours", 10_800), ("1 Hour", 3_600),
    ])
    func lengthsOfTime(text: String, seconds: Int64) { #expect(SpanArgument(text)?.seconds == seconds) }

    @Test(arguments: [
        "", "h", "30", "0h", "-1h", "1x", "1h1h", "30m1h", "1h30x", "1..5h", ".h", "inf h", "nan", "1e99h", "٢h",
        "999999999999999999999999h", "101000d", "1d12", "0.2s", "h1", "1 h h",
    ])
    func whatIsNoLengthOfTimeIsNone(text: String) { #expect(SpanArgument(text) == nil) }

    @Test func timesOfDayAreTheNextSuch() {
        for text in ["18:00", "18", "6pm", "6 PM", "6:00pm", "today 18:00"] {
            #expect(seconds(text) == Self.local(2026, 6, 10, 18), "\(text)")
        }
        #expect(seconds("9:05") == Self.local(2026, 6, 11, 9, 5))
        #expect(seconds("9:05am") == Self.local(2026, 6, 11, 9, 5))
        #expect(seconds("14:30") == Self.local(2026, 6, 11, 14, 30))
        for text in ["midnight", "24:00", "0", "00:00", "12am"] {
            #expect(seconds(text) == Self.local(2026, 6, 11), "\(text)")
        }
        for text in ["noon", "12pm", "12:00"] { #expect(seconds(text) == Self.local(2026, 6, 11, 12), "\(text)") }
    }

    @Test func daysHaveNames() {
        for text in ["tomorrow", "Tomorrow", "thursday", "thu", "Thurs"] {
            #expect(seconds(text) == Self.local(2026, 6, 11), "\(text)")
        }
        #expect(seconds("tomorrow 9:00") == Self.local(2026, 6, 11, 9))
        #expect(seconds("wed") == Self.local(2026, 6, 17))
        #expect(seconds("monday") == Self.local(2026, 6, 15))
        #expect(seconds("fri 6pm") == Self.local(2026, 6, 12, 18))
    }

    @Test func datesAreThoseOfOtherCommands() {
        #expect(seconds("2026-12-01") == Self.local(2026, 12, 1))
        #expect(seconds("2026-12-01 18:00") == Self.local(2026, 12, 1, 18))
        #expect(seconds("2026-12-01T18:00:00Z") == 1_796_148_000)
    }

    @Test(arguments: [
        "", " ", "now", "today", "today 9:00", "yesterday", "25:00", "24:01", "18:60", "18:5", "1:2:3", "13pm", "0am",
        "pm",
        "t", "to", "mo", "monday monday", "tomorrow 25", "2026-06-10 14:30", "2026-06-10", "2020-01-01", "2026-02-30",
        "99999-01-01", "1h", "-1", "٢",
    ])
    func whatIsNoMomentToComeIsNone(text: String) { #expect(seconds(text) == nil) }
}

import Support
import Testing

@Suite struct CalendarDayTests {
    @Test("A day is read and written alike, and one that does not exist is none")
    func text() {
        for text in ["1970-01-01", "2000-02-29", "2024-02-29", "2026-11-28", "9999-12-31"] {
            #expect(CalendarDay(text)?.text == text)
        }
        let wrong = [
            "", "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "26-11-28", "2026-11-28 ",
            "2026-1-1",
            "1969-12-31", "２０２６-11-28", "2026/11/28",
        ]
        for text in wrong { #expect(CalendarDay(text) == nil, "\(text)") }
    }

    @Test("Days are counted over months, years and leap days")
    func counting() throws {
        let start = try #require(CalendarDay("2023-12-31"))
        #expect(start.adding(days: 60).text == "2024-02-29")
        #expect(start.adding(days: 366).text == "2024-12-31")
        #expect(start.adding(days: .max).text == "9999-12-31")
        #expect(start.adding(days: .min).text == "1970-01-01")
        let later = start.adding(days: 10_000)
        #expect(start.days(until: later) == 10_000 && later.days(until: start) == -10_000 && start < later)
        #expect(CalendarDay(local: 0) != nil)
    }
}

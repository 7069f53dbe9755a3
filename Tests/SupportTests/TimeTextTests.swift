import Support
import Testing

@Suite("Days in words")
struct TimeTextTests {
    @Test("The days that people name are named; others are dates")
    func days() {
        // At noon of any place, so that an hour before and after are the same day.
        let now: Int64 = 1_795_248_000_000_000
        let hour: Int64 = 3_600_000_000
        let noon = now + (12 - (Int64(TimeText.text(now, "%H", in: .local)) ?? 0)) * hour
        func clock(_ time: Int64) -> String { TimeText.text(time, "%H:%M", in: .local) }
        #expect(TimeText.day(noon - hour, now: noon) == "today \(clock(noon - hour))")
        #expect(TimeText.day(noon - 23 * hour, now: noon) == "yesterday \(clock(noon - 23 * hour))")
        let before = noon - 40 * hour
        #expect(TimeText.day(before, now: noon) == TimeText.text(before, "%Y-%m-%d %H:%M", in: .local))
        // The clock of another computer may be ahead.
        let tomorrow = noon + 24 * hour
        #expect(TimeText.day(tomorrow, now: noon) == TimeText.text(tomorrow, "%Y-%m-%d %H:%M", in: .local))
    }
}

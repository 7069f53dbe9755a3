import Glibc
import Support
import Testing

@testable import roundel

@Suite struct PastMomentTests {
    private static let now: Int64 = 1_780_000_000

    @Test(arguments: [
        ("0s", 0), ("90s", 90), ("5m", 300), ("30min", 1_800), ("2h", 7_200), ("3d", 259_200), ("2 w", 1_209_600),
    ])
    func spansCountBack(text: String, seconds: Int64) {
        #expect(PastMoment(text, now: Self.now)?.microseconds == (Self.now - seconds) * 1_000_000)
    }

    @Test func datesAreLocalUnlessTheySayOtherwise() {
        #expect(PastMoment("2026-01-02T03:04:05Z", now: Self.now)?.microseconds == 1_767_323_045_000_000)
        #expect(PastMoment("1970-01-01T00:00Z", now: Self.now)?.microseconds == 0)
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_isdst) = (125, 10, 20, -1)
        let midnight = Int64(mktime(&parts)) * 1_000_000
        #expect(PastMoment("2025-11-20", now: Self.now)?.microseconds == midnight)
        for text in ["2025-11-20 14:00", "2025-11-20T14:00", "2025-11-20 14:00:00"] {
            (parts.tm_hour, parts.tm_isdst) = (14, -1)
            #expect(PastMoment(text, now: Self.now)?.microseconds == Int64(mktime(&parts)) * 1_000_000, "\(text)")
        }
        // What `roundel trash --json` prints is understood.
        let moment: Int64 = 1_779_999_999_000_000
        #expect(PastMoment(TimeText.utc(moment), now: Self.now)?.microseconds == moment)
    }

    @Test(arguments: [
        "", "h", "2", "-2h", "2y", "2hh", "99999999999999999999h", "18446744073709551616s", "1000000w", "2026",
        "2026-13-01", "2026-00-10", "2025-02-29", "2025-11-31", "2025-1-2", "2025-11-20 24:00", "2025-11-20 1:00",
        "2025-11-20 14", "2025-11-20 14:00:00:00", "2025-11-20 14:61", "2025-11-20x14:00", "+025-11-20", "٢h",
        "2999-01-01", "now", "1969-12-31T23:59:59Z",
    ])
    func whatIsNoMomentInThePastIsNone(text: String) {
        #expect(PastMoment(text, now: Self.now) == nil)
    }
}

/// A time in HTTP, in any of the three formats of RFC 9110, section 5.6.7.
package enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970, UTC; nil if it is not such a date.
    ///
    /// - Parameter year: The current year, to interpret a two-digit year: at most fifty years ahead.
    package static func seconds(_ text: some StringProtocol, year: Int) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "\t" }.map { $0.lowercased() }
        switch words.count {
        case 6: return standard(words)
        case 5 where words[3].contains(":"): return asctime(words)
        case 4: return rfc850(words, year)
        default: return nil
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func standard(_ words: [String]) -> Int64? {
        guard words[5] == "gmt" || words[5] == "utc", words[3].utf8.count == 4 else { return nil }
        return moment(day: words[1], month: words[2], year: number(words[3], 0...9_999), time: words[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ words: [String], _ now: Int) -> Int64? {
        let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard words[3] == "gmt", date.count == 3, date[2].utf8.count == 2, let short = number(date[2], 0...99),
            (0...9_999).contains(now)
        else { return nil }
        var year = now - now % 100 + short
        if year > now + 50 { year -= 100 }
        return moment(day: date[0], month: date[1], year: year, time: words[2])
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ words: [String]) -> Int64? {
        guard words[4].utf8.count == 4 else { return nil }
        return moment(day: words[2], month: words[1], year: number(words[4], 0...9_999), time: words[3])
    }

    private static func moment(day: String, month: String, year: Int?, time: String) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let year, let month = months.firstIndex(of: month), clock.count == 3,
            let day = number(day, 1...length(of: month, in: year)), let hour = number(clock[0], 0...23),
            let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
        else { return nil }
        return Int64(days(year, month + 1, day)) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func length(of month: Int, in year: Int) -> Int {
        month == 1 ? (isLeap(year) ? 29 : 28) : [3, 5, 8, 10].contains(month) ? 30 : 31
    }

    /// Days since 1970 of a date in the Gregorian calendar: years begin in March here, so that a leap day is the last
    /// of a year.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// Times as rclone writes them (RFC 3339).
enum RemoteTime {
    /// Nanoseconds since 1970; nil if the text is invalid, or the time does not fit into 64 bits.
    static func nanoseconds(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        func number(_ digits: Int) -> Int64? {
            guard rest.count >= digits else { return nil }
            var value: Int64 = 0
            for _ in 0..<digits {
                guard let digit = rest.popFirst(), (0x30...0x39).contains(digit) else { return nil }
                value = value * 10 + Int64(digit - 0x30)
            }
            return value
        }
        func skip(_ character: Character) -> Bool { rest.popFirst() == character.asciiValue }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), skip("T"),
            let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            var unit: Int64 = 100_000_000
            guard let digit = rest.first, (0x30...0x39).contains(digit) else { return nil }
            while let digit = rest.first, (0x30...0x39).contains(digit) {
                fraction += Int64(digit - 0x30) * unit
                unit /= 10
                rest.removeFirst()
            }
        }
        var offset: Int64 = 0
        switch rest.popFirst() {
        case UInt8(ascii: "Z"): break
        case let sign? where sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"):
            guard let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else {
                return nil
            }
            offset = (hours * 60 + minutes) * 60 * (sign == UInt8(ascii: "+") ? 1 : -1)
        case _: return nil
        }
        guard rest.isEmpty else { return nil }
        let seconds = (days(year, month, day) * 24 + hour) * 3_600 + minute * 60 + second - offset
        let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyond) = whole.addingReportingOverflow(fraction)
        return isTooMuch || isBeyond ? nil : sum
    }

    /// Days from 1970-01-01 to a date in the Gregorian calendar. Years begin in March here, so that a leap day is the
    /// last of a year.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let years = month > 2 ? year : year - 1
        let era = (years >= 0 ? years : years - 399) / 400
        let ofEra = years - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}

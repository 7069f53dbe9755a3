import RoundelBus

/// Hours of a day in the user's notation: `08:00-18:00`, `22:30-6`. If the end is not later than the start, it is on
/// the next day.
struct HoursArgument: Equatable, Sendable {
    /// Minutes since midnight, 0 to 1,439.
    let from: UInt32
    /// Minutes since midnight, 1 to 1,440; different from `from`.
    let until: UInt32

    private static let day: UInt32 = 1_440

    /// Nil if the text is not such a range.
    init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = Self.minute(ends[0]), let end = Self.minute(ends[1]), from < Self.day else {
            return nil
        }
        // Midnight can be the end of a day as well as its start.
        let until = end == 0 ? Self.day : end
        guard from != until else { return nil }
        (self.from, self.until) = (from, until)
    }

    private static func minute(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let hour = number(parts[0], 1...2) else { return nil }
        let minute = parts.count == 2 ? number(parts[1], 2...2) : 0
        guard let minute, minute < 60, hour * 60 + minute <= day else { return nil }
        return hour * 60 + minute
    }

    private static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> UInt32? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt32(text)
    }

    /// The hours in the notation of this argument.
    static func text(_ from: UInt32, _ until: UInt32) -> String {
        SyncNetworkUse.Period.clock(from) + "-" + SyncNetworkUse.Period.clock(until)
    }
}

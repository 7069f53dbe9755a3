/// Names of conflict copies: `name (conflict YYYY-MM-DD HHMMSS COMPUTER TAG).ext`.
package enum ConflictName {
    /// The most bytes in ``author(on:tag:)``.
    private static let longestAuthor = 29
    /// The most bytes that a name can lose to a mark: the mark itself with an author and a counter of three digits, and
    /// a character that the cut would divide.
    private static let longestMark = 30 + longestAuthor + 4 + 3

    /// Who made a copy: the computer by its name, if it has one, and the installation by its tag.
    package static func author(on computer: String, tag: String) -> String {
        let author = computer.isEmpty ? tag : "\(computer) \(tag)"
        return author.utf8.count <= longestAuthor ? author : tag
    }

    /// The name of the copy of `name`; a `number` above 1 is added before the closing parenthesis.
    ///
    /// The stem is shortened so that the whole name has at most 255 bytes, at a character boundary if it is UTF-8.
    package static func make(for name: EntryName, at moment: Moment, by author: String, number: Int = 1) -> EntryName {
        let counter = number > 1 ? " \(number)" : ""
        return name.marked(" (conflict \(stamp(moment)) \(author)\(counter))")
    }

    /// Whether a name is that of a conflict copy of `original`, made by any installation.
    package static func isCopy(_ name: EntryName, of original: EntryName) -> Bool {
        let (stem, ext) = original.stemAndExtension
        let mark = Array(" (conflict ".utf8)
        let head = Array(stem.prefix(EntryName.longest - longestMark - ext.count))
        guard name.bytes.starts(with: head), name.bytes.suffix(ext.count).elementsEqual(ext) else { return false }
        let rest = name.bytes.dropFirst(head.count)
        if stem.count == head.count { return rest.count > mark.count && rest.starts(with: mark) }
        // The position at which the stem was cut is not known.
        return rest.indices.contains { rest[$0...].starts(with: mark) }
    }

    private static func stamp(_ moment: Moment) -> String {
        let seconds = moment.unixSeconds + Int64(moment.utcOffset)
        let (days, second) = (floorDivide(seconds, 86_400), seconds - floorDivide(seconds, 86_400) * 86_400)
        let (year, month, day) = civilDate(days)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(year)-\(two(month))-\(two(day)) \(two(second / 3600))\(two(second / 60 % 60))\(two(second % 60))"
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }

    /// The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar: years are counted from March,
    /// so that the leap day is the last of its year.
    private static func civilDate(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}

/// The temporary name of an item while names are exchanged in a ring. Listings show it like any other name, so that a
/// crash at that moment loses nothing; the item's name on the other side always takes precedence.
package enum IntermediateName {
    private static let prefix = Array(".roundel-move-".utf8)

    static func make(_ number: Int64, tag: String) -> EntryName {
        EntryName(unchecked: prefix + Array("\(number)-\(tag)".utf8))
    }

    /// A name that nothing else has.
    package static func random() -> EntryName {
        EntryName(unchecked: prefix + Array(String(UInt64.random(in: 0...UInt64.max), radix: 16).utf8))
    }

    /// Whether this is such a name, and not that of a conflict copy of an item that had one.
    static func isIntermediate(_ name: EntryName) -> Bool {
        name.bytes.starts(with: prefix) && !name.bytes.contains(UInt8(ascii: " "))
    }

    /// Whether another installation than the one with this tag gave the name: it is exchanging names right now.
    static func isForeign(_ name: EntryName, to tag: String) -> Bool {
        guard isIntermediate(name) else { return false }
        let parts = name.bytes.dropFirst(prefix.count).split(separator: UInt8(ascii: "-"))
        return parts.count == 2 && !parts[1].elementsEqual(tag.utf8)
    }
}

internal import Support

/// What Syncthing's index says about an item, from the answer of `/rest/db/file`.
struct IndexRecord: Equatable, Sendable {
    /// The kinds of items in an index.
    enum Kind: String, Sendable {
        case file = "FILE_INFO_TYPE_FILE"
        case directory = "FILE_INFO_TYPE_DIRECTORY"
        case link = "FILE_INFO_TYPE_SYMLINK"
    }

    /// One version of the item.
    struct Version: Equatable, Sendable {
        var isDeleted = false
        var isIgnored = false
        /// Whether it is kept out of the cluster, or is not usable.
        var isInvalid = false
        var mustRescan = false
        /// Whether it was changed in a folder that sends nothing.
        var isChangedHereOnly = false
        var kind: Kind? = .file
        var size: UInt64 = 0
        /// Nanoseconds since 1970.
        var modified: Int64 = 0
        /// The time that the disk shows instead, where its file system cannot keep the exact one.
        var shownModified: Int64?
        /// Who changed it how often, which tells versions apart.
        var vector: [String] = []
        /// The number of the blocks that its contents are divided into.
        var blocks: UInt64 = 0
    }

    /// The version on this computer.
    var local: Version
    /// The version that all devices should have.
    var global: Version
    /// Whether a device that is connected has the global version.
    var isElsewhere: Bool

    /// Whether this computer has what all devices should have.
    var isCurrent: Bool { local.vector == global.vector && local.isDeleted == global.isDeleted && !local.isInvalid }

    init(local: Version, global: Version, isElsewhere: Bool) {
        (self.local, self.global, self.isElsewhere) = (local, global, isElsewhere)
    }

    init(_ answer: JSON) {
        local = Version(answer["local"])
        // Times of the year 1 stand for none, and do not fit.
        local.shownModified = answer["mtime"]["value"]["real"].string.flatMap(GoTime.nanoseconds)
        global = Version(answer["global"])
        isElsewhere = !answer["availability"].values.isEmpty
    }
}

extension IndexRecord.Version {
    /// Whether both are one version, as far as can be told: a listing does not say who changed it how often.
    func isSameVersion(as other: Self) -> Bool {
        if vector.isEmpty || other.vector.isEmpty { return size == other.size && modified == other.modified }
        return vector == other.vector
    }

    /// Reads an item of `/rest/db/browse`, which is there in the version that all devices should have.
    init(listed answer: JSON) {
        kind = answer["type"].string.flatMap(IndexRecord.Kind.init(rawValue:))
        size = answer["size"].count
        modified = answer["modTime"].string.flatMap(GoTime.nanoseconds) ?? 0
    }

    /// The bit of an item that was changed in a folder that sends nothing.
    private static let receiveOnlyFlag: UInt64 = 8

    fileprivate init(_ answer: JSON) {
        isDeleted = answer["deleted"].bool ?? false
        isIgnored = answer["ignored"].bool ?? false
        isInvalid = answer["invalid"].bool ?? false
        mustRescan = answer["mustRescan"].bool ?? false
        isChangedHereOnly = answer["localFlags"].count & Self.receiveOnlyFlag != 0
        // Later versions of Syncthing write a number or another word for kinds that are out of use.
        kind = answer["type"].string.flatMap(IndexRecord.Kind.init(rawValue:))
        size = answer["size"].count
        modified = answer["modified"].string.flatMap(GoTime.nanoseconds) ?? 0
        vector = answer["version"].values.compactMap(\.string)
        blocks = answer["numBlocks"].count
    }
}

/// Times in the form of Go's `time.Time` in JSON (RFC 3339).
enum GoTime {
    /// Nanoseconds since 1970 in UTC; nil for another form, and for times that do not fit.
    static func nanoseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20 else { return nil }
        func number(_ range: Range<Int>) -> Int64? { Int64(String(decoding: bytes[range], as: UTF8.self)) }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        let local = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
        var rest = bytes[19...]
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(1 + digits.count)
            fraction =
                Int64(String(decoding: Array(digits) + Array(repeating: 0x30, count: 9), as: UTF8.self).prefix(9)) ?? 0
        }
        guard let offset = offset(rest) else { return nil }
        let (nanoseconds, overflow) = (local - offset).multipliedReportingOverflow(by: 1_000_000_000)
        // The last second that fits is not whole: the fraction may go beyond it.
        let (whole, isBeyond) = nanoseconds.addingReportingOverflow(fraction)
        return overflow || isBeyond ? nil : whole
    }

    /// The seconds of a time zone: `Z` or `+02:00`.
    private static func offset(_ rest: ArraySlice<UInt8>) -> Int64? {
        if rest.elementsEqual([UInt8(ascii: "Z")]) { return 0 }
        let digits = String(decoding: rest.dropFirst(), as: UTF8.self).split(separator: ":").compactMap { Int64($0) }
        guard rest.count == 6, digits.count == 2 else { return nil }
        let seconds = digits[0] * 3_600 + digits[1] * 60
        return rest.first == UInt8(ascii: "-") ? -seconds : seconds
    }

    /// The days from 1970 to a date of the Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// A catalogue of translations in gettext's binary form (`.mo`).
///
/// Nothing in it is trusted: an offset or a length that leads out of the file is a translation that is missing, and
/// bytes that are no UTF-8 are replaced. The bytes are held in memory rather than mapped, because what shortens a
/// mapped file ends the program.
struct Catalogue: Sendable {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    /// How many messages there are, and where the tables of their originals and translations begin.
    private let count: Int
    private let originals: Int
    private let translations: Int
    private var plural = PluralRule.germanic

    /// - Returns: Nil if this is no catalogue, or none in UTF-8.
    init?(_ bytes: [UInt8]) {
        let isBigEndian = bytes.starts(with: [0x95, 0x04, 0x12, 0xDE])
        guard isBigEndian || bytes.starts(with: [0xDE, 0x12, 0x04, 0x95]) else { return nil }
        let fields = [4, 8, 12, 16].compactMap { Self.number(at: $0, in: bytes, isBigEndian) }
        // The revision's upper half is that of the format; its lower half adds tables that are not needed.
        guard fields.count == 4, fields[0] >> 16 <= 1 else { return nil }
        (self.bytes, self.isBigEndian) = (bytes, isBigEndian)
        (count, originals, translations) = (fields[1], fields[2], fields[3])
        guard originals + 8 * count <= bytes.count, translations + 8 * count <= bytes.count else { return nil }

        guard let header = [UInt8]().withUnsafeBufferPointer({ translation(of: $0) }) else { return nil }
        let lines = header.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        func field(_ name: String) -> Substring { lines.first { $0.count == 2 && $0[0] == name }?[1] ?? "" }
        guard field("Content-Type").lowercased().hasSuffix("charset=utf-8") else { return nil }
        plural = PluralRule(field("Plural-Forms")) ?? .germanic
    }

    /// The translation of a text; nil if there is none.
    func translation(of original: UnsafeBufferPointer<UInt8>) -> String? { form(0, of: original) }

    /// The translation of a text in the form that goes with a number; nil if there is none.
    func translation(of original: UnsafeBufferPointer<UInt8>, for number: UInt64) -> String? {
        form(plural.form(for: number), of: original)
    }

    // MARK: The file

    /// One of the forms of a translation, which are separated by NUL.
    private func form(_ wanted: Int, of original: UnsafeBufferPointer<UInt8>) -> String? {
        guard let index = index(of: original), let found = string(index, in: translations) else { return nil }
        let forms = found.split(separator: 0, omittingEmptySubsequences: false)
        guard let form = forms.indices.contains(wanted) ? forms[wanted] : forms.first, !form.isEmpty else { return nil }
        return String(decoding: form, as: UTF8.self)
    }

    /// The place of an original in its table, which is sorted by bytes. Where there is a plural, it follows after a NUL.
    private func index(of original: UnsafeBufferPointer<UInt8>) -> Int? {
        var rest = 0..<count
        while !rest.isEmpty {
            let middle = rest.lowerBound + rest.count / 2
            guard let found = string(middle, in: originals)?.prefix(while: { $0 != 0 }) else { return nil }
            if found.elementsEqual(original) { return middle }
            rest = found.lexicographicallyPrecedes(original) ? middle + 1..<rest.upperBound : rest.lowerBound..<middle
        }
        return nil
    }

    /// A string that a table names by its length and its offset; nil if it does not lie in the file.
    private func string(_ index: Int, in table: Int) -> ArraySlice<UInt8>? {
        guard let length = number(at: table + 8 * index), let offset = number(at: table + 8 * index + 4),
            offset + length <= bytes.count
        else { return nil }
        return bytes[offset..<offset + length]
    }

    private func number(at offset: Int) -> Int? { Self.number(at: offset, in: bytes, isBigEndian) }

    /// A number of 32 bits; nil if it does not lie in the file.
    private static func number(at offset: Int, in bytes: [UInt8], _ isBigEndian: Bool) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        let digits = bytes[offset..<offset + 4]
        func value(_ digits: some Sequence<UInt8>) -> Int { digits.reduce(0) { $0 << 8 | Int($1) } }
        return isBigEndian ? value(digits) : value(digits.reversed())
    }
}

import Support
import SyncCore

/// The SHA-256 of contents as ownCloud and Nextcloud store it with a file: `SHA256:` and hexadecimal digits, among
/// other checksums. The server stores what the writer of the file sent, and discards it with the next write.
enum ContentDigest {
    private static let kind = Array("SHA256:".utf8)
    private static let digits = Array("0123456789abcdef".utf8)

    /// The header that contains it.
    static func header(_ hash: ContentHash) -> (String, String) {
        let hexadecimal = hash.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return ("OC-Checksum", String(decoding: kind + hexadecimal, as: UTF8.self))
    }

    /// The hash in a file's list of checksums; nil if it is missing or malformed.
    static func hash(in checksums: [UInt8]) -> ContentHash? {
        for checksum in checksums.split(whereSeparator: { $0 <= 0x20 }) where checksum.count == kind.count + 64 {
            let (name, value) = (checksum.prefix(kind.count), Array(checksum.dropFirst(kind.count)))
            guard name.elementsEqual(kind, by: { uppercase($0) == $1 }) else { continue }
            let nibbles = value.compactMap(PercentCoding.value(ofDigit:))
            guard nibbles.count == value.count else { return nil }
            return ContentHash(stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] })
        }
        return nil
    }

    private static func uppercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte
    }
}

import Support
import SyncCore
import SyncEngine

/// A checksum of contents as ownCloud and Nextcloud tell it: the name of its kind, a colon and hexadecimal digits, among
/// other checksums. Nextcloud stores what the writer of the file sent, and discards it with the next write; ownCloud
/// computes some kinds itself.
struct ContentDigest: Hashable, Sendable {
    /// The kind of the checksum.
    let kind: ChecksumHasher.Kind
    /// Its bytes.
    let bytes: [UInt8]

    private static let digits = Array("0123456789abcdef".utf8)

    /// The header that contains the SHA-256 of contents.
    static func header(_ hash: ContentHash) -> (String, String) {
        let hexadecimal = hash.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return ("OC-Checksum", ChecksumHasher.Kind.sha256.rawValue + ":" + String(decoding: hexadecimal, as: UTF8.self))
    }

    /// The strongest checksum in a file's list; nil if there is none of a known kind.
    init?(in checksums: [UInt8]) {
        let found = checksums.split(whereSeparator: { $0 <= 0x20 }).compactMap { Self($0) }
        let strongest = ChecksumHasher.Kind.allCases.lazy.compactMap { kind in found.first { $0.kind == kind } }.first
        guard let strongest else { return nil }
        self = strongest
    }

    private init?(_ text: ArraySlice<UInt8>) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        // Some write SHA-256 with a hyphen.
        let name = String(decoding: text[..<colon].filter { $0 != UInt8(ascii: "-") }, as: UTF8.self).uppercased()
        guard let kind = ChecksumHasher.Kind(rawValue: name) else { return nil }
        let value = text[(colon + 1)...]
        let nibbles = value.compactMap(PercentCoding.value(ofDigit:))
        guard nibbles.count == value.count, nibbles.count == kind.length * 2 else { return nil }
        self.kind = kind
        bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }

    /// The hash in a file's list of checksums; nil if it is missing or malformed.
    static func hash(in checksums: [UInt8]) -> ContentHash? {
        Self(in: checksums).flatMap { $0.kind == .sha256 ? ContentHash($0.bytes) : nil }
    }
}

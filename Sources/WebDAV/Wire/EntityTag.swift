/// An entity tag of RFC 9110, section 8.8.3: which contents a server has at a place.
package struct EntityTag: Hashable, Sendable {
    /// Longest tag that is kept, in bytes; a longer one counts as none.
    static let longest = 1_024

    /// What stands between the quotation marks.
    package let opaque: [UInt8]
    /// Whether the server vouches for the meaning of the contents alone, not for each byte.
    package let isWeak: Bool

    /// A tag from a header or a property; nil for what cannot be one.
    ///
    /// Some servers give it without quotation marks in a property and with them in a header: both are one tag.
    package init?(_ text: some BidirectionalCollection<UInt8>) {
        var bytes = Array(text.withoutBlanks())
        isWeak = bytes.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/"), UInt8(ascii: "\"")])
        if isWeak { bytes.removeFirst(2) }
        if bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
            bytes = Array(bytes[1..<(bytes.count - 1)])
        }
        guard !bytes.isEmpty, bytes.count <= Self.longest, bytes.allSatisfy(Self.isAllowed) else { return nil }
        opaque = bytes
    }

    /// Whether the server said this of a file before, when it did not vouch for each byte yet.
    func isStrongForm(of weak: EntityTag) -> Bool { !isWeak && weak.isWeak && opaque == weak.opaque }

    /// `etagc` of the specification: what would end the tag, or the header that it is sent back in, is not allowed.
    private static func isAllowed(_ byte: UInt8) -> Bool { byte == 0x21 || (byte >= 0x23 && byte != 0x7F) }

    /// As it stands in a condition.
    package var text: String { (isWeak ? "W/" : "") + "\"" + String(decoding: opaque, as: UTF8.self) + "\"" }
}

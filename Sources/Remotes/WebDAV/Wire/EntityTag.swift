/// An entity tag (RFC 9110, section 8.8.3), which identifies the contents that a server has at a place.
package struct EntityTag: Hashable, Sendable {
    /// The longest tag that is accepted, in bytes; a longer one is ignored.
    static let longest = 1_024

    /// The part between the quotation marks.
    package let opaque: [UInt8]
    /// Whether the server guarantees only equivalent contents, not equal bytes.
    package let isWeak: Bool

    /// A tag from a header or a property; nil if it is invalid.
    ///
    /// Some servers omit the quotation marks in a property and use them in a header: both are the same tag.
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

    /// Whether this is the strong form of an earlier weak tag.
    func isStrongForm(of weak: EntityTag) -> Bool { !isWeak && weak.isWeak && opaque == weak.opaque }

    /// Whether both name the same version of a file: proxies that compress or rewrite responses weaken the tag, and some
    /// append the name of the encoding to it.
    package func names(theSameAs other: EntityTag) -> Bool { plain == other.plain }

    private static let encodings = ["-gzip", ";gzip", "-df", "-br", ";br", "-zstd", ";zstd"].map { Array($0.utf8) }

    /// The part between the quotation marks, without the name of an encoding.
    private var plain: ArraySlice<UInt8> {
        let found = Self.encodings.first { opaque.count > $0.count && opaque.suffix($0.count).elementsEqual($0) }
        return opaque.dropLast(found?.count ?? 0)
    }

    /// `etagc` of the specification: bytes that would end the tag, or the header in which it is sent back, are not
    /// allowed.
    private static func isAllowed(_ byte: UInt8) -> Bool { byte == 0x21 || (byte >= 0x23 && byte != 0x7F) }

    /// The tag as it is written in a condition.
    package var text: String { (isWeak ? "W/" : "") + "\"" + String(decoding: opaque, as: UTF8.self) + "\"" }
}

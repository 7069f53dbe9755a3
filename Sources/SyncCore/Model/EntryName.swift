/// The name of an item in its directory: bytes, not text.
package struct EntryName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The bytes of the name, without a terminator.
    package let bytes: [UInt8]

    /// A name of any bytes; nil if it is empty, `.`, `..` or contains `/` or NUL (promise 10).
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes != [0x2E], bytes != [0x2E, 0x2E],
            !bytes.contains(0x2F), !bytes.contains(0)
        else { return nil }
        self.bytes = bytes
    }

    /// A name from text, under the same rule.
    package init?(_ text: String) {
        self.init(Array(text.utf8))
    }

    init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The name of the root row, which is empty.
    package static let root = EntryName(unchecked: [])

    /// Orders by bytes.
    package static func < (left: EntryName, right: EntryName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// The name for display, with replacement characters where it is not UTF-8.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}

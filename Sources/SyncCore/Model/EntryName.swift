/// The name of an item in its directory: bytes, not text.
public struct EntryName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The bytes of the name, without a terminator.
    public let bytes: [UInt8]

    /// A name of any bytes; nil if it is empty, `.`, `..` or holds `/` or NUL (promise 10).
    public init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes != [0x2E], bytes != [0x2E, 0x2E],
            !bytes.contains(0x2F), !bytes.contains(0)
        else { return nil }
        self.bytes = bytes
    }

    /// A name from text, under the same rule.
    public init?(_ text: String) {
        self.init(Array(text.utf8))
    }

    init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The name of the root row, which is empty.
    public static let root = EntryName(unchecked: [])

    /// Orders by bytes.
    public static func < (left: EntryName, right: EntryName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// The name for display: UTF-8 with replacement characters where it is not.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

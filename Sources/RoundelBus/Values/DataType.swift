/// A type of data: a MIME type such as `image/png`, in lower case.
public struct DataType: Hashable, Sendable {
    /// The name.
    public let name: String

    /// The type of directories.
    public static let directory = DataType(known: "inode/directory")

    /// The most bytes in either part of a name (RFC 6838).
    package static let partLimit = 127

    private init(known name: String) { self.name = name }

    /// - Returns: Nil if the text is no name of a type.
    public init?(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// - Returns: Nil if the bytes are no name of a type.
    package init?(bytes: some Collection<UInt8>) {
        guard Self.isName(bytes) else { return nil }
        name = String(decoding: bytes.lazy.map(Self.lowercased), as: UTF8.self)
    }

    /// Whether bytes are the name of a type: two names of RFC 6838 with a slash between.
    package static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { isPart($0) }
    }

    /// Whether bytes are one of the two parts of a name.
    static func isPart(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.count <= partLimit, isAlphanumeric(first) else { return false }
        return bytes.allSatisfy { isAlphanumeric($0) || marks.contains($0) }
    }

    /// What a part may have besides letters and digits.
    private static let marks = Array("!#$&-^_.+".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(lowercased(byte))
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
}

internal import Glibc
internal import Support

/// One segment of a path, percent-encoded in the canonical form: the characters that RFC 3986 calls unreserved are
/// plain, every other byte is `%XX` in capitals. Equality is equality of the name's bytes, the order is that of the
/// decoded bytes.
public struct ItemName: Hashable, Sendable {
    /// The canonical encoding, ASCII.
    public let encoded: String

    /// The maximum length of a decoded name in bytes; no Linux file system has longer names.
    public static let limit = 1024

    /// Creates a name from a string that is known to be canonical.
    package init(canonical: String) {
        encoded = canonical
    }

    /// The name for a percent-encoded segment with any escapes.
    /// - Throws: The reason if the segment is not a valid name.
    public init(_ text: String) throws(ItemURIError) {
        switch PathSegment.scan(text) {
        case .canonical: encoded = text
        case .encoded(let canonical): encoded = canonical
        case .refused(let error): throw error
        }
    }

    /// The name for a buffer of percent-encoded bytes, read in one pass if they are already canonical.
    /// - Throws: The reason if the segment is not a valid name.
    package init(validating bytes: UnsafeBufferPointer<UInt8>) throws(ItemURIError) {
        switch PathSegment.scan(bytes) {
        case .canonical: encoded = String(decoding: bytes, as: UTF8.self)
        case .encoded(let canonical): encoded = canonical
        case .refused(let error): throw error
        }
    }

    /// Whether these bytes are the canonical encoding.
    func isEncoded(as bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var encoded = encoded
        return encoded.withUTF8 { own in
            guard own.count == bytes.count, let left = own.baseAddress, let right = bytes.baseAddress else {
                return own.isEmpty && bytes.isEmpty
            }
            return memcmp(left, right, own.count) == 0
        }
    }

    /// The name with these bytes, as in a file system.
    /// - Throws: ``ItemURIError/emptyName``, ``ItemURIError/dotSegment``, ``ItemURIError/encodedSlash``,
    ///   ``ItemURIError/nulByte`` or ``ItemURIError/nameTooLong``.
    public init(bytes: some Sequence<UInt8>) throws(ItemURIError) {
        let bytes = Array(bytes)
        guard bytes.count <= Self.limit else { throw .nameTooLong }
        if let error = PathSegment.problem(ofDecoded: bytes) { throw error }
        encoded = PercentCoding.encode(segment: bytes)
    }

    /// The bytes of the name in the file system.
    public var bytes: [UInt8] {
        PercentCoding.decode(encoded) ?? []
    }
}

extension ItemName: Comparable {
    /// Orders by the decoded bytes.
    public static func < (left: ItemName, right: ItemName) -> Bool {
        PathSegment.isOrderedBefore(left.encoded, right.encoded)
    }
}

extension ItemName: CustomStringConvertible {
    /// The canonical encoding.
    public var description: String { encoded }
}

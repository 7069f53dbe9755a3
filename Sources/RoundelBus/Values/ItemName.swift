internal import Glibc
internal import Support

/// One segment of a path, percent-encoded in the canonical form: the characters that RFC 3986 calls unreserved are
/// plain, every other byte is `%XX` in capitals. Equality is equality of the name's bytes, the order is that of the
/// decoded bytes.
public struct ItemName: Hashable, Sendable {
    /// The canonical encoding, ASCII.
    public let encoded: String

    /// The decoded name has at most so many bytes; no file system of Linux has longer ones.
    public static let limit = 1024

    /// Takes a string that is known to be canonical already.
    package init(canonical: String) {
        encoded = canonical
    }

    /// The name that a percent-encoded segment stands for, whatever escapes it uses.
    /// - Throws: the reason for which the segment is no name.
    public init(_ text: String) throws(ItemURIError) {
        switch PathSegment.scan(text) {
        case .canonical: encoded = text
        case .encoded(let canonical): encoded = canonical
        case .refused(let error): throw error
        }
    }

    /// The name that a buffer of percent-encoded bytes stands for, read in one pass if they are canonical already.
    /// - Throws: the reason for which the segment is no name.
    public init(validating bytes: UnsafeBufferPointer<UInt8>) throws(ItemURIError) {
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

    /// The name that consists of these bytes, as a file system gives them.
    /// - Throws: ``ItemURIError/emptyName``, ``ItemURIError/dotSegment``, ``ItemURIError/encodedSlash``,
    ///   ``ItemURIError/nulByte`` or ``ItemURIError/nameTooLong``.
    public init(bytes: some Sequence<UInt8>) throws(ItemURIError) {
        let bytes = Array(bytes)
        guard bytes.count <= Self.limit else { throw .nameTooLong }
        if let error = PathSegment.problem(ofDecoded: bytes) { throw error }
        encoded = PercentCoding.encode(segment: bytes)
    }

    /// The bytes of the name as the file system holds them.
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

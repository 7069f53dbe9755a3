internal import Support

/// Why a text is not a valid URI or name of an item.
public enum ItemURIError: Error, Hashable, Sendable, CaseIterable {
    /// The text does not start with a scheme or its path does not start with a slash.
    case notAbsolute
    /// The scheme is not `file`.
    case foreignScheme
    /// The host is neither empty nor `localhost`.
    case foreignHost
    /// A segment is `.` or `..`, plain or encoded.
    case dotSegment
    /// A segment contains a slash, encoded as `%2F` or, in a name, plain.
    case encodedSlash
    /// The text contains the byte 0, plain or as `%00`.
    case nulByte
    /// A `%` is not followed by two hexadecimal digits.
    case badEscape
    /// The URI has a query (`?`).
    case query
    /// The URI has a fragment (`#`).
    case fragment
    /// The decoded path has 4,096 bytes or more.
    case tooLong
    /// The decoded name has more than ``ItemName/limit`` bytes.
    case nameTooLong
    /// The name is empty.
    case emptyName

    /// The problem, as the second half of a sentence.
    public var reason: String {
        switch self {
        case .notAbsolute: tr("it is not an absolute file:// URI")
        case .foreignScheme: tr("its scheme is not file")
        case .foreignHost: tr("it names another computer")
        case .dotSegment: tr("it contains a segment that is . or ..")
        case .encodedSlash: tr("it contains a slash inside a name")
        case .nulByte: tr("it contains a NUL byte")
        case .badEscape: tr("it contains a % that is not followed by two hexadecimal digits")
        case .query: tr("it contains a query; write ? as %3F")
        case .fragment: tr("it contains a fragment; write # as %23")
        case .tooLong: tr("its path has 4,096 bytes or more")
        case .nameTooLong: tr("it has more than 1,024 bytes")
        case .emptyName: tr("it is empty")
        }
    }
}

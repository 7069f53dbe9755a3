internal import Support

/// Checks and converts one percent-encoded segment of a path.
///
/// Segments are scanned for every name in a file manager's requests, so the code stays in this module.
enum PathSegment {
    /// The result of scanning one segment.
    enum Scan {
        /// The segment is already canonical.
        case canonical
        /// The segment is valid; this is its canonical form.
        case encoded(String)
        case refused(ItemURIError)
    }

    static func scan(_ text: String) -> Scan {
        var text = text
        return text.withUTF8 { scan($0) }
    }

    /// Checks one segment. Canonical input is recognised in one pass without decoding it.
    static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Scan {
        guard !bytes.isEmpty else { return .refused(.emptyName) }
        // A short encoding also means a short name; a long one needs the careful parsing, which counts bytes.
        if bytes.count <= ItemName.limit, isCanonical(bytes) {
            return isDots(bytes) ? .refused(.dotSegment) : .canonical
        }
        guard bytes.count <= 3 * ItemName.limit else { return .refused(.nameTooLong) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        guard PercentCoding.decode(bytes, into: &decoded) else { return .refused(.badEscape) }
        if let error = problem(ofDecoded: decoded) { return .refused(error) }
        guard decoded.count <= ItemName.limit else { return .refused(.nameTooLong) }
        return .encoded(PercentCoding.encode(segment: decoded))
    }

    /// Whether the bytes are canonical, apart from being `.` or `..`.
    static func isCanonical(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if PercentCoding.isUnreserved(bytes[index]) {
                index += 1
            } else if isCanonicalEscape(bytes, at: index) {
                index += 3
            } else {
                return false
            }
        }
        return true
    }

    /// Whether there is a valid canonical `%XX` at `index`: capital letters, and a byte that has to be escaped.
    static func isCanonicalEscape(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = PercentCoding.value(ofDigit: bytes[index + 1]),
            let low = PercentCoding.value(ofDigit: bytes[index + 2]),
            bytes[index + 1] < UInt8(ascii: "a"), bytes[index + 2] < UInt8(ascii: "a")
        else { return false }
        let byte = high << 4 | low
        return byte != 0 && byte != UInt8(ascii: "/") && !PercentCoding.isUnreserved(byte)
    }

    private static func isDots(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Why these bytes are not a valid name; nil if they are.
    static func problem(ofDecoded bytes: [UInt8]) -> ItemURIError? {
        if bytes.isEmpty { return .emptyName }
        if bytes.contains(0) { return .nulByte }
        if bytes.contains(UInt8(ascii: "/")) { return .encodedSlash }
        if bytes.count <= 2 && bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return .dotSegment }
        return nil
    }

    /// Compares two canonical texts by their decoded bytes.
    static func isOrderedBefore(_ left: String, _ right: String) -> Bool {
        var left = left
        var right = right
        return left.withUTF8 { left in right.withUTF8 { right in compare(left, right) < 0 } }
    }

    private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        var leftIndex = 0
        var rightIndex = 0
        while leftIndex < left.count && rightIndex < right.count {
            let leftByte = decodedByte(left, &leftIndex)
            let rightByte = decodedByte(right, &rightIndex)
            if leftByte != rightByte { return leftByte < rightByte ? -1 : 1 }
        }
        return (left.count - leftIndex) - (right.count - rightIndex)
    }

    private static func decodedByte(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt8 {
        let byte = bytes[index]
        guard byte == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = PercentCoding.value(ofDigit: bytes[index + 1]),
            let low = PercentCoding.value(ofDigit: bytes[index + 2])
        else {
            index += 1
            return byte
        }
        index += 3
        return high << 4 | low
    }
}

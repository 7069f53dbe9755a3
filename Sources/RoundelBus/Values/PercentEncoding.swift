/// Percent-encoding of path segments as RFC 3986, section 2.1, has it.
enum PercentEncoding {
    /// What a scan of one segment found.
    enum Scan {
        /// The segment is canonical as it stands.
        case canonical
        /// The segment is valid; this is its canonical form.
        case encoded(String)
        case refused(ItemURIError)
    }

    /// The characters that RFC 3986, section 2.3, calls unreserved, as bits: letters, digits and `-._~`.
    private static let unreservedBelow64: UInt64 = 0x03FF_6000_0000_0000
    private static let unreservedFrom64: UInt64 = 0x47FF_FFFE_87FF_FFFE

    static func isUnreserved(_ byte: UInt8) -> Bool {
        let bits = byte < 64 ? unreservedBelow64 : unreservedFrom64
        return byte < 128 && bits &>> UInt64(byte & 63) & 1 == 1
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The value of a hexadecimal digit, either case.
    static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    static func scanSegment(_ text: String) -> Scan {
        var text = text
        return text.withUTF8 { scanSegment($0) }
    }

    /// Looks at one segment. Canonical input is recognised in one pass without decoding it.
    static func scanSegment(_ bytes: UnsafeBufferPointer<UInt8>) -> Scan {
        guard !bytes.isEmpty else { return .refused(.emptyName) }
        if isCanonicalSegment(bytes) {
            return isDots(bytes) ? .refused(.dotSegment) : .canonical
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        if let error = decode(bytes, into: &decoded) { return .refused(error) }
        if let error = problem(ofDecodedSegment: decoded) { return .refused(error) }
        return .encoded(encode(decoded))
    }

    /// Whether the bytes are canonical, apart from being `.` or `..`.
    static func isCanonicalSegment(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if isUnreserved(bytes[index]) {
                index += 1
            } else if isCanonicalEscape(bytes, at: index) {
                index += 3
            } else {
                return false
            }
        }
        return true
    }

    /// Whether a `%XX` that canonical text may contain stands at `index`: capitals, and a byte that has to be escaped.
    static func isCanonicalEscape(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = value(ofDigit: bytes[index + 1]), let low = value(ofDigit: bytes[index + 2]),
            bytes[index + 1] < UInt8(ascii: "a"), bytes[index + 2] < UInt8(ascii: "a")
        else { return false }
        let byte = high << 4 | low
        return byte != 0 && byte != UInt8(ascii: "/") && !isUnreserved(byte)
    }

    private static func isDots(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Appends the decoded bytes; gives the reason if an escape is bad.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, into decoded: inout [UInt8]) -> ItemURIError? {
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                decoded.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < bytes.count, let high = value(ofDigit: bytes[index + 1]),
                let low = value(ofDigit: bytes[index + 2])
            else { return .badEscape }
            decoded.append(high << 4 | low)
            index += 3
        }
        return nil
    }

    /// The bytes that canonical text stands for.
    static func decode(_ canonical: some Sequence<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var iterator = canonical.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(value(ofDigit:)),
                let low = iterator.next().flatMap(value(ofDigit:))
            else { break }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// Why these bytes cannot be the name of an item.
    static func problem(ofDecodedSegment bytes: [UInt8]) -> ItemURIError? {
        if bytes.isEmpty { return .emptyName }
        if bytes.contains(0) { return .nulByte }
        if bytes.contains(UInt8(ascii: "/")) { return .encodedSlash }
        if bytes.count <= 2 && bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return .dotSegment }
        return nil
    }

    /// The canonical encoding of one segment's bytes.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var encoded: [UInt8] = []
        for byte in bytes {
            append(byte, to: &encoded)
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    static func append(_ byte: UInt8, to encoded: inout [UInt8]) {
        if isUnreserved(byte) {
            encoded.append(byte)
        } else {
            encoded.append(UInt8(ascii: "%"))
            encoded.append(digits[Int(byte >> 4)])
            encoded.append(digits[Int(byte & 15)])
        }
    }

    /// Compares two canonical texts by the bytes that they stand for.
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
            let high = value(ofDigit: bytes[index + 1]), let low = value(ofDigit: bytes[index + 2])
        else {
            index += 1
            return byte
        }
        index += 3
        return high << 4 | low
    }
}

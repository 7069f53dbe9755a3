/// Encodes bytes as ASCII text, with `%XX` for all bytes except those that RFC 3986, section 2.3, calls unreserved.
///
/// All of it is inlined into other modules, so the type has to be usable there: the badge service encodes and decodes
/// every name it receives.
@usableFromInline package enum PercentCoding {
    /// Whether a byte is not encoded: letters, digits and `-._~`.
    @inlinable package static func isUnreserved(_ byte: UInt8) -> Bool {
        // One bit for each ASCII character.
        let bits: UInt64 = byte < 64 ? 0x03FF_6000_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return byte < 128 && bits &>> UInt64(byte & 63) & 1 == 1
    }

    /// The value of a hexadecimal digit, in capitals or not; nil for any other byte.
    @inlinable package static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The capital hexadecimal digit of a value below 16.
    @inlinable static func digit(of value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Appends the encoding of a byte.
    @inlinable package static func append(_ byte: UInt8, to text: inout [UInt8]) {
        if isUnreserved(byte) {
            text.append(byte)
        } else {
            text.append(UInt8(ascii: "%"))
            text.append(digit(of: byte >> 4))
            text.append(digit(of: byte & 15))
        }
    }

    /// Encodes one segment of a path.
    @inlinable package static func encode(segment bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Encodes a path, in which `/` is not encoded.
    @inlinable package static func encode(path bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if byte == UInt8(ascii: "/") { text.append(byte) } else { append(byte, to: &text) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the decoded bytes of `text`; false if it contains an invalid escape.
    @inlinable package static func decode(_ text: some Sequence<UInt8>, into bytes: inout [UInt8]) -> Bool {
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(value(ofDigit:)), let low = rest.next().flatMap(value(ofDigit:))
            else { return false }
            bytes.append(high << 4 | low)
        }
        return true
    }

    /// Decodes a path or segment; nil if it contains an invalid escape or NUL.
    @inlinable package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        return decode(text.utf8, into: &bytes) && !bytes.contains(0) ? bytes : nil
    }
}

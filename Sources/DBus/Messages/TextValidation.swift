/// Whether D-Bus permits `bytes` as a string: UTF-8 (no surrogates, no overlong forms, at most U+10FFFF), no NUL.
func isPermittedText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x80 {
            if byte == 0 { return false }
            index += 1
            continue
        }
        guard let length = sequenceLength(bytes, at: index) else { return false }
        index += length
    }
    return true
}

/// The length of the sequence of two to four bytes at `index`; nil if it is malformed (RFC 3629, section 4).
private func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    let second: ClosedRange<UInt8>
    let length: Int
    switch bytes[index] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
    for next in (index + 2)..<(index + max(length, 2)) where !(0x80...0xBF).contains(bytes[next]) { return nil }
    return length
}

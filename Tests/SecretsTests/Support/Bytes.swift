import Secrets

extension SecretBytes {
    /// The bytes, for comparing.
    var bytes: [UInt8] { withBytes { Array($0) } }

    /// Bytes of a text.
    convenience init(_ text: String) throws { try self.init(copying: Array(text.utf8)) }
}

/// The bytes of hexadecimal digits.
func hexadecimal(_ digits: String) -> [UInt8] {
    stride(from: 0, to: digits.utf8.count, by: 2).compactMap { start in
        UInt8(digits.dropFirst(start).prefix(2), radix: 16)
    }
}

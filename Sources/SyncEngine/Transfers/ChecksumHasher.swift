import CCrypto

/// A checksum of a file's contents as it passes, of a kind that servers store with their files. It shows that contents
/// arrived as they were sent; only ``ContentHasher`` shows that two contents are equal.
package struct ChecksumHasher: ~Copyable {
    /// The kinds of checksums, the strongest first.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case sha256 = "SHA256"
        case sha1 = "SHA1"
        case md5 = "MD5"
        case adler32 = "ADLER32"

        /// The length of the checksum in bytes.
        package var length: Int {
            switch self {
            case .sha256: 32
            case .sha1: 20
            case .md5: 16
            case .adler32: 4
            }
        }
    }

    private var adler: (low: UInt32, high: UInt32) = (1, 0)
    /// Nil for Adler-32, which libcrypto does not have.
    private let context: OpaquePointer?

    /// Begins a checksum; nil if the library has no memory left or does not have this kind.
    package init?(_ kind: Kind) {
        guard kind != .adler32 else {
            context = nil
            return
        }
        guard let algorithm = EVP_MD_fetch(nil, kind.rawValue, nil), let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_free(algorithm) }
        guard EVP_DigestInit_ex(context, algorithm, nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit {
        if let context { EVP_MD_CTX_free(context) }
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if let context {
            EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
            return
        }
        // The sums of so many bytes still fit into 32 bits (RFC 1950, section 9).
        let most = 5_552
        var (low, high) = adler
        for start in stride(from: 0, to: bytes.count, by: most) {
            for byte in bytes[start..<min(start + most, bytes.count)] {
                low &+= UInt32(byte)
                high &+= low
            }
            (low, high) = (low % 65_521, high % 65_521)
        }
        adler = (low, high)
    }

    /// The checksum of everything added.
    package consuming func finish() -> [UInt8] {
        guard let context else {
            let sum = adler.high << 16 | adler.low
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
        }
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        EVP_DigestFinal_ex(context, &digest, &length)
        return Array(digest.prefix(Int(length)))
    }
}

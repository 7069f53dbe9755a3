import CCrypto
package import SyncCore

/// SHA-256 (FIPS 180-4) over the contents of a file, by OpenSSL's libcrypto, which uses the processor's instructions
/// for it. The hash must be cryptographic, because equal hashes on both sides count as equal contents, and an attacker
/// may choose the contents.
package struct ContentHasher: ~Copyable {
    private let context: OpaquePointer

    /// Begins a hash; nil if the library has no memory left or no SHA-256.
    package init?() {
        guard let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex(context, Self.algorithm.pointer, nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The hash of everything added so far; nil if the library has no memory left.
    func current() -> ContentHash? {
        guard let copy = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(copy) }
        guard EVP_MD_CTX_copy_ex(copy, context) == 1 else { return nil }
        return Self.result(copy)
    }

    /// The hash of everything added.
    package consuming func finish() -> ContentHash { Self.result(context) }

    private static func result(_ context: OpaquePointer) -> ContentHash {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        EVP_DigestFinal_ex(context, &digest, &length)
        return ContentHash(Array(digest.prefix(Int(length))))
    }

    /// Fetched once: otherwise OpenSSL 3 looks the algorithm up by name each time.
    private static let algorithm = Algorithm(pointer: EVP_MD_fetch(nil, "SHA256", nil))

    /// @unchecked: a fetched algorithm is immutable, and the library counts references atomically.
    private struct Algorithm: @unchecked Sendable {
        let pointer: OpaquePointer?
    }
}

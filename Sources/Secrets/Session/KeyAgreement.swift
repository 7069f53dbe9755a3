internal import CCrypto

/// One side of the Diffie-Hellman key agreement of an encrypted session, in the Second Oakley Group (RFC 2409, section
/// 6.2), with a new private key for each session.
package struct KeyAgreement: ~Copyable {
    /// The length of a number of the group in bytes.
    package static let length = 128
    /// The number of random bits in the private key. The 1,024-bit group is not stronger than a key of half as many
    /// bits.
    private static let exponentBits: Int32 = 256

    private let exponent: OpaquePointer
    /// The public key for the other side: a number of ``length`` bytes, the most significant first.
    package let publicKey: [UInt8]

    /// Creates a private key.
    package init() throws {
        guard let exponent = BN_secure_new() else { throw SecretStoreError.cryptographyFailed }
        do {
            try Self.require(BN_priv_rand(exponent, Self.exponentBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY))
            publicKey = try Self.publicKey(exponent)
        } catch {
            BN_clear_free(exponent)
            throw error
        }
        self.exponent = exponent
    }

    /// Uses a known private key, for tests.
    package init(privateKey: [UInt8]) throws {
        guard let exponent = BN_bin2bn(privateKey, Int32(privateKey.count), nil) else {
            throw SecretStoreError.cryptographyFailed
        }
        do {
            publicKey = try Self.publicKey(exponent)
        } catch {
            BN_clear_free(exponent)
            throw error
        }
        self.exponent = exponent
    }

    deinit { BN_clear_free(exponent) }

    /// The session key shared with the other side.
    ///
    /// - Parameter peer: The public key of the other side: at most ``length`` bytes, the most significant first.
    /// - Throws: ``SecretStoreError/malformed(_:)`` for a number with which anyone could know the session key.
    package func sessionKey(with peer: [UInt8]) throws -> SecretBytes {
        let shared = try sharedSecret(with: peer)
        return try SecretBytes(capacity: SessionCipher.keyLength) { key in
            try shared.withBytes { try Self.derive(from: $0, into: key) }
            return key.count
        }
    }

    /// The number that both sides know, including leading zeroes, because both derive the key from all its bytes.
    private borrowing func sharedSecret(with peer: [UInt8]) throws -> SecretBytes {
        guard (1...Self.length).contains(peer.count) else { throw SecretStoreError.malformed("OpenSession") }
        guard let number = BN_bin2bn(peer, Int32(peer.count), nil) else { throw SecretStoreError.cryptographyFailed }
        defer { BN_free(number) }
        return try Self.withPrime { prime, context in
            // The powers of 0, 1 and -1 are easy to guess.
            guard BN_num_bits(number) > 1, let last = BN_dup(prime) else {
                throw SecretStoreError.malformed("OpenSession")
            }
            defer { BN_free(last) }
            try Self.require(BN_sub_word(last, 1))
            guard BN_cmp(number, last) < 0 else { throw SecretStoreError.malformed("OpenSession") }
            guard let power = BN_secure_new() else { throw SecretStoreError.cryptographyFailed }
            defer { BN_clear_free(power) }
            try Self.require(BN_mod_exp_mont_consttime(power, number, exponent, prime, context, nil))
            return try SecretBytes(capacity: Self.length) { room in
                let start = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                guard BN_bn2binpad(power, start, Int32(Self.length)) == Int32(Self.length) else {
                    throw SecretStoreError.cryptographyFailed
                }
                return Self.length
            }
        }
    }

    private static func publicKey(_ exponent: OpaquePointer) throws -> [UInt8] {
        guard let base = BN_new() else { throw SecretStoreError.cryptographyFailed }
        defer { BN_free(base) }
        try require(BN_set_word(base, 2))
        return try withPrime { prime, context in
            guard let power = BN_new() else { throw SecretStoreError.cryptographyFailed }
            defer { BN_free(power) }
            try require(BN_mod_exp_mont_consttime(power, base, exponent, prime, context, nil))
            var bytes = [UInt8](repeating: 0, count: length)
            guard BN_bn2binpad(power, &bytes, Int32(length)) == Int32(length) else {
                throw SecretStoreError.cryptographyFailed
            }
            return bytes
        }
    }

    private static func withPrime<Result>(_ body: (OpaquePointer, OpaquePointer) throws -> Result) throws -> Result {
        guard let prime = BN_get_rfc2409_prime_1024(nil) else { throw SecretStoreError.cryptographyFailed }
        defer { BN_free(prime) }
        guard let context = BN_CTX_secure_new() else { throw SecretStoreError.cryptographyFailed }
        defer { BN_CTX_free(context) }
        return try body(prime, context)
    }

    /// HKDF with SHA-256 (RFC 5869), without salt and info.
    private static func derive(from secret: UnsafeRawBufferPointer, into key: UnsafeMutableRawBufferPointer) throws {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else { throw SecretStoreError.cryptographyFailed }
        defer { EVP_PKEY_CTX_free(context) }
        var length = key.count
        try require(EVP_PKEY_derive_init(context))
        try require(EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()))
        let start = secret.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try require(EVP_PKEY_CTX_set1_hkdf_key(context, start, Int32(secret.count)))
        try require(EVP_PKEY_derive(context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), &length))
        guard length == key.count else { throw SecretStoreError.cryptographyFailed }
    }

    private static func require(_ result: Int32) throws {
        guard result > 0 else { throw SecretStoreError.cryptographyFailed }
    }
}

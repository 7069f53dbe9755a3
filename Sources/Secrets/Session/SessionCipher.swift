internal import CCrypto

/// Encrypts the secrets of one session: AES-128 in CBC mode with the padding of PKCS #7, each with its own
/// initialisation vector.
package struct SessionCipher: Sendable {
    /// The length of a key in bytes.
    package static let keyLength = 16
    /// The length of a block and an initialisation vector in bytes.
    package static let blockLength = 16
    /// The maximum length of an encrypted secret in bytes.
    package static let longest = 64 << 10

    private let key: SecretBytes

    /// Creates a cipher with a key of ``keyLength`` bytes.
    package init(key: SecretBytes) {
        precondition(key.count == Self.keyLength)
        self.key = key
    }

    /// The parts of an encrypted secret.
    package struct Encrypted: Hashable, Sendable {
        /// The initialisation vector.
        package let vector: [UInt8]
        /// The blocks.
        package let value: [UInt8]

        /// Creates an encrypted secret from data from the bus.
        package init(vector: [UInt8], value: [UInt8]) {
            self.vector = vector
            self.value = value
        }
    }

    /// Encrypts a secret with a new initialisation vector.
    package func encrypt(_ secret: SecretBytes) throws -> Encrypted {
        var vector = [UInt8](repeating: 0, count: Self.blockLength)
        guard RAND_bytes(&vector, Int32(vector.count)) == 1 else { throw SecretStoreError.cryptographyFailed }
        return try encrypt(secret, vector: vector)
    }

    /// Encrypts a secret with a known initialisation vector, for tests.
    package func encrypt(_ secret: SecretBytes, vector: [UInt8]) throws -> Encrypted {
        guard vector.count == Self.blockLength, secret.count < Self.longest else { throw SecretStoreError.unusable }
        return try withContext { context, key in
            guard EVP_EncryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector) == 1 else {
                throw SecretStoreError.cryptographyFailed
            }
            var value = [UInt8](repeating: 0, count: secret.count + Self.blockLength)
            var (first, last): (Int32, Int32) = (0, 0)
            let isDone = secret.withBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return value.withUnsafeMutableBufferPointer { room in
                    EVP_EncryptUpdate(context, room.baseAddress, &first, start, Int32(bytes.count)) == 1
                        && EVP_EncryptFinal_ex(context, room.baseAddress.map { $0 + Int(first) }, &last) == 1
                }
            }
            guard isDone else { throw SecretStoreError.cryptographyFailed }
            return Encrypted(vector: vector, value: Array(value.prefix(Int(first) + Int(last))))
        }
    }

    /// Decrypts a secret.
    ///
    /// - Throws: ``SecretStoreError/malformed(_:)`` if it was not encrypted with this key.
    package func decrypt(_ encrypted: Encrypted) throws -> SecretBytes {
        let (vector, value) = (encrypted.vector, encrypted.value)
        guard vector.count == Self.blockLength, !value.isEmpty, value.count <= Self.longest,
            value.count.isMultiple(of: Self.blockLength)
        else { throw SecretStoreError.malformed("GetSecret") }
        return try withContext { context, key in
            guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector) == 1 else {
                throw SecretStoreError.cryptographyFailed
            }
            return try SecretBytes(capacity: value.count + Self.blockLength) { room in
                let start = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                var (first, last): (Int32, Int32) = (0, 0)
                guard EVP_DecryptUpdate(context, start, &first, value, Int32(value.count)) == 1 else {
                    throw SecretStoreError.cryptographyFailed
                }
                guard EVP_DecryptFinal_ex(context, start.map { $0 + Int(first) }, &last) == 1 else {
                    throw SecretStoreError.malformed("GetSecret")
                }
                return Int(first) + Int(last)
            }
        }
    }

    /// Freeing the context wipes the key schedule in it.
    private func withContext<Result>(
        _ body: (_ context: OpaquePointer, _ key: UnsafePointer<UInt8>?) throws -> Result
    ) throws -> Result {
        guard let context = EVP_CIPHER_CTX_new() else { throw SecretStoreError.cryptographyFailed }
        defer { EVP_CIPHER_CTX_free(context) }
        return try key.withBytes { try body(context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
    }
}

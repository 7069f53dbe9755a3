import Secrets
import Testing

/// The numbers come from Python's integers, hashlib and hmac, and from its package `cryptography`.
@Suite struct KeyAgreementTests {
    static let privateKeys = [
        "4c7139b24a508181ec1c969f7e11c52854e3633bfd6dd2ce96f2149f26d8c6c5",
        "0c2ca32bb5c4166131413284cd6df92d8c0b7b327b728482718008e9ab0f3b81",
    ].map(hexadecimal)
    static let publicKeys = [
        "d9c97edeb7b9694d50f63b8c4d6ce4527dde855f0b0d5743e6d93b06e642c47a724eccad8a270d46a805c2ea8053018e"
            + "45c3ae3bfdda445d1e222dbf6e07b0c728d05ee426f654deb54ff700c8ed2b6ad8e909d300846b110863973bed19cba7"
            + "d2e5fdd2aee6016eddc52d4d35f1e88e4299844c2ab9218d78543e05b2dffb86",
        "4af1c46769fd91321683df1743ae92e54d32af9453cd3c4b2b5f68bdb53459d79d798f2cb87d64289bda1111725a1f6c"
            + "8583040b10454a90bbbfefac294f54e26dd06120eaaa4c09fb4c5b32088c01de54192f8f1e90d939e7806ee7b51e8434"
            + "191cf17e63add75ab5a317b8a174bf187d3a241fe68baa09e9ec88dbfedcf14d",
    ].map(hexadecimal)
    /// With the first private key, the shared number of this one begins with two zero bytes.
    static let publicKeyOfShortNumber = hexadecimal(
        "d7eb8edccbbe2e8077f0c43014e4ee49757fcb57091b1255e0ceaa2069f6e192113fe6f9cd32adc239db5b1c7ea1fa2e"
            + "b3a3d21a3c27aa24db7467888b05806937a532bf2f0579e995a3f0777ee3ad77fa35af4bd6c2235c005d3861f667f1f3"
            + "cbdfb2d9ddf59f204ff25d5ff80c2d90993a70861c8e3897eefb4e3da2aa5274")
    static let sessionKey = hexadecimal("9c650f7029756aaff06916e0cadc1239")

    @Test func publicKeysArePowersOfTwo() throws {
        for (privateKey, publicKey) in zip(Self.privateKeys, Self.publicKeys) {
            #expect(try KeyAgreement(privateKey: privateKey).publicKey == publicKey)
        }
    }

    @Test func bothSidesHaveTheKnownKey() throws {
        for (own, other) in [(0, 1), (1, 0)] {
            let agreement = try KeyAgreement(privateKey: Self.privateKeys[own])
            #expect(try agreement.sessionKey(with: Self.publicKeys[other]).bytes == Self.sessionKey)
        }
    }

    @Test func aSharedNumberKeepsItsLeadingZeroes() throws {
        let agreement = try KeyAgreement(privateKey: Self.privateKeys[0])
        #expect(
            try agreement.sessionKey(with: Self.publicKeyOfShortNumber).bytes
                == hexadecimal("d04916b29609634d99b26186f401b406"))
    }

    @Test func newKeysDifferAndAgree() throws {
        let first = try KeyAgreement()
        let second = try KeyAgreement()
        let (one, two) = (first.publicKey, second.publicKey)
        #expect(one != two && one.count == KeyAgreement.length)
        let keys = try (first.sessionKey(with: two).bytes, second.sessionKey(with: one).bytes)
        #expect(keys.0 == keys.1)
    }

    /// The prime of the group.
    static let prime = hexadecimal(
        "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd"
            + "ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed"
            + "ee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff")

    static let hostileKeys: [[UInt8]] = [
        [], [0], [1], [UInt8](repeating: 0, count: 128), [UInt8](repeating: 0, count: 127) + [1], prime,
        prime.dropLast() + [0xFE], [UInt8](repeating: 0xFF, count: 128), [UInt8](repeating: 2, count: 129),
        [UInt8](repeating: 0, count: 100_000),
    ]

    @Test("A number whose powers are known to everybody is no key", arguments: hostileKeys)
    func keysThatEverybodyKnowsAreRefused(peer: [UInt8]) throws {
        let agreement = try KeyAgreement()
        let error = #expect(throws: SecretStoreError.self) {
            _ = try agreement.sessionKey(with: peer)
        }
        #expect(error == .malformed("OpenSession"))
    }
}

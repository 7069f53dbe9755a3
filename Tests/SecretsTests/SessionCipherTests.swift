import Secrets
import Testing

/// The blocks come from Python's package `cryptography`.
@Suite struct SessionCipherTests {
    let cipher: SessionCipher

    init() throws { cipher = SessionCipher(key: try SecretBytes(copying: KeyAgreementTests.sessionKey)) }

    static let known = [
        ("correct horse", "3c9f024454e0b95f29932b532edf9093"),
        ("sixteen bytes ok", "6670ca370e79c48f1f6d53fe1264ba6a8cd012a1c21c58a94cd9e41006260015"),
        ("", "a816ae6fa3e7fc3cd3948884a7ae77b1"), ("pässwörd 🔑", "4da6c8a3422d809fdfd4a04616fb5c56"),
    ]

    @Test(arguments: known)
    func secretsAreEncryptedAsEverywhere(secret: String, value: String) throws {
        let encrypted = try cipher.encrypt(try SecretBytes(secret), vector: Array(0..<16))
        #expect(encrypted.value == hexadecimal(value))
        #expect(try cipher.decrypt(encrypted).bytes == Array(secret.utf8))
    }

    @Test func noVectorIsUsedTwice() throws {
        let secret = try SecretBytes("the same")
        let (first, second) = (try cipher.encrypt(secret), try cipher.encrypt(secret))
        #expect(first.vector != second.vector && first.value != second.value)
    }

    static let hostile: [(vector: Int, value: Int)] = [
        (0, 16), (15, 16), (17, 16), (16, 0), (16, 15), (16, 17), (16, (64 << 10) + 16), (1 << 20, 16),
    ]

    @Test("Blocks of lengths that cannot be are refused", arguments: hostile)
    func lengthsThatCannotBeAreRefused(vector: Int, value: Int) {
        let encrypted = SessionCipher.Encrypted(
            vector: .init(repeating: 7, count: vector), value: .init(repeating: 9, count: value))
        #expect(throws: SecretStoreError.malformed("GetSecret")) { try cipher.decrypt(encrypted) }
    }

    @Test func whatWasEncryptedWithAnotherKeyIsRefused() throws {
        let other = SessionCipher(key: try SecretBytes(copying: [UInt8](repeating: 1, count: 16)))
        let encrypted = try other.encrypt(try SecretBytes("secret"), vector: Array(0..<16))
        #expect(throws: SecretStoreError.malformed("GetSecret")) { try cipher.decrypt(encrypted) }
    }
}

import SyncCore
import Testing

@testable import WebDAV

@Suite("Checksums that servers keep with files") struct ContentDigestTests {
    private let hash = ContentHash((0..<32).map { UInt8($0 * 8) })
    private let digits = "00081018202830384048505860687078" + "80889098a0a8b0b8c0c8d0d8e0e8f0f8"

    @Test("what is sent is what is read")
    func same() {
        #expect(ContentDigest.header(hash) == ("OC-Checksum", "SHA256:" + digits))
        #expect(ContentDigest.hash(in: Array("SHA256:\(digits)".utf8)) == hash)
    }

    @Test("it is found among others, in any case")
    func amongOthers() {
        #expect(
            ContentDigest.hash(in: Array("SHA1:0a0b \n sha256:\(digits.uppercased()) MD5:00".utf8)) == hash)
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "SHA256:", "SHA1:0a0b", "SHA256:00", "SHA256:g0081018202830384048505860687078", "SHA3-256:00 SHA256",
        ])
    func none(text: String) {
        #expect(ContentDigest.hash(in: Array(text.utf8)) == nil)
        #expect(ContentDigest.hash(in: Array("SHA512:\(digits)".utf8)) == nil)
        #expect(ContentDigest.hash(in: Array("SHA256:\(digits)0".utf8)) == nil)
        #expect(ContentDigest.hash(in: Array("SHA256:x\(digits.dropFirst())".utf8)) == nil)
    }
}

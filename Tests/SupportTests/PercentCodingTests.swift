import Support
import Testing

@Suite("Percent coding")
struct PercentCodingTests {
    private static let unreserved = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    @Test("Every byte is written as RFC 3986 has it, and read again")
    func bytes() {
        for byte in UInt8.min...UInt8.max {
            let hexadecimal = String(byte, radix: 16, uppercase: true)
            let escape = "%" + (byte < 16 ? "0" : "") + hexadecimal
            let plain = String(UnicodeScalar(byte))
            let isPlain = Self.unreserved.contains(byte)
            #expect(PercentCoding.encode(segment: [byte]) == (isPlain ? plain : escape))
            #expect(PercentCoding.encode(path: [byte]) == (isPlain || plain == "/" ? plain : escape))
            #expect(PercentCoding.decode(escape) == (byte == 0 ? nil : [byte]))
            #expect(PercentCoding.decode(escape.lowercased()) == (byte == 0 ? nil : [byte]))
        }
    }

    @Test("A bad escape is refused", arguments: ["%", "a%4", "%4g", "%%41", "%-1", "a%"])
    func badEscapes(text: String) {
        #expect(PercentCoding.decode(text) == nil)
    }
}

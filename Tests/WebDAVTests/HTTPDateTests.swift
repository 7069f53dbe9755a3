import Testing
import WebDAV

struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Friday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
            ("Friday, 01-Jan-77 00:00:00 GMT", 220_924_800), ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ] as [(String, Int64)])
    func moments(_ text: String, _ seconds: Int64) {
        #expect(HTTPDate.seconds(text, year: 2026) == seconds)
    }

    @Test(arguments: [
        "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, -6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "9223372036854775807",
    ])
    func refused(_ text: String) {
        #expect(HTTPDate.seconds(text, year: 2026) == nil)
    }
}

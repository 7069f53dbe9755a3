import Client
import Testing

/// What of a line of a log gets into a report.
@Suite struct RedactionTests {
    private let redaction = Redaction.ofOwnWords

    @Test(
        "Our own sentences stay, with the errors of the system",
        arguments: [
            "The badge service is not running; folders are checked for changes from time to time.",
            "Session ended; stopping.", "Permission denied", "No space left on device",
        ])
    func own(line: String) { #expect(redaction.redacted(line) == line) }

    @Test(
        "What a place holds goes, whatever it looks like",
        arguments: [
            ("/home/maria/Taxes: Permission denied", "<path>: Permission denied"),
            ("/home/maria/My secret Müller folder/x: Permission denied", "<path>: Permission denied"),
            ("~/Steuer cannot be read: No such file or directory", "<path> cannot be read: No such file or directory"),
            (#"C:\Users\maria cannot be read"#, "<path> cannot be read"),
            ("file:///home/maria/a%20b cannot be shown: timed out", "<address> cannot be shown: timed out"),
            (
                "https://maria:hunter2@cloud.example.org/s/T0k3n?token=abc cannot be reached",
                "<address> cannot be reached"
            ),
            ("The server cloud.example.org cannot be reached", "The server <address> cannot be reached"),
            ("The server 192.168.7.13 cannot be reached", "The server <address> cannot be reached"),
            ("The server [2001:db8::17]:8443 cannot be reached", "The server <address> cannot be reached"),
            ("maria@example.org cannot be reached", "<address> cannot be reached"),
            ("Maria cannot be read", "<name> cannot be read"),
        ])
    func places(line: String, expected: String) { #expect(redaction.redacted(line) == expected) }

    @Test(
        "What is in quotation marks goes even if it is made of our own words, and without its end all that follows",
        arguments: [
            ("“the server” cannot be read", "<name> cannot be read"),
            ("\"the server\" cannot be read", "<name> cannot be read"),
            ("'the server' cannot be read", "<name> cannot be read"),
            ("„der Server“ cannot be read", "<name> cannot be read"),
            ("cannot be read: “the server", "cannot be read: <name>"),
            ("“evil” Müller” cannot be read", "<name> cannot be read"),
            ("“evil”::17 cannot be read", "<name> cannot be read"),
        ])
    func quoted(line: String, expected: String) { #expect(redaction.redacted(line) == expected) }

    @Test("Words between two foreign ones are taken for a part of the name")
    func gaps() {
        #expect(redaction.redacted("Maria and the Schmidt cannot be read") == "<name> cannot be read")
        #expect(redaction.redacted("Maria: the Schmidt") == "<name>: the <name>")
    }

    @Test(
        "Small numbers stay where they stand among our words; those of a name, of a card or of a telephone go",
        arguments: [
            ("3 folders cannot be read", "3 folders cannot be read"),
            ("Invoice 4711 cannot be read", "<name> cannot be read"),
            ("4111 1111 1111 1111 cannot be read", "<number> cannot be read"),
            ("01701234567 cannot be read", "<number> cannot be read"),
            ("+4917012345 cannot be read", "<number> cannot be read"),
        ])
    func numbers(line: String, expected: String) { #expect(redaction.redacted(line) == expected) }

    @Test(
        "Line ends, other scripts and characters that nobody sees let nothing through",
        arguments: [
            "a\nsecretname\u{2028}folder", "秘密的文件夹 cannot be read", "Секрет cannot be read", "مجلد cannot be read",
            "ser\u{200B}ver\u{202E}emanterces cannot be read", "the\u{0}secretname\u{7}", "“secretname\n",
            "s\u{301}ecretname",
        ])
    func hostile(line: String) {
        let text = redaction.redacted(line)
        for secret in [
            "secretname", "emanterces", "秘密", "Секрет", "مجلد", "ecretname", "\n", "\u{2028}", "\u{202E}", "\u{0}",
        ] {
            #expect(!text.contains(secret), "\(text)")
        }
        #expect(text.contains("<name>"))
    }

    @Test("Whatever a name is, each word that is shown is one of ours, a small number or a mark")
    func anything() {
        var generator = SystemRandomNumberGenerator()
        let parts = [
            "the", "server", "Ümläut", "x/y", "“", "”", "\"", "'", ":", "\n", "://", "@", "::1", "42", "�", "e\u{301}",
            " ", " ", " ",
        ]
        for _ in 0..<2_000 {
            let line = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            let shown = redaction.redacted(line).split(separator: " ")
            for word in shown {
                let core = word.filter { !",.:;!?)]}-–—…".contains($0) }
                let isNumber = core.count <= 6 && core.allSatisfy { "42".contains($0) }
                let known = ["the", "server", "<path>", "<address>", "<name>", "<number>"]
                #expect(isNumber || known.contains(core), "\(line)")
            }
        }
    }

    @Test("A line without an end is cut")
    func long() {
        #expect(redaction.redacted(String(repeating: "the ", count: 100_000)).count <= 2_000)
    }
}

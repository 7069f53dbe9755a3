import RoundelBus
import Support
import SystemPackage
import TestSupport
import Testing

@testable import roundel

@Suite struct TextTests {
    @Test(arguments: ["{1}", "{2}", "%1", "%2"])
    func aNameThatLooksLikeAPlaceholderStaysWhatItIs(name: String) {
        #expect(
            AddCommand.added(name, with: name)
                == "\(name) now syncs with \(name). The first sync is running; see: roundel status --watch")
        #expect(TrashRestoreCommand.restored(2, at: name, comesFromRemote: false) == "Restored 2 items of \(name).")
        #expect(
            ItemArgument.unusablePath("/a%", because: .fragment)
                == "“/a%” cannot be used: it contains a fragment; write # as %23.")
    }

    @Test func jsonStringsKeepEveryCharacterAndStayOnOneLine() {
        let text = "a\"b\\c\n\r\t\u{1}\u{7F}\u{9B}\u{2028}é🎈"
        #expect(
            JSON.string(text).text
                == "\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u007f\\u009b\\u2028é🎈\"")
    }

    @Test func jsonObjectsKeepTheOrderOfTheirKeys() {
        let json = JSON.object([
            .init("z", .number(1)), .init("a", .array([true, .null, "x"])), .init("n", .number(UInt64.max)),
        ])
        #expect(json.text == #"{"z":1,"a":[true,null,"x"],"n":18446744073709551615}"#)
    }

    @Test func bytesThatAreNotUTF8AppearEscapedAndTheRestStays() {
        #expect(DisplayText.decoding([0x61, 0xFF, 0xC3, 0xA9, 0xC3]) == "a\\xFFé\\xC3")
        #expect(DisplayText.decoding([0xED, 0xA0, 0x80]) == "\\xED\\xA0\\x80")
        #expect(DisplayText.decoding([0xF0, 0x9F, 0x8E, 0x88]) == "🎈")
        #expect(DisplayText.decoding([0xC0, 0x80]) == "\\xC0\\x80")
    }

    @Test func controlAndDirectionCharactersCannotReachATerminal() {
        #expect(DisplayText.escaped("a\nb\u{1B}[31m") == "a\\nb\\x1B[31m")
        #expect(DisplayText.escaped("x\u{202E}gpj.exe\u{9B}") == "x\\u{202E}gpj.exe\\u{9B}")
        #expect(DisplayText.escaped("häß 日本") == "häß 日本")
    }

    @Test(arguments: [
        ("abc", 3), ("日本語", 6), ("e\u{301}", 1), ("🎈", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("한글", 4), ("✓", 1), ("", 0),
        ("\u{1112}\u{1161}\u{11AB}", 2),
    ])
    func widthCountsTheColumnsOfATerminal(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func truncationNeverSplitsACharacterNorExceedsTheRoom() {
        #expect(DisplayWidth.truncate("日本語です", to: 6, ellipsis: "…") == "日本…")
        #expect(DisplayWidth.truncate("abcdef", to: 6, ellipsis: "…") == "abcdef")
        #expect(DisplayWidth.truncate("abcdefg", to: 6, ellipsis: "...") == "abc...")
        for columns in 0...8 {
            let text = DisplayWidth.truncate("a日b本c語d", to: columns, ellipsis: "…")
            #expect(DisplayWidth.of(text) <= columns)
        }
    }

    @Test(arguments: [
        (UInt64(0), "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (4_249, "4.2 kB"),
        (104_857_600, "105 MB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (1_000_000, "1.0 MB"),
        (UInt64.max, "18.4 EB"),
    ])
    func sizesReadAsInAFileManager(count: UInt64, text: String) {
        #expect(Quantity.bytes(count) == text)
    }

    @Test(arguments: [
        (UInt64(0), "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (200, "3 minutes"),
        (7_199, "120 minutes"), (7_200, "2 hours"), (172_800, "2 days"), (UInt64.max, "213503982334601 days"),
    ])
    func timesHaveTwoOfTheirUnitAtLeast(seconds: UInt64, text: String) {
        #expect(Quantity.time(seconds) == text)
    }

    @Test func momentsAreISO8601InUTC() {
        #expect(TimeText.utc(1_700_000_000_999_999) == "2023-11-14T22:13:20Z")
        #expect(TimeText.utc(-1) == "1969-12-31T23:59:59Z")
    }

    @Test(
        arguments: [
            0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068,
            0x2069,
            0x00, 0x07, 0x1B, 0x7F, 0x80, 0x9B, 0x9F,
        ] as [UInt32])
    func noCharacterThatSteersOrReordersReachesATerminal(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let text = "a\(String(scalar))b"
        for shown in [
            DisplayText.escaped(text), JSON.string(text).text, ShellWord.quoted(text), Table.Cell(text).text,
            Needs.sentence("root-missing", uri: "", pendingDeletes: nil)
                + Needs.sentence(WireWord(text: text), uri: "", pendingDeletes: nil),
        ] {
            #expect(!shown.unicodeScalars.contains(scalar), "\(shown.debugDescription)")
        }
    }

    @Test func momentsOfAnyNumberAreTold() {
        for number in [Int64.min, .min + 1, -1_000_001, -1_000_000, -1, 0, .max] {
            #expect(TimeText.utc(number).hasSuffix("Z"))
            #expect(!TimeText.local(number).isEmpty)
        }
        #expect(TimeText.utc(-1_000_000) == "1969-12-31T23:59:59Z")
        #expect(TimeText.utc(-1_000_001) == "1969-12-31T23:59:58Z")
    }

    @Test(arguments: [("plain", "plain"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("", "''"), ("a\nb", "$'a\\x0Ab'")])
    func shellWordsCanBePasted(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    @Test(arguments: ["a", "a b", "it's", "-n", "a\nb", "~", "$(x)"])
    func pathsInTheHomeDirectoryAreShortAndCanBePasted(name: String) throws {
        let home = try #require(ProcessEnvironment.valid("HOME"))
        let item = try ItemURI(path: FilePath(home).appending("sync").appending(name))
        #expect(item.shellWord.hasPrefix("~/") && item.sentencePath.hasPrefix("~/sync/"))
        let echo = try RunningProgram(["/bin/bash", "-c", "printf %s " + item.shellWord], environment: ["HOME": home])
        #expect(try echo.finish().output.hasSuffix("/sync/" + name))
        #expect(try ItemURI(path: FilePath(home)).shellWord == "~")
        #expect(try ItemURI(path: FilePath(home + "-other")).shellWord == home + "-other")
    }

    /// Words that a shell would take apart, expand or run, and that a terminal would not show as they are.
    static let words: [[UInt8]] =
        [
            "a b", "it's", "''", "$HOME", "${IFS}", "$(echo x)", "`echo x`", "a;b", "a&b", "a&&b", "a|b", "a>b", "a<b",
            "(a)",
            "*", "?", "[a]", "{a,b}", "~", "~root", "#a", "!a", "!!", "a=b", "\\", "a\\", "\\n", "\"", "\"$HOME\"",
            "\n", "a\nb",
            "a\tb", "\r", "\u{1B}[31m", "\u{7F}", "\u{9B}31m", "\u{2066}x\u{2069}", "\u{202E}x'", " a ", "é", "日本", "🎈",
        ].map { Array($0.utf8) } + [[0xFF], [0x61, 0xC3, 0x27, 0x31], [0xED, 0xA0, 0x80, 0x30]]

    @Test(arguments: words)
    func aWordThatIsPastedIsTheWord(word: [UInt8]) throws {
        let command = "printf %s \(ShellWord.quoted(bytes: word)) | od -An -v -tx1"
        let printed = try RunningProgram(["bash", "-c", command], environment: ["PATH": "/usr/bin:/bin"]).finish()
        let bytes = printed.output.split(whereSeparator: \.isWhitespace).map { UInt8($0, radix: 16) }
        #expect(bytes == word, "\(command)")
        #expect(printed.errors.isEmpty)
    }

    @Test(arguments: ["-rf", "--help", "-"])
    func aWordThatStartsWithADashIsNoOption(word: String) {
        #expect(ShellWord.quoted(word) == "./" + word)
    }
}

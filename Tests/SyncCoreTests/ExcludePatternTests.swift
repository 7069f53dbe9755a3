import SyncCore
import Testing

@Suite("Exclude patterns")
struct ExcludePatternTests {
    private func path(_ text: String) -> RelativePath {
        RelativePath(text.split(separator: "/").compactMap { EntryName(String($0)) })
    }

    private func excludes(_ patterns: [String], _ text: String, _ kind: EntryKind = .file) -> Bool {
        ExcludePatterns(patterns.map { Array($0.utf8) }).excludes(path(text), kind: kind)
    }

    @Test(
        "F8: files that programs keep for themselves are excluded",
        arguments: ["a~", "~$b.docx", ".~lock.c.odt#", "d.part", ".e.swp", ".nfs0001", ".directory", "sub/f~"])
    func defaults(text: String) {
        #expect(excludes([], text))
    }

    @Test("ordinary files are not", arguments: ["a", "a.txt", "~", "part", "swp.e", "x.partial", "lost", ".hidden"])
    func ordinary(text: String) {
        #expect(excludes([], text) == (text == "~"))
    }

    @Test("a pattern without a slash is for names at any depth")
    func names() {
        #expect(excludes(["*.o"], "src/deep/a.o"))
        #expect(!excludes(["*.o"], "src/deep/a.oo"))
        #expect(excludes(["b?d"], "bad") && !excludes(["b?d"], "bd"))
        #expect(excludes(["[a-c]x"], "bx") && !excludes(["[!a-c]x"], "bx") && !excludes(["[a-c]x"], "dx"))
        #expect(excludes(["\\*"], "*") && !excludes(["\\*"], "a"))
    }

    @Test("a pattern with a slash is for the path below the root")
    func paths() {
        #expect(excludes(["/build"], "build") == excludes(["build"], "build"))
        #expect(excludes(["docs/*.pdf"], "docs/a.pdf") && !excludes(["docs/*.pdf"], "docs/b/a.pdf"))
        #expect(excludes(["docs/**/*.pdf"], "docs/b/a.pdf") && !excludes(["docs/*.pdf"], "x/docs/a.pdf"))
        #expect(!excludes(["docs/**.pdf"], "docs/b/a.pdf") && excludes(["docs/**.pdf"], "docs/a.pdf"))
        #expect(excludes(["**/cache"], "a/b/cache") && excludes(["**/cache"], "cache"))
        #expect(excludes(["a/**/b"], "a/b") && excludes(["a/**/b"], "a/x/y/b") && !excludes(["a/**/b"], "a/xb"))
        #expect(excludes(["a/**"], "a/x/y") && !excludes(["a/**"], "a", .directory))
    }

    @Test("a trailing slash is for directories alone")
    func directories() {
        #expect(excludes(["target/"], "target", .directory) && !excludes(["target/"], "target", .file))
    }

    @Test("F8: the last pattern that matches decides; `!` takes back, the bundled ones too")
    func lastWins() {
        #expect(excludes(["*.log", "!keep.log"], "a.log") && !excludes(["*.log", "!keep.log"], "d/keep.log"))
        #expect(excludes(["!keep.log", "*.log"], "keep.log"))
        #expect(excludes([], "a.tmp") && !excludes(["!*.tmp"], "a.tmp") && excludes(["!*.tmp"], "a~"))
        #expect(excludes(["\\!a", "\\#b"], "!a") && excludes(["\\!a", "\\#b"], "#b"))
    }

    @Test("what the engine writes for itself is never synced", arguments: [".roundel", "d/.roundel-stage-1"])
    func own(text: String) {
        #expect(excludes(["!*", "!**/*", "!.roundel", "!.roundel-stage-*"], text))
    }

    @Test("lines that are no pattern match nothing", arguments: ["", "#a", "!", "/", "[a", "a\\", "  ", "[[:none:]]"])
    func noPattern(text: String) {
        #expect(!ExcludePatterns.isPattern(Array(text.utf8)))
        #expect(!excludes([text], "a"))
    }

    @Test("spaces at the end do not count unless a backslash quotes them")
    func trailingSpaces() {
        #expect(excludes(["a  "], "a") && !excludes(["a  "], "a  ") && excludes(["a\\ "], "a "))
    }

    @Test("names are bytes")
    func bytes() throws {
        let name = try #require(EntryName([0xFF, 0x0A]))
        #expect(ExcludePatterns([[0xFF, UInt8(ascii: "*")]]).excludes(RelativePath([name]), kind: .file))
    }

    @Test("a pattern with many runs ends soon")
    func manyRuns() {
        #expect(!excludes([String(repeating: "*a", count: 40) + "b"], String(repeating: "a", count: 200)))
    }
}

import RoundelBus
import SystemPackage
import TestSupport
import Testing

@testable import BadgeService

@Suite("Types of data by names")
struct GlobTableTests {
    private static func table(_ files: String...) -> GlobTable {
        var table = GlobTable()
        for file in files { table.add(Array(file.utf8)) }
        return table
    }

    private static func types(_ name: String, _ table: GlobTable) -> [String] {
        table.types(of: Array(name.utf8)).map(\.name)
    }

    @Test("The greatest weight counts, then the longest glob; several that are as good are all possible")
    func best() {
        let table = Self.table(
            """
            # A comment: text/wrong:*.png
            80:text/html:*.html
            60:text/x-python:*.py
            50:image/png:*.png
            50:application/gzip:*.gz
            50:application/x-compressed-tar:*.tar.gz
            50:text/x-objcsrc:*.m
            50:text/x-matlab:*.m
            50:text/x-makefile:makefile
            40:text/x-other:*file
            10:text/x-readme:readme*
            50:application/x-trash:*~
            50:text/plain:*,v
            60:application/x-sharedlib:*.so.[0-9]*
            50:video/mpeg:[0-9][0-9][0-9].vdr
            50:application/vnd.ms-Excel.macroEnabled.12:*.xlsm
            10:text/long:*.something.html
            """)
        for (name, types) in [
            ("a.png", ["image/png"]), (".png", ["image/png"]), ("png", []), ("a.png.x", []),
            ("a.gz", ["application/gzip"]),
            ("a.tar.gz", ["application/x-compressed-tar"]), ("a.m", ["text/x-objcsrc", "text/x-matlab"]),
            ("makefile", ["text/x-makefile"]), ("Makefile", ["text/x-makefile"]), ("xmakefile", ["text/x-other"]),
            ("README.de", ["text/x-readme"]), ("README.png", ["image/png"]), ("a.png~", ["application/x-trash"]),
            ("a.c,v", ["text/plain"]), ("lib.so.6.1", ["application/x-sharedlib"]), ("lib.so.x", []),
            ("012.vdr", ["video/mpeg"]), ("12.vdr", []), ("IMAGE.PNG", ["image/png"]),
            ("a.xlsm", ["application/vnd.ms-excel.macroenabled.12"]), ("a.something.html", ["text/html"]), ("", []),
            ("a", []),
        ] {
            #expect(Self.types(name, table) == types, "\(name)")
        }
        #expect(table.types(of: [0xFF, 0x2E, 0x70, 0x6E, 0x67]).map(\.name) == ["image/png"])
    }

    @Test("Case matters where the flag says so, and the line for programs without flags does not undo it")
    func cases() {
        let table = Self.table(
            """
            50:text/x-c++src:*.C:later,cs,other:more:fields
            50:text/x-c++src:*.C
            50:text/x-csrc:*.c:cs
            50:text/x-csrc:*.c
            50:application/x-core:core:cs
            50:application/x-core:core
            50:text/x-brackets:[A-Z]x:cs
            50:image/x-any:*.Any:other
            """)
        for (name, types) in [
            ("main.C", ["text/x-c++src"]), ("main.c", ["text/x-csrc"]), ("core", ["application/x-core"]), ("CORE", []),
            ("Ax", ["text/x-brackets"]), ("ax", []), ("a.aNY", ["image/x-any"]),
        ] {
            #expect(Self.types(name, table) == types, "\(name)")
        }
    }

    @Test("Directories add to each other; a more important one takes a type's globs away from the others")
    func directories() {
        let own = "0:text/x-diff:__NOGLOBS__\n50:text/x-diff:*.diff\n50:image/x-own:*.own\n"
        let system = "50:text/x-diff:*.patch\n50:image/png:*.png\n90:image/x-other:*.own\n"
        let table = Self.table(own, system, "50:text/x-diff:*.third\n")
        #expect(Self.types("a.diff", table) == ["text/x-diff"])
        #expect(Self.types("a.patch", table) == [] && Self.types("a.third", table) == [])
        #expect(Self.types("a.png", table) == ["image/png"] && Self.types("a.own", table) == ["image/x-other"])
        let reversed = Self.table(system, own)
        #expect(Self.types("a.patch", reversed) == ["text/x-diff"])
    }

    @Test("Lines that are not understood and what is beyond the limits are passed over")
    func hostileFiles() {
        let longest = String(repeating: "x", count: GlobTable.patternLimit)
        var file =
            "x:image/a:*.a\n-1:image/a:*.a\n1234:image/a:*.a\n:image/a:*.a\n50:image:*.a\n50:image/a/b:*.a\n50:image/a:\n"
        file +=
            "50:image/a\n50\n:::::\n\n50:im age/a:*.a\n50:image/\u{0}:*.a\n50:image/b:\(longest)x\n50:image/c:\(longest)\n"
        file += String(repeating: "50:image/d:*.d\n", count: 100) + (0..<100).map { "50:image/e\($0):*.e\n" }.joined()
        file += (0..<1000).map { "50:image/w\($0):*.w\($0)*\n" }.joined()
        let table = Self.table(file)
        #expect(Self.types("x.a", table) == [] && Self.types(longest + "x", table) == [])
        #expect(Self.types(longest, table) == ["image/c"] && Self.types("x.d", table) == ["image/d"])
        #expect(Self.types("x.e", table).count == GlobTable.sameLimit)
        #expect(Self.types("x.w1", table) == ["image/w1"] && Self.types("x.w999", table) == ["image/w99"])
        let many = Self.table((0...GlobTable.globLimit).map { "50:image/n:*.n\($0)\n" }.joined())
        #expect(Self.types("x.n\(GlobTable.globLimit - 1)", many) == ["image/n"])
        #expect(Self.types("x.n\(GlobTable.globLimit)", many) == [])
    }

    @Test(
        "Wildcards match as fnmatch(3) says",
        arguments: [
            ("*", "", true), ("*", "abc", true), ("?", "", false), ("?", "a", true), ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("*a*b", "xaybab", true), ("**", "x", true), ("[a-c]", "b", true), ("[a-c]", "d", false),
            ("[!a-c]", "d", true),
            ("[^a-c]", "b", false), ("[]x]", "]", true), ("[a-]", "-", true), ("[c-a]", "b", false), ("[", "[", true),
            ("[a", "[a", true), ("\\*", "*", true), ("\\*", "a", false), ("a\\", "a\\", true), ("[!]]", "]", false),
            ("*.anim[1-9j]", "x.animj", true), ("*.[0-9].*", "lib.1.x", true), ("", "", true), ("", "a", false),
        ])
    func wildcards(pattern: String, name: String, matches: Bool) {
        #expect(Wildcards.match(Array(pattern.utf8)[...], Array(name.utf8)[...]) == matches)
    }

    @Test("A pattern of many stars takes no longer than others")
    func manyStars() {
        let pattern = Array((String(repeating: "*a", count: 60) + "*b").utf8)
        #expect(!Wildcards.match(pattern[...], [UInt8](repeating: UInt8(ascii: "a"), count: 1000)[...]))
    }

    @Test("Whatever is in a file, each name has types that are types")
    func damagedFiles() {
        var mutator = ByteMutator(
            SeededRandom(for: "GlobTableTests"),
            samples: [
                "80:text/html:*.html\n50:text/x-c++src:*.C:cs\n50:text/x-c++src:*.C\n50:image/png:*.png\n",
                "0:text/x-diff:__NOGLOBS__\n60:application/x-sharedlib:*.so.[0-9]*\n50:text/x-readme:readme*\n",
            ].map { Array($0.utf8) },
            tokens: [":", "\n", "*", "[", "]", "\\", "!", "-", "?", "cs", "\u{0}", "50:a/b:*"])
        var found = 0
        mutator.run(2000) { _, bytes in
            var table = GlobTable()
            table.add(bytes)
            for name in ["a.html", "a.C", "README", "lib.so.1", "x.png"] {
                let types = table.types(of: Array(name.utf8))
                found += types.count
                #expect(types.allSatisfy { DataType($0.name) == $0 })
            }
        }
        #expect(found > 2000)
    }

    @Test(
        "The files of all directories are read anew for each question; one that cannot be read is as if it were not there"
    )
    func folders() throws {
        let scratch = try TemporaryDirectory()
        let folders = TypeFolders(data: ["first", "second", "third"].map { scratch.path.appending($0) })
        let names = ["a.png", "b.own", "c"].map { Array($0.utf8) }
        func types() -> [[String]] { folders.types(of: names).map { $0.map(\.name) } }
        #expect(types() == [[], [], []])
        for folder in ["second", "third"] { try scratch.makeDirectory(folder + "/mime") }
        try scratch.write("50:image/png:*.png\n50:image/x-own:*.own\n", to: "third/mime/globs2")
        #expect(types() == [["image/png"], ["image/x-own"], []])
        try scratch.write("70:image/x-second:*.own\n", to: "second/mime/globs2")
        #expect(types() == [["image/png"], ["image/x-second"], []])
        let large = "70:image/x-second:*.own\n" + String(repeating: "#", count: 1 << 20)
        try scratch.write(large, to: "second/mime/globs2")
        #expect(types() == [["image/png"], ["image/x-own"], []])
    }
}

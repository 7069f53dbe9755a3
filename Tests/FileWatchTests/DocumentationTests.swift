import FileWatch
import SystemPackage
import TestSupport
import Testing

@Suite("The documentation")
struct DocumentationTests {
    @Test("The example does what it says", .timeLimit(.minutes(10)))
    func example() throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("sub")
        var items: [FilePath] = []
        try follow(directory.path, onReady: { try? directory.write("x", to: "sub/new") }) { changes in
            items += changes.items
            return false
        }
        #expect(items == ["sub/new"])
    }

    @Test("The example of the article is the one that is tested")
    func article() throws {
        let article = try Sources.text("Sources/FileWatch/FileWatch.docc/FileWatch.md")
        let tested = try Sources.text("Tests/FileWatchTests/FollowingExample.swift")
        #expect(Sources.firstExample(in: article) == tested)
    }
}

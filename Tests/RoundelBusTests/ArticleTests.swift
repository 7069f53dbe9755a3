import TestSupport
import Testing

/// The articles of the documentation show programs that are built and tested.
@Suite struct ArticleTests {
    @Test("The article about hosts shows the sample host as it is built")
    func host() throws {
        let article = try Sources.text("Sources/RoundelBus/RoundelBus.docc/WritingAHost.md")
        let program = try Sources.text("Tests/SampleHost/main.swift")
        #expect(article.contains("```swift\n\(program)```\n"))
    }
}

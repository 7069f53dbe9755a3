import Glibc
import TestSupport
import Testing

/// The articles of the documentation show programs that are built and tested.
@Suite struct ArticleTests {
    /// A file of the sources.
    private func text(_ path: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = fopen("/\(root)/\(path)", "re") else { throw Failure("\(path) cannot be opened") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("The article about hosts shows the sample host as it is built")
    func host() throws {
        let article = try text("Sources/RoundelBus/RoundelBus.docc/WritingAHost.md")
        let program = try text("Tests/SampleHost/main.swift")
        #expect(article.contains("```swift\n\(program)```\n"))
    }
}

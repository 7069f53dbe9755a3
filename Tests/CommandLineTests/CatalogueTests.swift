import SystemPackage
import TestSupport
import Testing

@testable import roundel

/// What a person reads stands in Texts, where it can be translated.
@Suite struct CatalogueTests {
    /// The source files of the command line outside Texts.
    private func sources(below folder: FilePath) throws -> [FilePath] {
        try ListedItem.list(folder).flatMap { item -> [FilePath] in
            let path = folder.appending(String(decoding: item.name, as: UTF8.self))
            if item.kind == .directory { return path.lastComponent == "Texts" ? [] : try sources(below: path) }
            return [path]
        }
    }

    @Test func noSentenceStandsOutsideTheCatalogue() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let files = try sources(below: FilePath("/\(root)/Sources/roundel"))
        #expect(files.count > 40)
        for file in files {
            let text = FileSystemFacts.withContents(of: file) { String(decoding: $0, as: UTF8.self) } ?? ""
            for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                // Every second part stands between quotation marks; a sentence has words and a full stop.
                for (index, literal) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                where index % 2 == 1 && literal.count(where: { $0 == " " }) > 1 {
                    #expect(!literal.hasSuffix(".") && !literal.contains(". "), "\(file): \(literal)")
                }
            }
        }
    }
}
